// SPDX-License-Identifier: MIT
#pragma once

#include <assimp/scene.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "formats/scene/document.h"
#include "scene_child/gltf_json.h"
#include "scene_child/keys.h"

namespace animbridge::scene_child {

/// A scene as Assimp gives it, on its way to a document.
struct AssimpScene {
    const aiScene& scene;
    const GltfJson* gltf = nullptr;  ///< what the JSON says, for glTF 2; the names of nodes are then numbers
    bool root_is_space = false;      ///< the root has the file's axes and unit, and is no node of the file
    scene::Document& document;
    Notes& notes;
    std::map<std::string_view, std::uint32_t> nodes{};  ///< by Assimp's name; of equal names the first
    std::vector<std::int64_t> gltf_nodes{};             ///< from the index in the JSON; -1: not in the scene
};

[[nodiscard]] inline std::string_view text_of(const aiString& text) {
    return {text.data, text.length};
}

/// Fills in the nodes with their roles and bind places, and the cameras. Errors: the nodes hang deeper than
/// scene::deepest_node (bad_value).
[[nodiscard]] Result<void> take_nodes(AssimpScene& from);

/// Fills in the animations; after take_nodes.
void take_animations(AssimpScene& from);

/// Fills in axes, unit, frame rate and generator; after take_nodes.
void take_space(AssimpScene& from, std::string_view loader);

}  // namespace animbridge::scene_child
