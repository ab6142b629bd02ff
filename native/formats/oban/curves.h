// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "base/json.h"
#include "formats/oban/axes.h"
#include "rig/curves.h"

/// An OBAN as F-curves of an object.
namespace animbridge::oban {

struct Curves {
    std::vector<rig::BoneCurves> curves{};  ///< location and quaternion curves of no_bone
    Json report = Json::object();           ///< described in animbridge.h at ab_curves_from_document
};

/// One linear key per key of the file. Keeps the length of each rotation, because the player also blends
/// rotations of unequal length. ErrorCode::rejected if the record cannot be played; ErrorCode::bad_value: a
/// position that Blender's single precision cannot hold.
[[nodiscard]] Result<Curves> to_curves(const Document& document, const rig::Timing& timing,
                                       const Space& space);

/// The keys in the object's space. The sign of each rotation makes Blender's blend by component take the
/// player's path.
[[nodiscard]] std::vector<ObjectKey> object_keys(const Record& record, const Space& space);

/// The scene frame of a file's frame.
[[nodiscard]] inline double scene_frame(const rig::Timing& timing, double file_frame) {
    return timing.frame_at(file_frame / frames_per_second);
}

/// Adds "base", "base_scale" and "base_matrix" of ab_curves_report to a report.
void put_base(Json& report, const Affine& object_base);

}  // namespace animbridge::oban
