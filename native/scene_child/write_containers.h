// SPDX-License-Identifier: MIT
#pragma once

#include "base/base.h"
#include "formats/scene/document.h"

/// One function for each container: Assimp writes the file, and its errors are corrected.
/// ErrorCode::rejected: the container cannot hold the document, or this Assimp cannot write it.
namespace animbridge::scene_child {

[[nodiscard]] Result<Bytes> write_glb(const scene::Document& document);

/// One text file, with the numbers inside.
[[nodiscard]] Result<Bytes> write_gltf(const scene::Document& document);

/// Whether this Assimp's FBX files can be read: those of version 5 cannot.
[[nodiscard]] bool writes_fbx();

[[nodiscard]] Result<Bytes> write_fbx(const scene::Document& document);

[[nodiscard]] Result<Bytes> write_dae(const scene::Document& document);

}  // namespace animbridge::scene_child
