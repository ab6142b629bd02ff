// SPDX-License-Identifier: MIT
#include "formats/bvh/scene/scene.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <limits>
#include <numbers>

#include "formats/bvh/clip/clip.h"
#include "rig/curves/curves.h"

namespace animbridge::bvh::scene {

namespace {

constexpr double radians_of_degree = std::numbers::pi / 180.0;

glm::dvec3 offset_of(const file::Document& document, std::size_t joint) {
    const file::Offset& offset = document.joints[joint].offset;
    return {offset[0], offset[1], offset[2]};
}

/// The end of the path relative to its beginning with everything at rest, in the file's axes and unit.
glm::dvec3 rest_of(const clip::JointPath& path, const file::Document& document) {
    glm::dvec3 rest(0);
    for (const std::size_t joint : path.down) {
        rest += offset_of(document, joint);
    }
    for (const std::size_t joint : path.up) {
        rest -= offset_of(document, joint);
    }
    return rest;
}

/// A root joint and its bone: the height of each above the lowest joint below it.
struct Heights {
    std::size_t matched = 0;  ///< joints below the root that have a bone
    double joint = 0;         ///< in the file's unit
    double bone = 0;          ///< metres

    /// Null if one of them has no height.
    [[nodiscard]] std::optional<double> ratio() const {
        const double ratio = bone / joint;
        return joint > 0.0 && bone > 0.0 && std::isfinite(ratio) ? std::optional(ratio) : std::nullopt;
    }
};

/// Heights above the lowest matched joint below the root; above the ground if no joint is lower.
Heights heights_of(const file::Document& document, const clip::Axes& axes,
                   const rig::armature::Armature& armature, const rig::armature::JointMatch& match,
                   std::size_t root, const rig::armature::Bone& root_bone) {
    std::vector<double> positions(document.joints.size());
    std::vector<bool> below(positions.size());
    const double bone_height = root_bone.rest.translation.z;
    Heights heights;
    for (std::size_t joint = 0; joint < positions.size(); ++joint) {
        const auto parent = document.joints[joint].parent;
        positions[joint] = axes.place(offset_of(document, joint)).z + (parent ? positions[*parent] : 0.0);
        below[joint] = joint == root || (parent && below[*parent]);
        if (const auto bone = match.bone_of_joint[joint]; bone && below[joint]) {
            ++heights.matched;
            heights.joint = std::max(heights.joint, positions[root] - positions[joint]);
            heights.bone = std::max(heights.bone, bone_height - armature.bones[*bone].rest.translation.z);
        }
    }
    if (heights.joint == 0.0) {
        heights.joint = positions[root];
        heights.bone = bone_height;
    }
    return heights;
}

class Maker {
public:
    Maker(const file::Document& document, const clip::Placement& placement,
          const rig::armature::Armature& armature, const rig::armature::JointMatch& match)
        : document_(document),
          placement_(placement),
          armature_(armature),
          match_(match),
          motions_(clip::joint_motions(document)) {
        made_.scale = placement.scale;
    }

    Result<void> set_times(const rig::curves::Timing& timing) {
        double step = document_.frame_time_seconds;
        if (!(step > 0.0)) {
            step = 1.0 / timing.frames_per_second;
            if (document_.frame_count > 1) {
                made_.result.warnings.emplace_back(
                    "the file has no time between its frames: each is one frame of the scene");
            }
        }
        const std::size_t frames = document_.frame_count;
        made_.duration_seconds = frames == 0 ? 0.0 : step * static_cast<double>(frames - 1);
        if (!(std::abs(timing.frame_at(made_.duration_seconds)) <= clip::largest_number)) {
            Error error{ErrorCode::bad_value, "the last frame is beyond frame 1e30 of the scene"};
            error.field = "Frame Time";
            return tl::unexpected<Error>(std::move(error));
        }
        frames_.resize(frames);
        for (std::size_t i = 0; i < frames; ++i) {
            const double frame = timing.frame_at(static_cast<double>(i) * step);
            frames_[i] = static_cast<float>(std::clamp(frame, -clip::largest_number, clip::largest_number));
        }
        if (frames > 1 && step * timing.frames_per_second < rig::curves::merge_distance_frames) {
            made_.result.warnings.emplace_back(
                "keys are closer together than 0.01 frame, which Blender merges");
        }
        return {};
    }

    /// If there are several roots, the one with the most matched joints determines the scale.
    void fit_height() {
        Heights best;
        for (std::size_t bone = 0; bone < armature_.bones.size(); ++bone) {
            if (!match_.joint_of_bone[bone]) {
                continue;
            }
            const clip::JointPath path = clip::path_of_bone(bone, document_, armature_, match_);
            const Heights heights = path.from_root ? heights_of(document_, placement_.axes, armature_, match_,
                                                                path.joint, armature_.bones[bone])
                                                   : Heights();
            if (heights.ratio() && heights.matched > best.matched) {
                best = heights;
            }
        }
        if (const auto ratio = best.ratio()) {
            made_.scale = *ratio;
            return;
        }
        made_.result.warnings.emplace_back(
            "the height of the hips cannot be found: positions are scaled by the given factor. Check the "
            "scale");
    }

    Result<void> add_bone(std::size_t bone_index) {
        const clip::JointPath path = clip::path_of_bone(bone_index, document_, armature_, match_);
        const rig::armature::Bone& bone = armature_.bones[bone_index];
        const auto on_path = [&](bool (clip::JointMotion::*does)() const) {
            const auto any = [&](const std::vector<std::size_t>& joints) {
                return std::any_of(joints.begin(), joints.end(),
                                   [&](std::size_t joint) { return (motions_[joint].*does)(); });
            };
            return any(path.up) || any(path.down);
        };
        const bool rotates = on_path(&clip::JointMotion::rotates);
        const bool carried = path.from_root && path.down.size() > 1 && rotates;
        if (rotates) {
            add_rotation(bone_index, path);
            if (bone.parent && !bone.inherits_rotation) {
                warn(bone,
                     " does not inherit rotation: it will not follow its parent as the file's joint does");
            }
        }
        if (on_path(&clip::JointMotion::moves) || carried) {
            if (bone.connected) {
                warn(bone, " is connected to its parent: Blender ignores its location keys");
            }
            return add_location(bone_index, path);
        }
        return {};
    }

    [[nodiscard]] Curves take() { return std::move(made_); }

private:
    void warn(const rig::armature::Bone& bone, std::string_view what) {
        made_.result.warnings.push_back("bone " + bone.name + std::string(what));
    }

    /// New curves whose keys have their times; the values are still 0.
    rig::curves::BoneCurves& new_curves(std::size_t bone, rig::armature::BoneChannel channel) {
        rig::curves::BoneCurves& curves = made_.result.curves.emplace_back();
        curves.bone = bone;
        curves.channel = channel;
        std::vector<float> points(2 * frames_.size());
        for (std::size_t i = 0; i < frames_.size(); ++i) {
            points[2 * i] = frames_[i];
        }
        curves.points.assign(rig::armature::components_of(channel), points);
        return curves;
    }

    template <typename Body>
    void each_block(Body&& body) const {
        for (std::size_t first = 0; first < frames_.size(); first += clip::block_frames) {
            body(first, std::min(clip::block_frames, frames_.size() - first));
        }
    }

    void add_rotation(std::size_t bone_index, const clip::JointPath& path) {
        const rig::armature::Bone& bone = armature_.bones[bone_index];
        // Takes the quaternion's vector part from the file's axes to the bone's.
        const glm::dmat3 to_bone = clip::axes_to_bone(placement_.axes, bone.rest.rotation);
        rig::curves::BoneCurves& curves = new_curves(bone_index, bone.rotation_channel);
        if (!rig::curves::is_euler(bone.rotation_channel)) {
            add_quaternions(path, to_bone, curves);
        } else if (path.is_single() && to_bone == glm::dmat3(1.0) &&
                   fits(motions_[path.joint].axes(), bone.rotation_channel)) {
            add_own_angles(motions_[path.joint], curves);
        } else {
            add_angles(path, to_bone, curves);
        }
    }

    void add_quaternions(const clip::JointPath& path, const glm::dmat3& to_bone,
                         rig::curves::BoneCurves& curves) {
        clip::SignKeeper signs;
        each_block([&](std::size_t first, std::size_t count) {
            clip::follow_path(path, motions_, false, first, count, block_);
            signs.follow(block_.rotations, count);
            const auto& [w, x, y, z] = block_.rotations.parts;
            for (std::size_t i = 0; i < count; ++i) {
                curves.points[0][2 * (first + i) + 1] = static_cast<float>(w[i]);
            }
            for (std::size_t row = 0; row < 3; ++row) {
                const auto r = static_cast<int>(row);
                const glm::dvec3 factors(to_bone[0][r], to_bone[1][r], to_bone[2][r]);
                float* const to = curves.points[row + 1].data() + 2 * first + 1;
                for (std::size_t i = 0; i < count; ++i) {
                    to[2 * i] = static_cast<float>(factors.x * x[i] + factors.y * y[i] + factors.z * z[i]);
                }
            }
        });
    }

    /// Whether rotations about these axes, applied in this order, mean the same as the bone's Euler order.
    static bool fits(const std::vector<std::uint8_t>& axes, rig::armature::BoneChannel channel) {
        const EulerOrder order = rig::curves::order_of(channel);
        std::size_t found = 0;
        for (const int axis : {order.third, order.second, order.first}) {
            found += found < axes.size() && axes[found] == axis ? 1 : 0;
        }
        return found == axes.size();
    }

    void add_own_angles(const clip::JointMotion& motion, rig::curves::BoneCurves& curves) {
        const std::size_t width = document_.motion.size() / document_.frame_count;
        for (std::size_t c = 0; c < motion.axes().size(); ++c) {
            const double* from = document_.motion.data() + motion.angle_columns()[c];
            std::vector<float>& points = curves.points[motion.axes()[c]];
            for (std::size_t i = 0; i < frames_.size(); ++i) {
                const double angle = from[i * width] * radians_of_degree;
                points[2 * i + 1] =
                    static_cast<float>(std::clamp(angle, -clip::largest_number, clip::largest_number));
            }
        }
    }

    void add_angles(const clip::JointPath& path, const glm::dmat3& to_bone, rig::curves::BoneCurves& curves) {
        glm::dvec3 angles(0);
        each_block([&](std::size_t first, std::size_t count) {
            clip::follow_path(path, motions_, false, first, count, block_);
            const auto& [w, x, y, z] = block_.rotations.parts;
            for (std::size_t i = 0; i < count; ++i) {
                const glm::dvec3 v = to_bone * glm::dvec3(x[i], y[i], z[i]);
                angles = rig::curves::euler_near(curves.channel,
                                                 glm::normalize(glm::dquat(w[i], v.x, v.y, v.z)), angles);
                for (std::size_t c = 0; c < 3; ++c) {
                    curves.points[c][2 * (first + i) + 1] = static_cast<float>(angles[static_cast<int>(c)]);
                }
            }
        });
    }

    /// The position that the bone's location is relative to, in the file's axes and unit.
    glm::dvec3 zero_of(const clip::JointPath& path, const rig::armature::Bone& bone) {
        const glm::dvec3 rest = rest_of(path, document_);
        const glm::dvec3 placed = placement_.axes.place(rest) * made_.scale;
        const double near = 1e-4 * std::max(glm::length(placed), 0.01 * made_.scale);
        if (!path.from_root || frames_.empty() || glm::length(placed - bone.rest.translation) <= near) {
            return rest;
        }
        const double highest = highest_of(path);
        glm::dvec3 standing = placement_.axes.place(rest);
        const double height = clip::hip_height(document_, path.joint, placement_.axes);
        if (!(std::abs(highest - height) < std::abs(highest - standing.z))) {
            return rest;
        }
        standing.z = height;
        return placement_.axes.inverse().place(standing);
    }

    /// The joint's height at its highest frame. A character that lies or crouches most of the time still
    /// stands up at some point.
    double highest_of(const clip::JointPath& path) {
        double highest = -std::numeric_limits<double>::infinity();
        each_block([&](std::size_t first, std::size_t count) {
            clip::follow_path(path, motions_, true, first, count, block_);
            const auto& [x, y, z] = block_.positions.parts;
            for (std::size_t i = 0; i < count; ++i) {
                highest = std::max(highest, placement_.axes.place({x[i], y[i], z[i]}).z);
            }
        });
        return highest;
    }

    Result<void> add_location(std::size_t bone_index, const clip::JointPath& path) {
        const rig::armature::Bone& bone = armature_.bones[bone_index];
        const glm::dvec3 zero = zero_of(path, bone);
        // Without Local Location, Blender moves a bone along its parent's axes, and a root along the
        // armature's.
        const glm::dquat outer =
            bone.parent ? armature_.bones[*bone.parent].rest.rotation : glm::dquat(1, 0, 0, 0);
        const glm::dquat axes = bone.local_location ? bone.rest.rotation : outer;
        const glm::dmat3 to_bone = clip::axes_to_bone(placement_.axes, axes) * made_.scale;
        rig::curves::BoneCurves& curves = new_curves(bone_index, rig::armature::BoneChannel::location);
        bool within = true;
        each_block([&](std::size_t first, std::size_t count) {
            clip::follow_path(path, motions_, true, first, count, block_);
            const auto& [x, y, z] = block_.positions.parts;
            for (std::size_t i = 0; i < count; ++i) {
                const glm::dvec3 moved = to_bone * (glm::dvec3(x[i], y[i], z[i]) - zero);
                for (std::size_t c = 0; c < 3; ++c) {
                    const double value = moved[static_cast<int>(c)];
                    const bool fine = std::abs(value) <= clip::largest_number;
                    within = within && fine;
                    curves.points[c][2 * (first + i) + 1] = fine ? static_cast<float>(value) : 0.0F;
                }
            }
        });
        return within ? Result<void>()
                      : fail(ErrorCode::bad_value, "bone " + bone.name + " would move beyond 1e30 metres");
    }

    const file::Document& document_;
    const clip::Placement& placement_;
    const rig::armature::Armature& armature_;
    const rig::armature::JointMatch& match_;
    std::vector<clip::JointMotion> motions_;
    std::vector<float> frames_{};
    clip::PathBlock block_{};
    Curves made_{};
};

}  // namespace

Result<Curves> to_curves(const file::Document& document, const clip::Placement& placement, bool fit_height,
                         const rig::armature::Armature& armature, const rig::armature::JointMatch& match,
                         const rig::curves::Timing& timing) {
    Maker maker(document, placement, armature, match);
    TRY_VOID(maker.set_times(timing));
    if (fit_height) {
        maker.fit_height();
    }
    for (std::size_t bone = 0; document.frame_count > 0 && bone < armature.bones.size(); ++bone) {
        if (match.joint_of_bone[bone]) {
            TRY_VOID(maker.add_bone(bone));
        }
    }
    return maker.take();
}

}  // namespace animbridge::bvh::scene
