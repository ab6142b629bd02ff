// SPDX-License-Identifier: MIT
#include "reduce/pose_pass.h"

#include "model/chord.h"

namespace animbridge::reduce {

namespace {

std::vector<Transform> resting_pose(const Skeleton& skeleton) {
    std::vector<Transform> local;
    local.reserve(skeleton.nodes.size());
    for (const Node& node : skeleton.nodes) {
        local.push_back(node.rest_local);
    }
    return local;
}

std::vector<Transform> to_world(const Skeleton& skeleton, std::vector<Transform> local) {
    for (std::size_t i = 0; i < local.size(); ++i) {
        if (const auto parent = skeleton.nodes[i].parent) {
            local[i] = local[*parent] * local[i];
        }
    }
    return local;
}

}  // namespace

Cursor::Cursor(const KeyTrack& track, const Kept* kept)
    : track_(track), kept_(kept), left_(next_kept(0)), right_(left_) {}

std::size_t Cursor::next_kept(std::size_t from) const {
    while (kept_ != nullptr && from < track_.size() && (*kept_)[from] == 0) {
        ++from;
    }
    return from;
}

Bracket Cursor::at(float seconds) {
    while (right_ < track_.size() && track_.times[right_] < seconds) {
        left_ = right_;
        right_ = next_kept(right_ + 1);
    }
    if (right_ == track_.size()) {
        return {left_, left_};
    }
    const bool between = left_ != right_ && track_.times[right_] != seconds;
    return {between ? left_ : right_, right_};
}

PosePass::PosePass(const Motion& motion, const std::vector<Kept>& kept)
    : motion_(motion),
      errors_(motion.tracks.size()),
      rotation_track_(motion.skeleton.nodes.size()),
      position_track_(motion.skeleton.nodes.size()),
      wanted_local_(resting_pose(motion.skeleton)),
      played_local_(wanted_local_),
      wanted_world_(to_world(motion.skeleton, wanted_local_)),
      played_world_(wanted_world_) {
    const std::vector<KeyTrack>& tracks = motion.tracks;
    kept_cursors_.reserve(tracks.size());
    all_cursors_.reserve(tracks.size());
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        kept_cursors_.emplace_back(tracks[i], &kept[i]);
        all_cursors_.emplace_back(tracks[i], nullptr);
        if (tracks[i].node) {
            const bool rotates = tracks[i].channel == Channel::rotation;
            (rotates ? rotation_track_ : position_track_)[*tracks[i].node] = i;
        }
    }
    std::vector<bool> moves(motion.skeleton.nodes.size());
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const auto parent = motion.skeleton.nodes[i].parent;
        moves[i] = rotation_track_[i] || position_track_[i] || (parent && moves[*parent]);
        if (moves[i]) {
            moved_nodes_.push_back(i);
        }
        if (moves[i] && motion.counted[i]) {
            counted_nodes_.push_back(i);
        }
    }
}

void PosePass::evaluate_track(std::size_t index, std::size_t time, float seconds) {
    const KeyTrack& track = motion_.tracks[index];
    TrackError& error = errors_[index];
    error.kept = kept_cursors_[index].at(seconds);
    error.all = all_cursors_[index].at(seconds);
    const bool same = error.kept.left == error.all.left && error.kept.right == error.all.right;
    if (track.channel == Channel::rotation) {
        const glm::dquat played = motion_.playback.rotation(index, error.kept, seconds);
        const bool given = !track.wanted_rotations.empty();
        const glm::dquat wanted = given  ? track.wanted_rotations[time]
                                  : same ? played
                                         : motion_.playback.rotation(index, error.all, seconds);
        error.rotation_chord = chord(played, wanted);
        if (track.node) {
            played_local_[*track.node].rotation = played;
            wanted_local_[*track.node].rotation = wanted;
        }
        return;
    }
    const glm::dvec3 played = motion_.playback.translation(index, error.kept, seconds);
    const bool given = !track.wanted_translations.empty();
    const glm::dvec3 wanted = given  ? track.wanted_translations[time]
                              : same ? played
                                     : motion_.playback.translation(index, error.all, seconds);
    error.moved = played - wanted;
    if (track.node) {
        played_local_[*track.node].translation = played;
        wanted_local_[*track.node].translation = wanted;
    }
}

void PosePass::go_to(std::size_t index, float seconds) {
    for (std::size_t i = 0; i < motion_.tracks.size(); ++i) {
        evaluate_track(i, index, seconds);
    }
    for (const std::size_t node : moved_nodes_) {
        const auto parent = motion_.skeleton.nodes[node].parent;
        wanted_world_[node] = parent ? wanted_world_[*parent] * wanted_local_[node] : wanted_local_[node];
        played_world_[node] = parent ? played_world_[*parent] * played_local_[node] : played_local_[node];
    }
}

}  // namespace animbridge::reduce
