// SPDX-License-Identifier: MIT
#include "model/chord.h"

#include <algorithm>
#include <limits>
#include <numbers>

namespace animbridge {

double chord_of_degrees(double degrees) {
    return degrees >= 180.0 ? std::numeric_limits<double>::infinity()
                            : 2.0 * std::sin(std::max(degrees, 0.0) * std::numbers::pi / 720.0);
}

double degrees_of_chord(double chord) {
    return 4.0 * std::asin(std::min(chord * 0.5, 1.0)) * 180.0 / std::numbers::pi;
}

}  // namespace animbridge
