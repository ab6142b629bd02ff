// SPDX-License-Identifier: MIT
#include "reduce/player_pass.h"

#include "formats/sl_anim/player.h"
#include "formats/sl_anim/skeleton.h"

namespace animbridge::reduce {

namespace {

/// Where the avatar's joints stand at rest, in the frame of mRoot.
const std::vector<Transform>& resting_places() {
    static const std::vector<Transform> places = sl_anim::Player::to_world(sl_anim::resting_pose());
    return places;
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

PosePass::PosePass(const std::vector<KeyTrack>& tracks, const std::vector<Kept>& kept)
    : tracks_(tracks),
      rest_(sl_anim::playing_skeleton()),
      errors_(tracks.size()),
      rotation_track_(rest_.nodes.size()),
      position_track_(rest_.nodes.size()),
      wanted_world_(resting_places()),
      played_world_(resting_places()),
      wanted_local_(sl_anim::resting_pose()),
      played_local_(sl_anim::resting_pose()) {
    kept_cursors_.reserve(tracks.size());
    all_cursors_.reserve(tracks.size());
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        kept_cursors_.emplace_back(tracks[i], &kept[i]);
        all_cursors_.emplace_back(tracks[i], nullptr);
        if (tracks[i].joint) {
            const bool turns = tracks[i].channel == Channel::rotation;
            (turns ? rotation_track_ : position_track_)[*tracks[i].joint] = i;
        }
    }
    std::vector<bool> moves(rest_.nodes.size());
    for (std::size_t i = 0; i < rest_.nodes.size(); ++i) {
        const Node& node = rest_.nodes[i];
        moves[i] = rotation_track_[i] || position_track_[i] || (node.parent && moves[*node.parent]);
        if (moves[i]) {
            moved_joints_.push_back(i);
        }
    }
}

void PosePass::look_at_track(std::size_t index, std::size_t time, float seconds) {
    const KeyTrack& track = tracks_[index];
    TrackError& error = errors_[index];
    error.kept = kept_cursors_[index].at(seconds);
    error.all = all_cursors_[index].at(seconds);
    const bool same = error.kept.left == error.all.left && error.kept.right == error.all.right;
    if (track.channel == Channel::rotation) {
        const glm::dquat played = rotation_between(track, error.kept.left, error.kept.right, seconds);
        const bool given = !track.wanted_rotations.empty();
        const glm::dquat wanted = given  ? track.wanted_rotations[time]
                                  : same ? played
                                         : rotation_between(track, error.all.left, error.all.right, seconds);
        error.rotation_chord = chord(played, wanted);
        if (track.joint) {
            played_local_[*track.joint].rotation = played;
            wanted_local_[*track.joint].rotation = wanted;
        }
        return;
    }
    const glm::dvec3 played = position_between(track, error.kept.left, error.kept.right, seconds);
    const bool given = !track.wanted_positions.empty();
    const glm::dvec3 wanted = given  ? track.wanted_positions[time]
                              : same ? played
                                     : position_between(track, error.all.left, error.all.right, seconds);
    error.moved = played - wanted;
    if (track.joint) {
        played_local_[*track.joint].translation = played;
        wanted_local_[*track.joint].translation = wanted;
    }
}

void PosePass::go_to(std::size_t index, float seconds) {
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
        look_at_track(i, index, seconds);
    }
    for (const std::size_t joint : moved_joints_) {
        const auto parent = rest_.nodes[joint].parent;
        wanted_world_[joint] = parent ? wanted_world_[*parent] * wanted_local_[joint] : wanted_local_[joint];
        played_world_[joint] = parent ? played_world_[*parent] * played_local_[joint] : played_local_[joint];
    }
}

}  // namespace animbridge::reduce
