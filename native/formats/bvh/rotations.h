// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

/// Degrees to quaternions, a block of frames at a time and a component to an array, so that compilers use
/// vector registers. Only additions, multiplications and exact steps: the results are the same bits on every
/// processor, whatever its mathematics library.
namespace animbridge::bvh {

inline constexpr std::size_t block_frames = 64;

using Lane = std::array<double, block_frames>;

/// Unit quaternions w, x, y, z.
struct QuaternionBlock {
    alignas(64) std::array<Lane, 4> parts;
};

struct HalfAngles {
    alignas(64) Lane sine;
    alignas(64) Lane cosine;
};

/// Sine and cosine of half of each angle, within 3 units in the last place. Any finite angle: whole turns are
/// taken off exactly, so multiples of 90 degrees give exact zeros and ones, or the nearest number to the root
/// of a half.
void half_angles(const Lane& degrees, HalfAngles& out);

/// The product of turns about x, y or z (0, 1, 2), the first one leftmost: angles[i] about axes[i]. No axis:
/// no rotation. An axis may stand more than once.
void rotations_of(std::span<const std::uint8_t> axes, std::span<const Lane> degrees, QuaternionBlock& out);

}  // namespace animbridge::bvh
