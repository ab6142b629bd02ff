// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>

/// The names of a scene's enumerators in JSON, messages and options, in the order of their enums.
namespace animbridge::scene {

inline constexpr std::array<std::string_view, 4> role_names = {"plain", "mesh", "light", "camera"};
inline constexpr std::array<std::string_view, 3> target_names = {"translation", "rotation", "scale"};
inline constexpr std::array<std::string_view, 3> key_kind_names = {"step", "linear", "cubic"};
inline constexpr std::array<std::string_view, 8> note_names = {
    "shear",         "key_order",         "bad_number",       "zero_length",
    "no_frame_rate", "side_file_missing", "curves_resampled", "other"};

}  // namespace animbridge::scene
