// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

#include "base/base.h"

namespace animbridge::scene {

/// A kind of scene file, recognised by its first bytes.
struct Loader {
    std::string_view id;                           ///< "fbx", "gltf", "collada", ...
    std::string_view title;                        ///< "FBX"
    std::string_view noun;                         ///< "an FBX file"
    std::span<const std::string_view> extensions;  ///< lower case, with the dot
    bool (*sniff)(ByteView bytes);
    bool has_side_files = false;  ///< parts of it may be in other files beside it
};

/// The loaders of files with nodes and motion.
[[nodiscard]] std::span<const Loader> loaders();

/// Null if no loader has this id.
[[nodiscard]] const Loader* find_loader(std::string_view id);

/// The loader whose signature the bytes have; null if there is none.
[[nodiscard]] const Loader* loader_of(ByteView bytes);

}  // namespace animbridge::scene
