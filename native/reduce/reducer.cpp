// SPDX-License-Identifier: MIT
#include "reduce/reducer.h"

#include <algorithm>
#include <numbers>

#include "model/chord.h"
#include "reduce/repair.h"
#include "reduce/seed.h"

namespace animbridge::reduce {

namespace {

/// Each node's distance to its farthest counted descendant in the rest pose, in metres.
std::vector<double> reaches_of(const Motion& motion) {
    const Skeleton& skeleton = motion.skeleton;
    std::vector<Transform> world(skeleton.nodes.size());
    std::vector<double> reach(skeleton.nodes.size(), 0.0);
    for (std::size_t i = 0; i < world.size(); ++i) {
        const Node& node = skeleton.nodes[i];
        world[i] = node.parent ? world[*node.parent] * node.rest_local : node.rest_local;
        for (auto above = motion.counted[i] ? node.parent : std::nullopt; above;
             above = skeleton.nodes[*above].parent) {
            const double distance = glm::length(world[i].translation - world[*above].translation);
            reach[*above] = std::max(reach[*above], distance);
        }
    }
    return reach;
}

/// The error that a track may have by itself, so that its farthest descendant stays about within the bound: a
/// chord, or metres.
double local_tolerance(const KeyTrack& track, const std::vector<double>& reach, const Bound& bound) {
    if (track.channel == Channel::translation) {
        return bound.position_mm / 1000.0 * (track.node ? share_of_bound : 1.0);
    }
    double degrees = bound.rotation_degrees;
    if (track.node && reach[*track.node] > 0.0) {
        const double radians = share_of_bound * bound.position_mm / 1000.0 / reach[*track.node];
        degrees = std::min(degrees, radians * 180.0 / std::numbers::pi);
    }
    return chord_of_degrees(degrees);
}

}  // namespace

Reducer::Reducer(const Motion& motion, std::vector<float> times)
    : motion_(motion), times_(std::move(times)), reaches_(reaches_of(motion)) {}

std::vector<Kept> Reducer::seed(const Bound& bound, std::uint64_t& operations) const {
    std::vector<Kept> kept;
    kept.reserve(motion_.tracks.size());
    for (std::size_t i = 0; i < motion_.tracks.size(); ++i) {
        const KeyTrack& track = motion_.tracks[i];
        const double tolerance = local_tolerance(track, reaches_, bound);
        kept.push_back(track.may_lose_keys ? choose_keys(motion_, i, times_, tolerance, operations)
                                           : Kept(track.size(), 1));
    }
    return kept;
}

Result<Reduced> Reducer::within(const Bound& bound, const Job& job) const {
    std::uint64_t operations = 0;
    std::vector<Kept> kept = seed(bound, operations);
    TRY_VOID(put_keys_back(motion_, times_, bound, kept, job.part(0.1, 0.9), operations));
    TRY(auto errors, largest_errors(motion_, times_, kept, job.part(0.9, 1.0)));
    Reduced reduced;
    for (std::size_t i = 0; i < motion_.tracks.size(); ++i) {
        const KeyTrack& track = motion_.tracks[i];
        if (track.may_lose_keys) {
            reduced.keys_before += track.size();
            reduced.keys_after +=
                static_cast<std::size_t>(std::count(kept[i].begin(), kept[i].end(), std::uint8_t{1}));
        }
    }
    reduced.holds =
        errors.position_mm <= bound.position_mm && errors.rotation_degrees <= bound.rotation_degrees;
    reduced.kept = std::move(kept);
    reduced.errors = std::move(errors);
    reduced.operations = operations;
    return reduced;
}

}  // namespace animbridge::reduce
