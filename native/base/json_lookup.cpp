// SPDX-License-Identifier: MIT
// What a value is, what it holds, and whether two are equal.
#include <algorithm>
#include <stdexcept>

#include "base/json_value.h"

namespace animbridge {

const char* Json::type_name() const noexcept {
    switch (kind_) {
        case Kind::null:
            return "null";
        case Kind::boolean:
            return "boolean";
        case Kind::short_text:
        case Kind::long_text:
            return "string";
        case Kind::array:
            return "array";
        case Kind::object:
            return "object";
        default:
            return "number";
    }
}

std::size_t Json::size() const noexcept { return is_structured() ? stored_size() : is_null() ? 0 : 1; }

Json& Json::element(std::size_t index) const {
    if (!is_array() || index >= stored_size()) {
        refuse("an array with this element");
    }
    return slots()[index];
}

Json* Json::find_slot(std::string_view key) const {
    const std::size_t count = is_object() ? stored_size() : 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (slots()[i * 2].text() == key) {
            return slots() + i * 2;
        }
    }
    return nullptr;
}

Json::const_iterator Json::find(std::string_view key) const {
    const Json* const slot = find_slot(key);
    return slot == nullptr ? end() : const_iterator(slot, slots_each());
}

Json& Json::member(std::string_view key) const {
    Json* const slot = find_slot(key);
    if (slot == nullptr) {
        refuse("an object with this member");
    }
    return slot[1];
}

bool Json::contains(std::string_view key) const { return find_slot(key) != nullptr; }

Json Json::value(std::string_view key, const Json& otherwise) const {
    if (!is_object()) {
        refuse("an object");
    }
    const Json* const slot = find_slot(key);
    return slot == nullptr ? otherwise : slot[1];
}

Json::iterator Json::begin() noexcept { return {is_structured() ? slots() : nullptr, slots_each()}; }
Json::iterator Json::end() noexcept {
    return {is_structured() ? slots() + stored_size() * slots_each() : nullptr, slots_each()};
}
Json::const_iterator Json::begin() const noexcept {
    return {is_structured() ? slots() : nullptr, slots_each()};
}
Json::const_iterator Json::end() const noexcept {
    return {is_structured() ? slots() + stored_size() * slots_each() : nullptr, slots_each()};
}
JsonMembers<const Json> Json::items() const noexcept {
    return is_object() ? JsonMembers<const Json>(begin(), end()) : JsonMembers<const Json>({}, {});
}
JsonMembers<Json> Json::items() noexcept {
    return is_object() ? JsonMembers<Json>(begin(), end()) : JsonMembers<Json>({}, {});
}

std::string_view Json::text() const {
    if (kind_ == Kind::short_text) {
        return {raw_.data(), short_size_};
    }
    return kind_ == Kind::long_text ? std::string_view(load<const char*>(0), stored_size())
                                    : (refuse("a string"), std::string_view());
}

void Json::refuse(const char* wanted) const {
    throw std::logic_error(std::string("JSON: found ") + type_name() + ", wanted is " + wanted);
}

bool Json::equals(const Json& other) const {
    if (is_number() && other.is_number()) {
        if (is_number_float() || other.is_number_float()) {
            return number<double>() == other.number<double>();
        }
        // A negative integer and a natural number can have the same bits.
        const bool below = kind_ == Kind::integer && load<std::int64_t>(0) < 0;
        const bool other_below = other.kind_ == Kind::integer && other.load<std::int64_t>(0) < 0;
        return below == other_below && load<std::uint64_t>(0) == other.load<std::uint64_t>(0);
    }
    if (is_string() && other.is_string()) {
        return text() == other.text();
    }
    if (kind_ != other.kind_) {
        return false;
    }
    if (is_structured()) {
        const std::size_t count = stored_size() * slots_each();
        return stored_size() == other.stored_size() && std::equal(slots(), slots() + count, other.slots());
    }
    return is_null() || load<bool>(0) == other.load<bool>(0);
}

}  // namespace animbridge
