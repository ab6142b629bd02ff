// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "formats/scene/document.h"

namespace animbridge::scene {

/// The text of a rig file (docs/rig-maps.md) with the body parts that the file names; empty if it names none.
[[nodiscard]] std::string human_rig(const Document& document);

}  // namespace animbridge::scene
