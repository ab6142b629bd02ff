// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace animbridge::scene_child {

/// One of Assimp's loaders, with the id that the caller uses.
struct Loader {
    std::string_view id;         ///< "gltf"
    std::string_view title;      ///< the beginning of Assimp's own name for it
    std::string_view extension;  ///< that of the file name that the loader sees
    bool reads_motion = false;
};

/// All loaders that this program knows; a version of Assimp may lack some.
[[nodiscard]] std::span<const Loader> loaders();

/// Null if no loader has this id.
[[nodiscard]] const Loader* find_loader(std::string_view id);

}  // namespace animbridge::scene_child
