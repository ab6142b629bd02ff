// SPDX-License-Identifier: MIT
#include "formats/scene/gltf/read.h"

#include <utility>

#include "formats/scene/gltf/animations.h"
#include "formats/scene/gltf/buffers.h"
#include "formats/scene/gltf/human.h"
#include "formats/scene/gltf/nodes.h"
#include "formats/scene/keys.h"
#include "formats/scene/side_files.h"
#include "formats/scene/tracks.h"

namespace animbridge::scene {

namespace {

/// The results of the channels have shared numbers once for each channel, although the file and the document
/// do not: JSON has those of all animations, and a clip those of one.
Result<void> check_room(const Document& document, const GltfRoom& left, std::uint32_t memory_mib) {
    GltfRoom for_all(memory_mib);
    for (const Animation& animation : document.animations) {
        GltfRoom for_clip = left;
        for (const Channel& channel : animation.channels) {
            TRY_VOID(for_all.take(
                (channel.times_seconds.size() + channel.values.size() + channel.tangents.size()) *
                sizeof(double)));
            TRY_VOID(for_clip.take(track_bytes(channel)));
        }
    }
    return {};
}

}  // namespace

Result<Document> read_gltf(const GltfFile& file, const std::string& folder, std::uint32_t memory_mib) {
    Document document;
    document.loader = "gltf";
    document.program = "AnimBridge";
    document.generator = generator_of(file);
    document.frames_per_second = frames_per_second_of(file);
    // Y up, +Z forward, metres: defined by the specification.
    document.space.says_axes = true;
    document.space.says_unit = true;
    const SideFiles side_files(folder);
    GltfRoom room(memory_mib);
    GltfBuffers buffers(file, side_files, room);
    Notes notes;
    TRY(const GltfNodeMap map, take_gltf_nodes(file, buffers, room, document, notes));
    TRY_VOID(take_gltf_animations(file, buffers, map, document, notes));
    TRY_VOID(check_room(document, room, memory_mib));
    document.human_format = human_format_of(file);
    for (HumanBone& bone : human_bones_of(file)) {
        if (bone.node < map.size() && map[bone.node] >= 0) {
            document.human_bones.push_back(
                {std::move(bone.slot), static_cast<std::uint32_t>(map[bone.node])});
        }
    }
    document.notes = notes.take();
    return document;
}

}  // namespace animbridge::scene
