// SPDX-License-Identifier: MIT
#pragma once

#include <glm/mat4x4.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/scene/document.h"
#include "scene_child/write_keys.h"

struct aiScene;

namespace animbridge::scene_child {

/// Names of what a scene for Assimp has beside the document's nodes.
inline constexpr std::string_view root_name = "AnimBridgeRoot";
inline constexpr std::string_view carrier_name = "AnimBridgeCarrier";

/// Frees the scene; aiScene is complete in one source only.
struct FreeScene {
    void operator()(aiScene* scene) const;
};
using AssimpScene = std::unique_ptr<aiScene, FreeScene>;

/// What `make_scene` needs beside the document.
struct SceneParts {
    const std::vector<std::string>& names;  ///< unique, one for each node; Assimp finds nodes by them
    const std::vector<Motion>& motions;
    bool has_fbx_settings = false;  ///< axes, unit and frame rate, as FBX says them
};

/// The document below an artificial root; where nodes are skinned, beside a mesh that is bound to them.
[[nodiscard]] AssimpScene make_scene(const scene::Document& document, const SceneParts& parts);

/// What Assimp's exporter of this id makes of a scene. ErrorCode::rejected: it cannot.
[[nodiscard]] Result<Bytes> export_scene(const aiScene& scene, const char* exporter);

/// Where each node is bound: `bind_world`, or the rest pose where there is none.
[[nodiscard]] std::vector<glm::dmat4> bind_worlds(const scene::Document& document);

/// "n0", "n1", ...
[[nodiscard]] std::vector<std::string> numbered_names(const scene::Document& document);

/// What a file says made it.
[[nodiscard]] std::string generator_text();

}  // namespace animbridge::scene_child
