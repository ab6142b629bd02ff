// SPDX-License-Identifier: MIT
#include "formats/bvh/joint_path.h"

#include <algorithm>

#include "model/skeleton.h"

namespace animbridge::bvh {

namespace {

Transform lane(const PathBlock& block, std::size_t i) {
    const auto& q = block.rotations.parts;
    const auto& p = block.positions.parts;
    return {{q[0][i], q[1][i], q[2][i], q[3][i]}, {p[0][i], p[1][i], p[2][i]}};
}

void set_lane(PathBlock& block, std::size_t i, const Transform& value) {
    auto& q = block.rotations.parts;
    auto& p = block.positions.parts;
    q[0][i] = value.rotation.w;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        q.at(1 + axis)[i] = value.rotation[static_cast<int>(axis)];
        p.at(axis)[i] = value.translation[static_cast<int>(axis)];
    }
}

/// The joint and all its ancestors, from the root down.
std::vector<std::size_t> chain_to(std::size_t joint, const Document& document) {
    std::vector<std::size_t> chain;
    for (std::optional<std::size_t> at = joint; at; at = document.joints[*at].parent) {
        chain.push_back(*at);
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
}

/// The joint of the nearest ancestor bone that has one.
std::optional<std::size_t> joint_above(std::size_t bone, const rig::Armature& armature,
                                       const rig::JointMatch& match) {
    std::size_t steps = 0;  // a caller's parents may form a cycle
    for (auto above = armature.bones[bone].parent; above && steps <= armature.bones.size();
         above = armature.bones[*above].parent, ++steps) {
        if (match.joint_of_bone[*above]) {
            return match.joint_of_bone[*above];
        }
    }
    return std::nullopt;
}

void read_joint(const JointMotion& motion, bool with_positions, std::size_t first, std::size_t count,
                PathBlock& out) {
    motion.rotations(first, count, out.rotations);
    if (with_positions) {
        motion.positions(first, count, out.positions);
    }
}

}  // namespace

JointPath path_of_bone(std::size_t bone, const Document& document, const rig::Armature& armature,
                       const rig::JointMatch& match) {
    JointPath path;
    path.joint = *match.joint_of_bone[bone];
    path.down = chain_to(path.joint, document);
    const auto above = joint_above(bone, armature, match);
    path.from_root = !above;
    if (above) {
        path.up = chain_to(*above, document);
        std::size_t common = 0;
        while (common < path.up.size() && common < path.down.size() && path.up[common] == path.down[common]) {
            ++common;
        }
        const auto skipped = static_cast<std::ptrdiff_t>(common);
        path.up.erase(path.up.begin(), path.up.begin() + skipped);
        path.down.erase(path.down.begin(), path.down.begin() + skipped);
        std::reverse(path.up.begin(), path.up.end());
    }
    return path;
}

void follow_path(const JointPath& path, const std::vector<JointMotion>& motions, bool with_positions,
                 std::size_t first, std::size_t count, PathBlock& out) {
    if (path.is_single()) {
        read_joint(motions[path.joint], with_positions, first, count, out);
        return;
    }
    rotations_of({}, {}, out.rotations);
    for (Lane& positions : out.positions.parts) {
        positions.fill(0.0);
    }
    PathBlock step{};
    for (const bool upwards : {true, false}) {
        for (const std::size_t joint : upwards ? path.up : path.down) {
            read_joint(motions[joint], with_positions, first, count, step);
            for (std::size_t i = 0; i < count; ++i) {
                const Transform local = lane(step, i);
                set_lane(out, i, lane(out, i) * (upwards ? inverse(local) : local));
            }
        }
    }
}

}  // namespace animbridge::bvh
