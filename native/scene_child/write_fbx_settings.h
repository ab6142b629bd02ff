// SPDX-License-Identifier: MIT
#pragma once

#include "formats/scene/document.h"

struct aiScene;

namespace animbridge::scene_child {

/// Adds axes, unit and frame rate as metadata, which Assimp's FBX exporter writes into the file's settings.
void add_fbx_settings(aiScene& scene, const scene::Document& document);

}  // namespace animbridge::scene_child
