// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "model/track_cursor.h"

namespace animbridge {

/// A clip's poses at times that mostly ascend; see TrackCursor. The clip outlives this.
class ClipPoser {
public:
    explicit ClipPoser(const Clip& clip);

    /// Nodes without keys are at rest.
    void pose(double time_seconds);

    /// Per node, in the parent's frame, as posed last.
    [[nodiscard]] const std::vector<Transform>& local() const { return local_; }
    /// Per node, in clip space.
    [[nodiscard]] const std::vector<Transform>& world() const { return world_; }

private:
    const Clip* clip_;
    std::vector<std::optional<TrackCursor>> rotations_;
    std::vector<std::optional<TrackCursor>> translations_;
    std::vector<Transform> local_;
    std::vector<Transform> world_;
};

}  // namespace animbridge
