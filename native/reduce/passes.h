// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "base/base.h"
#include "reduce/reduce.h"

/// The passes of the reducer: seed, pose by pose, repair.
namespace animbridge::reduce {

/// Finds the kept keys around ascending times in one pass.
class Cursor {
public:
    /// `kept`: nullptr for all keys.
    Cursor(const KeyTrack& track, const Kept* kept);
    [[nodiscard]] Bracket at(float seconds);

private:
    [[nodiscard]] std::size_t next_kept(std::size_t from) const;

    const KeyTrack& track_;
    const Kept* kept_;
    std::size_t left_;
    std::size_t right_;  ///< the first kept key at or after the time; size() if there is none
};

/// The error of one track at a time. If `kept` and `all` differ, more keys can reduce it.
struct TrackError {
    double rotation_chord = 0;
    glm::dvec3 moved{0, 0, 0};
    Bracket kept;
    Bracket all;
};

/// Computes the wanted and the played pose of all nodes that the tracks move, one time after another.
class PosePass {
public:
    PosePass(const PlayedMotion& motion, const std::vector<Kept>& kept);

    /// Times must ascend. `index` is the time's index in the list of times, for the wanted values.
    void go_to(std::size_t index, float seconds);

    [[nodiscard]] std::span<const TrackError> track_errors() const { return errors_; }
    /// Counted nodes that a track moves, directly or through an ancestor, parents first.
    [[nodiscard]] std::span<const std::size_t> nodes() const { return counted_nodes_; }
    [[nodiscard]] double position_error_mm(std::size_t node) const {
        return glm::length(wanted_world_[node].translation - played_world_[node].translation) * 1000.0;
    }
    [[nodiscard]] const glm::dvec3& wanted_position(std::size_t node) const {
        return wanted_world_[node].translation;
    }
    [[nodiscard]] std::optional<std::size_t> rotation_track(std::size_t node) const {
        return rotation_track_[node];
    }
    [[nodiscard]] std::optional<std::size_t> position_track(std::size_t node) const {
        return position_track_[node];
    }

private:
    void evaluate_track(std::size_t index, std::size_t time, float seconds);

    PlayedMotion motion_;
    std::vector<Cursor> kept_cursors_;
    std::vector<Cursor> all_cursors_;
    std::vector<TrackError> errors_;
    std::vector<std::size_t> moved_nodes_;
    std::vector<std::size_t> counted_nodes_;
    std::vector<std::optional<std::size_t>> rotation_track_;
    std::vector<std::optional<std::size_t>> position_track_;
    std::vector<Transform> wanted_local_;
    std::vector<Transform> played_local_;
    std::vector<Transform> wanted_world_;
    std::vector<Transform> played_world_;
};

/// Puts keys back until the bound holds at every time, or until the tracks that could repair it have all
/// their keys. Among the tracks that displace a joint, the one with the largest effect gets a key: the one
/// nearest to the time of the largest error in the gap. `operations` counts evaluations of one track at one
/// time. The number of rounds is limited: after `rounds_of_single_keys`, each failing time gets all keys
/// around it; after twice as many, all keys are put back.
[[nodiscard]] Result<void> put_keys_back(const PlayedMotion& motion, const std::vector<float>& times,
                                         const Bound& bound, std::vector<Kept>& kept, const Job& job,
                                         std::uint64_t& operations);

inline constexpr int rounds_of_single_keys = 24;

/// Plays the kept keys at every time and measures the errors.
[[nodiscard]] Result<Errors> largest_errors(const PlayedMotion& motion, const std::vector<float>& times,
                                            const std::vector<Kept>& kept, const Job& job);

/// The share of the position bound that a single track may use at first. Errors along a chain add up, but
/// rarely all in one direction; the repair handles the rest.
inline constexpr double share_of_bound = 1.0;

/// Chooses a track's keys by its own error alone. The next key is as far away as the program's path from the
/// last one stays within `tolerance` (a chord of rotation, or metres) of the wanted values at every time of
/// `times`. A track that does not move gets one key. `evaluations` counts the work, at most a few times keys
/// x log(keys), whatever the keys are.
[[nodiscard]] Kept choose_keys(const PlayedMotion& motion, std::size_t track, const std::vector<float>& times,
                               double tolerance, std::uint64_t& evaluations);

}  // namespace animbridge::reduce
