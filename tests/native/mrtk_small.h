// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "formats/mrtk/curves/curves.h"
#include "formats/mrtk/file/file.h"

/// Small MRTK recordings of version 1.1.
namespace animbridge::test {

[[nodiscard]] inline mrtk::file::FullKey line_key(double seconds, double value) {
    return mrtk::curves::full_key_of(
        {RawFloat(static_cast<float>(seconds)), RawFloat(static_cast<float>(value))});
}

/// A recording of these curves, without gaze.
[[nodiscard]] inline mrtk::file::Document recording_of(const mrtk::curves::LooseCurves& curves) {
    mrtk::file::Document like;
    like.minor = 1;
    like.sections = {1, 1, 0};
    return mrtk::curves::put_together(like, curves);
}

/// Adds a key to each of a pose's curves.
inline void add_pose(mrtk::curves::LooseCurves& curves, std::size_t pose, double seconds,
                     const std::array<double, mrtk::file::pose_curves>& numbers) {
    for (std::size_t i = 0; i < mrtk::file::pose_curves; ++i) {
        curves[mrtk::file::first_curve_of(pose) + i].keys.push_back(line_key(seconds, numbers.at(i)));
    }
}

/// In one second the left wrist turns by 90 degrees about Unity's Y, and the palm goes from 0.1 m before it
/// to 0.1 m beside it on a line.
[[nodiscard]] inline mrtk::curves::LooseCurves quarter_turn() {
    mrtk::curves::LooseCurves curves(mrtk::file::curve_count);
    const double half = std::sqrt(0.5);
    add_pose(curves, mrtk::file::pose_of(0, mrtk::file::wrist), 0.0, {0, 0, 0, 0, 0, 0, 1});
    add_pose(curves, mrtk::file::pose_of(0, mrtk::file::wrist), 1.0, {0, 0, 0, 0, half, 0, half});
    add_pose(curves, mrtk::file::pose_of(0, mrtk::file::palm), 0.0, {0, 0, 0.1, 0, 0, 0, 1});
    add_pose(curves, mrtk::file::pose_of(0, mrtk::file::palm), 1.0, {0.1, 0, 0, 0, half, 0, half});
    return curves;
}

inline constexpr std::array<std::size_t, 2> two_joints = {mrtk::file::wrist, mrtk::file::palm};

/// Each curve of two joints has `keys` keys at times that no other curve has; their values jump.
[[nodiscard]] inline mrtk::file::Document disjoint_times(std::size_t keys) {
    mrtk::curves::LooseCurves curves(mrtk::file::curve_count);
    std::uint32_t noise = 1;
    for (std::size_t key = 0; key < keys; ++key) {
        double seconds = 0.25 * static_cast<double>(key);
        for (const std::size_t joint : two_joints) {
            for (std::size_t i = 0; i < mrtk::file::pose_curves; ++i) {
                noise = noise * 1664525U + 1013904223U;
                seconds += 0.01;
                curves[mrtk::file::first_curve_of(mrtk::file::pose_of(0, joint)) + i].keys.push_back(
                    line_key(seconds, static_cast<double>(noise >> 8U) / (1U << 24U)));
            }
        }
    }
    return recording_of(curves);
}

}  // namespace animbridge::test
