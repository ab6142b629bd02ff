// SPDX-License-Identifier: MIT
#pragma once

#include <glm/mat4x4.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "formats/scene/document.h"
#include "scene_child/write_keys.h"

struct aiScene;

namespace animbridge::scene_child {

/// Names of the nodes that a scene for Assimp has besides the document's.
inline constexpr std::string_view root_name = "AnimBridgeRoot";
inline constexpr std::string_view carrier_name = "AnimBridgeCarrier";

/// Frees the scene; aiScene is complete in only one source.
struct FreeScene {
    void operator()(aiScene* scene) const;
};
using AssimpScene = std::unique_ptr<aiScene, FreeScene>;

/// What `make_scene` needs besides the document.
struct SceneParts {
    const std::vector<std::string>& names;  ///< unique, one for each node; Assimp finds nodes by them
    const std::vector<Motion>& motions;
    bool has_fbx_settings = false;  ///< axes, unit and frame rate as FBX settings
};

/// The document below an artificial root; if nodes are skinned, with a mesh that is bound to them.
[[nodiscard]] AssimpScene make_scene(const scene::Document& document, const SceneParts& parts);

/// The output of Assimp's exporter with this id. ErrorCode::rejected: it cannot write the scene.
[[nodiscard]] Result<Bytes> export_scene(const aiScene& scene, const char* exporter);

/// The bind pose of each node: `bind_world`, or the rest pose if there is none.
[[nodiscard]] std::vector<glm::dmat4> bind_worlds(const scene::Document& document);

/// "n0", "n1", ...
[[nodiscard]] std::vector<std::string> numbered_names(const scene::Document& document);

/// The name of the generating program for files.
[[nodiscard]] std::string generator_text();

}  // namespace animbridge::scene_child
