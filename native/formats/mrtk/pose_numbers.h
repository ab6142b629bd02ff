// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "formats/mrtk/names.h"
#include "model/clip.h"

/// Maps each of a pose's seven curves to a number of the pose in clip space: the swap of Y and Z (axes.h),
/// number by number. The gaze's origin and direction are like the first three.
namespace animbridge::mrtk {

struct PoseNumber {
    Channel channel = Channel::translation;
    std::uint8_t component = 0;
    double sign = 1;
};

inline constexpr std::size_t rotation_w = 6;

[[nodiscard]] constexpr PoseNumber pose_number(std::size_t curve) {
    constexpr std::array<PoseNumber, pose_curves> numbers = {{{Channel::translation, 0, 1.0},
                                                              {Channel::translation, 2, 1.0},
                                                              {Channel::translation, 1, 1.0},
                                                              {Channel::rotation, 1, -1.0},
                                                              {Channel::rotation, 3, -1.0},
                                                              {Channel::rotation, 2, -1.0},
                                                              {Channel::rotation, 0, 1.0}}};
    return numbers.at(curve);
}

/// The inverse: the curve of a pose for a number of a channel.
[[nodiscard]] constexpr std::size_t curve_of_number(Channel channel, std::size_t component) {
    for (std::size_t i = 0; i < pose_curves; ++i) {
        if (pose_number(i).channel == channel && pose_number(i).component == component) {
            return i;
        }
    }
    return 0;
}

}  // namespace animbridge::mrtk
