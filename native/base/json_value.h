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

/// What becomes an array, and with a mapped_type an object.
template <typename T>
concept JsonRange =
    !std::same_as<T, Json> && !std::same_as<T, JsonItem> && !JsonText<T> && std::ranges::input_range<const T>;
template <typename T>
concept JsonMap = JsonRange<T> && requires {
    typename T::mapped_type;
};

/// A JSON value of 16 bytes. Short text and numbers lie in it; longer text, and the values of an array or an
/// object, lie in one block behind it. Members keep their order. The destructor needs no memory: so running
/// out of it is an exception and never the end of the process. It recurses, which is fine up to the depth
/// that parse_json allows and that any report has.
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
    /// Pairs that begin with text make an object, anything else an array.
    Json(std::initializer_list<JsonItem> items);
    [[nodiscard]] static Json array(std::initializer_list<JsonItem> items = {});
    [[nodiscard]] static Json object(std::initializer_list<JsonItem> members = {});

    Json(const Json& other);
    Json(Json&& other) noexcept { take(other); }
    Json& operator=(const Json& other) { return *this = Json(other); }
    Json& operator=(Json&& other) noexcept {
        Json taken(std::move(other));  // `other` may be part of what goes
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

    /// How many values or members; null has none, any other value is one.
    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] bool empty() const noexcept { return size() == 0; }

    /// The value as bool, a number, std::string, or std::string_view (which ends with the value); throws
    /// when it is of another kind.
    template <typename T>
    [[nodiscard]] T get() const;

    /// An element; throws when there is no such.
    [[nodiscard]] const Json& at(std::size_t index) const { return element(index); }
    [[nodiscard]] const Json& operator[](std::size_t index) const { return at(index); }
    [[nodiscard]] Json& operator[](std::size_t index) { return element(index); }
    [[nodiscard]] const Json& front() const { return at(0); }
    /// A member; throws when there is no such.
    [[nodiscard]] const Json& at(std::string_view key) const { return member(key); }
    [[nodiscard]] Json& at(std::string_view key) { return member(key); }
    template <JsonText Key>
    [[nodiscard]] const Json& operator[](const Key& key) const {
        return at(std::string_view(key));
    }
    /// A member, added where there was none; null becomes an object. Looks at every member: what adds many
    /// under names from a file takes append_member and merge_duplicates.
    template <JsonText Key>
    [[nodiscard]] Json& operator[](const Key& key) {
        return found_or_added(key);
    }
    [[nodiscard]] const_iterator find(std::string_view key) const;
    [[nodiscard]] bool contains(std::string_view key) const;
    /// The member, or `otherwise` where there is none.
    [[nodiscard]] Json value(std::string_view key, const Json& otherwise) const;

    [[nodiscard]] iterator begin() noexcept;
    [[nodiscard]] iterator end() noexcept;
    [[nodiscard]] const_iterator begin() const noexcept;
    [[nodiscard]] const_iterator end() const noexcept;
    /// The members of an object, each with its key.
    [[nodiscard]] JsonMembers<const Json> items() const noexcept;
    [[nodiscard]] JsonMembers<Json> items() noexcept;

    /// Room for so many values or members in all.
    void reserve(std::size_t count);
    /// Null becomes an array.
    void push_back(Json value);
    /// A member that is known to be new, or whose double merge_duplicates will find; null becomes an object.
    void append_member(Json key, Json value);
    /// Where a key stands more than once its first place gets the last value. Time n log n; returns how many
    /// keys it has compared.
    std::size_t merge_duplicates();
    /// Every member of `other`, in place of one with the same key.
    void update(const Json& other);
    void erase(std::string_view key);

    /// On one line, without blanks. Bytes that are not UTF-8 become U+FFFD.
    [[nodiscard]] std::string dump() const;

    /// Numbers by value; members in their order.
    friend bool operator==(const Json& a, const Json& b) { return a.equals(b); }

private:
    enum class Kind : std::uint8_t {
        null,
        boolean,
        integer,
        natural,
        real,
        short_text,
        long_text,  // from here on there is a block
        array,
        object
    };
    static constexpr std::size_t short_room = 14;
    static constexpr std::size_t size_at = 8;

    template <typename T>
    [[nodiscard]] T load(std::size_t place) const noexcept {
        T value;
        // Of a pointer, the pointer itself is meant. NOLINTNEXTLINE(bugprone-sizeof-expression)
        std::memcpy(&value, raw_.data() + place, sizeof(T));
        return value;
    }
    template <typename T>
    void store(std::size_t place, T value) noexcept {
        // The same. NOLINTNEXTLINE(bugprone-sizeof-expression)
        std::memcpy(raw_.data() + place, &value, sizeof(T));
    }
    /// The size of what is in the block, in 48 bits.
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
    [[nodiscard]] Json* find_slot(std::string_view key) const;  ///< the member's key; nullptr: none
    [[nodiscard]] Json& member(std::string_view key) const;
    [[nodiscard]] Json& found_or_added(std::string_view key);
    [[nodiscard]] bool merge_few(std::size_t& compared);
    [[nodiscard]] bool merge_many(std::size_t& compared);
    void keep_last(std::size_t early, std::size_t late) noexcept;
    [[noreturn]] void refuse(const char* wanted) const;
    [[nodiscard]] bool equals(const Json& other) const;

    /// An array has a slot for each value, an object two for each member: the key and the value.
    [[nodiscard]] std::size_t slots_each() const noexcept { return is_object() ? 2 : 1; }
    [[nodiscard]] Json* slots() const noexcept { return load<Json*>(0); }
    [[nodiscard]] std::size_t slot_room() const noexcept;
    void make_room(std::size_t slot_count);
    void grow();

    alignas(8) std::array<char, short_room> raw_{};  // a number, short text, or the block and its size
    std::uint8_t short_size_ = 0;
    Kind kind_ = Kind::null;
};

static_assert(sizeof(Json) == 16);

/// A value between braces, which a Json takes out of it.
class JsonItem {
public:
    template <typename T>
    requires(!std::same_as<std::remove_cvref_t<T>, JsonItem> && std::constructible_from<Json, T>)
        // It takes no JsonItem, which clang-tidy 14 does not see.
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
