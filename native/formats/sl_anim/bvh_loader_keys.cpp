// SPDX-License-Identifier: MIT
#include "formats/sl_anim/bvh_loader_keys.h"

#include <algorithm>
#include <cmath>

namespace animbridge::sl_anim {

namespace {

constexpr float position_motion_inches = 0.001F;
constexpr float position_chord_inches = 0.03F;
constexpr float rotation_motion = 0.001F;
constexpr float rotation_chord = 0.01F;

float squared_distance(const Vector& a, const Vector& b) {
    const float x = a[0] - b[0];
    const float y = a[1] - b[1];
    const float z = a[2] - b[2];
    return x * x + y * y + z * z;
}

/// The rotated x and y axes, by which the loader compares rotations.
struct Axes {
    Vector x;
    Vector y;

    explicit Axes(const Quaternion& q) : x(rotated({1, 0, 0}, q)), y(rotated({0, 1, 0}, q)) {}
};

float deviation(const Axes& a, const Axes& b) {
    return std::sqrt(squared_distance(a.x, b.x)) + std::sqrt(squared_distance(a.y, b.y));
}

KeptFrames all_from(std::size_t first, std::size_t frames) {
    KeptFrames result;
    result.kept.assign(frames, 1);
    std::fill_n(result.kept.begin(), std::min(first, frames), std::uint8_t{0});
    return result;
}

float share(std::size_t frame, std::size_t last_kept) { return 1.0F / static_cast<float>(frame - last_kept); }

}  // namespace

KeptFrames keep_positions(std::span<const Vector> positions, const Reference<Vector>& reference) {
    const std::size_t first = reference.first_key;
    KeptFrames result = all_from(first, positions.size());
    const auto moved = [&](std::size_t frame) {
        return squared_distance(positions[frame], reference.value) >
               position_motion_inches * position_motion_inches;
    };
    result.moves = first < positions.size() && moved(first);
    for (std::size_t frame = 0; first == 0 && frame < positions.size(); ++frame) {
        result.moves = result.moves || moved(frame);
    }
    std::size_t last_kept = first;
    for (std::size_t frame = first + 2; frame < positions.size(); ++frame) {
        // The loader looks at the frame after the tested one, so it never looks at the second key frame.
        result.moves = result.moves || moved(frame);
        const Vector chord = interpolate(share(frame, last_kept), positions[frame], positions[last_kept]);
        if (squared_distance(chord, positions[frame - 1]) < position_chord_inches * position_chord_inches) {
            result.kept[frame - 1] = 0;
        } else {
            last_kept = frame - 1;
        }
    }
    return result;
}

KeptFrames keep_rotations(std::span<const Quaternion> rotations, const Reference<Quaternion>& reference,
                          std::size_t depth) {
    const std::size_t first = reference.first_key;
    KeptFrames result = all_from(first, rotations.size());
    if (first >= rotations.size()) {
        return result;
    }
    const float threshold = rotation_chord / std::max(static_cast<float>(depth) * 0.33F, 1.0F);
    const Axes still(reference.value);
    const auto moved = [&](const Axes& axes) { return deviation(still, axes) > rotation_motion; };
    result.moves = moved(Axes(rotations[first]));
    for (std::size_t frame = 0; first == 0 && !result.moves && frame < rotations.size(); ++frame) {
        result.moves = moved(Axes(rotations[frame]));
    }
    std::size_t last_kept = first;
    float largest = 0.0F;
    std::size_t after_largest = first;
    for (std::size_t frame = first + 2; frame < rotations.size(); ++frame) {
        const Axes tested(rotations[frame - 1]);
        result.moves = result.moves || moved(tested);
        // The loader does not align signs: between a quaternion and its negative the chord is far off.
        const Quaternion chord = lerp(share(frame, last_kept), rotations[frame], rotations[last_kept]);
        const float off = deviation(Axes(chord), tested);
        const bool is_end = frame + 1 == rotations.size() && frame - last_kept > 2;
        if (off >= threshold || is_end) {
            last_kept = frame - 1;
            if (largest > 0.0F) {
                result.kept[after_largest] = 1;
                largest = 0.0F;
            }
            continue;
        }
        result.kept[frame - 1] = 0;
        if (off > largest) {
            largest = off;
            after_largest = frame;
        }
    }
    return result;
}

}  // namespace animbridge::sl_anim
