// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/mat4x4.hpp>
#include <random>
#include <string>
#include <vector>

#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/file/file.h"
#include "playback/playback.h"
#include "rig/armature/armature.h"
#include "rig/curves/curves.h"

/// Armatures with bones of any roll, and their poses as matrices, as Blender computes them.
namespace animbridge::test {

inline glm::dquat random_rotation(std::mt19937& random) {
    std::normal_distribution<double> normal;
    return glm::normalize(glm::dquat(normal(random), normal(random), normal(random), normal(random)));
}

inline glm::dvec3 random_vector(std::mt19937& random, double size) {
    std::uniform_real_distribution<double> any(-size, size);
    return {any(random), any(random), any(random)};
}

inline const std::vector<std::string>& usual_joints() {
    static const std::vector<std::string> names = {
        "mPelvis",     "mTorso",        "mChest",     "mNeck",          "mHead",
        "mCollarLeft", "mShoulderLeft", "mElbowLeft", "mWristLeft",     "mHipLeft",
        "mKneeLeft",   "mAnkleLeft",    "mTail1",     "mTail2",         "mWingsRoot",
        "CHEST",       "L_UPPER_ARM",   "Left Hand",  "mHandThumb1Left"};
    return names;
}

inline glm::dmat4 matrix_of(const Transform& placement) {
    glm::dmat4 matrix = glm::mat4_cast(placement.rotation);
    matrix[3] = glm::dvec4(placement.translation, 1.0);
    return matrix;
}

/// A bone for each name, with its head at the joint's rest position in the facing, its axes at random, and
/// mPelvis at a height of one metre. Parents do not always come first.
inline rig::armature::Armature random_armature(std::mt19937& random, const std::vector<std::string>& names,
                                               rig::armature::Facing facing) {
    const Skeleton skeleton = sl_anim::avatar::playing_skeleton();
    std::vector<Transform> world(skeleton.nodes.size());
    for (std::size_t i = 0; i < world.size(); ++i) {
        const Node& node = skeleton.nodes[i];
        world[i] = node.parent ? world[*node.parent] * node.rest_local : node.rest_local;
    }
    std::vector<std::string> order = names;
    std::shuffle(order.begin(), order.end(), random);
    rig::armature::Armature armature;
    armature.facing = facing;
    for (const std::string& name : order) {
        rig::armature::Bone bone{name};
        const Transform& place = world[skeleton.find(name).value()];
        bone.rest = {random_rotation(random),
                     rig::armature::rotation_of(facing) * (place.translation + glm::dvec3(0, 0, 1.067))};
        bone.local_location = random() % 3 != 0;
        armature.bones.push_back(bone);
    }
    for (rig::armature::Bone& bone : armature.bones) {
        // The nearest ancestor with a bone.
        auto node = skeleton.nodes[skeleton.find(bone.name).value()].parent;
        while (node && !bone.parent) {
            for (std::size_t i = 0; i < armature.bones.size(); ++i) {
                if (armature.bones[i].name == skeleton.nodes[*node].name) {
                    bone.parent = i;
                }
            }
            node = skeleton.nodes[*node].parent;
        }
    }
    return armature;
}

/// Pairs the bones with the built-in rig map.
inline rig::armature::BoneMap mapped(const Skeleton& skeleton, const rig::armature::Armature& armature) {
    return rig::armature::map_bones(skeleton, armature, sl_anim::avatar::avatar_rig_map()).value();
}

/// The values of a bone's channels.
struct BonePose {
    glm::dquat rotation{1, 0, 0, 0};
    glm::dvec3 location{0, 0, 0};
};

/// The transform of a bone in armature space, by Blender's rule: the parent's pose, the offset at rest, then
/// location and rotation. Without "Local Location", the location is along the axes of the posed parent, or of
/// the armature.
inline glm::dmat4 posed(const rig::armature::Armature& armature, const std::vector<BonePose>& poses,
                        std::size_t index) {
    const rig::armature::Bone& bone = armature.bones[index];
    const glm::dmat4 parent = bone.parent ? posed(armature, poses, *bone.parent) : glm::dmat4(1.0);
    const glm::dmat4 parent_rest =
        bone.parent ? matrix_of(armature.bones[*bone.parent].rest) : glm::dmat4(1.0);
    const glm::dmat4 offset = glm::inverse(parent_rest) * matrix_of(bone.rest);
    const glm::dvec3& location = poses[index].location;
    const glm::dmat4 turned = glm::mat4_cast(poses[index].rotation);
    if (bone.local_location) {
        return parent * offset * glm::translate(glm::dmat4(1.0), location) * turned;
    }
    glm::dmat4 result = parent * offset * turned;
    result[3] += parent * glm::dvec4(location, 0.0);
    return result;
}

/// The value of one linear F-curve at a frame.
inline double curve_value(const std::vector<float>& points, double frame) {
    for (std::size_t i = 0; i + 3 < points.size(); i += 2) {
        if (frame <= static_cast<double>(points[i + 2])) {
            const double u = (frame - points[i]) / (static_cast<double>(points[i + 2]) - points[i]);
            return points[i + 1] +
                   std::clamp(u, 0.0, 1.0) * (static_cast<double>(points[i + 3]) - points[i + 1]);
        }
    }
    return points.back();
}

/// The curves as a .anim, however far off. `base`: the template; may be null. `options`: those of
/// "from_curves" besides the end.
inline Result<Made> exported_curves(const rig::armature::Armature& armature,
                                    const rig::curves::Timing& timing,
                                    const std::vector<rig::curves::CurveView>& curves,
                                    const std::vector<rig::curves::UnchangedCurve>& unchanged,
                                    const sl_anim::file::Document* base, float duration, Json options,
                                    const Job& job = {}) {
    options["stop_above_mm"] = 0;
    options["frame_end"] = timing.frame_at(double{duration});
    options["keep_duration"] = base != nullptr && base->duration.value() == duration;
    const rig::armature::SceneRig rig{armature, false, &sl_anim::avatar::playing_skeleton(),
                                      &sl_anim::avatar::avatar_rig_map()};
    const DocumentPtr before = base == nullptr ? nullptr : sl_anim::file::make_document(*base);
    return playback::document_of(sl_anim::format,
                                 {&rig, timing, curves, unchanged, nullptr, before.get(), options, job});
}

}  // namespace animbridge::test
