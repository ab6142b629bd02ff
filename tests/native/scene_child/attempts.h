// SPDX-License-Identifier: MIT
#pragma once

#include "base/bytes.h"

/// The bodies of the fuzz targets for animbridge-scene. All throw BrokenInvariant.
namespace animbridge::test {

/// Reads any bytes as COLLADA that AnimBridge wrote. What is read keeps the promises of scene::Document.
void try_dae_read(ByteView bytes);

/// An FBX file as Assimp writes it: its tree, and what is mended in it for a scene of two joints
/// (fbx_scene_json). Whether it was mended.
bool try_fbx_tree(ByteView bytes);

/// The scene whose FBX file try_fbx_tree expects: tests/fuzz/corpus/fbx_tree has it, as Assimp wrote it.
extern const char* const fbx_scene_json;

/// Any bytes as FBX, by ufbx. What is read keeps the promises of scene::Document, and the numbers of its
/// curves are those that ufbx gives for them.
void try_fbx_part(ByteView bytes);

}  // namespace animbridge::test
