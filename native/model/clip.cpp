// SPDX-License-Identifier: MIT
#include "model/clip.h"

#include <algorithm>

namespace animbridge {

double leading_hold_seconds(const Clip& clip) {
    double hold = clip.duration_seconds;
    bool moves = false;
    for (const Track& track : clip.tracks) {
        if (track.key_count() > 1 && track.channel != Channel::property) {
            hold = std::min(hold, track.times.front());
            moves = true;
        }
    }
    return moves ? std::max(hold, 0.0) : 0.0;
}

std::vector<NodeTracks> tracks_by_node(const Clip& clip) {
    std::vector<NodeTracks> tracks(clip.skeleton.nodes.size());
    for (const Track& track : clip.tracks) {
        if (track.node >= tracks.size() || track.key_count() == 0 || track.component) {
            continue;
        }
        NodeTracks& node = tracks[track.node];
        if (track.channel == Channel::rotation) {
            node.rotation = &track;
        } else if (track.channel == Channel::translation) {
            node.translation = &track;
        }
    }
    return tracks;
}

}  // namespace animbridge
