// SPDX-License-Identifier: MIT
#include "model/clip_poser.h"

namespace animbridge {

ClipPoser::ClipPoser(const Clip& clip)
    : clip_(&clip),
      rotations_(clip.skeleton.nodes.size()),
      translations_(rotations_.size()),
      local_(rotations_.size()),
      world_(rotations_.size()),
      moves_(rotations_.size()) {
    for (const Track& track : clip.tracks) {
        if (track.key_count() > 0) {
            (track.channel == Channel::rotation ? rotations_ : translations_)[track.node].emplace(track);
        }
    }
    for (std::size_t node = 0; node < local_.size(); ++node) {
        const auto parent = clip.skeleton.nodes[node].parent;
        moves_[node] = rotations_[node] || translations_[node] || (parent && moves_[*parent]);
        local_[node] = clip.skeleton.nodes[node].rest_local;
        place(node);
        if (moves_[node]) {
            moving_.push_back(node);
        }
    }
}

void ClipPoser::place(std::size_t node) {
    const auto parent = clip_->skeleton.nodes[node].parent;
    world_[node] = parent ? world_[*parent] * local_[node] : local_[node];
}

void ClipPoser::pose(double time_seconds) {
    for (const std::size_t node : moving_) {
        if (rotations_[node]) {
            local_[node].rotation = rotations_[node]->rotation_at(time_seconds);
        }
        if (translations_[node]) {
            local_[node].translation = translations_[node]->translation_at(time_seconds);
        }
        place(node);
    }
}

}  // namespace animbridge
