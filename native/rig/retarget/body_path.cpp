// SPDX-License-Identifier: MIT
#include "rig/retarget/target.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

namespace animbridge::rig::retarget {

namespace {

/// Below this height in metres, a body's size is unknown.
constexpr double least_height = 1e-6;

/// The distance of the farthest head of a part from the body's head: the size of a body without feet.
double reach_of(const Parts& parts, const Posture& posture, std::vector<std::size_t> Part::*side) {
    const glm::dvec3 centre = posture.head((parts.parts[*parts.body].*side).front());
    double reach = 0;
    for (const Part& part : parts.parts) {
        reach = std::max(reach, glm::length(posture.head((part.*side).front()) - centre));
    }
    return reach;
}

/// The lengths of the legs that both bodies have, in metres; 0: they have none. Rigs of one body have their
/// hips' joints at heights that differ by a fifth, but their legs' joints at the same positions.
double legs_of(const Parts& parts, const Posture& posture, std::vector<std::size_t> Part::*side) {
    double length = 0;
    for (const std::string which : {"left", "right"}) {
        const Part* const upper = parts.find(which + "UpperLeg");
        const Part* const lower = parts.find(which + "LowerLeg");
        const Part* const foot = parts.find(which + "Foot");
        if (upper != nullptr && lower != nullptr && foot != nullptr) {
            const glm::dvec3& knee = posture.head((lower->*side).front());
            length += glm::length(knee - posture.head((upper->*side).front())) +
                      glm::length(posture.head((foot->*side).front()) - knee);
        }
    }
    return length;
}

/// The lowest height of the source's feet over the whole motion.
double lowest_of_motion(const std::vector<std::size_t>& feet, const SourceMotion& motion) {
    double lowest = motion.at(0, feet.front()).translation.z;
    for (std::size_t frame = 0; frame < motion.times.size(); ++frame) {
        for (const std::size_t joint : feet) {
            lowest = std::min(lowest, motion.at(frame, joint).translation.z);
        }
    }
    return lowest;
}

/// Many BVH files rest with their hips at the origin, but move above the floor at height 0. The floor of such
/// a file is where its feet are lowest: their joints are above the floor by the thickness of a sole.
double ground_of_source(const std::vector<std::size_t>& feet, const glm::dvec3& hips, double hips_height,
                        const SourceMotion& motion, const RetargetOptions& options) {
    const double rest_ground = hips.z - hips_height;
    if (options.source_ground_metres) {
        return *options.source_ground_metres;
    }
    if (feet.empty() || !(std::abs(hips.z) < 0.25 * hips_height)) {
        return rest_ground;
    }
    const double lowest = lowest_of_motion(feet, motion);
    return std::abs(lowest) < std::abs(lowest - rest_ground) ? lowest : rest_ground;
}

}  // namespace

std::vector<std::size_t> common_feet(const Parts& parts, std::vector<std::size_t> Part::*side) {
    std::vector<std::size_t> joints;
    for (const std::string_view slot : foot_slots) {
        if (const Part* part = parts.find(slot)) {
            joints.push_back((part->*side).front());
        }
    }
    return joints;
}

glm::dvec3 BodyPath::taken_out(const glm::dvec3& now, const glm::dvec3& source_head) const {
    const glm::dvec3 moved = turn * (now - (source_head + source_lift));
    return in_place ? glm::dvec3(moved.x * scale.horizontal, moved.y * scale.horizontal, 0) : glm::dvec3(0);
}

glm::dvec3 BodyPath::map(const glm::dvec3& now, const glm::dvec3& source_head,
                         const glm::dvec3& target_head) const {
    const glm::dvec3 moved = turn * (now - (source_head + source_lift));
    const glm::dvec3 scaled(moved.x * scale.horizontal, moved.y * scale.horizontal, moved.z * scale.vertical);
    const glm::dvec3 path = in_place ? glm::dvec3(0, 0, scaled.z) : scaled;
    return target_head + target_lift + path + shift;
}

BodyPath body_path(const Parts& parts, const Posture& source, const Posture& target, const glm::dquat& turn,
                   const SourceMotion& motion, const RetargetOptions& options,
                   std::vector<std::string>& warnings) {
    BodyPath path;
    path.turn = turn;
    path.in_place = options.in_place;
    const Part& body = parts.parts[*parts.body];
    const glm::dvec3 source_head = source.head(body.source.front());
    const glm::dvec3 target_head = target.head(body.target.front());
    const std::vector<std::size_t> feet = common_feet(parts, &Part::source);
    path.source_hips_height = source_head.z - lowest_height(feet, source.world);
    path.target_hips_height = target_head.z - lowest_height(common_feet(parts, &Part::target), target.world);
    double source_size = legs_of(parts, source, &Part::source);
    double target_size = legs_of(parts, target, &Part::target);
    if (!(source_size > least_height) || !(target_size > least_height)) {
        source_size = path.source_hips_height;
        target_size = path.target_hips_height;
    }
    if (!(source_size > least_height) || !(target_size > least_height)) {
        source_size = reach_of(parts, source, &Part::source);
        target_size = reach_of(parts, target, &Part::target);
    }
    const bool has_size = source_size > least_height && target_size > least_height;
    if (!has_size && !options.root_scale) {
        warnings.emplace_back(
            "The rigs' sizes are not known, so the body's path is not scaled. If it is too long or "
            "too short, set its scale yourself.");
    }
    const double ratio = has_size ? target_size / source_size : 1.0;
    // For bodies of equal size, every bit of a path stays.
    const double factor = std::abs(ratio - 1.0) < 1e-12 ? 1.0 : ratio;
    path.scale = options.root_scale.value_or(RootScale{factor, factor});
    path.source_ground = ground_of_source(feet, source_head, path.source_hips_height, motion, options);
    const double source_lift = path.source_ground - (source_head.z - path.source_hips_height);
    path.source_lift.z = std::abs(source_lift) < 1e-12 ? 0.0 : source_lift;
    const double rest_ground = target_head.z - path.target_hips_height;
    path.target_ground = options.target_ground_metres.value_or(rest_ground);
    // The same skeleton has the same offset: a clip retargeted to its own skeleton stays in place.
    const bool is_alike = std::abs(source_head.z - target_head.z) < 1e-9 &&
                          std::abs(path.source_hips_height - path.target_hips_height) < 1e-9;
    if (is_alike && !options.target_ground_metres) {
        path.target_ground = path.source_ground;
    }
    const double target_lift = path.target_ground - rest_ground;
    path.target_lift.z = std::abs(target_lift) < 1e-12 ? 0.0 : target_lift;
    if (options.from_origin) {
        const glm::dvec3 start =
            path.map(motion.at(0, body.source.front()).translation, source_head, target_head) - target_head;
        path.shift = {-start.x, -start.y, 0};
    }
    return path;
}

namespace {

/// The position of each joint's head in its row: 0 for the first one, 1 for the last one. A single joint has
/// the whole motion: 1.
std::vector<double> shares_of_row(const std::vector<std::size_t>& joints, const Posture& posture) {
    std::vector<double> shares{0.0};
    for (std::size_t i = 1; i < joints.size(); ++i) {
        shares.push_back(shares.back() + glm::length(posture.head(joints[i]) - posture.head(joints[i - 1])));
    }
    const double length = shares.back();
    for (std::size_t i = 0; i < shares.size(); ++i) {
        shares[i] = length > 1e-9 ? shares[i] / length
                                  : static_cast<double>(i) /
                                        static_cast<double>(std::max<std::size_t>(shares.size() - 1, 1));
    }
    shares.back() = 1.0;
    return shares;
}

/// The bones of a limb that has several on the target, from head to head and on to its aim; empty if it has
/// one, or if they are not parents of each other.
std::vector<glm::dvec3> bones_of_limb(const Parts& parts, std::size_t index, const Skeleton& skeleton,
                                      const Posture& target) {
    const Part& part = parts.parts[index];
    const auto aimed = aimed_target_joint(parts, index);
    if (part.kind != PartKind::limb || part.target.size() == 1 || !aimed) {
        return {};
    }
    std::vector<glm::dvec3> bones;
    for (std::size_t i = 0; i < part.target.size(); ++i) {
        const std::size_t next = i + 1 < part.target.size() ? part.target[i + 1] : *aimed;
        if (!is_at_or_above(skeleton, part.target[i], next)) {
            return {};
        }
        bones.push_back(target.head(next) - target.head(part.target[i]));
    }
    return bones;
}

}  // namespace

PartDeltas::PartDeltas(const Parts& parts, const Posture& source, const Skeleton& target_skeleton,
                       const Alignment& alignment)
    : parts_(parts), source_(source) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < parts.parts.size(); ++i) {
        const Part& part = parts.parts[i];
        const auto aimed = aimed_source_joint(parts, i);
        first_.push_back(count);
        count += part.target.size();
        points_.push_back(aimed ? direction_of(source.head(*aimed) - source.head(part.source.front()))
                                : std::nullopt);
        source_shares_.push_back(shares_of_row(part.source, source));
        const auto target_aim = aimed_target_joint(parts, i);
        const auto target_points = target_aim ? direction_of(alignment.target.head(*target_aim) -
                                                             alignment.target.head(part.target.front()))
                                              : std::nullopt;
        twist_axes_.push_back(target_points
                                  ? std::optional(glm::conjugate(alignment.turns[i]) * *target_points)
                                  : std::nullopt);
        target_shares_.push_back(shares_of_row(part.target, alignment.target));
        // A part that need not point like the source's need not be closed.
        limb_bones_.push_back(alignment.parts[i].is_left_out
                                  ? std::vector<glm::dvec3>{}
                                  : bones_of_limb(parts, i, target_skeleton, alignment.target));
        for (glm::dvec3& bone : limb_bones_.back()) {
            bone = glm::conjugate(alignment.turns[i]) * bone;
        }
    }
    turns_.resize(count, glm::dquat(1, 0, 0, 0));
    whole_.resize(parts.parts.size(), glm::dquat(1, 0, 0, 0));
    last_twist_.resize(parts.parts.size(), glm::dquat(1, 0, 0, 0));
}

std::vector<std::size_t> PartDeltas::source_nodes(const Parts& parts) {
    std::vector<std::size_t> nodes;
    for (const Part& part : parts.parts) {
        nodes.insert(nodes.end(), part.source.begin(), part.source.end());
    }
    return nodes;
}

glm::dquat PartDeltas::whole_delta(std::size_t part, const SourceMotion& motion, std::size_t frame) const {
    const auto& joints = parts_.parts[part].source;
    const bool spreads = parts_.parts[part].kind == PartKind::chain && parts_.parts[part].target.size() > 1;
    glm::dquat delta = product(motion.at(frame, joints.back()).rotation,
                               glm::conjugate(source_.world[joints.back()].rotation));
    // In a chain of several joints, the last joint turns exactly like the source's last one.
    if (joints.size() == 1 || spreads || !points_[part]) {
        return delta;
    }
    const std::size_t aimed = *aimed_source_joint(parts_, part);
    const auto now =
        direction_of(motion.at(frame, aimed).translation - motion.at(frame, joints.front()).translation);
    return now ? swing_between(delta * *points_[part], *now) * delta : delta;
}

glm::dquat PartDeltas::carrying_delta(std::size_t part) const {
    const auto parent = parts_.parts[part].parent;
    return parent ? whole_[*parent] : glm::dquat(1, 0, 0, 0);
}

void PartDeltas::spread_chain(std::size_t part, const SourceMotion& motion, std::size_t frame) {
    const Part& chain = parts_.parts[part];
    const std::vector<double>& stands = source_shares_[part];
    const auto delta_of = [&](std::size_t index) {
        const std::size_t node = chain.source[index];
        return glm::dquat(motion.at(frame, node).rotation * glm::conjugate(source_.world[node].rotation));
    };
    // The target's joint is between these two of the source.
    std::size_t joint = 0;
    glm::dquat upper = delta_of(0);
    glm::dquat lower = upper;
    for (std::size_t i = 0; i < chain.target.size(); ++i) {
        const double share = target_shares_[part][i];
        while (joint + 1 < stands.size() && stands[joint] < share) {
            upper = lower;
            lower = delta_of(++joint);
        }
        const double length = joint > 0 ? stands[joint] - stands[joint - 1] : 0.0;
        const double fraction = length > 1e-9 ? (share - stands[joint - 1]) / length : 1.0;
        const glm::dquat step = glm::conjugate(upper) * with_sign_of(lower, upper);
        turns_[first_[part] + i] = fraction == 1.0 ? lower : upper * share_of(step, fraction);
    }
}

void PartDeltas::spread_twist(std::size_t part) {
    const std::size_t count = parts_.parts[part].target.size();
    turns_[first_[part] + count - 1] = whole_[part];
    if (count == 1) {
        return;
    }
    const glm::dquat carrying = carrying_delta(part);
    const glm::dquat turn = glm::conjugate(carrying) * whole_[part];
    glm::dquat twist = twist_axes_[part] ? twist_about(turn, *twist_axes_[part]) : glm::dquat(1, 0, 0, 0);
    twist = with_sign_of(twist, last_twist_[part]);
    last_twist_[part] = twist;
    const glm::dquat swing = carrying * turn * glm::conjugate(twist);
    for (std::size_t i = 0; i + 1 < count; ++i) {
        turns_[first_[part] + i] = swing * share_of(twist, target_shares_[part][i]);
    }
    close_limb(part);
}

/// Bones that are not in line are no longer one rigid limb when they share its twist: its end is off by up to
/// the angle between them. The smallest swing of all of them moves the end back to where the part points.
void PartDeltas::close_limb(std::size_t part) {
    const std::vector<glm::dvec3>& bones = limb_bones_[part];
    glm::dvec3 rigid(0);
    glm::dvec3 shared(0);
    for (std::size_t i = 0; i < bones.size(); ++i) {
        rigid += bones[i];
        shared += turns_[first_[part] + i] * bones[i];
    }
    const auto points = direction_of(shared);
    const auto wanted = direction_of(whole_[part] * rigid);
    if (!points || !wanted) {
        return;
    }
    const glm::dquat closing = swing_between(*points, *wanted);
    for (std::size_t i = 0; i < bones.size(); ++i) {
        turns_[first_[part] + i] = closing * turns_[first_[part] + i];
    }
}

void PartDeltas::compute(const SourceMotion& motion, std::size_t frame) {
    for (std::size_t part = 0; part < whole_.size(); ++part) {
        whole_[part] = whole_delta(part, motion, frame);
    }
    for (std::size_t part = 0; part < whole_.size(); ++part) {
        if (parts_.parts[part].kind == PartKind::chain && parts_.parts[part].target.size() > 1) {
            spread_chain(part, motion, frame);
        } else {
            spread_twist(part);
        }
    }
}

}  // namespace animbridge::rig::retarget
