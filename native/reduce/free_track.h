// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec4.hpp>
#include <span>
#include <vector>

/// One track whose keys may be at any sample and have any value.
namespace animbridge::reduce {

/// Rows of values are x, y, z, w of a rotation of unit length, or x, y, z in metres and 0.
struct FreeTrack {
    bool rotates = true;
    std::span<const float> times;      ///< of the samples, ascending
    std::span<const float> key_times;  ///< per sample: when a key for it plays; ascending
    std::vector<glm::dvec4> wanted;    ///< per sample; signs of rotations are continuous
    /// Per sample: 1 / the largest allowed error, which is a chord or metres.
    std::vector<double> per_tolerance;

    std::vector<std::uint32_t> keys;  ///< samples, ascending; at least one
    std::vector<glm::dvec4> values;   ///< per key

    /// The first sample that is not before the key.
    [[nodiscard]] std::uint32_t first_after(std::uint32_t key) const {
        return times[key] < key_times[key] ? key + 1 : key;
    }

    /// The share of the way from the key at sample `a` to that at `b`.
    [[nodiscard]] double share(std::size_t sample, std::size_t a, std::size_t b) const {
        return (double{times[sample]} - key_times[a]) / (double{key_times[b]} - key_times[a]);
    }
};

/// Drops keys, the cheapest first, as long as the track stays within its tolerance. The values of the
/// neighbours of a dropped key move. The first and the last key keep the wanted values, so that the ends of a
/// loop stay equal.
void drop_keys(FreeTrack& track);

/// Moves the values of all keys but the ends to where the largest error, as a share of the tolerance, is
/// small: least squares, weighted anew by the errors in each of the passes.
void settle_values(FreeTrack& track, int passes);

/// Adds a key in each gap in which `errors` (per sample, as shares of the tolerance) exceed `largest`, at the
/// largest error. Returns how many.
std::size_t add_keys(FreeTrack& track, const std::vector<double>& errors, double largest);

}  // namespace animbridge::reduce
