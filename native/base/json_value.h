// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/json_iterator.h"

namespace animbridge {

class Json;
class JsonItem;

template <typename T>
concept JsonText = std::convertible_to<const T&, std::string_view>;

/// A range becomes an array; a map, which has a mapped_type, becomes an object.
template <typename T>
concept JsonRange =
    !std::same_as<T, Json> && !std::same_as<T, JsonItem> && !JsonText<T> && std::ranges::input_range<const T>;
template <typename T>
concept JsonMap = JsonRange<T> && requires {
    typename T::mapped_type;
};

/// A JSON value of 16 bytes. Numbers and short text are stored inline; longer text, and the values of an
/// array or object, are in one block on the heap. Members keep their order. The destructor allocates nothing,
/// so running out of memory throws and never ends the process. It recurses, within the depth that parse_json
/// allows.
class Json {
public:
    using value_type = Json;
    using const_reference = const Json&;
    using iterator = JsonIterator<Json>;
    using const_iterator = JsonIterator<const Json>;

    Json() noexcept = default;
    Json(std::nullptr_t) noexcept {}
    template <std::same_as<bool> T>
    Json(T value) noexcept : kind_(Kind::boolean) {
        store(0, value);
    }
    template <std::signed_integral T>
    Json(T value) noexcept : kind_(Kind::integer) {
        store(0, static_cast<std::int64_t>(value));
    }
    template <std::unsigned_integral T>
    requires(!std::same_as<T, bool>) Json(T value)
    noexcept : kind_(Kind::natural) { store(0, static_cast<std::uint64_t>(value)); }
    template <std::floating_point T>
    Json(T value) noexcept : kind_(Kind::real) {
        store(0, static_cast<double>(value));
    }
    template <JsonText T>
    Json(const T& text) {
        set_text(text);
    }
    template <JsonMap Map>
    Json(const Map& map) : Json(Kind::object) {
        for (const auto& [key, value] : map) {
            append_member(key, Json(value));
        }
    }
    template <JsonRange Range>
    requires(!JsonMap<Range>) Json(const Range& range) : Json(Kind::array) {
        if constexpr (std::ranges::sized_range<const Range>) {
            reserve(std::ranges::size(range));
        }
        for (const auto& value : range) {
            push_back(Json(value));
        }
    }
    /// A list of pairs that start with text makes an object; any other list makes an array.
    Json(std::initializer_list<JsonItem> items);
    [[nodiscard]] static Json array(std::initializer_list<JsonItem> items = {});
    [[nodiscard]] static Json object(std::initializer_list<JsonItem> members = {});

    Json(const Json& other);
    Json(Json&& other) noexcept { take(other); }
    Json& operator=(const Json& other) { return *this = Json(other); }
    Json& operator=(Json&& other) noexcept {
        Json taken(std::move(other));  // `other` may be part of the value that is destroyed
        swap(taken);
        return *this;
    }
    ~Json() {
        if (owns_block()) {
            free_block();
        }
    }
    void swap(Json& other) noexcept;

    [[nodiscard]] bool is_null() const noexcept { return kind_ == Kind::null; }
    [[nodiscard]] bool is_boolean() const noexcept { return kind_ == Kind::boolean; }
    [[nodiscard]] bool is_number_unsigned() const noexcept { return kind_ == Kind::natural; }
    [[nodiscard]] bool is_number_integer() const noexcept {
        return kind_ == Kind::integer || kind_ == Kind::natural;
    }
    [[nodiscard]] bool is_number_float() const noexcept { return kind_ == Kind::real; }
    [[nodiscard]] bool is_number() const noexcept { return is_number_integer() || is_number_float(); }
    [[nodiscard]] bool is_string() const noexcept {
        return kind_ == Kind::short_text || kind_ == Kind::long_text;
    }
    [[nodiscard]] bool is_array() const noexcept { return kind_ == Kind::array; }
    [[nodiscard]] bool is_object() const noexcept { return kind_ == Kind::object; }
    [[nodiscard]] bool is_structured() const noexcept { return is_array() || is_object(); }
    /// "null", "boolean", "number", "string", "array" or "object".
    [[nodiscard]] const char* type_name() const noexcept;

    /// The number of values or members; 0 for null, 1 for any other value.
    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] bool empty() const noexcept { return size() == 0; }

    /// The value as bool, a number, std::string, or std::string_view (valid as long as this value). Throws
    /// std::logic_error if the value is of another kind.
    template <typename T>
    [[nodiscard]] T get() const;

    /// An element; throws std::logic_error if there is none.
    [[nodiscard]] const Json& at(std::size_t index) const { return element(index); }
    [[nodiscard]] const Json& operator[](std::size_t index) const { return at(index); }
    [[nodiscard]] Json& operator[](std::size_t index) { return element(index); }
    [[nodiscard]] const Json& front() const { return at(0); }
    /// A member; throws std::logic_error if there is none.
    [[nodiscard]] const Json& at(std::string_view key) const { return member(key); }
    [[nodiscard]] Json& at(std::string_view key) { return member(key); }
    template <JsonText Key>
    [[nodiscard]] const Json& operator[](const Key& key) const {
        return at(std::string_view(key));
    }
    /// A member, added as null if it is missing; null becomes an object. Searches all members: to add many
    /// from a file, use append_member and then merge_duplicates.
    template <JsonText Key>
    [[nodiscard]] Json& operator[](const Key& key) {
        return find_or_add(key);
    }
    [[nodiscard]] const_iterator find(std::string_view key) const;
    [[nodiscard]] bool contains(std::string_view key) const;
    /// The member, or `otherwise` if there is none.
    [[nodiscard]] Json value(std::string_view key, const Json& otherwise) const;

    [[nodiscard]] iterator begin() noexcept;
    [[nodiscard]] iterator end() noexcept;
    [[nodiscard]] const_iterator begin() const noexcept;
    [[nodiscard]] const_iterator end() const noexcept;
    /// The members of an object with their keys.
    [[nodiscard]] JsonMembers<const Json> items() const noexcept;
    [[nodiscard]] JsonMembers<Json> items() noexcept;

    /// Makes room for `count` values or members in total.
    void reserve(std::size_t count);
    /// Appends an element; null becomes an array.
    void push_back(Json value);
    /// Appends a member without searching for its key; null becomes an object. If the key may already exist,
    /// call merge_duplicates afterwards.
    void append_member(Json key, Json value);
    /// If a key occurs more than once, its first position gets the last value. Time n log n; returns the
    /// number of compared keys.
    std::size_t merge_duplicates();
    /// Copies every member of `other`; replaces those with the same key.
    void update(const Json& other);
    void erase(std::string_view key);

    /// Prints on one line without spaces. Bytes that are not UTF-8 become U+FFFD.
    [[nodiscard]] std::string dump() const;

    /// Compares numbers by value and members in order.
    friend bool operator==(const Json& a, const Json& b) { return a.equals(b); }

private:
    enum class Kind : std::uint8_t {
        null,
        boolean,
        integer,
        natural,
        real,
        short_text,
        long_text,  // this and the following kinds own a block
        array,
        object
    };
    static constexpr std::size_t short_room = 14;
    static constexpr std::size_t size_at = 8;

    template <typename T>
    [[nodiscard]] T load(std::size_t offset) const noexcept {
        T value;
        // The size of a pointer is intended. NOLINTNEXTLINE(bugprone-sizeof-expression)
        std::memcpy(&value, raw_.data() + offset, sizeof(T));
        return value;
    }
    template <typename T>
    void store(std::size_t offset, T value) noexcept {
        // As above. NOLINTNEXTLINE(bugprone-sizeof-expression)
        std::memcpy(raw_.data() + offset, &value, sizeof(T));
    }
    /// The number of bytes, values or members in the block, in 48 bits.
    [[nodiscard]] std::size_t stored_size() const noexcept {
        return load<std::uint32_t>(size_at) | static_cast<std::size_t>(load<std::uint16_t>(size_at + 4))
                                                  << 32U;
    }
    void store_size(std::size_t size) noexcept {
        store(size_at, static_cast<std::uint32_t>(size));
        store(size_at + 4, static_cast<std::uint16_t>(size >> 32U));
    }
    [[nodiscard]] bool owns_block() const noexcept { return kind_ >= Kind::long_text; }
    void take(Json& other) noexcept {
        raw_ = other.raw_;
        short_size_ = other.short_size_;
        kind_ = std::exchange(other.kind_, Kind::null);
    }

    explicit Json(Kind kind) noexcept : kind_(kind) {}
    void set_text(std::string_view text);
    void free_block() noexcept;
    [[nodiscard]] std::string_view text() const;
    template <typename T>
    [[nodiscard]] T number() const;
    [[nodiscard]] Json& element(std::size_t index) const;
    [[nodiscard]] Json* find_slot(std::string_view key) const;  ///< nullptr if there is no such key
    [[nodiscard]] Json& member(std::string_view key) const;
    [[nodiscard]] Json& find_or_add(std::string_view key);
    [[nodiscard]] bool merge_few(std::size_t& compared);
    [[nodiscard]] bool merge_many(std::size_t& compared);
    void keep_last(std::size_t early, std::size_t late) noexcept;
    [[noreturn]] void refuse(const char* wanted) const;
    [[nodiscard]] bool equals(const Json& other) const;

    /// An array has one slot per value; an object has two per member, key and value.
    [[nodiscard]] std::size_t slots_each() const noexcept { return is_object() ? 2 : 1; }
    [[nodiscard]] Json* slots() const noexcept { return load<Json*>(0); }
    [[nodiscard]] std::size_t slot_room() const noexcept;
    void make_room(std::size_t slot_count);
    void grow();

    alignas(8) std::array<char, short_room> raw_{};  // a number, short text, or a block's address and size
    std::uint8_t short_size_ = 0;
    Kind kind_ = Kind::null;
};

static_assert(sizeof(Json) == 16);

/// A value in a braced list, from which a Json is moved.
class JsonItem {
public:
    template <typename T>
    requires(!std::same_as<std::remove_cvref_t<T>, JsonItem> && std::constructible_from<Json, T>)
        // The constraint excludes JsonItem, which clang-tidy 14 does not see.
        // NOLINTNEXTLINE(bugprone-forwarding-reference-overload)
        JsonItem(T&& value)
        : json_(std::forward<T>(value)) {}
    JsonItem(std::initializer_list<JsonItem> items) : json_(items) {}

    [[nodiscard]] const Json& json() const noexcept { return json_; }
    [[nodiscard]] Json taken() const noexcept { return std::move(json_); }

private:
    mutable Json json_;
};

template <typename T>
T Json::number() const {
    switch (kind_) {
        case Kind::integer:
            return static_cast<T>(load<std::int64_t>(0));
        case Kind::natural:
            return static_cast<T>(load<std::uint64_t>(0));
        case Kind::real:
            return static_cast<T>(load<double>(0));
        default:
            refuse("a number");
    }
}

template <typename T>
T Json::get() const {
    if constexpr (std::same_as<T, bool>) {
        return is_boolean() ? load<bool>(0) : (refuse("a boolean"), false);
    } else if constexpr (std::is_arithmetic_v<T>) {
        return number<T>();
    } else {
        return T(text());
    }
}

}  // namespace animbridge
