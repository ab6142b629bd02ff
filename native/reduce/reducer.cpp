// SPDX-License-Identifier: MIT
#include "reduce/reducer.h"

#include <algorithm>
#include <numbers>

#include "formats/sl_anim/compare.h"
#include "formats/sl_anim/skeleton.h"
#include "reduce/repair.h"
#include "reduce/seed.h"

namespace animbridge::reduce {

namespace {

std::vector<double> find_reaches() {
    const Skeleton& skeleton = sl_anim::playing_skeleton();
    std::vector<Transform> world(skeleton.nodes.size());
    std::vector<double> reach(skeleton.nodes.size(), 0.0);
    for (std::size_t i = 0; i < world.size(); ++i) {
        const Node& node = skeleton.nodes[i];
        world[i] = node.parent ? world[*node.parent] * node.rest_local : node.rest_local;
        for (auto above = node.parent; above; above = skeleton.nodes[*above].parent) {
            const double distance = glm::length(world[i].translation - world[*above].translation);
            reach[*above] = std::max(reach[*above], distance);
        }
    }
    return reach;
}

/// How far from each joint the farthest thing is that it swings, at rest, in metres.
const std::vector<double>& reaches() {
    static const std::vector<double> reach = find_reaches();
    return reach;
}

/// What a track may err by itself so that the farthest joint stays about within the bound: a chord, or
/// metres.
double local_tolerance(const KeyTrack& track, const std::vector<double>& reach, const Bound& bound) {
    if (track.channel == Channel::translation) {
        return bound.position_mm / 1000.0 * (track.joint ? share_of_bound : 1.0);
    }
    double degrees = bound.rotation_degrees;
    if (track.joint && reach[*track.joint] > 0.0) {
        const double radians = share_of_bound * bound.position_mm / 1000.0 / reach[*track.joint];
        degrees = std::min(degrees, radians * 180.0 / std::numbers::pi);
    }
    return chord_of_degrees(degrees);
}

void take_wanted(const Track& wanted, KeyTrack& track) {
    for (std::size_t i = 0; i < wanted.key_count(); ++i) {
        if (wanted.channel == Channel::rotation) {
            track.wanted_rotations.push_back(glm::normalize(wanted.rotation(i)));
        } else {
            track.wanted_positions.push_back(wanted.translation(i));
        }
    }
}

std::size_t count_kept(const std::vector<KeyTrack>& tracks, const std::vector<Kept>& kept) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        if (tracks[i].may_lose_keys) {
            count += static_cast<std::size_t>(std::count(kept[i].begin(), kept[i].end(), std::uint8_t{1}));
        }
    }
    return count;
}

}  // namespace

struct Reducer::Prepared {
    const sl_anim::Document& document;
    std::vector<float> times;
    std::vector<KeyTrack> tracks;
    const std::vector<double>& reach = reaches();

    [[nodiscard]] std::vector<Kept> seed(const Bound& bound, std::uint64_t& operations) const {
        std::vector<Kept> kept;
        for (const KeyTrack& track : tracks) {
            kept.push_back(track.may_lose_keys
                               ? choose_keys(track, times, local_tolerance(track, reach, bound), operations)
                               : Kept(track.size(), 1));
        }
        return kept;
    }
};

Reducer::Reducer(Task task) {
    auto tracks = played_tracks(task.document, task.reducible, task.form);
    if (task.times.empty()) {
        task.times = sl_anim::key_times_and_midpoints(task.document);
    }
    for (const Track& wanted : task.wanted == nullptr ? std::vector<Track>{} : task.wanted->tracks) {
        for (KeyTrack& track : tracks) {
            if (track.joint == wanted.node && track.channel == wanted.channel) {
                take_wanted(wanted, track);
            }
        }
    }
    prepared_ =
        std::make_unique<const Prepared>(Prepared{task.document, std::move(task.times), std::move(tracks)});
}

Reducer::~Reducer() = default;

Result<Reduced> Reducer::within(const Bound& bound, const Job& job) const {
    const Prepared& all = *prepared_;
    std::uint64_t operations = 0;
    std::vector<Kept> kept = all.seed(bound, operations);
    if (auto done = put_keys_back(all.tracks, all.times, bound, kept, job.part(0.1, 0.9), operations);
        !done) {
        return tl::unexpected<Error>(std::move(done.error()));
    }
    auto errors = largest_errors(all.tracks, all.times, kept, all.document, job.part(0.9, 1.0));
    if (!errors) {
        return tl::unexpected<Error>(std::move(errors.error()));
    }
    const bool holds =
        errors->position_mm <= bound.position_mm && errors->rotation_degrees <= bound.rotation_degrees;
    std::size_t before = 0;
    for (const KeyTrack& track : all.tracks) {
        before += track.may_lose_keys ? track.size() : 0;
    }
    return Reduced{with_kept_keys(all.document, all.tracks, kept),
                   before,
                   count_kept(all.tracks, kept),
                   std::move(*errors),
                   holds,
                   operations};
}

}  // namespace animbridge::reduce
