// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/clip.h"

/// Which keys of a file a program needs to show the same motion. The file's skeleton and the program's way
/// from key to key are arguments.
namespace animbridge::reduce {

/// A track of a file as the program plays it: sorted, of equal times one key. Rotations or translations.
struct KeyTrack {
    std::string name;                 ///< the joint's, for reports
    std::optional<std::size_t> node;  ///< in the skeleton; none: it moves nothing there
    Channel channel = Channel::rotation;
    bool may_lose_keys = false;
    std::vector<float> times;  ///< seconds, at least one
    /// What the track shall show at each time that is checked, rotations unit; both empty: what all its keys
    /// play.
    std::vector<glm::dquat> wanted_rotations{};
    std::vector<glm::dvec3> wanted_translations{};

    [[nodiscard]] std::size_t size() const { return times.size(); }
};

/// Which keys of a track stay.
using Kept = std::vector<std::uint8_t>;

/// The keys beside a time: those of a track that are kept, or all of them.
struct Bracket {
    std::size_t left = 0;
    std::size_t right = 0;  ///< equal to left before the first key, at a key and after the last
};

/// What the program shows of a track between two of its keys, in single precision where it has that.
class Playback {
public:
    Playback() = default;
    virtual ~Playback() = default;
    Playback(const Playback&) = delete;
    Playback& operator=(const Playback&) = delete;
    Playback(Playback&&) = delete;
    Playback& operator=(Playback&&) = delete;

    /// Unit; of a rotation track.
    [[nodiscard]] virtual glm::dquat rotation(std::size_t track, const Bracket& keys,
                                              float seconds) const = 0;
    /// In metres; of a translation track.
    [[nodiscard]] virtual glm::dvec3 translation(std::size_t track, const Bracket& keys,
                                                 float seconds) const = 0;
};

/// The tracks, what they move and how they are played. All three outlive whatever works on them.
struct Motion {
    const Skeleton& skeleton;
    const std::vector<KeyTrack>& tracks;
    const Playback& playback;
};

}  // namespace animbridge::reduce
