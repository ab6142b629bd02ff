// SPDX-License-Identifier: MIT
#include "reduce/passes.h"

#include <algorithm>

#include "model/clip/clip.h"

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

PosePass::PosePass(const PlayedMotion& motion, const std::vector<Kept>& kept)
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

namespace {

/// What the track plays at the times with all its keys: the wanted values, if there are no others.
template <typename Value, typename Between>
std::vector<Value> played_by_all(const KeyTrack& track, const std::vector<float>& times, Between&& between) {
    std::vector<Value> values;
    values.reserve(times.size());
    std::size_t right = 0;
    for (const float seconds : times) {
        while (right + 1 < track.size() && track.times[right] < seconds) {
            ++right;
        }
        const bool inside = right > 0 && track.times[right] > seconds;
        values.push_back(between({inside ? right - 1 : right, right}, seconds));
    }
    return values;
}

/// Chooses the keys of one track by growing each segment as far as the tolerance allows.
template <typename Value, typename Between, typename Distance>
class Grower {
public:
    Grower(const KeyTrack& track, const std::vector<float>& times, const std::vector<Value>& wanted,
           double tolerance, Between between, Distance distance)
        : track_(track),
          times_(times),
          wanted_(wanted),
          tolerance_(tolerance),
          between_(between),
          distance_(distance),
          first_time_(track.size() + 1, times.size()) {
        std::size_t time = 0;
        for (std::size_t key = 0; key < track.size(); ++key) {
            while (time < times.size() && times[time] < track.times[key]) {
                ++time;
            }
            first_time_[key] = time;
        }
    }

    Kept grow() {
        Kept kept(track_.size(), 0);
        kept[0] = 1;
        if (holds_from(0)) {
            return kept;
        }
        const std::size_t last = track_.size() - 1;
        for (std::size_t key = 0; key < last;) {
            const std::size_t next = furthest_from(key);
            // Tested only here: otherwise a track that misses only at its end would make every key test all
            // later times.
            if (next == last && holds_from(key)) {
                break;
            }
            key = next;
            kept[key] = 1;
        }
        return kept;
    }

    [[nodiscard]] std::uint64_t evaluations() const { return evaluations_; }

private:
    /// Whether the track can hold this key to the end.
    bool holds_from(std::size_t key) {
        for (std::size_t i = first_time_[key]; i < times_.size(); ++i) {
            if (!fits(key, key, i)) {
                return false;
            }
        }
        return true;
    }

    bool bridges(std::size_t left, std::size_t right) {
        for (std::size_t i = first_time_[left]; i < times_.size() && times_[i] <= track_.times[right]; ++i) {
            if (!fits(left, right, i)) {
                return false;
            }
        }
        return true;
    }

    bool fits(std::size_t left, std::size_t right, std::size_t time) {
        ++evaluations_;
        return distance_(between_({left, right}, times_[time]), wanted_[time]) <= tolerance_;
    }

    /// Doubles the step while the segment holds, then bisects. So the cost grows with the length found, not
    /// with the rest of the track.
    std::size_t furthest_from(std::size_t key) {
        const std::size_t last = track_.size() - 1;
        std::size_t good = key + 1;
        std::size_t step = 2;
        std::size_t bad = last + 1;
        while (good < last) {
            const std::size_t next = std::min(key + step, last);
            if (!bridges(key, next)) {
                bad = next;
                break;
            }
            good = next;
            step *= 2;
        }
        while (good + 1 < bad) {
            const std::size_t middle = good + (bad - good) / 2;
            (bridges(key, middle) ? good : bad) = middle;
        }
        return good;
    }

    const KeyTrack& track_;
    const std::vector<float>& times_;
    const std::vector<Value>& wanted_;
    double tolerance_;
    Between between_;
    Distance distance_;
    std::vector<std::size_t> first_time_;  ///< per key: index of the first time at or after it
    std::uint64_t evaluations_ = 0;
};

template <typename Value, typename Between, typename Distance>
Kept choose(const KeyTrack& track, const std::vector<float>& times, const std::vector<Value>& given,
            double tolerance, Between between, Distance distance, std::uint64_t& evaluations) {
    const std::vector<Value> played =
        given.empty() ? played_by_all<Value>(track, times, between) : std::vector<Value>();
    Grower<Value, Between, Distance> grower(track, times, given.empty() ? played : given, tolerance, between,
                                            distance);
    Kept kept = grower.grow();
    evaluations += grower.evaluations();
    return kept;
}

}  // namespace

Kept choose_keys(const PlayedMotion& motion, std::size_t track, const std::vector<float>& times,
                 double tolerance, std::uint64_t& evaluations) {
    const KeyTrack& keys = motion.tracks[track];
    if (keys.channel == Channel::rotation) {
        const auto between = [&](const Bracket& beside, float seconds) {
            return motion.playback.rotation(track, beside, seconds);
        };
        return choose(keys, times, keys.wanted_rotations, tolerance, between, chord, evaluations);
    }
    const auto between = [&](const Bracket& beside, float seconds) {
        return motion.playback.translation(track, beside, seconds);
    };
    const auto distance = [](const glm::dvec3& a, const glm::dvec3& b) { return glm::length(a - b); };
    return choose(keys, times, keys.wanted_translations, tolerance, between, distance, evaluations);
}

}  // namespace animbridge::reduce
