// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "base/json.h"
#include "formats/oban/axes.h"
#include "rig/curves.h"

/// An OBAN as the F-curves of an object.
namespace animbridge {

struct ObanCurves {
    std::vector<rig::BoneCurves> curves{};  ///< location and quaternion of no_bone
    Json report = Json::object();           ///< as ab_curves_from_oban describes it
};

/// A key of the file each, linear; lengths of rotations are kept, because the player blends them unequal too.
/// ErrorCode::rejected where the record cannot be played; ErrorCode::bad_value: a place that Blender's single
/// precision cannot hold.
[[nodiscard]] Result<ObanCurves> curves_from_oban(const oban::Document& document, const rig::Timing& timing,
                                                  const oban::Space& space);

/// The keys on the object, each rotation with the sign that lets a blend by component take the path of the
/// player.
[[nodiscard]] std::vector<oban::ObjectKey> object_keys(const oban::Record& record, const oban::Space& space);

/// Where a frame of the file stands in the scene.
[[nodiscard]] inline double scene_frame(const rig::Timing& timing, double file_frame) {
    return timing.frame_at(file_frame / oban::frames_per_second);
}

/// Puts "base", "base_scale" and "base_matrix" of ab_curves_report into a report.
void put_base(Json& report, const oban::Affine& object_base);

}  // namespace animbridge
