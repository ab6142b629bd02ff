// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

/// Converts degrees to quaternions, one block of frames at a time, with one array per component so that
/// compilers use vector registers. It uses only additions, multiplications and exact steps, so the bits are
/// the same on every processor and with every mathematics library.
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

/// Sine and cosine of half of each angle, within 3 units in the last place, for any finite angle. Whole turns
/// are removed exactly, so multiples of 90 degrees give exact zeros and ones, or the double nearest to
/// sqrt(1/2).
void half_angles(const Lane& degrees, HalfAngles& out);

/// The product of rotations about x, y or z (0, 1, 2), the first one leftmost: degrees[i] about axes[i].
/// Without axes it is the identity; an axis may repeat.
void rotations_of(std::span<const std::uint8_t> axes, std::span<const Lane> degrees, QuaternionBlock& out);

}  // namespace animbridge::bvh
