// SPDX-License-Identifier: MIT
#pragma once

#include "base/base.h"

/// The bodies of the fuzz targets for animbridge-scene. All throw BrokenInvariant.
namespace animbridge::test {

/// Reads any bytes as AnimBridge's own COLLADA. The result must satisfy the guarantees of
/// scene_file::file::Document.
void try_dae_read(ByteView bytes);

/// An FBX file from Assimp: reads its tree, and mends it for a scene of two joints (fbx_scene_json). Returns
/// whether it was mended.
bool try_fbx_tree(ByteView bytes);

/// The scene whose FBX file try_fbx_tree expects: tests/fuzz/corpus/fbx_tree has it, as Assimp wrote it.
extern const char* const fbx_scene_json;

/// Reads any bytes as FBX, with ufbx. The result must satisfy the guarantees of scene_file::file::Document,
/// and the numbers of its curves must equal ufbx's.
void try_fbx_part(ByteView bytes);

}  // namespace animbridge::test
