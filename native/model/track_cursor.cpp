// SPDX-License-Identifier: MIT
#include "model/track_cursor.h"

#include <algorithm>
#include <cmath>

namespace animbridge {

namespace {

glm::dquat unit(const glm::dquat& q) {
    const double length = std::sqrt(glm::dot(q, q));
    return length > 0.0 ? q / length : glm::dquat(1, 0, 0, 0);
}

}  // namespace

TrackCursor::Position TrackCursor::find(double time) {
    const std::vector<double>& times = track_->times;
    if (last_ + 1 < times.size() && times[last_] <= time && times[last_ + 1] <= time) {
        ++last_;  // usually the time is in the next segment
    }
    const bool here = times[last_] <= time && (last_ + 1 == times.size() || time < times[last_ + 1]);
    if (!here) {
        const auto right = std::upper_bound(times.begin(), times.end(), time);
        last_ = right == times.begin() ? 0 : static_cast<std::size_t>(right - times.begin()) - 1;
    }
    const Interpolation interpolation = track_->interpolation_after(last_);
    if (last_ + 1 == times.size() || time <= times[last_] || interpolation == Interpolation::step) {
        return {last_};
    }
    return {last_, (time - times[last_]) / (times[last_ + 1] - times[last_]),
            interpolation == Interpolation::bezier};
}

glm::dquat TrackCursor::rotation_at(double time) {
    const auto [key, fraction, bezier] = find(time);
    if (bezier) {
        return unit({bezier_between(*track_, key, time, 0), bezier_between(*track_, key, time, 1),
                     bezier_between(*track_, key, time, 2), bezier_between(*track_, key, time, 3)});
    }
    const glm::dquat a = unit(track_->rotation(key));
    if (fraction == 0.0) {
        return a;
    }
    const glm::dquat b = unit(track_->rotation(key + 1));
    return unit(a * (1.0 - fraction) + (glm::dot(a, b) < 0.0 ? -b : b) * fraction);
}

glm::dvec3 TrackCursor::translation_at(double time) {
    const auto [key, fraction, bezier] = find(time);
    if (bezier) {
        return {bezier_between(*track_, key, time, 0), bezier_between(*track_, key, time, 1),
                bezier_between(*track_, key, time, 2)};
    }
    const glm::dvec3 a = track_->translation(key);
    return fraction == 0.0 ? a : a * (1.0 - fraction) + track_->translation(key + 1) * fraction;
}

}  // namespace animbridge
