// SPDX-License-Identifier: MIT
#pragma once

#include "base/json/json.h"
#include "formats/scene/encode.h"

namespace animbridge::scene {

/// Gives nodes and animations names that files of this kind can hold, and that readers of COLLADA can
/// distinguish. Returns what was replaced: [{"name", "written"}].
[[nodiscard]] Json make_names_safe(const Container& container, Document& document);

}  // namespace animbridge::scene
