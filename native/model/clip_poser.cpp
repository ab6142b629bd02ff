// SPDX-License-Identifier: MIT
#include "model/clip_poser.h"

namespace animbridge {

ClipPoser::ClipPoser(const Clip& clip)
    : clip_(&clip),
      rotations_(clip.skeleton.nodes.size()),
      translations_(rotations_.size()),
      local_(rotations_.size()),
      world_(rotations_.size()) {
    for (const Track& track : clip.tracks) {
        if (track.key_count() > 0) {
            (track.channel == Channel::rotation ? rotations_ : translations_)[track.node].emplace(track);
        }
    }
}

void ClipPoser::pose(double time_seconds) {
    for (std::size_t node = 0; node < local_.size(); ++node) {
        const Node& given = clip_->skeleton.nodes[node];
        local_[node] = given.rest_local;
        if (rotations_[node]) {
            local_[node].rotation = rotations_[node]->rotation_at(time_seconds);
        }
        if (translations_[node]) {
            local_[node].translation = translations_[node]->translation_at(time_seconds);
        }
        world_[node] = given.parent ? world_[*given.parent] * local_[node] : local_[node];
    }
}

}  // namespace animbridge
