// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "base/base.h"
#include "formats/scene/document.h"
#include "scene_child/fbx_tree.h"
#include "scene_child/write_keys.h"

namespace animbridge::scene_child {

/// Completes a file that Assimp made from the document with only the ends of the motions: sets the names, the
/// rest and bind poses, all keys, the duration of the motions, and cameras. ErrorCode::rejected: the file
/// lacks something that it should have.
[[nodiscard]] Result<void> mend_fbx(FbxFile& file, const scene::Document& document,
                                    const std::vector<Motion>& motions);

/// Adds the cameras to the models of their nodes; these are in the order of the document's nodes.
void add_fbx_cameras(FbxNode& objects, FbxNode& connections, const scene::Document& document,
                     const std::vector<FbxNode*>& models);

/// "name", a separator, "Model"
[[nodiscard]] FbxProperty fbx_object_name(const std::string& name, std::string_view kind);

}  // namespace animbridge::scene_child
