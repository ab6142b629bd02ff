// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <glm/gtc/matrix_inverse.hpp>

#include "formats/sl_pose/scene/scene.h"
#include "rig/avatar/avatar.h"

namespace animbridge::sl_pose::scene {

namespace {

using rig::armature::Bone;

/// An axis or a volume that is shorter or smaller counts as nothing: it has no direction and no inverse.
constexpr double least_axis = 1e-9;
constexpr double least_volume = 1e-20;

/// Instead of 0: nothing below a bone without size would have a direction.
constexpr double least_factor = 1e-6;

/// A joint's frame in armature space. Nothing is known of what a scale of 0 hides.
struct Frame {
    std::optional<glm::dquat> rotation{glm::dquat(1, 0, 0, 0)};
    glm::dmat3 axes{1.0};  ///< scaled
    glm::dvec3 origin{0, 0, 0};
};

struct BoneMatrix {
    glm::dmat3 axes{1.0};
    glm::dvec3 head{0, 0, 0};
};

BoneMatrix matrix_at(std::span<const float> matrices, std::size_t bone) {
    const auto column = [&](std::size_t c) {
        const auto numbers = matrices.subspan(16 * bone + 4 * c, 3);
        return glm::dvec3(numbers[0], numbers[1], numbers[2]);
    };
    return {{column(0), column(1), column(2)}, column(3)};
}

/// The rotation in scaled axes, of which one may have no length. A negative scale mirrors its axis.
std::optional<glm::dquat> rotation_in(const glm::dmat3& axes, const glm::dvec3& scale) {
    std::array<glm::dvec3, 3> unit{};
    int lost = 0;
    int lost_axis = 2;
    for (int i = 0; i < 3; ++i) {
        const double length = glm::length(axes[i]);
        if (length < least_axis) {
            ++lost;
            lost_axis = i;
        } else {
            unit.at(static_cast<std::size_t>(i)) = axes[i] * ((scale[i] < 0 ? -1.0 : 1.0) / length);
        }
    }
    if (lost > 1) {
        return std::nullopt;
    }
    // The axis that is left out follows from the two others.
    const auto next = [&](int steps) { return static_cast<std::size_t>((lost_axis + steps) % 3); };
    const glm::dvec3 first = unit.at(next(1));
    const glm::dvec3 second = glm::normalize(unit.at(next(2)) - first * glm::dot(first, unit.at(next(2))));
    unit.at(next(1)) = first;
    unit.at(next(2)) = second;
    unit.at(next(0)) = glm::cross(first, second);
    return glm::normalize(glm::quat_cast(glm::dmat3(unit[0], unit[1], unit[2])));
}

/// The rest rotations of the avatar's joints, from their frame to clip space.
std::vector<glm::dquat> world_rests() {
    std::vector<glm::dquat> rotations;
    for (const Node& node : rig::avatar::playing_skeleton().nodes) {
        const glm::dquat& local = node.rest_local.rotation;
        rotations.push_back(node.parent ? product(rotations[*node.parent], local) : local);
    }
    return rotations;
}

/// The avatar's joints where the bones show them; joints without a bone rest on those above them.
class JointFrames {
public:
    explicit JointFrames(const rig::armature::MappedRig& rig)
        : rig_(rig), facing_(rig::armature::rotation_of(rig.armature.facing)), rests_(world_rests()) {}

    template <typename MatrixOf>
    [[nodiscard]] std::vector<Frame> frames(const MatrixOf& matrix_of, std::span<const glm::dvec3> scales) {
        const auto& nodes = rig::avatar::playing_skeleton().nodes;
        std::vector<Frame> frames(nodes.size());
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const Frame above = nodes[i].parent ? frames[*nodes[i].parent] : outermost();
            const auto bone = rig_.map.bone_of_node[i];
            frames[i] =
                bone ? of_bone(i, *bone, matrix_of(*bone), scales) : resting(above, nodes[i].rest_local);
        }
        return frames;
    }

    /// The frame of the joint above.
    [[nodiscard]] Frame above(const std::vector<Frame>& frames, std::size_t joint) const {
        const auto parent = rig::avatar::playing_skeleton().nodes[joint].parent;
        return parent ? frames[*parent] : outermost();
    }

    /// A joint relative to the one above it. What is not known is as `rest` says.
    [[nodiscard]] Transform local(const std::vector<Frame>& frames, std::size_t joint,
                                  const Transform& rest) const {
        const Frame frame = above(frames, joint);
        Transform local = rest;
        if (frames[joint].rotation && frame.rotation) {
            local.rotation = product(glm::conjugate(*frame.rotation), *frames[joint].rotation);
        }
        if (std::abs(glm::determinant(frame.axes)) > least_volume) {
            local.translation = glm::inverse(frame.axes) * (frames[joint].origin - frame.origin);
        }
        return local;
    }

private:
    [[nodiscard]] Frame outermost() const { return {facing_, glm::mat3_cast(facing_), glm::dvec3(0)}; }
    static Frame resting(const Frame& above, const Transform& rest) {
        Frame frame{std::nullopt, above.axes * glm::mat3_cast(rest.rotation),
                    above.origin + above.axes * rest.translation};
        if (above.rotation) {
            frame.rotation = product(*above.rotation, rest.rotation);
        }
        return frame;
    }
    [[nodiscard]] Frame of_bone(std::size_t joint, std::size_t bone, const BoneMatrix& matrix,
                                std::span<const glm::dvec3> scales) const {
        // From the joint's axes to the bone's.
        const glm::dquat turn =
            product(glm::conjugate(rig_.armature.bones[bone].rest.rotation), product(facing_, rests_[joint]));
        Frame frame{rotation_in(matrix.axes, scales[bone]), matrix.axes * glm::mat3_cast(turn), matrix.head};
        if (frame.rotation) {
            frame.rotation = product(*frame.rotation, turn);
        }
        return frame;
    }

    const rig::armature::MappedRig& rig_;
    glm::dquat facing_;
    std::vector<glm::dquat> rests_;
};

}  // namespace

ScaleSpace::ScaleSpace(std::size_t joint, const Bone& bone, rig::armature::Facing facing) {
    const glm::dquat turn =
        product(glm::conjugate(product(rig::armature::rotation_of(facing), world_rests()[joint])),
                bone.rest.rotation);
    const glm::dmat3 axes = glm::mat3_cast(turn);
    for (int i = 0; i < 3; ++i) {
        squares_[i] = axes[i] * axes[i];
    }
}

glm::dvec3 ScaleSpace::to_bone(const glm::dvec3& factors) const {
    return glm::max(glm::abs(glm::transpose(squares_) * factors), glm::dvec3(least_factor));
}
glm::dvec3 ScaleSpace::to_joint(const glm::dvec3& factors) const { return squares_ * factors; }

Result<std::vector<BoneShown>> joints_of(const rig::armature::MappedRig& rig, std::span<const float> matrices,
                                         std::span<const glm::dvec3> scales) {
    const std::vector<Bone>& bones = rig.armature.bones;
    for (std::size_t bone = 0; bone < bones.size(); ++bone) {
        for (const float number : matrices.subspan(16 * bone, 16)) {
            if (!std::isfinite(number)) {
                return fail(ErrorCode::bad_value, "the matrix of bone " + bones[bone].name +
                                                      " cannot be used: it must hold finite numbers");
            }
        }
    }
    JointFrames joints(rig);
    const auto posed = joints.frames([&](std::size_t bone) { return matrix_at(matrices, bone); }, scales);
    const std::vector<glm::dvec3> unscaled(bones.size(), glm::dvec3(1));
    const auto resting = joints.frames(
        [&](std::size_t bone) {
            const Transform& rest = bones[bone].rest;
            return BoneMatrix{glm::mat3_cast(rest.rotation), rest.translation};
        },
        unscaled);
    std::vector<BoneShown> shown;
    for (std::size_t i = 0; i < posed.size(); ++i) {
        if (const auto bone = rig.map.bone_of_node[i]) {
            const Transform rest = joints.local(resting, i, {});
            Transform local = joints.local(posed, i, rest);
            local.translation += rig::avatar::resting_pose()[i].translation - rest.translation;
            shown.push_back({i, local, scales[*bone], joints.above(posed, i).axes});
        }
    }
    return shown;
}

}  // namespace animbridge::sl_pose::scene
