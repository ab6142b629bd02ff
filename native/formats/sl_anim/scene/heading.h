// SPDX-License-Identifier: MIT
#pragma once

#include "model/clip/clip.h"

namespace animbridge::sl_anim::scene {

/// The clip, turned by quarter turns about Z if that aligns its joints with the avatar's rest pose; scene
/// files face along another axis than the avatar. A clip of another skeleton stays unchanged.
[[nodiscard]] Clip turned_like_avatar(Clip clip);

}  // namespace animbridge::sl_anim::scene
