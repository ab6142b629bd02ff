// SPDX-License-Identifier: MIT
#pragma once

#include "formats/sl_anim/bvh_loader.h"

/// What the loader writes in front of the joints, and what the fields of the upload dialog change.
namespace animbridge::sl_anim {

/// The document without joints as the loader has it: its defaults and the anim.ini.
[[nodiscard]] Document loader_header(float duration_seconds, const AnimIni& ini);

/// The dialog's fields, and the priorities that it has none for. Adds to `clamped` and `warnings`.
[[nodiscard]] Result<void> apply_dialog(const BvhLoad& options, BvhLoaded& loaded);

}  // namespace animbridge::sl_anim
