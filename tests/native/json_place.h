// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/json/json.h"

/// JSON in tests: values from text, and values inside values.
namespace animbridge::test {

/// Parses JSON; throws if it is not JSON.
[[nodiscard]] inline Json json_of_text(std::string_view text) {
    auto parsed = parse_json(text);
    if (!parsed) {
        throw std::runtime_error(parsed.error().message());
    }
    return std::move(*parsed);
}

/// The value at a JSON pointer: "/joints/0/name". The last part can be a new member.
[[nodiscard]] inline Json& place_in(Json& json, std::string_view pointer) {
    Json* place = &json;
    while (!pointer.empty()) {
        pointer.remove_prefix(1);
        const std::string part(pointer.substr(0, pointer.find('/')));
        pointer.remove_prefix(part.size());
        place = place->is_array() ? &(*place)[std::stoul(part)] : &(*place)[part];
    }
    return *place;
}

}  // namespace animbridge::test
