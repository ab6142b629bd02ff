// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "formats/sl_anim/clip.h"
#include "formats/sl_anim/document.h"
#include "formats/sl_anim/keys.h"

/// Which keys of a .anim the viewer needs.
namespace animbridge::reduce {

/// A track of a file as the viewer has it: decoded, sorted, of equal times the last. Single precision, as
/// there. Either rotations or positions.
struct KeyTrack {
    std::size_t record = 0;            ///< index into the document's joints
    std::optional<std::size_t> joint;  ///< in sl_anim::skeleton(); none: the viewer does not know it
    Channel channel = Channel::rotation;
    bool may_lose_keys = false;
    std::vector<std::uint32_t> file_index;  ///< per key, its place in the file's list
    std::vector<float> times;
    std::vector<sl_anim::Quaternion> rotations;
    std::vector<sl_anim::Vector> positions;
    /// What the track shall show at each time that is checked, rotations unit; both empty: what all its keys
    /// play.
    std::vector<glm::dquat> wanted_rotations;
    std::vector<glm::dvec3> wanted_positions;

    [[nodiscard]] std::size_t size() const { return times.size(); }
};

/// Which form of a file is played.
enum class Form : std::uint8_t {
    as_written,  ///< the file's own numbers
    as_stored,   ///< what the viewer stores when the file is uploaded (version 1.0): some codes are others
};

/// The tracks of the file that are played: of each joint the first record, and tracks with keys only. Those
/// in `reducible` may lose keys; none given: all.
[[nodiscard]] std::vector<KeyTrack> played_tracks(const sl_anim::Document& document,
                                                  const std::set<sl_anim::TrackName>* reducible, Form form);

/// Between two keys as the viewer interpolates, made unit as the player does.
[[nodiscard]] inline glm::dquat rotation_between(const KeyTrack& track, std::size_t left, std::size_t right,
                                                 float seconds) {
    const auto unit = [](const sl_anim::Quaternion& q) {
        return glm::normalize(glm::dquat(q.w, q.x, q.y, q.z));
    };
    if (left == right || track.times[right] == seconds) {
        return unit(track.rotations[right]);
    }
    const float u = (seconds - track.times[left]) / (track.times[right] - track.times[left]);
    return unit(sl_anim::interpolate(u, track.rotations[left], track.rotations[right]));
}

[[nodiscard]] inline glm::dvec3 position_between(const KeyTrack& track, std::size_t left, std::size_t right,
                                                 float seconds) {
    const auto wide = [](const sl_anim::Vector& p) { return glm::dvec3(p[0], p[1], p[2]); };
    if (left == right || track.times[right] == seconds) {
        return wide(track.positions[right]);
    }
    const float u = (seconds - track.times[left]) / (track.times[right] - track.times[left]);
    return wide(sl_anim::interpolate(u, track.positions[left], track.positions[right]));
}

/// The length of the difference of two unit quaternions on one side: 2 sin(angle / 4). Keeps its precision
/// where the cosine has none.
[[nodiscard]] inline double chord(const glm::dquat& a, const glm::dquat& b) {
    const glm::dquat difference = glm::dot(a, b) < 0.0 ? a + b : a - b;
    return std::sqrt(glm::dot(difference, difference));
}

/// The chord of an angle; beyond half a turn more than any chord is.
[[nodiscard]] double chord_of_degrees(double degrees);
[[nodiscard]] double degrees_of_chord(double chord);

/// Which keys of a track stay.
using Kept = std::vector<std::uint8_t>;

/// The file with only the kept keys of each track, in its own order and to the bit; what is not played goes
/// where its track loses a key. Everything else is untouched.
[[nodiscard]] sl_anim::Document with_kept_keys(const sl_anim::Document& document,
                                               const std::vector<KeyTrack>& tracks,
                                               const std::vector<Kept>& kept);

}  // namespace animbridge::reduce
