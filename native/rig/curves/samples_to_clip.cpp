// SPDX-License-Identifier: MIT
#include "rig/curves/curves.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "base/options/options.h"
#include "rig/curves/channels.h"

namespace animbridge::rig::curves {

namespace {

/// A joint with a bone, and the parts of its transform that do not depend on the pose.
struct PosedJoint {
    std::size_t node = 0;
    std::size_t bone = 0;
    std::optional<std::size_t> ancestor{};  ///< index of its nearest ancestor with a bone
    bool exported = false;
    bool positions_count_from_bones = false;  ///< the parent joint has a bone: use the armature's offset
    glm::dquat from_rest{1, 0, 0, 0};         ///< right factor that removes the bone's rest from its pose
    glm::dquat rest_world{1, 0, 0, 0};        ///< clip space
    glm::dquat parent_rest_world{1, 0, 0, 0};
    glm::dvec3 rest_step{0, 0, 0};      ///< from the ancestor's head, in the parent's frame at rest
    glm::dvec3 rest_position{0, 0, 0};  ///< in the parent's frame, as in a file
    glm::dquat rest_rotation{1, 0, 0, 0};
    bool only_if_moved = false;
    std::vector<std::size_t> carriers{};  ///< as in MovedJoint
    glm::dvec3 rest_on_parent{0, 0, 0};   ///< the bone's head, relative to its own parent bone
};

/// The scale of a bone that is farthest from 1.
struct Scaling {
    double scale = 1.0;
    double frame = 0.0;
};

/// Collects the scales that the transforms leave out.
class Scalings {
public:
    void add(const std::string& who, double scale, double frame) {
        constexpr double tolerated = 1e-3;
        if (!(std::abs(scale - 1.0) > tolerated)) {
            return;
        }
        if (last_ != who) {
            ++count_;
            last_ = who;
        }
        if (std::abs(scale - 1.0) > std::abs(worst_.scale - 1.0)) {
            worst_ = {scale, frame};
            worst_name_ = who;
        }
    }
    void report(std::vector<std::string>& left_out) const {
        if (count_ > 0) {
            left_out.push_back(worst_name_ + " is scaled by " + shown_number(worst_.scale) + " at frame " +
                               shown_number(worst_.frame) + (count_ > 1 ? "; others are scaled less" : "") +
                               ". The format has no scale: it is not exported");
        }
    }

private:
    std::size_t count_ = 0;
    std::string last_;
    std::string worst_name_;
    Scaling worst_;
};

struct Placed {
    Transform placement;
    double scale = 1.0;  ///< of the axis farthest from 1; negative if it is mirrored
};

/// nullopt if the matrix is not a transform: it holds a value that is not a number, or an axis of length 0.
std::optional<Placed> placed(std::span<const float> matrix) {
    std::array<float, 16> numbers{};
    std::ranges::copy(matrix, numbers.begin());
    const Transform placement = armature::transform_of(numbers);
    const auto column = [&](std::size_t c) {
        return glm::dvec3(numbers.at(4 * c), numbers.at(4 * c + 1), numbers.at(4 * c + 2));
    };
    if (!std::isfinite(glm::dot(placement.rotation, placement.rotation)) ||
        !std::isfinite(glm::dot(placement.translation, placement.translation)) ||
        !std::isfinite(glm::dot(column(2), column(2)))) {
        return std::nullopt;
    }
    const glm::dvec3 z = glm::cross(column(0), column(1));
    const double area = glm::length(z);
    std::array<double, 3> scales{glm::length(column(0)), glm::length(column(1)),
                                 area > 0.0 ? glm::dot(z, column(2)) / area : 0.0};
    const double most = *std::ranges::max_element(
        scales, [](double a, double b) { return std::abs(a - 1.0) < std::abs(b - 1.0); });
    return Placed{placement, most};
}

std::vector<glm::dquat> rest_rotations(const Skeleton& skeleton) {
    std::vector<glm::dquat> world(skeleton.nodes.size());
    for (std::size_t i = 0; i < world.size(); ++i) {
        const Node& node = skeleton.nodes[i];
        world[i] = node.parent ? world[*node.parent] * node.rest_local.rotation : node.rest_local.rotation;
    }
    return world;
}

/// Bones without a joint above a bone, up to one with a joint.
std::vector<std::size_t> carriers_of(std::size_t bone, const armature::Armature& armature,
                                     const armature::BoneMap& map) {
    std::vector<std::size_t> carriers;
    for (auto above = armature.bones[bone].parent; above && !map.node_of_bone[*above];
         above = armature.bones[*above].parent) {
        carriers.push_back(*above);
    }
    return carriers;
}

/// The joints with bones, parents first.
std::vector<PosedJoint> posed_joints(const SampleView& samples, const Skeleton& skeleton,
                                     const armature::Armature& armature, const armature::BoneMap& map) {
    const glm::dquat to_clip = glm::conjugate(armature::rotation_of(armature.facing));
    const std::vector<glm::dquat> rest_world = rest_rotations(skeleton);
    std::vector<std::optional<std::size_t>> posed_at(skeleton.nodes.size());  // itself or an ancestor
    std::vector<PosedJoint> joints;
    for (std::size_t i = 0; i < skeleton.nodes.size(); ++i) {
        const Node& node = skeleton.nodes[i];
        const auto ancestor = node.parent ? posed_at[*node.parent] : std::nullopt;
        posed_at[i] = ancestor;
        const auto bone = map.bone_of_node[i];
        if (!bone) {
            continue;
        }
        PosedJoint joint{i, *bone, ancestor};
        const Transform& rest = armature.bones[*bone].rest;
        joint.exported = samples.exported.empty() || samples.exported[*bone] != 0;
        joint.only_if_moved = !samples.exported.empty() && samples.exported[*bone] == 2;
        joint.rest_rotation = node.rest_local.rotation;
        joint.positions_count_from_bones = ancestor && joints[*ancestor].node == *node.parent;
        joint.from_rest = glm::conjugate(rest.rotation) * glm::conjugate(to_clip);
        joint.rest_world = rest_world[i];
        joint.parent_rest_world = node.parent ? rest_world[*node.parent] : glm::dquat(1, 0, 0, 0);
        const glm::dvec3 above =
            ancestor ? armature.bones[joints[*ancestor].bone].rest.translation : glm::dvec3(0);
        joint.rest_step = glm::conjugate(joint.parent_rest_world) * (to_clip * (rest.translation - above));
        joint.rest_position =
            joint.positions_count_from_bones ? joint.rest_step : node.rest_local.translation;
        joint.carriers = carriers_of(*bone, armature, map);
        if (!joint.carriers.empty()) {
            joint.rest_on_parent = seen_from(armature.bones[joint.carriers.front()].rest, rest.translation);
        }
        posed_at[i] = joints.size();
        joints.push_back(std::move(joint));
    }
    return joints;
}

/// A joint's pose at one sample.
struct JointPose {
    glm::dquat rotation{1, 0, 0, 0};  ///< from rest to pose, in clip space
    glm::dvec3 head{0, 0, 0};         ///< in clip axes, from the armature's origin
};

Transform local_of(const PosedJoint& joint, const JointPose& pose, const JointPose* above) {
    const glm::dquat parent =
        above == nullptr ? joint.parent_rest_world : above->rotation * joint.parent_rest_world;
    const glm::dvec3 step = above == nullptr ? pose.head : pose.head - above->head;
    const glm::dvec3 offset = glm::conjugate(parent) * step;
    return {glm::normalize(glm::conjugate(parent) * pose.rotation * joint.rest_world),
            joint.positions_count_from_bones ? offset : joint.rest_position + (offset - joint.rest_step)};
}

/// Both tracks of a joint during sampling.
struct JointTracks {
    Track rotation;
    Track position;
    MovedJoint moved;
    bool rotates = false;  ///< at any sample, from its rest
};

tl::unexpected<Error> bad_matrix(const std::string& whose, std::size_t sample, double frame) {
    return fail(Error{ErrorCode::bad_value, "the matrix of " + whose + " at sample " +
                                                std::to_string(sample) + " (frame " + shown_number(frame) +
                                                ") cannot be used: it must hold finite numbers "
                                                "and axes longer than 0"});
}

/// Collects the joints' keys, sample by sample.
class Sampler {
public:
    Sampler(const SampleView& samples, const Skeleton& skeleton, std::size_t root,
            const armature::Armature& armature, const armature::BoneMap& map)
        : samples_(samples),
          armature_(armature),
          map_(map),
          root_(root),
          to_clip_(glm::conjugate(armature::rotation_of(armature.facing))),
          joints_(posed_joints(samples, skeleton, armature, map)),
          poses_(joints_.size()),
          object_moves_(!samples.object_matrices.empty() && map.bone_of_node[root].has_value()) {
        for (const PosedJoint& joint : joints_) {
            tracks_.push_back({{joint.node, Channel::rotation},
                               {joint.node, Channel::translation},
                               {skeleton.nodes[joint.node].name, 0, 0, joint.node, 0, joint.carriers}});
        }
    }

    Result<void> add_sample(std::size_t sample, double seconds) {
        const double frame = samples_.frames[sample];
        Transform object;
        if (object_moves_) {
            const auto found = placed(samples_.object_matrices.subspan(16 * sample, 16));
            if (!found) {
                return bad_matrix("the armature object", sample, frame);
            }
            object = found->placement;
            scalings_.add("the armature object", found->scale, frame);
        }
        for (std::size_t i = 0; i < joints_.size(); ++i) {
            const PosedJoint& joint = joints_[i];
            const armature::Bone& bone = armature_.bones[joint.bone];
            const auto found =
                placed(samples_.matrices.subspan(16 * (sample * armature_.bones.size() + joint.bone), 16));
            if (!found) {
                return bad_matrix("bone " + bone.name, sample, frame);
            }
            if (joint.exported) {
                scalings_.add("bone " + bone.name, found->scale, frame);
            }
            const Transform pose = object * found->placement;
            poses_[i] = {to_clip_ * pose.rotation * joint.from_rest, to_clip_ * pose.translation};
            if (joint.exported) {
                add_keys(i, seconds, frame);
                add_own_way(i, sample, found->placement.translation);
            }
        }
        return {};
    }

    ClipFromSamples finish(const Skeleton& skeleton, double duration_seconds) && {
        ClipFromSamples result{{skeleton, {}, {}, duration_seconds}, {}, {}};
        for (std::size_t i = 0; i < joints_.size(); ++i) {
            JointTracks& tracks = tracks_[i];
            const bool at_rest = !tracks.rotates && tracks.moved.most_mm <= moved_mm;
            if (!joints_[i].exported || (joints_[i].only_if_moved && at_rest)) {
                continue;
            }
            result.clip.tracks.push_back(std::move(tracks.rotation));
            const bool is_root = joints_[i].node == root_;
            if (is_root || tracks.moved.most_mm > moved_mm) {
                result.clip.tracks.push_back(std::move(tracks.position));
            }
            if (!is_root && tracks.moved.most_mm > moved_mm) {
                find_loose_carriers(joints_[i], tracks.moved);
                result.moved.push_back(tracks.moved);
            }
        }
        scalings_.report(result.left_out);
        const bool carried = std::ranges::any_of(
            joints_, [&](const PosedJoint& joint) { return joint.node == root_ && joint.exported; });
        if (!samples_.object_matrices.empty() && !carried) {
            result.left_out.push_back("no exported bone is " + skeleton.nodes[root_].name +
                                      ", which would carry the motion of the armature object: that motion is "
                                      "not exported");
        }
        return result;
    }

private:
    /// For a joint above without a bone, if the armature's parents do not define what moves this one.
    void find_loose_carriers(const PosedJoint& joint, MovedJoint& moved) const {
        const auto ancestor = joint.ancestor ? std::optional(joints_[*joint.ancestor].bone) : std::nullopt;
        const bool is_on_ancestor = ancestor && armature_.bones[joint.bone].parent == ancestor;
        if (moved.carriers.empty() && !joint.positions_count_from_bones && !is_on_ancestor) {
            moved.carriers = loose_carriers(samples_, armature_, map_, {joint.bone, ancestor, moved.most_mm});
        }
    }

    /// Records how far the bone leaves its rest position on its own parent bone.
    void add_own_way(std::size_t index, std::size_t sample, const glm::dvec3& head) {
        const PosedJoint& joint = joints_[index];
        if (joint.carriers.empty()) {
            return;
        }
        const std::size_t row = sample * armature_.bones.size() + joint.carriers.front();
        const auto parent = placed(samples_.matrices.subspan(16 * row, 16));
        if (parent) {
            const double away = glm::length(seen_from(parent->placement, head) - joint.rest_on_parent);
            MovedJoint& moved = tracks_[index].moved;
            moved.own_mm = std::max(moved.own_mm, away * 1000.0);
        }
    }

    void add_keys(std::size_t index, double seconds, double frame) {
        const PosedJoint& joint = joints_[index];
        JointTracks& tracks = tracks_[index];
        const JointPose* above = joint.ancestor ? &poses_[*joint.ancestor] : nullptr;
        Transform local = local_of(joint, poses_[index], above);
        const std::size_t keys = tracks.rotation.key_count();
        if (keys > 0 && glm::dot(local.rotation, tracks.rotation.rotation(keys - 1)) < 0.0) {
            local.rotation = -local.rotation;
        }
        const glm::dquat& q = local.rotation;
        const glm::dvec3& p = local.translation;
        const double chord =
            std::min(glm::length(q - joint.rest_rotation), glm::length(q + joint.rest_rotation));
        tracks.rotates = tracks.rotates || chord > turned_chord;
        tracks.rotation.add_key(seconds, std::array<double, 4>{q.w, q.x, q.y, q.z});
        tracks.position.add_key(seconds, std::array<double, 3>{p.x, p.y, p.z});
        const double away_mm = glm::length(p - joint.rest_position) * 1000.0;
        if (away_mm > tracks.moved.most_mm) {
            tracks.moved.most_mm = away_mm;
            tracks.moved.frame = frame;
        }
    }

    SampleView samples_;
    const armature::Armature& armature_;
    const armature::BoneMap& map_;
    std::size_t root_;
    glm::dquat to_clip_;
    std::vector<PosedJoint> joints_;
    std::vector<JointPose> poses_;
    std::vector<JointTracks> tracks_;
    Scalings scalings_;
    bool object_moves_;
};

}  // namespace

Result<void> require_frames(std::span<const double> frames, const Timing& timing, double duration_seconds) {
    const auto wrong = [](std::string reason) {
        return fail(ErrorCode::invalid_argument, std::move(reason));
    };
    // Frames are rounded to floats; the format's time codes are coarser than this.
    const double slack = 1e-3 + duration_seconds * timing.frames_per_second * 1e-5;
    if (frames.empty()) {
        return wrong("there are no samples; one is needed at least");
    }
    for (std::size_t i = 0; i < frames.size(); ++i) {
        if (!std::isfinite(frames[i]) || (i > 0 && !(frames[i] > frames[i - 1]))) {
            return wrong("the frame of sample " + std::to_string(i) + " is " + shown_number(frames[i]) +
                         "; frames must be numbers that ascend");
        }
    }
    if (!(std::abs(frames.front() - timing.frame_start) <= slack)) {
        return wrong("the first sample is at frame " + shown_number(frames.front()) +
                     "; it must be at frame_start, " + shown_number(timing.frame_start));
    }
    const double end = timing.frame_at(duration_seconds);
    if (!(frames.back() <= end + slack)) {
        return wrong("the last sample is at frame " + shown_number(frames.back()) +
                     ", after the animation's end at " + shown_number(end));
    }
    return {};
}

Result<ClipFromSamples> clip_from_samples(const SampleView& samples, const Skeleton& skeleton,
                                          std::size_t root, const armature::Armature& armature,
                                          const armature::BoneMap& map, const Timing& timing,
                                          double duration_seconds) {
    TRY_VOID(require_frames(samples.frames, timing, duration_seconds));
    Sampler sampler(samples, skeleton, root, armature, map);
    for (std::size_t sample = 0; sample < samples.frames.size(); ++sample) {
        const double seconds =
            std::clamp(timing.seconds_at(samples.frames[sample]), 0.0, std::max(duration_seconds, 0.0));
        TRY_VOID(sampler.add_sample(sample, seconds));
    }
    return std::move(sampler).finish(skeleton, duration_seconds);
}

namespace {

/// Bones from which the search continues. Gaps are a few joints long; this keeps large rigs fast.
constexpr std::size_t most_carrier_steps = 32;

class CarrierSearch {
public:
    CarrierSearch(const SampleView& samples, const armature::Armature& armature, const armature::BoneMap& map,
                  const LooseBone& loose)
        : samples_(samples),
          armature_(armature),
          map_(map),
          loose_(loose),
          came_from_(armature.bones.size()) {}

    std::vector<std::size_t> find() {
        std::vector<std::size_t> reached = {loose_.bone};
        for (std::size_t step = 0; step < std::min(reached.size(), most_carrier_steps); ++step) {
            const std::size_t from = reached[step];
            for (std::size_t bone = 0; bone < armature_.bones.size(); ++bone) {
                if (map_.node_of_bone[bone] || came_from_[bone] || !carries(bone, from)) {
                    continue;
                }
                came_from_[bone] = from;
                if (!loose_.ancestor || stays_on(*loose_.ancestor, bone)) {
                    return path_to(bone);
                }
                reached.push_back(bone);
            }
        }
        return {};
    }

private:
    /// The path from the bone next to the loose one.
    [[nodiscard]] std::vector<std::size_t> path_to(std::size_t bone) const {
        std::vector<std::size_t> path;
        for (std::size_t at = bone; at != loose_.bone; at = *came_from_[at]) {
            path.push_back(at);
        }
        std::ranges::reverse(path);
        return path;
    }

    [[nodiscard]] bool carries(std::size_t carrier, std::size_t carried) const {
        constexpr double same_place = 0.001;  // metres; controls have exactly their bone's position
        const auto& at = armature_.bones[carrier].rest.translation;
        return glm::length(at - armature_.bones[carried].rest.translation) > same_place &&
               stays_on(carrier, carried);
    }

    [[nodiscard]] Transform pose(std::size_t bone, std::size_t sample) const {
        std::array<float, 16> numbers{};
        const auto row =
            samples_.matrices.subspan(16 * (sample * armature_.bones.size() + bone), numbers.size());
        std::ranges::copy(row, numbers.begin());
        return armature::transform_of(numbers);
    }

    /// Whether a bone's head stays at its rest position on another bone, within a tenth of the motion.
    [[nodiscard]] bool stays_on(std::size_t carrier, std::size_t carried) const {
        const double tolerance = loose_.most_mm / 10000.0;  // metres
        const glm::dvec3 at_rest =
            seen_from(armature_.bones[carrier].rest, armature_.bones[carried].rest.translation);
        for (std::size_t sample = 0; sample < samples_.frames.size(); ++sample) {
            const glm::dvec3 now = seen_from(pose(carrier, sample), pose(carried, sample).translation);
            if (!(glm::length(now - at_rest) < tolerance)) {
                return false;
            }
        }
        return true;
    }

    const SampleView& samples_;
    const armature::Armature& armature_;
    const armature::BoneMap& map_;
    LooseBone loose_;
    std::vector<std::optional<std::size_t>> came_from_;  ///< of the bones that were reached
};

}  // namespace

std::vector<std::size_t> loose_carriers(const SampleView& samples, const armature::Armature& armature,
                                        const armature::BoneMap& map, const LooseBone& loose) {
    return CarrierSearch(samples, armature, map, loose).find();
}

}  // namespace animbridge::rig::curves
