// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/base.h"
#include "formats/scene/document.h"
#include "scene_child/loaders.h"
#include "scene_child/read.h"

namespace animbridge::scene_child {

/// Such as "Assimp 6.0.5".
[[nodiscard]] std::string assimp_title();
/// "" if this program is built without Assimp.
[[nodiscard]] std::string assimp_version();

/// Whether this Assimp has the loader.
[[nodiscard]] bool has_loader(const Loader& loader);

/// Reads a scene with one of Assimp's loaders; no other one is tried. May throw Assimp's exceptions.
[[nodiscard]] Result<scene::Document> read_by_assimp(const Loader& loader, const ReadCall& call);

}  // namespace animbridge::scene_child
