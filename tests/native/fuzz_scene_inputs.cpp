// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>

#include "formats/scene_file/check/check.h"
#include "formats/scene_file/clip/clip.h"
#include "formats/scene_file/file/file.h"
#include "formats/scene_file/gltf/gltf.h"
#include "fuzz_inputs.h"
#include "fuzz_scene_documents.h"
#include "invariants.h"

namespace animbridge::test {

namespace {

/// Sorted times and whole rows; values may be as large as the file's, so they are not compared with anything.
void require_clip(const Clip& clip) {
    for (const Track& track : clip.tracks) {
        require(track.node < clip.skeleton.nodes.size(), "a track of no joint");
        require(track.key_count() > 0, "a track without keys");
        require(track.values.size() == track.key_count() * track.width(),
                "a track with other rows than keys");
        require(track.interpolation.empty() || track.interpolation.size() == track.key_count(),
                "a track with other interpolations than keys");
        require(track.inserted.empty() || track.inserted.size() == track.key_count(),
                "a track with other marks than keys");
        require(track.handles.empty() || track.handles.size() == track.values.size(),
                "a track with other handles than numbers");
        for (std::size_t key = 1; key < track.key_count(); ++key) {
            require(track.times[key - 1] <= track.times[key], "keys out of order");
        }
    }
    for (std::size_t i = 0; i < clip.skeleton.nodes.size(); ++i) {
        const auto& parent = clip.skeleton.nodes[i].parent;
        require(!parent || *parent < i, "a joint before its parent");
    }
}

}  // namespace

void try_scene_wire(ByteView bytes) {
    const auto read = scene_file::file::from_wire(bytes);
    if (!read) {
        require(!read.error().reason.empty() && is_utf8(read.error().message()),
                "a failure without its reason");
        return;
    }
    require(scene_file::file::validate(*read).has_value(), "a scene that breaks its promises");
    const Bytes again = scene_file::file::to_wire(*read);
    require(again.size() == bytes.size() && std::equal(again.begin(), again.end(), bytes.begin()),
            "a wire form that is written otherwise than it was read");
    const auto back = scene_file::file::from_json(scene_file::file::to_json(*read));
    require(back.has_value(), "JSON that is not read again");
    require(are_equal(*read, *back), "JSON that loses something");
    for (const scene_file::file::Node& node : read->nodes) {
        require(!node.parent || *node.parent < read->nodes.size(), "a node below none");
    }
    (void)scene_file::check::check(*read, CheckLevel::strict);
    require(is_utf8(scene_file::clip::human_rig(*read)), "a rig that is no text");
    const Clip clip = scene_file::clip::to_clip(*read, {std::nullopt, read->space}).clip;
    require_clip(clip);
}

void try_gltf_read(ByteView bytes) {
    const auto file = scene_file::gltf::parse_gltf(bytes);
    if (!file || scene_file::gltf::is_first_version(*file)) {
        return;
    }
    constexpr std::uint32_t memory_mib = 256;
    const auto document = scene_file::gltf::read_gltf(*file, {}, memory_mib);
    if (!document) {
        require(!document.error().reason.empty(), "an error does not say why");
        return;
    }
    const auto valid = scene_file::file::validate(*document);
    require(valid.has_value(), valid ? "" : valid.error().message());
}

}  // namespace animbridge::test
