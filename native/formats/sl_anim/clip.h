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

/// The animation on the avatar's skeleton, mPelvis resting at 0; joints that the viewer does not know are
/// further roots. Signs are continuous, and where the viewer would slerp, inserted keys keep a normalised
/// lerp within slerp_tolerance_degrees of it. Markers loop_in, loop_out. ErrorCode::rejected when the viewer
/// would refuse the file.
[[nodiscard]] Result<Clip> to_clip(const Document& document);

/// What a new file gets besides its keys. The defaults are those of the viewer's BVH upload.
struct Header {
    std::int32_t base_priority = 2;
    std::int32_t joint_priority = -1;
    bool loop = false;
    float loop_in_seconds = 0;
    std::optional<float> loop_out_seconds{};  ///< none: the duration
    float ease_in_seconds = 0.3F;
    float ease_out_seconds = 0.3F;
    std::uint32_t hand_pose = 1;
    std::string emote_name{};
};

struct FromClip {
    Encoder encoder = Encoder::upload;
    const Document* base = nullptr;  ///< the file to change; none: a new one
    Header header{};                 ///< for a new file; of it only joint_priority counts with a base
    float duration_seconds = 0;
    /// Of joints by their names in skeleton(): what every record of such a joint gets, the base's too.
    std::map<std::string, std::int32_t> joint_priorities{};
};

/// A file's track: which joint (a name of skeleton(), or an unknown one as in the base), rotation or
/// translation.
struct TrackName {
    std::string joint;
    Channel channel = Channel::rotation;

    auto operator<=>(const TrackName&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 errs
};

/// Puts the clip's tracks into the file: those of `clip` are encoded anew, those of `removed` are taken out,
/// and all others of the base stay bit for bit (but for their time codes, where the duration changes). A
/// joint that is left without keys loses its record unless it had none before. Version 0.1 stays 0.1. Nothing
/// of `clip` needs to be sorted by joint; new joints are appended in skeleton order.
[[nodiscard]] Document from_clip(const Clip& clip, const std::set<TrackName>& removed,
                                 const FromClip& options);

}  // namespace animbridge::sl_anim
