// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/options/options.h"
#include "formats/sl_pose/play/play.h"

/// Poses of a hand, by name: AnimBridge's own, made of a table of finger angles (docs/poses.md, "Hands").
namespace animbridge::sl_pose::fingers {

inline constexpr std::array<std::string_view, 12> pose_names = {"relaxed",     "flat",     "fist",  "grip",
                                                                "point",       "thumb-up", "pinch", "okay",
                                                                "two-fingers", "horns",    "claw",  "glass"};

/// Whether each text is "left=fist", or several of them with commas, and each side is named once.
[[nodiscard]] bool are_hands(const Json& texts);

/// The option "fingers", for any Target with `fingers`: a vector of texts.
template <typename Target>
inline constexpr std::array<OptionRow<Target>, 1> finger_rows = {{
    {{.name = "fingers",
      .type = OptionType::texts,
      .command_name = "--fingers",
      .value_name = "SIDE=NAME",
      .is_fine = are_hands,
      .without = "as they are",
      .allowed =
          "left=NAME, right=NAME, or both with a comma; the names are relaxed, flat, fist, grip, point, "
          "thumb-up, pinch, okay, two-fingers, horns, claw and glass",
      .help = "Pose the fingers of a hand by name, such as left=fist,right=flat: relaxed, flat, fist, grip, "
              "point, thumb-up, pinch, okay, two-fingers, horns, claw or glass"},
     [](Target& target, const Json& value) { target.fingers = texts_from_json(value); }},
}};

/// The joints with these hands in place of theirs. The right hand mirrors the left one.
[[nodiscard]] std::vector<play::Shown> with_fingers(std::vector<play::Shown> joints,
                                                    const std::vector<std::string>& hands);

}  // namespace animbridge::sl_pose::fingers
