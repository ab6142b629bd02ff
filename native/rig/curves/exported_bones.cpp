// SPDX-License-Identifier: MIT
#include "rig/curves/curves.h"

#include <algorithm>
#include <utility>

#include "rig/curves/channels.h"

namespace animbridge::rig::curves {

namespace {

/// Each bone's nearest wanted ancestor; none if the caller's parents form a cycle.
std::vector<std::optional<std::size_t>> wanted_above(const armature::Armature& armature,
                                                     const std::vector<bool>& wanted) {
    std::vector<std::optional<std::size_t>> above(wanted.size());
    for (std::size_t bone = 0; bone < wanted.size(); ++bone) {
        std::size_t steps = 0;
        auto at = armature.bones[bone].parent;
        while (at && !wanted[*at] && steps++ < wanted.size()) {
            at = armature.bones[*at].parent;
        }
        above[bone] = at && wanted[*at] ? at : std::nullopt;
    }
    return above;
}

/// The node's bone and its skipped ancestors, topmost first.
std::vector<std::size_t> chain_of(const Skeleton& skeleton, const armature::Armature& armature,
                                  const armature::BoneMap& map, std::size_t node) {
    std::vector<std::size_t> chain = {*map.bone_of_node[node]};
    const auto parent = skeleton.nodes[node].parent;
    auto at = armature.bones[chain.front()].parent;
    while (at && !(parent && map.bone_of_node[*parent] == at) && chain.size() <= armature.bones.size()) {
        chain.push_back(*at);
        at = armature.bones[*at].parent;
    }
    std::ranges::reverse(chain);
    return chain;
}

Transform local_of(const BoneMotion& motion, const glm::dvec3& rest, std::size_t frame) {
    return {motion.rotations.empty() ? glm::dquat(1, 0, 0, 0) : motion.rotations[frame],
            motion.positions.empty() ? rest : motion.positions[frame]};
}

/// The motion of a chain of bones as that of one.
BoneMotion chain_motion(const std::vector<std::size_t>& chain, const armature::Armature& armature,
                        const std::vector<BoneMotion>& motions, std::size_t frame_count) {
    BoneMotion whole;
    const bool at_rest = std::all_of(chain.begin(), chain.end(), [&](std::size_t bone) {
        return motions[bone].rotations.empty() && motions[bone].positions.empty();
    });
    for (std::size_t frame = 0; !at_rest && frame < frame_count; ++frame) {
        Transform local;
        for (const std::size_t bone : chain) {
            local = local * local_of(motions[bone], rest_step(armature, bone), frame);
        }
        whole.rotations.push_back(local.rotation);
        whole.positions.push_back(local.translation);
    }
    return whole;
}

}  // namespace

ExportedBones exported_bones(const armature::Armature& armature, const std::vector<bool>& wanted,
                             const std::vector<std::size_t>& rank) {
    const auto above = wanted_above(armature, wanted);
    std::vector<std::vector<std::size_t>> below(wanted.size() + 1);  // the last entry: the roots
    for (std::size_t bone = 0; bone < wanted.size(); ++bone) {
        if (wanted[bone]) {
            below[above[bone].value_or(wanted.size())].push_back(bone);
        }
    }
    for (std::vector<std::size_t>& bones : below) {
        // Reversed, because the stack below returns the last one first.
        std::ranges::stable_sort(bones, [&](std::size_t a, std::size_t b) { return rank[a] < rank[b]; });
        std::ranges::reverse(bones);
    }
    ExportedBones exported;
    std::vector<std::size_t> node_of(wanted.size());
    std::vector<std::size_t> stack = below.back();
    while (!stack.empty()) {
        const std::size_t bone = stack.back();
        stack.pop_back();
        node_of[bone] = exported.bones.size();
        exported.bones.push_back(bone);
        exported.parents.push_back(above[bone] ? std::optional(node_of[*above[bone]]) : std::nullopt);
        stack.insert(stack.end(), below[bone].begin(), below[bone].end());
    }
    return exported;
}

Skeleton skeleton_of(const ExportedBones& exported, const armature::Armature& armature) {
    Skeleton skeleton;
    for (std::size_t node = 0; node < exported.bones.size(); ++node) {
        const armature::Bone& bone = armature.bones[exported.bones[node]];
        const auto parent = exported.parents[node];
        const glm::dvec3 from =
            parent ? armature.bones[exported.bones[*parent]].rest.translation : glm::dvec3(0);
        skeleton.nodes.push_back({bone.name, {}, parent, {{1, 0, 0, 0}, bone.rest.translation - from}});
    }
    return skeleton;
}

armature::BoneMap map_of(const ExportedBones& exported, const armature::Armature& armature) {
    const std::size_t bones = armature.bones.size();
    armature::BoneMap map{{exported.bones.begin(), exported.bones.end()},
                          std::vector<std::optional<std::size_t>>(bones),
                          std::vector<std::string_view>(bones)};
    for (std::size_t node = 0; node < exported.bones.size(); ++node) {
        map.node_of_bone[exported.bones[node]] = node;
    }
    return map;
}

Clip clip_of_motions(const Skeleton& skeleton, const armature::Armature& armature,
                     const armature::BoneMap& map, const std::vector<BoneMotion>& motions,
                     const std::vector<double>& times) {
    Clip clip{skeleton, {}, {}, times.empty() ? 0.0 : times.back()};
    for (std::size_t node = 0; node < skeleton.nodes.size(); ++node) {
        const std::vector<std::size_t> chain = chain_of(skeleton, armature, map, node);
        const BoneMotion whole =
            chain.size() > 1 ? chain_motion(chain, armature, motions, times.size()) : BoneMotion();
        const BoneMotion& motion = chain.size() > 1 ? whole : motions[chain.back()];
        if (!motion.rotations.empty()) {
            clip.tracks.push_back(rotation_track(node, motion.rotations, times));
        }
        if (!motion.positions.empty()) {
            clip.tracks.push_back(position_track(node, motion.positions, {}, times));
        }
    }
    return clip;
}

}  // namespace animbridge::rig::curves
