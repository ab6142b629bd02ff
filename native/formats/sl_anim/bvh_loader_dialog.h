// SPDX-License-Identifier: MIT
#pragma once

#include "formats/sl_anim/bvh_loader.h"

/// The header that the loader writes, and what the upload dialog changes.
namespace animbridge::sl_anim {

/// The loader's document without joints: its defaults, changed by the anim.ini.
[[nodiscard]] Document loader_header(float duration_seconds, const AnimIni& ini);

/// Applies the dialog's fields and the joint priorities, which the dialog cannot set. Adds to `clamped` and
/// `warnings`.
[[nodiscard]] Result<void> apply_dialog(const BvhLoad& options, BvhLoaded& loaded);

}  // namespace animbridge::sl_anim
