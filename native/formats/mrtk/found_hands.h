// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "formats/mrtk/foreign_hands.h"
#include "model/clip.h"
#include "rig/armature.h"

/// Finds the hands of characters by the names and positions of their bones.
namespace animbridge::mrtk {

struct FoundHands {
    std::vector<ForeignJoint> joints{};   ///< in the order of recordings; at least one hand's
    std::vector<std::string> warnings{};  ///< what is left out, and the warnings about the rig
    Json report{};  ///< "convention"; "bones": each joint's bone; "placed": joints without a bone of their
                    ///< own; "missing": joints of the hands that are not in the recording
};

/// Finds the hands of an armature. A hand with under half of its joints is left out. `rig_file`: the text of
/// a rig file (docs/rig-maps.md); empty: use names and positions. `tails`: as in foreign_hands().
/// ErrorCode::invalid_argument: there is no hand, and the message says what to do. ErrorCode::bad_value: the
/// rig file is wrong, or "tails" does not have one for each bone.
[[nodiscard]] Result<FoundHands> found_hands(const rig::Armature& armature, const std::string& rig_file,
                                             std::span<const glm::dvec3> tails);

/// A clip's hands as poses of a recording.
struct FoundClip {
    /// A node without a parent for each joint, named as in recordings; also the camera and the gaze, if the
    /// skeleton has nodes of these names.
    Clip clip{};
    FoundHands hands{};
};

/// The hands of a clip's skeleton, posed in the world at the clip's key times and between them. Errors: as in
/// found_hands().
[[nodiscard]] Result<FoundClip> clip_of_found_hands(const Clip& clip, const std::string& rig_file);

}  // namespace animbridge::mrtk
