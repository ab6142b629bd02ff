// SPDX-License-Identifier: MIT
#pragma once

#include <assimp/scene.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "formats/scene/document.h"
#include "formats/scene/keys.h"
#include "scene_child/collada_xml.h"

namespace animbridge::scene_child {

/// A scene from Assimp, and the document that it becomes.
struct AssimpInput {
    const aiScene& scene;
    const ColladaWords* collada =
        nullptr;                   ///< what the XML says, for COLLADA; nodes are then named by their ids
    bool root_is_made_up = false;  ///< the root is not a node of the file
    bool binds_in_world = false;   ///< a skin's matrices are relative to the world, wherever its mesh is
    double ticks_per_second = 0;   ///< above 0: replaces Assimp's value
    scene::Document& document;
    scene::Notes& notes;
    std::map<std::string_view, std::uint32_t> nodes{};   ///< by Assimp's name; if names are equal, the first
    std::map<std::uint32_t, glm::dquat> camera_turns{};  ///< see turn_cameras
};

[[nodiscard]] inline std::string_view chars_of(const aiString& text) { return {text.data, text.length}; }

/// Fills in the nodes with their roles and bind poses, and the cameras. ErrorCode::bad_value: nodes are
/// deeper than scene::deepest_node.
[[nodiscard]] Result<void> take_nodes(AssimpInput& from);

/// Fills in the animations; call it after take_nodes.
void take_animations(AssimpInput& from);

/// Whether the root only rotates and scales the file's axes to Y up and metres; then sets `space` from it.
[[nodiscard]] bool take_root_space(const aiNode& root, scene::Space& space);

/// Fills in axes, unit, frame rate and generator; call it after take_nodes.
void take_space(AssimpInput& from, std::string_view loader);

}  // namespace animbridge::scene_child
