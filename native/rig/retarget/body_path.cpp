// SPDX-License-Identifier: MIT
#include "rig/retarget/body_path.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

namespace animbridge::rig {

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

}  // namespace animbridge::rig
