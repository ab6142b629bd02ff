// SPDX-License-Identifier: MIT
#pragma once

#include "base/json/json.h"

namespace animbridge::reduce {

/// The largest allowed errors of the played motion: of the position of every counted node in the skeleton's
/// frame, and of the local rotation of every animated node.
struct Bound {
    double position_mm = 0.5;
    double rotation_degrees = 0.05;

    [[nodiscard]] Bound scaled(double factor) const {
        return {position_mm * factor, rotation_degrees * factor};
    }
};

/// {"max_position_mm", "max_rotation_degrees"}
[[nodiscard]] inline Json bound_json(const Bound& bound) {
    return {{"max_position_mm", bound.position_mm}, {"max_rotation_degrees", bound.rotation_degrees}};
}

}  // namespace animbridge::reduce
