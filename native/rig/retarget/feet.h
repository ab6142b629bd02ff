// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rig/retarget/motion.h"
#include "rig/retarget/parts.h"

namespace animbridge::rig {

/// The frames in which a foot is on the floor, first and last.
struct Contact {
    std::size_t first = 0;
    std::size_t last = 0;
};

/// One side's foot, and when the source's foot is on the floor.
struct FootContacts {
    std::string side;      ///< "left" or "right"
    std::size_t part = 0;  ///< the part on the floor: the toes if both rigs have them, else the foot
    std::vector<Contact> contacts;
};

/// A contact begins when the foot is low and slow, and ends when it is high or fast: the limits for the end
/// are twice those for the start, so that a foot near a limit does not flicker. All limits are in proportion
/// to `hips_height_metres`; heights are above the foot's lowest position in the motion.
[[nodiscard]] std::vector<FootContacts> find_contacts(const Parts& parts, const SourceMotion& motion,
                                                      double hips_height_metres);

/// The length of a point's horizontal path during contacts, in mm per second of contact. `places`: per frame.
[[nodiscard]] double slide_mm_per_second(const std::vector<Contact>& contacts,
                                         const std::vector<double>& times,
                                         const std::vector<glm::dvec3>& places);

/// The total duration of all contacts, in seconds.
[[nodiscard]] double contact_seconds(const std::vector<Contact>& contacts, const std::vector<double>& times);

}  // namespace animbridge::rig
