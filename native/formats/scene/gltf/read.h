// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "formats/scene/document.h"
#include "formats/scene/gltf/file.h"

namespace animbridge::scene {

/// Reads what a glTF 2.0 file says of motion: nodes, cameras, skins, animations and VRM's body parts. Meshes
/// and materials are not looked at, so whatever compresses those does not matter. `folder`: where side files
/// may be; empty: none is opened. The document has no Document::file, and takes no more than `memory_mib`.
/// ErrorCode::bad_value: the reason says what is wrong, without the file's name.
[[nodiscard]] Result<Document> read_gltf(const GltfFile& file, const std::string& folder,
                                         std::uint32_t memory_mib);

}  // namespace animbridge::scene
