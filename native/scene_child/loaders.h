// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace animbridge::scene_child {

/// One of Assimp's loaders, under the name by which the caller asks for it.
struct Loader {
    std::string_view id;         ///< "gltf"
    std::string_view title;      ///< begins as Assimp's own name of it does
    std::string_view extension;  ///< of the file's name as the loader sees it
    bool reads_motion = false;
};

/// All that this program knows; a version of Assimp may lack some.
[[nodiscard]] std::span<const Loader> loaders();

/// Null: there is none of this id.
[[nodiscard]] const Loader* find_loader(std::string_view id);

}  // namespace animbridge::scene_child
