// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/base.h"

/// JSON: a value that takes 16 bytes, its text in both directions, and readers that say what is wrong.
///
/// Numbers keep every bit, NaN included; text that is not UTF-8 survives. An error names the
/// field and what is allowed. Begin with class Json; what is before it only serves its loops and lists.
namespace animbridge {

class Json;

/// Iterates over the values of an array or object.
template <typename Value>
class JsonIterator {
public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Json;
    using difference_type = std::ptrdiff_t;
    using pointer = Value*;
    using reference = Value&;

    JsonIterator() noexcept = default;
    JsonIterator(Value* slot, std::size_t slots_each) noexcept : slot_(slot), slots_each_(slots_each) {}
    operator JsonIterator<const Value>() const noexcept requires(!std::is_const_v<Value>) {
        return {slot_, slots_each_};
    }

    [[nodiscard]] Value& operator*() const noexcept { return slot_[slots_each_ - 1]; }
    [[nodiscard]] Value* operator->() const noexcept { return &**this; }
    JsonIterator& operator++() noexcept {
        slot_ += slots_each_;
        return *this;
    }
    JsonIterator operator++(int) noexcept {
        JsonIterator before = *this;
        ++*this;
        return before;
    }
    /// The key of an object's member.
    [[nodiscard]] std::string_view key() const { return slot_->template get<std::string_view>(); }
    friend bool operator==(const JsonIterator& a, const JsonIterator& b) noexcept {
        return a.slot_ == b.slot_;
    }

private:
    Value* slot_ = nullptr;
    std::size_t slots_each_ = 1;
};

/// The range of `for (const auto& [key, value] : json.items())`.
template <typename Value>
class JsonMembers {
public:
    struct Member {
        std::string key;
        Value& value;
    };
    class Iterator {
    public:
        explicit Iterator(JsonIterator<Value> at) noexcept : at_(at) {}
        [[nodiscard]] Member operator*() const { return {std::string(at_.key()), *at_}; }
        Iterator& operator++() noexcept {
            ++at_;
            return *this;
        }
        friend bool operator==(const Iterator&, const Iterator&) noexcept = default;

    private:
        JsonIterator<Value> at_;
    };

    JsonMembers(JsonIterator<Value> begin, JsonIterator<Value> end) noexcept : begin_(begin), end_(end) {}
    [[nodiscard]] Iterator begin() const noexcept { return Iterator(begin_); }
    [[nodiscard]] Iterator end() const noexcept { return Iterator(end_); }

private:
    JsonIterator<Value> begin_;
    JsonIterator<Value> end_;
};

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
    /// The value, or null.
    template <typename T>
    Json(const std::optional<T>& value) : Json(value ? Json(*value) : Json()) {}
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

// ---- JSON as text ----

/// The deepest nesting that is parsed; none of our documents comes near it.
inline constexpr int max_json_depth = 32;

/// Parses UTF-8 JSON. ErrorCode::bad_value with the byte offset if it is not JSON. If a key occurs more than
/// once, the last value wins. Time is linear (n log n in the keys of one object); memory is at most 16 times
/// the text. `steps`, for tests, counts stored values and compared keys.
[[nodiscard]] Result<Json> parse_json(std::string_view text, std::size_t* steps = nullptr);

/// Prints with an indent of two, ending in a newline. An array or object without nested containers stays on
/// one line. Bytes that are not UTF-8 become U+FFFD; use json_text to keep them.
[[nodiscard]] std::string print_json(const Json& value);

// ---- values, checked ----

/// ErrorCode::bad_value about `field`, with the value found and what is allowed.
[[nodiscard]] tl::unexpected<Error> json_fail(std::string_view field, const Json& found,
                                              std::string_view allowed);

/// The member `key` of an object. ErrorCode::bad_value if `object` is not an object or lacks the member.
[[nodiscard]] Result<const Json*> json_member(const Json& object, const char* key);

/// A finite number; ErrorCode::bad_value otherwise.
[[nodiscard]] Result<double> number_from_json(const Json& value, std::string_view field);

/// An integer within [low, high]; ErrorCode::bad_value otherwise.
[[nodiscard]] Result<std::int64_t> integer_from_json(const Json& value, std::int64_t low, std::int64_t high,
                                                     std::string_view field);

/// Arbitrary bytes as JSON, and back: a JSON string if they are UTF-8, else {"hex": "..."}.
[[nodiscard]] Json json_text(std::string_view text);
[[nodiscard]] Result<std::string> text_from_json(const Json& value, std::string_view field);

/// An array of what `convert(item) -> Json` makes of each item.
template <typename Items, typename Convert>
[[nodiscard]] Json list_json(const Items& items, Convert&& convert) {
    Json list = Json::array();
    list.reserve(std::ranges::size(items));
    for (const auto& item : items) {
        list.push_back(convert(item));
    }
    return list;
}

/// Texts as a JSON array, and back: "" for what is not a text.
[[nodiscard]] Json texts_json(const std::vector<std::string>& texts);
[[nodiscard]] std::vector<std::string> texts_from_json(const Json& list);

/// A float: the shortest decimal that reads back to it, or {"bits": "7fc00000"} if it is not finite.
[[nodiscard]] Json json_float(RawFloat value);
[[nodiscard]] Result<RawFloat> float_from_json(const Json& value, std::string_view field);

/// Bytes as lower-case hexadecimal digits, and back.
[[nodiscard]] std::string hex_of(std::string_view bytes);
[[nodiscard]] Result<std::string> bytes_from_hex(std::string_view hex, std::string_view field);

/// Bytes from a string of hexadecimal digits.
[[nodiscard]] inline Result<Bytes> bytes_from_json(const Json& value, const std::string& field) {
    if (!value.is_string()) {
        return json_fail(field, value, "a string of hexadecimal digits");
    }
    return bytes_from_hex(value.get<std::string_view>(), field).map([](const std::string& text) {
        return Bytes(text.begin(), text.end());
    });
}

/// Reads the members of an object one by one. Keeps the first error with its position; later reads do
/// nothing.
class ObjectReader {
public:
    ObjectReader(const Json& object, std::string path) : object_(object), path_(std::move(path)) {
        if (!object.is_object()) {
            failure_ = json_fail(path_, object, "an object").value();
        }
    }

    /// Requires this text as the member `key`.
    void require(const char* key, const char* text) {
        std::string found;
        read(key, found, [&](const Json& value, const std::string& field) {
            return value == text ? Result<std::string>(text)
                                 : json_fail(field, value, "\"" + std::string(text) + "\"");
        });
    }

    /// Reads the member `key` through `convert(member, field) -> Result<T>`.
    template <typename T, typename Convert>
    void read(const char* key, T& out, Convert&& convert) {
        ++expected_;
        if (failure_) {
            return;
        }
        auto member = json_member(object_, key);
        if (!member) {
            failure_ = std::move(member.error());
            failure_->field = field(key);
            return;
        }
        auto value = std::forward<Convert>(convert)(**member, field(key));
        if (value) {
            out = std::move(*value);
        } else {
            failure_ = std::move(value.error());
        }
    }
    template <typename Integer>
    void read_integer(const char* key, Integer& out) {
        read(key, out, [](const Json& value, const std::string& field) {
            return integer_from_json(value, std::numeric_limits<Integer>::min(),
                                     std::numeric_limits<Integer>::max(), field)
                .map([](std::int64_t i) { return static_cast<Integer>(i); });
        });
    }
    void read_float(const char* key, RawFloat& out) {
        read(key, out,
             [](const Json& value, const std::string& field) { return float_from_json(value, field); });
    }
    void read_text(const char* key, std::string& out) {
        read(key, out, [](const Json& value, const std::string& field) -> Result<std::string> {
            auto text = text_from_json(value, field);
            if (text && text->find('\0') != std::string::npos) {
                return json_fail(field, value, "text without a NUL");
            }
            return text;
        });
    }
    /// Reads each element of an array through `convert(element, field) -> Result<T>`.
    template <typename T, typename Convert>
    void read_array(const char* key, std::vector<T>& out, Convert&& convert) {
        read(key, out, [&](const Json& array, const std::string& field) -> Result<std::vector<T>> {
            if (!array.is_array()) {
                return json_fail(field, array, "an array");
            }
            std::vector<T> values;
            values.reserve(array.size());
            for (std::size_t i = 0; i < array.size(); ++i) {
                TRY(auto value, convert(array[i], field + "[" + std::to_string(i) + "]"));
                values.push_back(std::move(value));
            }
            return values;
        });
    }

    /// Call it last. The first error, if any. Members that were never read are an error too.
    [[nodiscard]] Result<void> finish() {
        if (!failure_ && object_.size() != expected_) {
            failure_ = Error{ErrorCode::bad_value,
                             "has " + std::to_string(object_.size()) + " members, allowed are exactly the " +
                                 std::to_string(expected_) + " of the schema",
                             {},
                             path_};
        }
        return failure_ ? fail(*failure_) : Result<void>();
    }
    /// As above, with the value that was read.
    template <typename T>
    [[nodiscard]] Result<T> finish(T value) {
        return finish().map([&] { return std::move(value); });
    }

private:
    [[nodiscard]] std::string field(const char* key) const {
        return path_.empty() ? std::string(key) : path_ + "." + key;
    }

    const Json& object_;
    std::string path_;
    std::size_t expected_ = 0;
    std::optional<Error> failure_;
};

}  // namespace animbridge
