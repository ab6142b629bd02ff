// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "convert/rig_of.h"
#include "model/format/format.h"
#include "rig/armature/armature.h"

/// Finds out whether an armature is a document's own rig, so that the document's curves fit it unchanged.
namespace animbridge {

/// Limbs are upper and lower arms and legs, hands and feet, if the document's skeleton has and moves them.
struct RigFit {
    std::vector<std::string> limbs;          ///< slots
    std::vector<std::string> matched_limbs;  ///< those whose joint has a bone by its name or the rig map
    std::vector<std::string> found_limbs;    ///< those that are found in the armature, whatever their names
    std::size_t matched_joints = 0;          ///< in the whole skeleton
    std::vector<std::string> unnamed;        ///< slots that both have, whose joint has no bone by its name
    double rest_degrees = 0;  ///< the largest angle between a limb of the document and its bone at rest
    std::string rest_slot{};  ///< the limb with this angle; "" if none could be compared

    /// Every part that both have is matched by its name, and limbs rest alike.
    [[nodiscard]] bool is_own() const;
    /// Retargeting shows the motion better: this is another rig, in which at least as many limbs are found as
    /// match by name.
    [[nodiscard]] bool needs_retargeting() const {
        return !is_own() && found_limbs.size() >= matched_limbs.size();
    }
};

/// Rest directions of one rig in two files, or of one avatar in two shapes, differ by less.
inline constexpr double own_rest_degrees = 10.0;

/// `to_clip`: the document's options, as in motion_with_rig. `target_rig`: as in rig_of. Joints are matched
/// by names and the armature's rig map, like in imports. The armature may be rotated against the document by
/// quarter turns about Z. ErrorCode::invalid_argument: the format has no skeleton.
[[nodiscard]] Result<RigFit> rig_fit(const AnyDocument& document, const rig::SceneRig& armature,
                                     const Json& to_clip, const RigText& target_rig);

/// In the form of ab_rig_fit_json.
[[nodiscard]] Json rig_fit_json(const RigFit& fit);

}  // namespace animbridge
