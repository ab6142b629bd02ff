// SPDX-License-Identifier: MIT
#include "rig/retarget/target.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

namespace animbridge::rig::retarget {

namespace {

// A judgement: for a body whose hips are 0.95 m high, a foot below 3.3 cm and 0.24 m/s is on the floor.
constexpr double low_share = 0.035;       ///< of the hips' height
constexpr double slow_per_second = 0.25;  ///< hips' heights a second
constexpr double leave_factor = 2.0;

double speed_at(const SourceMotion& motion, std::size_t node, std::size_t frame) {
    const std::size_t last = motion.times.size() - 1;
    const std::size_t before = frame == 0 ? 0 : frame - 1;
    const std::size_t after = std::min(frame + 1, last);
    const double seconds = motion.times[after] - motion.times[before];
    if (!(seconds > 0.0)) {
        return 0;
    }
    return glm::length(motion.at(after, node).translation - motion.at(before, node).translation) / seconds;
}

std::vector<Contact> contacts_of(const SourceMotion& motion, std::size_t node, double hips_height) {
    double floor = motion.at(0, node).translation.z;
    for (std::size_t frame = 0; frame < motion.times.size(); ++frame) {
        floor = std::min(floor, motion.at(frame, node).translation.z);
    }
    std::vector<Contact> contacts;
    bool stands = false;
    for (std::size_t frame = 0; frame < motion.times.size(); ++frame) {
        const double factor = stands ? leave_factor : 1.0;
        const double height = motion.at(frame, node).translation.z - floor;
        const bool stood = stands;
        stands = height < factor * low_share * hips_height &&
                 speed_at(motion, node, frame) < factor * slow_per_second * hips_height;
        if (stands && !stood) {
            contacts.push_back({frame, frame});
        } else if (stands) {
            contacts.back().last = frame;
        }
    }
    return contacts;
}

}  // namespace

std::vector<FootContacts> find_contacts(const Parts& parts, const SourceMotion& motion,
                                        double hips_height_metres) {
    std::vector<FootContacts> feet;
    for (const std::string side : {"left", "right"}) {
        const Part* part = parts.find(side + "Toes");
        if (part == nullptr) {
            part = parts.find(side + "Foot");
        }
        if (part != nullptr && hips_height_metres > 0.0) {
            feet.push_back({side, static_cast<std::size_t>(part - parts.parts.data()),
                            contacts_of(motion, part->source.front(), hips_height_metres)});
        }
    }
    return feet;
}

double contact_seconds(const std::vector<Contact>& contacts, const std::vector<double>& times) {
    double seconds = 0;
    for (const Contact& contact : contacts) {
        seconds += times[contact.last] - times[contact.first];
    }
    return seconds;
}

double slide_mm_per_second(const std::vector<Contact>& contacts, const std::vector<double>& times,
                           const std::vector<glm::dvec3>& places) {
    double metres = 0;
    for (const Contact& contact : contacts) {
        for (std::size_t frame = contact.first; frame < contact.last; ++frame) {
            glm::dvec3 step = places[frame + 1] - places[frame];
            step.z = 0;
            metres += glm::length(step);
        }
    }
    const double seconds = contact_seconds(contacts, times);
    return seconds > 0.0 ? metres * 1000.0 / seconds : 0.0;
}

namespace {

constexpr double fade_seconds = 0.1;
/// A leg is never stretched beyond this fraction of its length: when nearly straight, the knee would snap.
constexpr double longest_reach = 0.9995;

/// The columns of a leg's joints.
struct Leg {
    std::size_t upper = 0;
    std::size_t lower = 0;
    std::size_t foot = 0;
    std::size_t touching = 0;                 ///< the joint that stays in place
    std::vector<std::size_t> upper_joints{};  ///< all columns of the upper leg
    std::vector<std::size_t> lower_joints{};
};

std::vector<std::size_t> columns_of(const Part& part, const TargetMotion& motion) {
    std::vector<std::size_t> columns;
    for (const std::size_t joint : part.target) {
        if (const auto column = motion.column_of_node(joint)) {
            columns.push_back(*column);
        }
    }
    return columns;
}

std::optional<Leg> leg_of(const Parts& parts, const FootContacts& contacts, const TargetMotion& motion) {
    const Part* const upper = parts.find(contacts.side + "UpperLeg");
    const Part* const lower = parts.find(contacts.side + "LowerLeg");
    const Part* const foot = parts.find(contacts.side + "Foot");
    if (upper == nullptr || lower == nullptr || foot == nullptr) {
        return std::nullopt;
    }
    Leg leg;
    leg.upper_joints = columns_of(*upper, motion);
    leg.lower_joints = columns_of(*lower, motion);
    const std::vector<std::size_t> foot_joints = columns_of(*foot, motion);
    const std::vector<std::size_t> touching = columns_of(parts.parts[contacts.part], motion);
    if (leg.upper_joints.empty() || leg.lower_joints.empty() || foot_joints.empty() || touching.empty()) {
        return std::nullopt;  // held parts have no keys
    }
    leg.upper = leg.upper_joints.front();
    leg.lower = leg.lower_joints.front();
    leg.foot = foot_joints.front();
    leg.touching = touching.front();
    return leg;
}

/// From 1 at the contact to 0 at the end of the correction, smooth at both ends.
double faded(double seconds_away) {
    const double x = std::clamp(1.0 - seconds_away / fade_seconds, 0.0, 1.0);
    return x * x * (3.0 - 2.0 * x);
}

glm::dvec3 mean_place(const Contact& contact, const std::vector<glm::dvec3>& places) {
    glm::dvec3 sum(0);
    for (std::size_t frame = contact.first; frame <= contact.last; ++frame) {
        sum += places[frame];
    }
    return sum / static_cast<double>(contact.last - contact.first + 1);
}

/// How far the foot must move at each frame: all the way during a contact, and less with distance from it.
std::vector<glm::dvec3> corrections_of(const std::vector<Contact>& contacts, const std::vector<double>& times,
                                       const std::vector<glm::dvec3>& places) {
    std::vector<glm::dvec3> corrections(times.size(), glm::dvec3(0));
    std::vector<double> weights(times.size(), 0.0);
    const auto fade = [&](std::size_t frame, const glm::dvec3& correction, double seconds_away) {
        const double weight = faded(seconds_away);
        corrections[frame] += correction * weight;
        weights[frame] += weight;
    };
    for (const Contact& contact : contacts) {
        const glm::dvec3 pin = mean_place(contact, places);
        const double begin = times[contact.first];
        const double end = times[contact.last];
        for (std::size_t frame = contact.first; frame-- > 0 && begin - times[frame] < fade_seconds;) {
            fade(frame, pin - places[contact.first], begin - times[frame]);
        }
        for (std::size_t frame = contact.last + 1; frame < times.size() && times[frame] - end < fade_seconds;
             ++frame) {
            fade(frame, pin - places[contact.last], times[frame] - end);
        }
    }
    for (std::size_t frame = 0; frame < corrections.size(); ++frame) {
        corrections[frame] /= std::max(weights[frame], 1.0);
    }
    // During a contact, other contacts nearby do not matter.
    for (const Contact& contact : contacts) {
        const glm::dvec3 pin = mean_place(contact, places);
        for (std::size_t frame = contact.first; frame <= contact.last; ++frame) {
            corrections[frame] = pin - places[frame];
        }
    }
    return corrections;
}

/// A bone's orientation by its direction and the axis about which its joint bends.
glm::dquat bone_turn(const glm::dvec3& before, const glm::dvec3& normal_before, const glm::dvec3& after,
                     const glm::dvec3& normal_after) {
    const auto from = frame_of(before, normal_before);
    const auto to = frame_of(after, normal_after);
    return from && to ? glm::normalize(*to * glm::conjugate(*from)) : swing_between(before, after);
}

/// The turns that move the ankle to another position.
struct LegTurns {
    glm::dquat upper{1, 0, 0, 0};
    glm::dquat lower{1, 0, 0, 0};
    bool reaches = true;
};

std::optional<LegTurns> solve_leg(const glm::dvec3& hip, const glm::dvec3& knee, const glm::dvec3& ankle,
                                  const glm::dvec3& wanted, const glm::dvec3& forward) {
    const double upper_length = glm::length(knee - hip);
    const double lower_length = glm::length(ankle - knee);
    const auto line = direction_of(ankle - hip);
    const auto new_line = direction_of(wanted - hip);
    if (!line || !new_line || !(upper_length > 1e-9) || !(lower_length > 1e-9)) {
        return std::nullopt;
    }
    const double longest = longest_reach * (upper_length + lower_length);
    // A leg that is already straighter may stay so.
    const double farthest = std::max(longest, glm::length(ankle - hip));
    const double nearest = std::abs(upper_length - lower_length) * 1.0005 + 1e-9;
    const double distance = std::clamp(glm::length(wanted - hip), nearest, farthest);
    LegTurns turns;
    turns.reaches = std::abs(distance - glm::length(wanted - hip)) < 1e-9;
    // The knee's side of the line from hip to ankle; a straight leg bends forward.
    const glm::dvec3 bow = knee - hip - *line * glm::dot(knee - hip, *line);
    const auto side = direction_of(bow, 1e-4 * upper_length);
    const auto front = direction_of(forward - *line * glm::dot(forward, *line));
    if (!side && !front) {
        return std::nullopt;
    }
    const glm::dvec3 knee_side = swing_between(*line, *new_line) * (side ? *side : *front);
    const double along =
        (upper_length * upper_length + distance * distance - lower_length * lower_length) / (2.0 * distance);
    const double across = std::sqrt(std::max(upper_length * upper_length - along * along, 0.0));
    const glm::dvec3 new_knee = hip + *new_line * along + knee_side * across;
    const glm::dvec3 new_ankle = hip + *new_line * distance;
    const glm::dvec3 normal = glm::cross(*line, side ? *side : *front);
    const glm::dvec3 new_normal = glm::cross(*new_line, knee_side);
    turns.upper = bone_turn((knee - hip) / upper_length, normal, glm::normalize(new_knee - hip), new_normal);
    turns.lower =
        bone_turn((ankle - knee) / lower_length, normal, glm::normalize(new_ankle - new_knee), new_normal);
    return turns;
}

/// Moves one foot through all frames. False if the leg was too short somewhere.
bool pin_leg(const Leg& leg, const std::vector<glm::dvec3>& corrections, TargetMotion& motion) {
    bool reaches = true;
    std::vector<Transform> world(motion.columns.size());
    for (std::size_t frame = 0; frame < corrections.size(); ++frame) {
        if (!(glm::length(corrections[frame]) > 1e-9)) {
            continue;
        }
        motion.place(frame, world);
        const glm::dvec3& ankle = world[leg.foot].translation;
        const auto turns = solve_leg(world[leg.upper].translation, world[leg.lower].translation, ankle,
                                     ankle + corrections[frame], world[leg.touching].translation - ankle);
        if (!turns) {
            continue;
        }
        reaches = reaches && turns->reaches;
        glm::dquat* const row = motion.rotations.data() + frame * motion.columns.size();
        for (const std::size_t column : leg.upper_joints) {
            row[column] = glm::normalize(turns->upper * row[column]);
        }
        for (const std::size_t column : leg.lower_joints) {
            row[column] = glm::normalize(turns->lower * row[column]);
        }
    }
    return reaches;
}

}  // namespace

Pinned pin_feet(const Parts& parts, const std::vector<FootContacts>& feet, const std::vector<double>& times,
                TargetMotion& motion) {
    Pinned pinned;
    pinned.parts.resize(parts.parts.size());
    std::vector<Transform> world(motion.columns.size());
    for (const FootContacts& contacts : feet) {
        const std::optional<Leg> leg = leg_of(parts, contacts, motion);
        std::vector<glm::dvec3> places(times.size(), glm::dvec3(0));
        for (std::size_t frame = 0; leg && frame < times.size(); ++frame) {
            motion.place(frame, world);
            places[frame] = world[leg->touching].translation;
        }
        pinned.slides_before.push_back(slide_mm_per_second(contacts.contacts, times, places));
        if (!leg) {
            continue;
        }
        if (!pin_leg(*leg, corrections_of(contacts.contacts, times, places), motion)) {
            pinned.unreached.push_back(contacts.side);
        }
        for (const std::string part : {"UpperLeg", "LowerLeg", "Foot"}) {
            pinned.parts[static_cast<std::size_t>(parts.find(contacts.side + part) - parts.parts.data())] =
                true;
        }
    }
    return pinned;
}

}  // namespace animbridge::rig::retarget
