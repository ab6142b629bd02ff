// SPDX-License-Identifier: MIT
#include "rig/euler_fit.h"

#include <algorithm>
#include <array>
#include <utility>

#include "rig/euler.h"

namespace animbridge::rig {

namespace {

/// The track between two of its keys, in the bone's channel, as the clip interpolates it.
struct Path {
    double first_frame = 0;
    double last_frame = 0;
    glm::dquat first{};
    glm::dquat last{};

    [[nodiscard]] glm::dquat at(double frame) const {
        const double u = (frame - first_frame) / (last_frame - first_frame);
        return glm::normalize(first * (1.0 - u) + last * u);
    }
};

struct EulerKey {
    double frame = 0;
    glm::dvec3 angles{0, 0, 0};
};

/// Appends keys so that the curves follow the track.
class Fit {
public:
    Fit(std::size_t bone, BoneChannel order) : order_(order) {
        result_.curves.bone = bone;
        result_.curves.channel = order;
        result_.curves.points.resize(components_of(order));
    }

    void add(double frame, const glm::dquat& rotation, bool inserted) {
        const auto rounded = static_cast<float>(frame);
        last_ = {rounded, euler_near(order_, glm::normalize(rotation), last_.angles)};
        for (int c = 0; c < 3; ++c) {
            std::vector<float>& points = result_.curves.points[static_cast<std::size_t>(c)];
            points.push_back(rounded);
            points.push_back(static_cast<float>(last_.angles[c]));
        }
        result_.curves.inserted.push_back(inserted ? 1 : 0);
    }

    /// Inserts as many keys between the last key and `frame` as the path needs.
    void follow(const Path& path, double frame, double tolerance_degrees) {
        // Works from left to right, because a key's angles depend on those of the key before. `ends` is the
        // stack of segments to do.
        std::vector<double> ends = {frame};
        while (!ends.empty()) {
            const double end = ends.back();
            const EulerKey next{end, euler_near(order_, path.at(end), last_.angles)};
            const double error = error_degrees(path, last_, next);
            // A frame that is also distinct in Blender's single precision.
            const double middle = static_cast<float>((last_.frame + end) / 2.0);
            const bool has_room = middle - last_.frame > 2.0 * merge_distance_frames &&
                                  end - middle > 2.0 * merge_distance_frames;
            if (error > tolerance_degrees && has_room) {
                ends.push_back(middle);
                continue;
            }
            if (error > result_.error_degrees) {
                result_.error_degrees = error;
                result_.error_frame = middle;
            }
            ends.pop_back();
            if (!ends.empty()) {
                add(end, path.at(end), true);
            }
        }
    }

    [[nodiscard]] EulerCurves take() { return std::move(result_); }

private:
    [[nodiscard]] double error_degrees(const Path& path, const EulerKey& a, const EulerKey& b) const {
        constexpr std::array<double, 5> fractions = {1.0 / 6.0, 2.0 / 6.0, 3.0 / 6.0, 4.0 / 6.0, 5.0 / 6.0};
        double worst = 0;
        for (const double u : fractions) {
            const glm::dquat shown = rotation_of_euler(order_, a.angles * (1.0 - u) + b.angles * u);
            worst = std::max(worst, angle_between_degrees(shown, path.at(a.frame * (1.0 - u) + b.frame * u)));
        }
        return worst;
    }

    BoneChannel order_;
    EulerCurves result_{};
    EulerKey last_{};
};

/// Whether an inserted key is too close to its neighbours, `before` and the track's next key, for a Blender
/// that merges keys.
bool crowds(const Track& track, std::size_t key, double before, const Timing& timing) {
    const double frame = timing.frame_at(track.times[key]);
    return frame - before < merge_distance_frames ||
           timing.frame_at(track.times[key + 1]) - frame < merge_distance_frames;
}

}  // namespace

EulerCurves euler_curves(const Track& track, const BoneSpace& space, std::size_t bone, BoneChannel order,
                         const Timing& timing) {
    // If the track already has inserted keys, the player's curve uses most of the tolerance.
    constexpr double beside_inserted = 0.2 * euler_tolerance_degrees;
    constexpr double beside_real = 0.9 * euler_tolerance_degrees;
    Fit fit(bone, order);
    const auto is_inserted = [&](std::size_t key) { return !track.inserted.empty() && track.inserted[key]; };
    std::size_t last = 0;
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        const double frame = timing.frame_at(track.times[key]);
        const double last_frame = timing.frame_at(track.times[last]);
        if (is_inserted(key) && crowds(track, key, last_frame, timing)) {
            continue;
        }
        const glm::dquat rotation = space.rotation_to_bone(track.rotation(key));
        if (frame > last_frame) {
            const Path path{last_frame, frame, space.rotation_to_bone(track.rotation(last)), rotation};
            fit.follow(path, frame, is_inserted(key) || is_inserted(last) ? beside_inserted : beside_real);
        }
        fit.add(frame, rotation, is_inserted(key));
        last = key;
    }
    return fit.take();
}

}  // namespace animbridge::rig
