// SPDX-License-Identifier: MIT
#pragma once

#include "formats/sl_anim/bvh_loader.h"

/// The loader's header, and what the upload dialog changes.
namespace animbridge::sl_anim {

/// The loader's document without joints: its defaults and the anim.ini.
[[nodiscard]] Document loader_header(float duration_seconds, const AnimIni& ini);

/// Applies the dialog's fields, and the joint priorities, for which it has no field. Adds to `clamped` and
/// `warnings`.
[[nodiscard]] Result<void> apply_dialog(const BvhLoad& options, BvhLoaded& loaded);

}  // namespace animbridge::sl_anim
