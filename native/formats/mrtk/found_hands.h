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

/// Hands of characters, found by what their bones are called and where they are.
namespace animbridge::mrtk {

struct FoundHands {
    std::vector<ForeignJoint> joints{};   ///< in the order of recordings; of at least one hand
    std::vector<std::string> warnings{};  ///< what is left out, and what finding the rig warned of
    Json report{};  ///< "convention"; "bones": per joint its bone; "placed": joints without a bone of their
                    ///< own; "missing": joints of the hands that are not in the recording
};

/// Finds the hands of an armature. A hand with under half of its joints is left out.
/// `rig_file`: the text of a rig file (docs/rig-maps.md); empty: found by names and places. `tails`: as
/// foreign_hands() takes them. ErrorCode::invalid_argument: there is no hand, and the message says what to
/// do. ErrorCode::bad_value: the rig file is wrong, or "tails" are not one for each bone.
[[nodiscard]] Result<FoundHands> found_hands(const rig::Armature& armature, const std::string& rig_file,
                                             std::span<const glm::dvec3> tails);

/// A clip's hands as poses of a recording.
struct FoundClip {
    /// A node without a parent for each joint, named as in recordings; also the camera and the gaze, where
    /// the skeleton has nodes of these names.
    Clip clip{};
    FoundHands hands{};
};

/// The hands of a clip's skeleton, posed in the world at the clip's key times and between them.
/// Errors as found_hands().
[[nodiscard]] Result<FoundClip> clip_of_found_hands(const Clip& clip, const std::string& rig_file);

}  // namespace animbridge::mrtk
