// SPDX-License-Identifier: MIT
#include <assimp/version.h>

#include <algorithm>
#include <glm/gtc/quaternion.hpp>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "scene_child/camera_turn.h"
#include "scene_child/fbx_fix.h"
#include "scene_child/write_assimp.h"
#include "scene_child/write_containers.h"

namespace animbridge::scene_child {

namespace {

constexpr std::pair<unsigned int, unsigned int> first_version_that_writes{5, 4};

std::pair<unsigned int, unsigned int> version() { return {aiGetVersionMajor(), aiGetVersionMinor()}; }

/// An FBX camera looks along its +X, one in a document along its -Z.
scene::Document with_fbx_cameras(scene::Document document) {
    const std::optional<glm::dquat> turn = camera_turn({1, 0, 0}, {0, 1, 0});
    std::map<std::uint32_t, glm::dquat> turns;
    for (const scene::Camera& camera : document.cameras) {
        turns[camera.node] = glm::inverse(*turn);
    }
    turn_cameras(document, turns);
    return document;
}

/// The first and the last key of each target: Assimp writes the structure of the file with them. The curves
/// that it makes for rotations spin between keys, so all keys are added later.
std::vector<Motion> outlines_of(const std::vector<Motion>& motions) {
    std::vector<Motion> outlines;
    for (const Motion& motion : motions) {
        Motion& outline = outlines.emplace_back();
        outline.duration_seconds = motion.duration_seconds;
        for (const NodeKeys& keys : motion.nodes) {
            NodeKeys& ends = outline.nodes.emplace_back();
            ends.node = keys.node;
            for (std::size_t i = 0; i < keys.targets.size(); ++i) {
                const Keys& all = keys.targets[i];
                const auto width = static_cast<std::ptrdiff_t>(all.values.size() / all.times_seconds.size());
                ends.targets[i].times_seconds = {all.times_seconds.front(), all.times_seconds.back()};
                ends.targets[i].values.assign(all.values.begin(), all.values.begin() + width);
                ends.targets[i].values.insert(ends.targets[i].values.end(), all.values.end() - width,
                                              all.values.end());
            }
        }
    }
    return outlines;
}

Result<Bytes> write_turned(const scene::Document& document) {
    TRY(std::vector<Motion> motions, motions_of(document));
    const double frame_seconds = 1.0 / (document.frames_per_second > 0 ? document.frames_per_second : 30.0);
    for (Motion& motion : motions) {
        for (NodeKeys& keys : motion.nodes) {
            add_rotations_for(Blend::euler, keys.of(scene::Target::rotation));
            // Readers drop curves with one key.
            fill_targets(keys, document.nodes[keys.node].rest, frame_seconds);
        }
    }
    const std::vector<std::string> names = numbered_names(document);
    const AssimpScene scene = make_scene(document, {names, outlines_of(motions), true});
    TRY(const Bytes file, export_scene(*scene, "fbx"));
    TRY(FbxFile tree, read_fbx_tree(file));
    TRY_VOID(mend_fbx(tree, document, motions));
    return write_fbx_tree(tree);
}

}  // namespace

bool writes_fbx() { return version() >= first_version_that_writes; }

Result<Bytes> write_fbx(const scene::Document& document) {
    if (!writes_fbx()) {
        const auto [major, minor] = version();
        return fail(ErrorCode::rejected,
                    "this program has Assimp " + std::to_string(major) + '.' + std::to_string(minor) +
                        ", whose FBX files no program reads; it takes Assimp 5.4 or later");
    }
    return document.cameras.empty() ? write_turned(document) : write_turned(with_fbx_cameras(document));
}

}  // namespace animbridge::scene_child
