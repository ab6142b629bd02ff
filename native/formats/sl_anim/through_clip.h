// SPDX-License-Identifier: MIT
#pragma once

#include "formats/motion.h"
#include "formats/sl_anim/document.h"

/// Converts a .anim to the neutral clip and back, for conversions without an exact bridge.
namespace animbridge::sl_anim {

/// Takes no options. ErrorCode::rejected if the viewer refuses the file.
[[nodiscard]] Result<ClipMade> document_to_clip(const Document& document, const Json& options);

/// Drops keys by reduce_options(). Finds joints by their names, like the viewer, and leaves the others out.
/// ErrorCode::invalid_argument if no joint is one of the avatar's (a rig file helps). ErrorCode::bad_value if
/// a joint's rest rotation differs from the avatar's (retargeting helps). ErrorCode::rejected if the viewer
/// refuses the result.
[[nodiscard]] Result<Made> document_from_clip(const ClipRequest& request);

/// The avatar's skeleton.
[[nodiscard]] Skeleton own_skeleton();

/// Whether most of the joints that move are the avatar's, and all of these have the avatar's rest rotation.
[[nodiscard]] bool takes(const Clip& clip);

}  // namespace animbridge::sl_anim
