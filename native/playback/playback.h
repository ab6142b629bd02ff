// SPDX-License-Identifier: MIT
#pragma once

#include "rig/exchange/exchange.h"

/// Between scenes and documents. From a scene: the motion of an armature or object becomes a clip, the clip a
/// document, and the document is measured against what the scene shows. A format says which skeleton the
/// armature's bones are (`export_rig`) and writes the clip (`from_clip`). A format whose files hold more than
/// a clip has a way of its own (`from_scene`).
namespace animbridge::playback {

/// Whether the format has any way from a scene.
[[nodiscard]] bool takes_scenes(const Format& format);

/// The curves that play a document on an armature or object, and their report. ErrorCode::invalid_argument:
/// an armature is missing, or an object is asked for and there is one.
[[nodiscard]] Result<CurvesMade> curves_of(const AnyDocument& document, const ToCurves& request);

/// The document of a scene's motion, and its report. ErrorCode::invalid_argument: an armature is missing, or
/// an object is asked for and there is one; or the template is of another format. ErrorCode::rejected: it
/// shows another motion, by more than the option "stop_above_mm" allows.
[[nodiscard]] Result<Made> document_of(const Format& format, const SceneMotion& motion);

/// The document. ErrorCode::rejected if it is farther off than `stop_above_mm` (0: never) or turned by more
/// than usual_stop_degrees, and by more than it tolerates: names the joint, the time, the causes and what to
/// do.
[[nodiscard]] Result<Made> unless_far_off(Made made, double stop_above_mm, const rig::curves::Timing& timing);

}  // namespace animbridge::playback
