// SPDX-License-Identifier: MIT
#include "model/clip.h"

namespace animbridge {

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
