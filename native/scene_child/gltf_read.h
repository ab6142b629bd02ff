// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "formats/scene/document.h"
#include "scene_child/gltf_file.h"
#include "scene_child/read.h"

namespace animbridge::scene_child {

/// Reads what a glTF 2.0 file says of motion: nodes, cameras, skins, animations and VRM's body parts. Meshes
/// and materials are not looked at, so whatever compresses those does not matter. `file` is that of `call`.
[[nodiscard]] Result<scene::Document> read_gltf(const GltfFile& file, const ReadCall& call);

}  // namespace animbridge::scene_child
