// SPDX-License-Identifier: MIT
#include "rig/retarget/feet.h"

#include <algorithm>
#include <glm/geometric.hpp>

namespace animbridge::rig {

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

}  // namespace animbridge::rig
