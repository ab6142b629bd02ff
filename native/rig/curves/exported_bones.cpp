// SPDX-License-Identifier: MIT
#include "rig/curves/curves.h"

#include <algorithm>
#include <array>
#include <utility>

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
std::vector<std::size_t> chain_of(const ExportedBones& exported, const armature::Armature& armature,
                                  std::size_t node) {
    std::vector<std::size_t> chain = {exported.bones[node]};
    const auto parent = exported.parents[node];
    auto at = armature.bones[chain.front()].parent;
    while (at && !(parent && exported.bones[*parent] == *at) && chain.size() <= armature.bones.size()) {
        chain.push_back(*at);
        at = armature.bones[*at].parent;
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
}

Transform local_of(const BoneMotion& motion, const glm::dvec3& rest, std::size_t frame) {
    return {motion.rotations.empty() ? glm::dquat(1, 0, 0, 0) : motion.rotations[frame],
            motion.positions.empty() ? rest : motion.positions[frame]};
}

/// Adds keys with continuous signs.
class NodeTracks {
public:
    NodeTracks(std::size_t node, const std::vector<double>& times)
        : rotation_{node, Channel::rotation, times}, translation_{node, Channel::translation, times} {}

    void add_rotation(glm::dquat q) {
        q = glm::dot(q, last_) < 0.0 ? -q : q;
        last_ = q;
        rotation_.values.insert(rotation_.values.end(), {q.w, q.x, q.y, q.z});
    }
    void add_position(const glm::dvec3& p) {
        translation_.values.insert(translation_.values.end(), {p.x, p.y, p.z});
    }

    void give_to(Clip& clip) && {
        if (!rotation_.values.empty()) {
            clip.tracks.push_back(std::move(rotation_));
        }
        if (!translation_.values.empty()) {
            clip.tracks.push_back(std::move(translation_));
        }
    }

private:
    Track rotation_;
    Track translation_;
    glm::dquat last_{1, 0, 0, 0};
};

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
        std::stable_sort(bones.begin(), bones.end(),
                         [&](std::size_t a, std::size_t b) { return rank[a] < rank[b]; });
        std::reverse(bones.begin(), bones.end());
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

Clip clip_of_motions(const ExportedBones& exported, const armature::Armature& armature,
                     const std::vector<BoneMotion>& motions, const std::vector<double>& times) {
    Clip clip{skeleton_of(exported, armature), {}, {}, times.empty() ? 0.0 : times.back()};
    for (std::size_t node = 0; node < exported.bones.size(); ++node) {
        const std::vector<std::size_t> chain = chain_of(exported, armature, node);
        NodeTracks tracks(node, times);
        const BoneMotion& own = motions[chain.back()];
        if (chain.size() == 1) {
            std::for_each(own.rotations.begin(), own.rotations.end(),
                          [&](const glm::dquat& q) { tracks.add_rotation(q); });
            std::for_each(own.positions.begin(), own.positions.end(),
                          [&](const glm::dvec3& p) { tracks.add_position(p); });
            std::move(tracks).give_to(clip);
            continue;
        }
        const bool at_rest = std::all_of(chain.begin(), chain.end(), [&](std::size_t bone) {
            return motions[bone].rotations.empty() && motions[bone].positions.empty();
        });
        for (std::size_t frame = 0; !at_rest && frame < times.size(); ++frame) {
            Transform local;
            for (const std::size_t bone : chain) {
                local = local * local_of(motions[bone], rest_step(armature, bone), frame);
            }
            tracks.add_rotation(local.rotation);
            tracks.add_position(local.translation);
        }
        std::move(tracks).give_to(clip);
    }
    return clip;
}

}  // namespace animbridge::rig::curves
