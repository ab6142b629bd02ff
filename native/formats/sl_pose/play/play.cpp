// SPDX-License-Identifier: MIT
#include "formats/sl_pose/play/play.h"

#include <algorithm>
#include <map>

#include "base/options/options.h"
#include "model/findings/findings.h"
#include "rig/avatar/avatar.h"

namespace animbridge::sl_pose::play {

namespace {

using rig::avatar::JointKind;
using rig::avatar::skeleton;

glm::dvec3 vector_of(const pose::Triple& numbers) { return {numbers[0], numbers[1], numbers[2]}; }

glm::dvec3 added(const glm::dvec3& rest, const std::optional<pose::Triple>& delta) {
    return delta ? rest + vector_of(*delta) : rest;
}

Shown at_rest(std::size_t joint, Known known) {
    const rig::avatar::SkeletonJoint& one = skeleton()[joint];
    return {joint, known, one.node.rest_local.rotation, pose::rest_position(joint), one.rest_scale};
}

/// The first version whose T-pose sets the base of every joint to zero.
constexpr std::int32_t first_that_zeroes = 6;

/// Firestorm's joint on its base: identity for bones, and the rest rotation of volumes.
class FirestormJoint {
public:
    explicit FirestormJoint(const pose::Pose& pose) : pose_(pose) {}

    [[nodiscard]] Shown shown(const pose::Entry& entry) const {
        Shown joint = at_rest(*entry.joint, known(entry));
        joint.rotation = product(joint.rotation, pose::rotation_of(entry.rotation.value_or(pose::Triple{})));
        joint.position = position(entry, joint.position);
        joint.scale = scale(entry, joint.scale);
        return joint;
    }

private:
    [[nodiscard]] Known known(const pose::Entry& entry) const {
        if (!entry.is_enabled) {
            return Known::free;
        }
        return pose::is_volume(*entry.joint) || has_base(entry) ? Known::exact : Known::delta;
    }
    /// Whether the file says that the base is zero, and no animation sets another one.
    [[nodiscard]] bool has_base(const pose::Entry& entry) const {
        constexpr std::int32_t first_with_joints_flag = 5;
        const bool is_zero = pose_.version >= first_with_joints_flag
                                 ? entry.base_is_zero.value_or(pose_.from_t_pose) || zeroes_all()
                                 : pose_.from_t_pose;
        return is_zero && (pose_.from_t_pose || entry.user_base_is_zero.value_or(false) ||
                           std::ranges::none_of(pose_.states, [&](const pose::State& state) {
                               return state.joints.empty() ||
                                      std::ranges::find(state.joints, *entry.joint) != state.joints.end();
                           }));
    }
    [[nodiscard]] bool zeroes_all() const { return pose_.from_t_pose && pose_.version >= first_that_zeroes; }
    /// What the file lacks is 0, also as an absolute position.
    [[nodiscard]] glm::dvec3 position(const pose::Entry& entry, const glm::dvec3& rest) const {
        const glm::dvec3 value = vector_of(entry.position.value_or(pose::Triple{}));
        const glm::dvec3 place = pose_.is_absolute() ? value : rest + value;
        return is_finite(place) ? place : glm::dvec3(0);
    }
    [[nodiscard]] glm::dvec3 scale(const pose::Entry& entry, const glm::dvec3& rest) const {
        glm::dvec3 size = added(rest, entry.scale);
        if (pose_.is_absolute()) {
            const glm::dvec3 own = vector_of(entry.scale.value_or(pose::Triple{}));
            size = own == glm::dvec3(0) ? rest : own;
        }
        return is_finite(size) ? size : glm::dvec3(1);
    }

    const pose::Pose& pose_;
};

/// PELVIS alone among the volumes and points shows what is stored.
bool is_shown_by_black_dragon(std::size_t joint) {
    return skeleton()[joint].kind == JointKind::bone || skeleton()[joint].node.name == "PELVIS";
}

Shown black_dragons(const pose::Entry& entry) {
    const std::size_t index = *entry.joint;
    Shown joint = at_rest(index, !entry.is_enabled                 ? Known::free
                                 : is_shown_by_black_dragon(index) ? Known::exact
                                                                   : Known::stored);
    if (entry.rotation) {
        joint.rotation = pose::rotation_of(pose::swapped(*entry.rotation));
    }
    if (entry.position && is_finite(vector_of(*entry.position))) {
        joint.position = vector_of(*entry.position);
    }
    if (entry.scale && is_finite(vector_of(*entry.scale))) {
        joint.scale = vector_of(*entry.scale);
    }
    return joint;
}

/// Whether loading sets the rotation of joints to zero that the file lacks.
bool zeroes_unlisted(const pose::Pose& pose) {
    return pose.program == pose::Program::firestorm && pose.from_t_pose && pose.version >= first_that_zeroes;
}

std::string_view plain_name(std::size_t joint) { return skeleton()[joint].node.name; }

Result<std::vector<Shown>> shown_by(const file::Document& document) {
    return pose::pose_of(document).map([](const pose::Pose& pose) { return shown(pose); });
}

}  // namespace

std::string_view name_of(Known known) {
    constexpr std::array<std::string_view, 5> names = {"exact", "delta", "free", "unlisted", "stored"};
    return names.at(static_cast<std::size_t>(known));
}

std::vector<Shown> shown(const pose::Pose& pose) {
    std::map<std::size_t, Shown> joints;
    if (zeroes_unlisted(pose)) {
        for (std::size_t i = 0; i < skeleton().size(); ++i) {
            if (pose::is_posed_by_firestorm(i)) {
                joints.emplace(i, at_rest(i, Known::unlisted));
            }
        }
    }
    const FirestormJoint firestorm(pose);
    for (const pose::Entry& entry : pose.entries) {
        if (entry.joint) {
            joints[*entry.joint] =
                pose.program == pose::Program::firestorm ? firestorm.shown(entry) : black_dragons(entry);
        }
    }
    std::vector<Shown> list;
    list.reserve(joints.size());
    for (auto& [joint, one] : joints) {
        list.push_back(one);
    }
    return list;
}

std::string difference_text(const pose::Pose& pose) {
    std::size_t relative = 0;
    std::size_t all = 0;
    for (const Shown& joint : shown(pose)) {
        all += joint.known == Known::free ? 0 : 1;
        relative += joint.known == Known::delta ? 1 : 0;
    }
    std::vector<std::string> ids;
    for (const pose::State& state : pose.states) {
        ids.push_back(state.animation_id);
    }
    return "rotations of " + std::to_string(relative) + " of " + counted(all, "joint") +
           " are relative to animations that are not in the file" +
           (ids.empty() ? ", which does not name them" : " (ids: " + some_of(ids) + ")");
}

std::vector<Transform> placed(std::span<const Shown> joints, bool with_scales) {
    std::vector<Shown> all;
    for (std::size_t i = 0; i < skeleton().size(); ++i) {
        all.push_back(at_rest(i, Known::unlisted));
    }
    for (const Shown& joint : joints) {
        if (joint.known != Known::stored) {
            all[joint.joint] = joint;
        }
    }
    std::vector<Transform> world;
    for (const Shown& joint : all) {
        const auto parent = skeleton()[joint.joint].node.parent;
        const glm::dvec3 scale = parent && with_scales ? all[*parent].scale : glm::dvec3(1);
        const Transform local{joint.rotation, scale * joint.position};
        world.push_back(parent ? world[*parent] * local : local);
    }
    return world;
}

Result<std::vector<std::string>> played_joints(const file::Document& document) {
    return shown_by(document).map([](const std::vector<Shown>& joints) {
        std::vector<std::string> names;
        names.reserve(joints.size());
        for (const Shown& joint : joints) {
            names.emplace_back(plain_name(joint.joint));
        }
        return names;
    });
}

namespace {

/// What the numbers alone do not say.
std::vector<std::string> notes_on(const pose::Pose& pose, std::span<const Shown> joints) {
    std::vector<std::string> notes;
    if (pose.is_difference()) {
        notes.push_back("A difference pose: " + difference_text(pose));
    }
    if (pose.program == pose::Program::black_dragon &&
        std::ranges::any_of(joints, [](const Shown& one) { return plain_name(one.joint) == "PELVIS"; })) {
        notes.emplace_back(
            "Black Dragon turns the volume PELVIS to its stored rotation, which nobody set: conversions "
            "leave "
            "it at rest");
    }
    return notes;
}

}  // namespace

Result<void> play(const file::Document& document, std::span<const double> times_seconds,
                  const PoseArrays& out) {
    TRY(const pose::Pose pose, pose::pose_of(document));
    const std::vector<Shown> joints = shown(pose);
    TRY_VOID(require_room(out, joints.size()));
    const std::vector<Transform> world = placed(joints);
    Json rows = Json::array();
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const Shown& joint = joints[i];
        const Transform& place = world[joint.joint];
        rows.push_back({{"joint", plain_name(joint.joint)},
                        {"known", name_of(joint.known)},
                        {"local_rotation_wxyz", quaternion_json(joint.rotation)},
                        {"local_position", vector_json(joint.position)},
                        {"local_scale", vector_json(joint.scale)},
                        {"world_rotation_wxyz", quaternion_json(place.rotation)},
                        {"world_position", vector_json(place.translation)}});
        for (std::size_t time = 0; time < times_seconds.size(); ++time) {
            const std::size_t row = time * out.joint_capacity + i;
            PoseArrays::put(out.local_rotations, row, joint.rotation);
            PoseArrays::put(out.local_positions, row, joint.position);
            PoseArrays::put(out.world_rotations, row, place.rotation);
            PoseArrays::put(out.world_positions, row, place.translation);
        }
    }
    for (std::size_t time = 0; time < times_seconds.size(); ++time) {
        PoseArrays::put(out.clip_seconds, time, {0.0});
        PoseArrays::put(out.ease_weights, time, {1.0});
        if (out.rows != nullptr) {
            out.rows->push_back({{"seconds", times_seconds[time]},
                                 {"clip_seconds", 0.0},
                                 {"weight", 1.0},
                                 {"joints", rows},
                                 {"notes", texts_json(notes_on(pose, joints))}});
        }
    }
    return {};
}

Result<Comparison> compare(const file::Document& a, const file::Document& b) {
    TRY(const auto joints_a, shown_by(a));
    TRY(const auto joints_b, shown_by(b));
    const std::vector<Transform> world_a = placed(joints_a);
    const std::vector<Transform> world_b = placed(joints_b);
    const auto find = [](const std::vector<Shown>& joints, std::size_t wanted) {
        return std::ranges::find(joints, wanted, &Shown::joint);
    };
    Comparison result;
    result.times = 1;
    for (std::size_t i = 0; i < skeleton().size(); ++i) {
        const auto in_a = find(joints_a, i);
        const auto in_b = find(joints_b, i);
        const std::string name(plain_name(i));
        const bool is_in_a = in_a != joints_a.end();
        const bool is_in_b = in_b != joints_b.end();
        if (!is_in_a && !is_in_b) {
            continue;
        }
        if (is_in_a != is_in_b) {
            (is_in_a ? result.only_in_a : result.only_in_b).push_back(name);
        }
        const Shown rest = at_rest(i, Known::unlisted);
        JointDifference difference{name};
        difference.widen(1000.0 * glm::length(world_a[i].translation - world_b[i].translation),
                         angle_between_degrees(is_in_a ? in_a->rotation : rest.rotation,
                                               is_in_b ? in_b->rotation : rest.rotation),
                         0.0);
        result.joints.push_back(std::move(difference));
    }
    return result;
}

std::string describe(const Json& report) {
    std::string text;
    for (const Json& pose : report["poses"]) {
        for (const Json& note : pose["notes"]) {
            text += plain_text(note) + "\n";
        }
        text += six_digits(pose["seconds"]) + " s\n  " + left_aligned("joint", 24) +
                left_aligned("known", 10) + left_aligned("rotation w x y z", 48) +
                left_aligned("position", 36) + "scale\n";
        for (const Json& joint : pose["joints"]) {
            text += "  " + left_aligned(plain_text(joint["joint"]), 24) +
                    left_aligned(plain_text(joint["known"]), 10) +
                    left_aligned(listed_text(joint["local_rotation_wxyz"]), 48) +
                    left_aligned(listed_text(joint["local_position"]), 36) +
                    listed_text(joint["local_scale"]) + "\n";
        }
    }
    return text;
}

}  // namespace animbridge::sl_pose::play
