// SPDX-License-Identifier: MIT
#pragma once

#include "model/clip.h"

namespace animbridge::sl_anim {

/// The clip, turned by quarter turns about Z if that lays its joints as the avatar's rest: scene files look
/// along another axis than the avatar. A clip of another skeleton stays as it is.
[[nodiscard]] Clip turned_like_avatar(Clip clip);

}  // namespace animbridge::sl_anim
