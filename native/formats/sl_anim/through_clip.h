// SPDX-License-Identifier: MIT
#pragma once

#include "formats/motion.h"
#include "formats/sl_anim/document.h"

/// A .anim as the neutral clip and back: what the format's row has for conversions without an exact bridge.
namespace animbridge::sl_anim {

/// Takes no options. ErrorCode::rejected where the viewer would refuse the file.
[[nodiscard]] Result<ClipMade> document_to_clip(const Document& document, const Json& options);

/// Drops keys by reduce_options(). Joints are found by their names, as the viewer finds them; the rest is
/// left out. ErrorCode::invalid_argument where no joint is one of the avatar's. ErrorCode::bad_value where
/// one rests rotated otherwise than the avatar's. Both take a rig map. ErrorCode::rejected where the viewer
/// would refuse what comes out.
[[nodiscard]] Result<Made> document_from_clip(const ClipRequest& request);

/// The avatar's.
[[nodiscard]] Skeleton own_skeleton();

/// Whether most of the joints that move are the avatar's, and none of these rests rotated otherwise.
[[nodiscard]] bool takes(const Clip& clip);

}  // namespace animbridge::sl_anim
