// SPDX-License-Identifier: MIT
#pragma once

#include <assimp/scene.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/scene/document.h"
#include "formats/scene/keys.h"
#include "scene_child/collada_xml.h"

namespace animbridge::scene_child {

/// A scene as Assimp gives it, on its way to a document.
struct AssimpInput {
    const aiScene& scene;
    const ColladaWords* collada =
        nullptr;                   ///< what the XML says, for COLLADA; nodes are then named by their ids
    bool root_is_made_up = false;  ///< the root is no node of the file
    bool binds_in_world = false;   ///< a skin's matrices are about the world, wherever its mesh hangs
    double ticks_per_second = 0;   ///< above 0: this, whatever Assimp says
    scene::Document& document;
    scene::Notes& notes;
    std::map<std::string_view, std::uint32_t> nodes{};   ///< by Assimp's name; of equal names the first
    std::map<std::uint32_t, glm::dquat> camera_turns{};  ///< see turn_cameras
};

[[nodiscard]] inline std::string_view chars_of(const aiString& text) { return {text.data, text.length}; }

/// Fills in the nodes with their roles and bind places, and the cameras. Errors: the nodes hang deeper than
/// scene::deepest_node (bad_value).
[[nodiscard]] Result<void> take_nodes(AssimpInput& from);

/// Fills in the animations; after take_nodes.
void take_animations(AssimpInput& from);

/// Whether the root turns and scales the file's axes to Y up and metres, and does nothing else; then `space`
/// is what it says.
[[nodiscard]] bool take_root_space(const aiNode& root, scene::Space& space);

/// Fills in axes, unit, frame rate and generator; after take_nodes.
void take_space(AssimpInput& from, std::string_view loader);

}  // namespace animbridge::scene_child
