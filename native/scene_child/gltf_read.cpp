// SPDX-License-Identifier: MIT
#include "scene_child/gltf_read.h"

#include <utility>

#include "scene_child/gltf_animations.h"
#include "scene_child/gltf_buffers.h"
#include "scene_child/gltf_human.h"
#include "scene_child/gltf_nodes.h"
#include "scene_child/keys.h"
#include "scene_child/side_files.h"

namespace animbridge::scene_child {

Result<scene::Document> read_gltf(const GltfFile& file, const ReadCall& call) {
    scene::Document document;
    document.loader = "gltf";
    document.program = "AnimBridge";
    document.generator = generator_of(file);
    document.frames_per_second = frames_per_second_of(file);
    // Y up, +Z forward, metres: the specification says so.
    document.space.says_axes = true;
    document.space.says_unit = true;
    const SideFiles side_files(call.folder);
    GltfBuffers buffers(file, side_files);
    Notes notes;
    TRY(const GltfNodeMap map, take_gltf_nodes(file, buffers, document, notes));
    TRY_VOID(take_gltf_animations(file, buffers, map, document, notes));
    document.human_format = human_format_of(file);
    for (scene::HumanBone& bone : human_bones_of(file)) {
        if (bone.node < map.size() && map[bone.node] >= 0) {
            document.human_bones.push_back(
                {std::move(bone.slot), static_cast<std::uint32_t>(map[bone.node])});
        }
    }
    document.notes = notes.take();
    return document;
}

}  // namespace animbridge::scene_child
