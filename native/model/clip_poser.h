// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "model/track_cursor.h"

namespace animbridge {

/// Poses a clip at times that mostly ascend; see TrackCursor. The clip must outlive it.
class ClipPoser {
public:
    explicit ClipPoser(const Clip& clip);

    /// A node without keys is at rest, and so is each number without a track if a node's numbers have
    /// separate tracks. Takes time in proportion to the number of nodes that move.
    void pose(double time_seconds);

    /// Whether the node can move in clip space: it or an ancestor has keys. Other nodes are posed once, by
    /// the constructor.
    [[nodiscard]] bool moves(std::size_t node) const { return moves_[node]; }

    /// Per node, in the parent's frame, at the last posed time.
    [[nodiscard]] const std::vector<Transform>& local() const { return local_; }
    /// Per node, in clip space, at the last posed time.
    [[nodiscard]] const std::vector<Transform>& world() const { return world_; }

private:
    /// The tracks of one channel whose numbers are keyed separately; null: at rest.
    struct Components {
        std::size_t node = 0;
        Channel channel = Channel::rotation;
        std::array<const Track*, 4> tracks{};
    };

    /// A track of whole rows and the index of its clock; no track: at rest.
    struct Rows {
        const Track* track = nullptr;
        std::size_t clock = 0;
    };

    void add_track(const Track& track);
    std::size_t clock_of(const std::vector<double>& times);
    void pose_components(double time_seconds);
    void place(std::size_t node);

    const Clip* clip_;

    std::vector<Rows> rotations_;
    std::vector<Rows> translations_;
    std::vector<UnitKeys> unit_keys_;  ///< of `rotations_`
    /// Tracks with equal times, as in recordings, share a clock: the time is looked up once for all of them.
    std::vector<KeyCursor> clocks_;
    std::vector<KeyPosition> positions_;  ///< per clock, at the last posed time
    std::vector<Components> components_;
    std::vector<Transform> local_;
    std::vector<Transform> world_;
    std::vector<bool> moves_;
    std::vector<std::size_t> moving_;  ///< the moving nodes, parents first
};

}  // namespace animbridge
