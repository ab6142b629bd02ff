// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "reduce/tracks.h"

namespace animbridge::reduce {

/// Finds the kept keys beside ascending times in one walk.
class Cursor {
public:
    /// `kept` may be nullptr: all keys.
    Cursor(const KeyTrack& track, const Kept* kept);
    [[nodiscard]] Bracket at(float seconds);

private:
    [[nodiscard]] std::size_t next_kept(std::size_t from) const;

    const KeyTrack& track_;
    const Kept* kept_;
    std::size_t left_;
    std::size_t right_;  ///< the first kept key that is not before the time; size(): none
};

/// How far one track is from what it shall show, and how far its keys let that be mended.
struct TrackError {
    double rotation_chord = 0;
    glm::dvec3 moved{0, 0, 0};
    Bracket kept;
    Bracket all;
};

/// The poses, wanted and played, of all nodes that the tracks move, at one time after the other.
class PosePass {
public:
    PosePass(const Motion& motion, const std::vector<Kept>& kept);

    /// Times must ascend. `index`: the place of the time in the list that the wanted values go by.
    void go_to(std::size_t index, float seconds);

    [[nodiscard]] std::span<const TrackError> track_errors() const { return errors_; }
    /// Nodes that stand somewhere because of a track, parents first.
    [[nodiscard]] std::span<const std::size_t> nodes() const { return moved_nodes_; }
    [[nodiscard]] double position_error_mm(std::size_t node) const {
        return glm::length(wanted_world_[node].translation - played_world_[node].translation) * 1000.0;
    }
    [[nodiscard]] const glm::dvec3& wanted_place(std::size_t node) const {
        return wanted_world_[node].translation;
    }
    [[nodiscard]] std::optional<std::size_t> rotation_track(std::size_t node) const {
        return rotation_track_[node];
    }
    [[nodiscard]] std::optional<std::size_t> position_track(std::size_t node) const {
        return position_track_[node];
    }

private:
    void look_at_track(std::size_t index, std::size_t time, float seconds);

    Motion motion_;
    std::vector<Cursor> kept_cursors_;
    std::vector<Cursor> all_cursors_;
    std::vector<TrackError> errors_;
    std::vector<std::size_t> moved_nodes_;
    std::vector<std::optional<std::size_t>> rotation_track_;
    std::vector<std::optional<std::size_t>> position_track_;
    std::vector<Transform> wanted_local_;
    std::vector<Transform> played_local_;
    std::vector<Transform> wanted_world_;
    std::vector<Transform> played_world_;
};

}  // namespace animbridge::reduce
