// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/json.h"
#include "convert/rig_of.h"
#include "formats/format.h"
#include "rig/scene_rig.h"

/// Whether an armature is a document's own rig, so that the document's curves fit it as they are.
namespace animbridge {

/// Limbs are upper and lower arms and legs, hands and feet. Of these count the ones that the document's
/// skeleton has and moves.
struct RigFit {
    std::vector<std::string> limbs;          ///< slots
    std::vector<std::string> matched_limbs;  ///< those whose joint has a bone by its name or the rig map
    std::vector<std::string> found_limbs;    ///< those that are found in the armature, whatever their names
    std::size_t matched_joints = 0;          ///< of the whole skeleton
    std::vector<std::string> unnamed;        ///< slots that both have, whose joint has no bone by its name
    double rest_degrees = 0;  ///< the largest angle between a limb of the document and its bone at rest
    std::string rest_slot{};  ///< the limb with this angle; "": none could be compared

    /// Every part that both have is matched by its name, and limbs rest alike.
    [[nodiscard]] bool is_own() const;
    /// A retargeting shows the motion better: this is another rig, of which as many limbs are found as have
    /// their joints' names.
    [[nodiscard]] bool needs_retargeting() const {
        return !is_own() && found_limbs.size() >= matched_limbs.size();
    }
};

/// Rest directions of one rig in two files, or of one avatar in two shapes, differ by less.
inline constexpr double own_rest_degrees = 10.0;

/// `to_clip`: the document's options, as for motion_with_rig. `target_rig`: as for rig_of. Joints are matched
/// by names and the armature's rig map, as imports match them. The armature may be turned by quarters about
/// Z against the document. ErrorCode::invalid_argument: the format has no skeleton.
[[nodiscard]] Result<RigFit> rig_fit(const AnyDocument& document, const rig::SceneRig& armature,
                                     const Json& to_clip, const RigText& target_rig);

/// As ab_rig_fit_json describes it.
[[nodiscard]] Json rig_fit_json(const RigFit& fit);

}  // namespace animbridge
