// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "model/track_cursor.h"

namespace animbridge {

/// Poses a clip at times that mostly ascend; see TrackCursor. The clip must outlive this.
class ClipPoser {
public:
    explicit ClipPoser(const Clip& clip);

    /// Poses all nodes; nodes without keys stay at rest. The cost grows with the number of moving nodes.
    void pose(double time_seconds);

    /// Whether the node can move in clip space: it or an ancestor has keys. The others are posed once, from
    /// the start.
    [[nodiscard]] bool moves(std::size_t node) const { return moves_[node]; }

    /// Per node, in the parent's frame, at the last posed time.
    [[nodiscard]] const std::vector<Transform>& local() const { return local_; }
    /// Per node, in clip space, at the last posed time.
    [[nodiscard]] const std::vector<Transform>& world() const { return world_; }

private:
    void place(std::size_t node);

    const Clip* clip_;
    std::vector<std::optional<TrackCursor>> rotations_;
    std::vector<std::optional<TrackCursor>> translations_;
    std::vector<Transform> local_;
    std::vector<Transform> world_;
    std::vector<bool> moves_;
    std::vector<std::size_t> moving_;  ///< the moving nodes, parents first
};

}  // namespace animbridge
