// SPDX-License-Identifier: MIT
#include "formats/scene/gltf/json_members.h"

namespace animbridge::scene {

namespace {

const Json& nothing() {
    static const Json none;
    return none;
}

}  // namespace

const Json& member(const Json& object, const char* key) {
    if (!object.is_object()) {
        return nothing();
    }
    const auto found = object.find(key);
    return found == object.end() ? nothing() : *found;
}

const Json& item(const Json& array, std::uint32_t index) {
    return array.is_array() && index < array.size() ? array[index] : nothing();
}

std::uint32_t count_in(const Json& array) {
    return array.is_array() ? static_cast<std::uint32_t>(array.size()) : 0;
}

std::string text_in(const Json& value) {
    return value.is_string() ? value.get<std::string>() : std::string();
}

std::optional<std::uint32_t> index_in(const Json& value) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > UINT32_MAX) {
        return std::nullopt;
    }
    return value.get<std::uint32_t>();
}

}  // namespace animbridge::scene
