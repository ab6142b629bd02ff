// SPDX-License-Identifier: MIT
#include "convert/bvh_errors.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <optional>

#include "model/track_cursor.h"

namespace animbridge {

namespace {

/// A clip's pose, time after time.
class Poser {
public:
    explicit Poser(const Clip& clip)
        : clip_(clip), rotations_(clip.skeleton.nodes.size()), translations_(rotations_.size()) {
        for (const Track& track : clip.tracks) {
            if (track.key_count() > 0) {
                (track.channel == Channel::rotation ? rotations_ : translations_)[track.node].emplace(track);
            }
        }
        local.resize(rotations_.size());
        world.resize(rotations_.size());
    }

    void pose(double time) {
        for (std::size_t node = 0; node < local.size(); ++node) {
            const Node& given = clip_.skeleton.nodes[node];
            local[node] = given.rest_local;
            if (rotations_[node]) {
                local[node].rotation = rotations_[node]->rotation_at(time);
            }
            if (translations_[node]) {
                local[node].translation = translations_[node]->translation_at(time);
            }
            world[node] = given.parent ? world[*given.parent] * local[node] : local[node];
        }
    }

    std::vector<Transform> local;
    std::vector<Transform> world;

private:
    const Clip& clip_;
    std::vector<std::optional<TrackCursor>> rotations_;
    std::vector<std::optional<TrackCursor>> translations_;
};

/// The squared chord between orientations, whatever their signs.
double chord(const glm::dquat& a, const glm::dquat& b) {
    const glm::dquat minus = a - b;
    const glm::dquat plus = a + b;
    return std::min(glm::dot(minus, minus), glm::dot(plus, plus));
}

}  // namespace

BvhErrors worst_errors(const Clip& wanted, const Clip& shown, double frame_time_seconds,
                       std::size_t frame_count) {
    Poser a(wanted);
    Poser b(shown);
    BvhErrors worst;
    double worst_chord = 0;
    for (std::size_t frame = 0; frame < frame_count; ++frame) {
        const double time = static_cast<double>(frame) * frame_time_seconds;
        a.pose(time);
        b.pose(time);
        for (std::size_t node = 0; node < a.local.size(); ++node) {
            const double apart = chord(a.local[node].rotation, b.local[node].rotation);
            if (apart > worst_chord) {
                worst_chord = apart;
                worst.rotation_degrees =
                    angle_between_degrees(a.local[node].rotation, b.local[node].rotation);
            }
            worst.position_mm = std::max(worst.position_mm, 1000.0 * glm::length(a.world[node].translation -
                                                                                 b.world[node].translation));
        }
    }
    return worst;
}

}  // namespace animbridge
