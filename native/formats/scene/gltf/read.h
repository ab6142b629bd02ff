// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "base/base.h"
#include "formats/scene/document.h"
#include "formats/scene/gltf/file.h"

namespace animbridge::scene {

/// Reads the motion in a glTF 2.0 file: nodes, cameras, skins, animations and VRM's body parts. It ignores
/// meshes and materials, and so any compression of them. `folder`: the folder of side files; empty: none is
/// opened. The document has no Document::file, and takes at most `memory_mib`. ErrorCode::bad_value: the
/// reason says what is wrong, without the file's name.
[[nodiscard]] Result<Document> read_gltf(const GltfFile& file, const std::string& folder,
                                         std::uint32_t memory_mib);

}  // namespace animbridge::scene
