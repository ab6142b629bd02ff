// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/options/options.h"
#include "formats/sl_anim/codes/codes.h"
#include "formats/sl_anim/file/file.h"
#include "model/clip/clip.h"

/// A `.anim` as a clip and back, key for key: codes to seconds, metres and unit quaternions, and back.
namespace animbridge::sl_anim::clip {

/// The animation on the avatar's skeleton, with mPelvis resting at 0. Joints that the viewer does not know
/// become additional roots. Signs are continuous. Where the viewer slerps, inserted keys keep a normalised
/// lerp within slerp_tolerance_degrees of it. Markers of one that repeats: loop_in, loop_out.
/// ErrorCode::rejected if the viewer refuses the file.
[[nodiscard]] Result<Clip> to_clip(const file::Document& document);

// ---- a clip to a .anim ----

/// The header values of a new file. The defaults are those of the viewer's BVH upload.
struct Header {
    std::int32_t base_priority = 2;
    std::int32_t joint_priority = -1;
    bool loop = false;
    float loop_in_seconds = 0;
    std::optional<float> loop_out_seconds{};  ///< null: the duration
    float ease_in_seconds = 0.3F;
    float ease_out_seconds = 0.3F;
    std::uint32_t hand_pose = 1;
    std::string emote_name{};
};

struct FromClip {
    codes::Encoder encoder = codes::Encoder::upload;
    const file::Document* base = nullptr;  ///< the template, which is changed; null: a new file
    Header header{};                       ///< for a new file; with a template only joint_priority counts
    float duration_seconds = 0;
    /// Keyed by the joints' names in skeleton(). They apply to every record of such a joint, also in the
    /// template.
    std::map<std::string, std::int32_t> joint_priorities{};
    /// Keys whose times and values are those of the template's track keep its codes.
    bool keeps_codes = false;
};

/// A track of the file: its joint (named as in skeleton(), or an unknown name as in the template), and
/// whether it rotates or translates.
struct TrackName {
    std::string joint;
    Channel channel = Channel::rotation;

    auto operator<=>(const TrackName&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 errs
};

/// Puts the clip's tracks into the file. The tracks of `clip` are encoded again, and those in `removed` are
/// taken out. All other tracks of the template stay bit for bit (except for time codes if the duration
/// changes). A record that loses all its keys is removed. Version 0.1 stays 0.1. `clip` need not be sorted by
/// joint; new joints are appended in skeleton order.
[[nodiscard]] file::Document from_clip(const Clip& clip, const std::set<TrackName>& removed,
                                       const FromClip& options);

}  // namespace animbridge::sl_anim::clip

/// The fields of the upload dialog as options, for every function that makes a new file. Each sets its own
/// values for omitted options: see or_else and by_default.
namespace animbridge::sl_anim::clip::header_options {

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

}  // namespace animbridge::sl_anim::clip::header_options
