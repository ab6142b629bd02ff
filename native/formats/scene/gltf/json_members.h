// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "base/json/json.h"

/// Reads members of foreign JSON, which may be missing or of another kind.
namespace animbridge::scene {

/// The member of an object; null if it is missing, or `object` is not an object.
[[nodiscard]] const Json& member(const Json& object, const char* key);

/// The item of an array; null if it is missing, or `array` is not an array.
[[nodiscard]] const Json& item(const Json& array, std::uint32_t index);

/// The number of items; 0 if `array` is not an array.
[[nodiscard]] std::uint32_t count_in(const Json& array);

/// Empty if `value` is not text.
[[nodiscard]] std::string text_in(const Json& value);

/// nullopt if `value` is not an index.
[[nodiscard]] std::optional<std::uint32_t> index_in(const Json& value);

/// N finite numbers; `missing` if `value` is null; nullopt for anything else.
template <std::size_t N>
[[nodiscard]] std::optional<std::array<double, N>> numbers_in(const Json& value,
                                                              std::array<double, N> missing) {
    if (value.is_null()) {
        return missing;
    }
    if (!value.is_array() || value.size() != N) {
        return std::nullopt;
    }
    std::array<double, N> result{};
    for (std::size_t i = 0; i < N; ++i) {
        if (!value[i].is_number() || !std::isfinite(value[i].template get<double>())) {
            return std::nullopt;
        }
        result[i] = value[i].template get<double>();
    }
    return result;
}

}  // namespace animbridge::scene
