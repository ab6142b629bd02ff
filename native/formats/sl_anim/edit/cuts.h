// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "formats/sl_anim/codes/codes.h"
#include "formats/sl_anim/file/file.h"

namespace animbridge::sl_anim::edit {

/// Adds keys, with what the viewer shows, to turns of more than 20 degrees that a cut goes through: two
/// straight turns in place of one would turn unevenly. Not at the cuts themselves. `played`: the keys as the
/// viewer holds them; `duration_seconds`: the document's.
void add_keys_around_cuts(std::vector<file::CodedKey>& keys, const codes::RotationKeys& played,
                          float duration_seconds, std::span<const double> cuts_seconds);

}  // namespace animbridge::sl_anim::edit
