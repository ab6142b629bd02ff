// SPDX-License-Identifier: MIT
#include "formats/scene_file/clip/clip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <optional>
#include <vector>

namespace animbridge::scene_file::clip {

namespace {

/// For two rotations at most this far apart, the lerp is within 0.002 degrees of the arc: its error is about
/// (angle / 2)^3 / 31.
constexpr double longest_straight_degrees = 11.0;

glm::dquat rotation_at(const std::vector<double>& rows, std::size_t row) {
    return {rows[4 * row], rows[4 * row + 1], rows[4 * row + 2], rows[4 * row + 3]};
}

glm::dvec3 vector_at(const std::vector<double>& rows, std::size_t row) {
    return {rows[3 * row], rows[3 * row + 1], rows[3 * row + 2]};
}

std::array<double, 4> row_of(const glm::dquat& q) { return {q.w, q.x, q.y, q.z}; }
std::array<double, 3> row_of(const glm::dvec3& v) { return {v.x, v.y, v.z}; }

/// The rows of a channel, placed.
class Placed {
public:
    Placed(const Frame& frame, const glm::dvec3& scale) : frame_(frame), scale_(scale) {}

    [[nodiscard]] glm::dquat rotation(const std::vector<double>& rows, std::size_t row) const {
        return frame_.place_rotation(rotation_at(rows, row), scale_);
    }
    [[nodiscard]] glm::dvec3 point(const std::vector<double>& rows, std::size_t row) const {
        return frame_.place_point(vector_at(rows, row));
    }
    [[nodiscard]] glm::dvec3 direction(const std::vector<double>& rows, std::size_t row) const {
        return frame_.place_direction(vector_at(rows, row));
    }

private:
    const Frame& frame_;
    const glm::dvec3& scale_;
};

/// A Hermite segment is a Bezier segment whose handles end at a third of it.
void add_handles(const file::Channel& channel, const Placed& placed, Track& track) {
    const std::vector<double>& times = channel.times_seconds;
    const auto tangent = [&](std::size_t row) {
        std::array<double, 4> numbers{};
        if (channel.target == file::Target::rotation) {
            numbers = row_of(placed.rotation(channel.tangents, row));
        } else {
            const glm::dvec3 way = placed.direction(channel.tangents, row);
            numbers = {way.x, way.y, way.z, 0.0};
        }
        return numbers;
    };
    for (std::size_t key = 0; key < times.size(); ++key) {
        const double before = key == 0 ? 0.0 : (times[key] - times[key - 1]) / 3.0;
        const double after = key + 1 == times.size() ? 0.0 : (times[key + 1] - times[key]) / 3.0;
        const auto in = tangent(2 * key);
        const auto out = tangent(2 * key + 1);
        for (std::size_t number = 0; number < track.width(); ++number) {
            track.handles.push_back({-before, -before * in.at(number), after, after * out.at(number)});
        }
    }
}

/// The number of straight parts of the arc between two rotations.
std::size_t parts_of_arc(const glm::dquat& from, const glm::dquat& next) {
    // For 10 degrees: most keys are nearer, which is faster to test than their exact distance.
    constexpr double cosine_of_short = 0.9962;
    return std::abs(glm::dot(from, next)) > cosine_of_short
               ? 1
               : static_cast<std::size_t>(
                     std::ceil(angle_between_degrees(from, next) / longest_straight_degrees));
}

/// Appends keys on the arc between the last one and `next`, if that is long.
void add_arc(const glm::dquat& next, double next_seconds, Track& track) {
    const std::size_t last = track.key_count() - 1;
    const glm::dquat from = track.rotation(last);
    const double from_seconds = track.times[last];
    const std::size_t parts = parts_of_arc(from, next);
    const glm::dquat to = glm::dot(from, next) < 0.0 ? -next : next;
    for (std::size_t part = 1; part < parts; ++part) {
        const double share = static_cast<double>(part) / static_cast<double>(parts);
        const double seconds = from_seconds + (next_seconds - from_seconds) * share;
        if (seconds > track.times.back() && seconds < next_seconds) {
            track.add_key(seconds, row_of(glm::slerp(from, to, share)));
            track.inserted.push_back(true);
        }
    }
}

/// Signs are continuous, so that no key seems to turn around.
void add_rotations(const file::Channel& channel, const Placed& placed, double shift_seconds, Track& track) {
    for (std::size_t key = 0; key < channel.times_seconds.size(); ++key) {
        const double seconds = channel.times_seconds[key] + shift_seconds;
        glm::dquat rotation = placed.rotation(channel.values, key);
        if (key > 0 && glm::dot(track.rotation(track.key_count() - 1), rotation) < 0.0) {
            rotation = -rotation;
        }
        if (key > 0 && channel.kind == file::KeyKind::linear) {
            add_arc(rotation, seconds, track);
        }
        track.add_key(seconds, row_of(rotation));
        track.inserted.push_back(false);
    }
}

}  // namespace

Track track_of(const file::Channel& channel, const Frame& frame, const glm::dvec3& scale, std::size_t joint,
               double shift_seconds) {
    const Placed placed(frame, scale);
    const bool is_rotation = channel.target == file::Target::rotation;
    Track track{joint, is_rotation ? animbridge::Channel::rotation : animbridge::Channel::translation};
    track.times.reserve(channel.times_seconds.size());
    track.values.reserve(channel.values.size());
    const bool is_cubic = channel.kind == file::KeyKind::cubic;
    if (is_rotation && !is_cubic) {
        add_rotations(channel, placed, shift_seconds, track);
    } else {
        for (std::size_t key = 0; key < channel.times_seconds.size(); ++key) {
            const double seconds = channel.times_seconds[key] + shift_seconds;
            if (is_rotation) {
                track.add_key(seconds, row_of(placed.rotation(channel.values, key)));
            } else {
                track.add_key(seconds, row_of(placed.point(channel.values, key)));
            }
        }
    }
    if (is_cubic) {
        add_handles(channel, placed, track);
    }
    if (channel.kind != file::KeyKind::linear) {
        track.interpolation.assign(track.key_count(), is_cubic ? Interpolation::bezier : Interpolation::step);
    }
    return track;
}

bool is_recording(const Track& track) {
    std::vector<double> steps;
    std::optional<double> last;
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        if (key + 1 < track.key_count() && track.interpolation_after(key) != Interpolation::linear) {
            return false;
        }
        if (track.inserted.empty() || !track.inserted[key]) {
            if (last) {
                steps.push_back(track.times[key] - *last);
            }
            last = track.times[key];
        }
    }
    constexpr std::size_t fewest_steps = 7;
    if (track.component || steps.size() < fewest_steps) {
        return false;
    }
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::ranges::nth_element(steps, middle);
    constexpr double tolerated = 0.02;  // times in files are rounded
    const double usual = *middle;
    const auto is_usual = [&](double step) { return std::abs(step - usual) <= tolerated * usual; };
    constexpr double longest_step = 0.1;
    return usual <= longest_step * (1.0 + tolerated) &&
           2 * std::ranges::count_if(steps, is_usual) >= static_cast<std::ptrdiff_t>(steps.size());
}

std::size_t track_bytes(const file::Channel& channel) {
    std::size_t keys = channel.times_seconds.size();
    if (channel.target == file::Target::rotation && channel.kind == file::KeyKind::linear) {
        for (std::size_t key = 1; key < channel.times_seconds.size(); ++key) {
            keys += parts_of_arc(rotation_at(channel.values, key - 1), rotation_at(channel.values, key)) - 1;
        }
    }
    const std::size_t width = file::width_of(channel.target);
    return keys * (1 + width) * sizeof(double) +
           (channel.kind == file::KeyKind::cubic ? keys * width * sizeof(Handles) : 0);
}

}  // namespace animbridge::scene_file::clip
