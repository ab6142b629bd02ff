// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

#include "base/base.h"
#include "formats/scene_file/file/file.h"

/// Scenes to files, written by Assimp.
namespace animbridge::scene_child::write {

/// The document as a file of the container: "glb", "gltf" (one file, its buffer inside), "fbx" or "dae". The
/// numbers are written unchanged, with `document.space` if the container can hold it; glTF cannot, so there
/// the space is its own (Y up, Z in front, metres). Nodes with `is_skinned` are joints of one skin, bound at
/// `bind_world`: its mesh has one tiny triangle for each. Only linear channels are allowed.
/// ErrorCode::rejected: this build's Assimp cannot write the container, or the exporter failed.
[[nodiscard]] Result<Bytes> write_scene(const scene_file::file::Document& document,
                                        std::string_view container);

/// The containers that this build's Assimp can write.
[[nodiscard]] std::span<const std::string_view> written_containers();

}  // namespace animbridge::scene_child::write
