// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/clip.h"

/// Finds the keys that a program needs to show the same motion. The skeleton and the program's interpolation
/// are arguments.
namespace animbridge::reduce {

/// A rotation or translation track as the program plays it: keys are sorted, at most one per time.
struct KeyTrack {
    std::string name;                 ///< the joint's name, for reports
    std::optional<std::size_t> node;  ///< index in the skeleton; nullopt: the skeleton lacks the joint
    Channel channel = Channel::rotation;
    bool may_lose_keys = false;
    std::vector<float> times;  ///< seconds, at least one
    /// The values to reproduce at each checked time, rotations of unit length. Both empty: what all keys of
    /// the track play.
    std::vector<glm::dquat> wanted_rotations{};
    std::vector<glm::dvec3> wanted_translations{};

    [[nodiscard]] std::size_t size() const { return times.size(); }
};

/// Per key of a track: 1 if it stays, else 0.
using Kept = std::vector<std::uint8_t>;

/// The keys around a time, among the kept ones or among all.
struct Bracket {
    std::size_t left = 0;
    std::size_t right = 0;  ///< equal to left before the first key, at a key and after the last
};

/// What the program plays between two keys of a track, in the program's own precision.
class Playback {
public:
    Playback() = default;
    virtual ~Playback() = default;
    Playback(const Playback&) = delete;
    Playback& operator=(const Playback&) = delete;
    Playback(Playback&&) = delete;
    Playback& operator=(Playback&&) = delete;

    /// Of unit length; for a rotation track.
    [[nodiscard]] virtual glm::dquat rotation(std::size_t track, const Bracket& keys,
                                              float seconds) const = 0;
    /// In metres; for a translation track.
    [[nodiscard]] virtual glm::dvec3 translation(std::size_t track, const Bracket& keys,
                                                 float seconds) const = 0;
};

/// The tracks, the nodes that they move, and how they are played. All must outlive their users.
struct Motion {
    const Skeleton& skeleton;
    const std::vector<bool>& counted;  ///< per node: whether the bound holds for its position
    const std::vector<KeyTrack>& tracks;
    const Playback& playback;
};

}  // namespace animbridge::reduce
