// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "base/options/options.h"
#include "formats/scene/document.h"
#include "rig/exchange/exchange.h"

/// A scene in Blender: its skeleton as a new armature, and its animations as curves of an armature.
namespace animbridge::scene {

/// The skeleton, in the form of ab_skeleton_json. ErrorCode::invalid_argument: `document` is null.
[[nodiscard]] Result<Json> skeleton(const AnyDocument* document, const Json& options);

/// One animation as curves of an armature. ErrorCode::bad_value: the scene has no joints, or the options name
/// an animation that it lacks.
[[nodiscard]] Result<CurvesMade> to_curves(const Document& document, const ToCurves& request);

[[nodiscard]] std::span<const Option> skeleton_options();
[[nodiscard]] std::span<const Option> to_curves_options();

}  // namespace animbridge::scene
