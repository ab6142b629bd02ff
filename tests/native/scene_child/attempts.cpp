// SPDX-License-Identifier: MIT
#include "scene_child/attempts.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>

#include "base/base.h"
#include "base/json/json.h"
#include "formats/scene_file/file/file.h"
#include "invariants.h"
#include "scene_child/read/read.h"
#include "scene_child/write/fbx_tree.h"
#include "scene_child/write/parts.h"
#ifdef ANIMBRIDGE_WITH_UFBX
#include "scene_child/read/fbx.h"
#endif

namespace animbridge::test {

const char* const fbx_scene_json = R"(
    {"format": "scene", "loader": "", "program": "", "generator": "", "human_format": "", "space":
    {"up": "Y", "front": "Z", "metres_per_unit": 1.0, "says_axes": true, "says_unit": true},
    "frames_per_second": 0.0, "nodes": [{"name": "Hips", "parent": null, "rest": {"translation": [0.0,
    1.0, 0.0], "rotation_wxyz": [1.0, 0.0, 0.0, 0.0], "scale": [1.0, 1.0, 1.0]}, "role": "plain",
    "is_skinned": true, "bind_world": {"translation": [0.0, 1.0, 0.0], "rotation_wxyz": [1.0, 0.0, 0.0,
    0.0], "scale": [1.0, 1.0, 1.0]}}, {"name": "Spine", "parent": 0, "rest": {"translation": [0.0, 0.4,
    -0.05], "rotation_wxyz": [1.0, 0.0, 0.0, 0.0], "scale": [1.0, 1.0, 1.0]}, "role": "plain",
    "is_skinned": false, "bind_world": null}], "cameras": [{"node": 1, "horizontal_field_degrees":
    40.0}], "animations": [{"name": "Wave", "duration_seconds": 1.0, "channels": [{"node": 0, "target":
    "rotation", "interpolation": "linear", "times_seconds": [0.0, 0.5, 1.0], "values": [1.0, 0.0, 0.0,
    0.0, 0.8, 0.6, 0.0, 0.0, 0.6, 0.0, 0.8, 0.0], "tangents": []}, {"node": 1, "target": "translation",
    "interpolation": "linear", "times_seconds": [0.0, 1.0], "values": [0.0, 0.4, -0.05, 0.0, 0.5, 0.0],
    "tangents": []}]}], "human_bones": [], "notes": []})";

namespace {

void require_valid(const Result<scene_file::file::Document>& document) {
    if (!document) {
        require(!document.error().reason.empty() && is_utf8(document.error().message()),
                "an error does not say why");
        return;
    }
    const auto valid = scene_file::file::validate(*document);
    require(valid.has_value(), valid ? "" : valid.error().message());
}

struct ToMend {
    scene_file::file::Document document;
    std::vector<scene_child::write::NodeMotion> motions;
};

/// In the form of write_fbx.
ToMend to_mend() {
    ToMend made{scene_file::file::from_json(parse_json(fbx_scene_json).value()).value(), {}};
    made.motions = scene_child::write::motions_of(made.document).value();
    for (scene_child::write::NodeMotion& motion : made.motions) {
        for (scene_child::write::NodeKeys& keys : motion.nodes) {
            scene_child::write::add_rotations_for(scene_child::write::Blend::euler,
                                                  keys.of(scene_file::file::Target::rotation), 0.002);
            scene_child::write::fill_targets(keys, made.document.nodes[keys.node].rest, 1.0 / 30);
        }
    }
    return made;
}

#ifdef ANIMBRIDGE_WITH_UFBX
void check_number(const ufbx_anim_curve& curve) {
    constexpr std::size_t most_keys = 64;
    scene_child::read::FbxNumber number(&curve);
    const std::span all(curve.keyframes.data, curve.keyframes.count);
    if (!std::ranges::is_sorted(all, {}, &ufbx_keyframe::time)) {
        return;  // ufbx's result then depends on where its search begins
    }
    const std::span keys = all.first(std::min(all.size(), most_keys));
    double last = -1;
    for (const ufbx_keyframe& key : keys) {
        for (const double time : {(last + key.time) / 2, key.time}) {
            const double expected = ufbx_evaluate_curve(&curve, time, 0.25);
            const double found = number.at(time, 0.25);
            require(found == expected || (std::isnan(found) && std::isnan(expected)),
                    "a number that ufbx does not give");
        }
        last = key.time;
    }
}
#endif

}  // namespace

void try_dae_read(ByteView bytes) { require_valid(scene_child::read::read_written_dae(bytes)); }

bool try_fbx_tree(ByteView bytes) {
    auto tree = scene_child::write::read_fbx_tree(bytes);
    if (!tree) {
        require(!tree.error().reason.empty() && is_utf8(tree.error().message()), "an error does not say why");
        return false;
    }
    const Bytes written = scene_child::write::write_fbx_tree(*tree);
    const auto again = scene_child::write::read_fbx_tree(written);
    require(again.has_value() && scene_child::write::write_fbx_tree(*again) == written,
            "a tree that changes when it is written");
    static const ToMend mended = to_mend();
    const auto done = scene_child::write::mend_fbx(*tree, mended.document, mended.motions);
    if (!done) {
        require(!done.error().reason.empty() && is_utf8(done.error().message()), "an error does not say why");
        return false;
    }
    require(scene_child::write::read_fbx_tree(scene_child::write::write_fbx_tree(*tree)).has_value(),
            "a mended tree that cannot be read");
    return true;
}

void try_fbx_part(ByteView bytes) {
    require_valid(scene_child::read::read_by_ufbx(bytes));
#ifdef ANIMBRIDGE_WITH_UFBX
    ufbx_load_opts options{};
    options.ignore_geometry = true;
    options.temp_allocator.memory_limit = std::size_t{64} << 20U;
    options.result_allocator.memory_limit = options.temp_allocator.memory_limit;
    const std::unique_ptr<ufbx_scene, void (*)(ufbx_scene*)> scene(
        ufbx_load_memory(bytes.data(), bytes.size(), &options, nullptr), ufbx_free_scene);
    if (scene != nullptr) {
        constexpr std::size_t most_curves = 32;
        for (const ufbx_anim_curve* curve :
             std::span(scene->anim_curves.data, std::min(scene->anim_curves.count, most_curves))) {
            check_number(*curve);
        }
    }
#endif
}

}  // namespace animbridge::test
