// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "formats/sl_anim/document.h"
#include "formats/sl_anim/encode.h"
#include "model/clip.h"

namespace animbridge::sl_anim {

/// The animation on the avatar's skeleton, with mPelvis resting at 0. Joints that the viewer does not know
/// become additional roots. Signs are continuous. Where the viewer slerps, inserted keys keep a normalised
/// lerp within slerp_tolerance_degrees of it. Markers: loop_in, loop_out. ErrorCode::rejected if the viewer
/// refuses the file.
[[nodiscard]] Result<Clip> to_clip(const Document& document);

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
    Encoder encoder = Encoder::upload;
    const Document* base = nullptr;  ///< the template, which is changed; null: a new file
    Header header{};                 ///< for a new file; with a template only joint_priority counts
    float duration_seconds = 0;
    /// Keyed by the joints' names in skeleton(). They apply to every record of such a joint, also in the
    /// template.
    std::map<std::string, std::int32_t> joint_priorities{};
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
[[nodiscard]] Document from_clip(const Clip& clip, const std::set<TrackName>& removed,
                                 const FromClip& options);

}  // namespace animbridge::sl_anim
