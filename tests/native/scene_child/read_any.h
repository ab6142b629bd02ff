// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "formats/scene_file/scene/scene.h"
#include "scene_child/read/read.h"

namespace animbridge::test {

/// Reads like AnimBridge: glTF in the library, everything else in the program.
[[nodiscard]] inline Result<scene_file::file::Document> read_any(const scene_child::read::ReadCall& call) {
    if (call.loader != "gltf") {
        return scene_child::read::read_scene(call);
    }
    const ReadOptions options;
    const std::string path = call.folder.empty() ? "" : call.folder + "/" + call.name;
    return scene_file::scene::read_motion({call.bytes, options, path});
}

}  // namespace animbridge::test
