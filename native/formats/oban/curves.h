// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "base/json.h"
#include "formats/oban/axes.h"
#include "rig/curves.h"

/// An OBAN as the F-curves of an object.
namespace animbridge::oban {

struct Curves {
    std::vector<rig::BoneCurves> curves{};  ///< location and quaternion of no_bone
    Json report = Json::object();           ///< as ab_curves_from_document describes it
};

/// A key of the file each, linear; lengths of rotations are kept, because the player blends them unequal too.
/// ErrorCode::rejected where the record cannot be played; ErrorCode::bad_value: a place that Blender's single
/// precision cannot hold.
[[nodiscard]] Result<Curves> to_curves(const Document& document, const rig::Timing& timing,
                                       const Space& space);

/// The keys on the object, each rotation with the sign that lets a blend by component take the path of the
/// player.
[[nodiscard]] std::vector<ObjectKey> object_keys(const Record& record, const Space& space);

/// Where a frame of the file stands in the scene.
[[nodiscard]] inline double scene_frame(const rig::Timing& timing, double file_frame) {
    return timing.frame_at(file_frame / frames_per_second);
}

/// Puts "base", "base_scale" and "base_matrix" of ab_curves_report into a report.
void put_base(Json& report, const Affine& object_base);

}  // namespace animbridge::oban
