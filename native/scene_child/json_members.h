// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

/// Members of somebody else's JSON, which may be missing or of another kind.
namespace animbridge::scene_child {

/// The member of an object; null: there is none, or this is no object.
[[nodiscard]] const nlohmann::json& member(const nlohmann::json& object, const char* key);

/// The item of an array; null: there is none, or this is no array.
[[nodiscard]] const nlohmann::json& item(const nlohmann::json& array, std::uint32_t index);

/// The number of items; 0: this is no array.
[[nodiscard]] std::uint32_t count_in(const nlohmann::json& array);

/// Empty: this is no text.
[[nodiscard]] std::string text_in(const nlohmann::json& value);

/// None: this is no index.
[[nodiscard]] std::optional<std::uint32_t> index_in(const nlohmann::json& value);

/// N finite numbers; `missing` where `value` is null; none: something else is there.
template <std::size_t N>
[[nodiscard]] std::optional<std::array<double, N>> numbers_in(const nlohmann::json& value,
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

}  // namespace animbridge::scene_child
