// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "base/option.h"

/// The fields of the upload dialog as options, for every function that makes a new file. Each sets its own
/// values for omitted options: see or_else and by_default.
namespace animbridge::sl_anim::header_options {

[[nodiscard]] constexpr Option or_else(Option option, std::string_view without) {
    option.without = without;
    return option;
}
[[nodiscard]] constexpr Option by_default(Option option, std::string_view standard) {
    option.standard = standard;
    return option;
}

/// Not a field of the file: it selects the limits.
inline constexpr Option grid{
    .name = "grid",
    .type = OptionType::choice,
    .command_name = "--for",
    .value_name = "GRID",
    .choices = {"second-life", "opensim"},
    .standard = "second-life",
    .help =
        "The grid that the file is for. Second Life refuses more than 60 s or 250,000 bytes; OpenSim's "
        "grids have limits of their own"};
inline constexpr Option loop{.name = "loop",
                             .type = OptionType::flag,
                             .command_name = "--loop",
                             .help = "Repeat the animation until it is stopped"};
inline constexpr Option loop_in{
    .name = "loop_in",
    .type = OptionType::seconds_or_share,
    .command_name = "--loop-in",
    .value_name = "TIME",
    .high = 60,
    .unit = "s",
    .help = "Where the repeated part begins: seconds, or a share such as \"20%\""};
inline constexpr Option loop_out{.name = "loop_out",
                                 .type = OptionType::seconds_or_share,
                                 .command_name = "--loop-out",
                                 .value_name = "TIME",
                                 .high = 60,
                                 .unit = "s",
                                 .help = "Where the repeated part ends: seconds, or a share such as \"80%\""};
inline constexpr Option ease_in{.name = "ease_in",
                                .type = OptionType::number,
                                .command_name = "--ease-in",
                                .value_name = "SECONDS",
                                .high = 10,
                                .unit = "s",
                                .allowed = "seconds from 0 to 10",
                                .help = "Seconds in which the animation blends in"};
inline constexpr Option ease_out{.name = "ease_out",
                                 .type = OptionType::number,
                                 .command_name = "--ease-out",
                                 .value_name = "SECONDS",
                                 .high = 10,
                                 .unit = "s",
                                 .allowed = "seconds from 0 to 10",
                                 .help = "Seconds in which the animation blends out"};
inline constexpr Option hand_pose{.name = "hand_pose",
                                  .type = OptionType::integer,
                                  .command_name = "--hand-pose",
                                  .value_name = "POSE",
                                  .high = 13,
                                  .help = "Hands of the system avatar"};
inline constexpr Option emote{
    .name = "emote",
    .type = OptionType::text_without_nul,
    .command_name = "--emote",
    .value_name = "NAME",
    .help = "A facial expression that starts with the animation, or the id of another animation"};

}  // namespace animbridge::sl_anim::header_options
