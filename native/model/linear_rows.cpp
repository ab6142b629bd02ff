// SPDX-License-Identifier: MIT
#include "model/linear_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "model/clip_poser.h"

namespace animbridge {

namespace {

/// How long before a jump its inserted key is, as a fraction of the step between inserted keys.
constexpr double jump_part = 1e-3;

/// A time at which a row is needed.
struct RowTime {
    double seconds = 0;
    bool inserted = false;
};

/// The tracks of one channel of one node.
using Group = std::vector<const Track*>;

/// Whether a track of the group jumps at the end of the segment around a time.
bool holds_at(const Group& group, double seconds) {
    return std::any_of(group.begin(), group.end(), [&](const Track* track) {
        const auto right = std::upper_bound(track->times.begin(), track->times.end(), seconds);
        return right != track->times.begin() && right != track->times.end() &&
               track->interpolation_after(static_cast<std::size_t>(right - track->times.begin()) - 1) ==
                   Interpolation::step;
    });
}

std::vector<RowTime> row_times(const Group& group, double step_seconds) {
    std::vector<double> keys;
    for (const Track* track : group) {
        keys.insert(keys.end(), track->times.begin(), track->times.end());
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    std::vector<RowTime> times;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        times.push_back({keys[i], false});
        if (i + 1 == keys.size()) {
            break;
        }
        const double jump = keys[i + 1] - jump_part * step_seconds;
        const bool holds = holds_at(group, keys[i]) && jump > keys[i];
        const double end = holds ? jump : keys[i + 1];
        for (double n = std::floor(keys[i] / step_seconds) + 1.0; n * step_seconds < end; n += 1.0) {
            if (n * step_seconds > keys[i]) {
                times.push_back({n * step_seconds, true});
            }
        }
        if (holds) {
            times.push_back({jump, true});
        }
    }
    return times;
}

/// The rows that a poser shows at the times.
Track row_track(const Clip& clip, std::size_t node, Channel channel, const std::vector<RowTime>& times) {
    ClipPoser poser(clip);
    Track rows{node, channel};
    glm::dquat before(1, 0, 0, 0);
    for (const RowTime& time : times) {
        poser.pose(time.seconds);
        const Transform& local = poser.local()[node];
        if (channel == Channel::translation) {
            const glm::dvec3& place = local.translation;
            rows.add_key(time.seconds, std::array<double, 3>{place.x, place.y, place.z});
        } else {
            const glm::dquat q = glm::dot(local.rotation, before) < 0.0 ? -local.rotation : local.rotation;
            rows.add_key(time.seconds, std::array<double, 4>{q.w, q.x, q.y, q.z});
            before = q;
        }
        rows.inserted.push_back(time.inserted);
    }
    return rows;
}

}  // namespace

bool has_linear_rows(const Track& track) {
    return !track.component && std::find(track.interpolation.begin(), track.interpolation.end(),
                                         Interpolation::bezier) == track.interpolation.end();
}

Clip with_linear_rows(const Clip& clip, double step_seconds) {
    Clip result{clip.skeleton, {}, clip.markers, clip.duration_seconds, clip.frames_per_second};
    std::map<std::pair<std::size_t, Channel>, Group> groups;
    for (const Track& track : clip.tracks) {
        if (track.channel == Channel::property || has_linear_rows(track)) {
            result.tracks.push_back(track);
        } else if (track.key_count() > 0) {
            groups[{track.node, track.channel}].push_back(&track);
        }
    }
    for (const auto& [name, group] : groups) {
        // A clip with only this channel: then a pose takes no longer than its tracks need.
        Clip alone{clip.skeleton, {}, {}, clip.duration_seconds};
        std::transform(group.begin(), group.end(), std::back_inserter(alone.tracks),
                       [](const Track* track) { return *track; });
        result.tracks.push_back(row_track(alone, name.first, name.second, row_times(group, step_seconds)));
    }
    return result;
}

}  // namespace animbridge
