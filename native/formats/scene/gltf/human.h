// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "formats/scene/document.h"
#include "formats/scene/gltf/file.h"

namespace animbridge::scene {

/// "VRM 1.0", "VRM 0.x", "VRMA", or empty.
[[nodiscard]] std::string human_format_of(const GltfFile& file);

/// The body parts that a VRM file names. The indices are those of nodes in the file, and may be invalid.
[[nodiscard]] std::vector<HumanBone> human_bones_of(const GltfFile& file);

}  // namespace animbridge::scene
