// SPDX-License-Identifier: MIT
#include "formats/oban/edit/edit.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numbers>

namespace animbridge::oban::edit {

namespace {

constexpr double units_per_mm = 0.001 / file::metres_per_unit;
constexpr double degrees = std::numbers::pi / 180.0;

double squared(const glm::dvec3& v) { return v.x * v.x + v.y * v.y + v.z * v.z; }

/// The squared chord between two rotations, whatever their signs. It uses differences, because 1 - dot loses
/// precision.
double chord_squared(const glm::dquat& a, const glm::dquat& b) {
    const double sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0.0 ? -1.0 : 1.0;
    const glm::dquat d(a.w - sign * b.w, a.x - sign * b.x, a.y - sign * b.y, a.z - sign * b.z);
    return d.x * d.x + d.y * d.y + d.z * d.z + d.w * d.w;
}

double position_squared(const play::Pose& pose, const glm::dvec3& base_translation, const Shown& shown) {
    const double pivot = squared(pose.position - shown.pivot);
    return base_translation == glm::dvec3(0.0)
               ? pivot
               : std::max(pivot, squared(pose.rotation * base_translation + pose.position - shown.origin));
}

class KeyPicker {
public:
    KeyPicker(const Motion& motion, const Bound& bound)
        : motion_(motion), next_(motion.frames.size()), previous_(motion.frames.size()) {
        // Slightly tighter: the mirrored half is blended backwards, which rounds differently.
        constexpr double inside = 1.0 - 1e-9;
        const double position = inside * bound.position_mm * units_per_mm;
        // The angle between unit quaternions is half that of the rotation.
        const double chord = inside * 2.0 * std::sin(std::min(bound.rotation_degrees, 360.0) * degrees / 4.0);
        position_limit_ = position * position;
        chord_limit_ = chord * chord;
    }

    /// Links keys from the first to the last frame, each as far from the last one as a doubling search finds.
    Result<void> seed(std::size_t last, const Job& job) {
        for (std::size_t key = 0; key < last; key = next_[key]) {
            link(key, furthest_from(key, last));
            TRY_VOID(tick(job, key, last));
        }
        return {};
    }

    /// Makes the keys after the middle mirror those before it.
    void mirror(std::size_t middle) {
        for (std::size_t key = middle; key > 0; key = previous_[key]) {
            link(2 * middle - key, 2 * middle - previous_[key]);
        }
    }

    /// Removes keys one by one until no more can be removed.
    Result<void> thin_out(std::size_t last, const Job& job) {
        std::deque<std::size_t> waiting;
        std::vector<bool> waits(last + 1, false);
        const auto enqueue = [&](std::size_t key) {
            if (key != 0 && key != last && !waits[key]) {
                waits[key] = true;
                waiting.push_back(key);
            }
        };
        for (std::size_t key = 0; key < last; key = next_[key]) {
            enqueue(key);
        }
        for (std::size_t done = 0; !waiting.empty(); ++done) {
            const std::size_t key = waiting.front();
            waiting.pop_front();
            waits[key] = false;
            const std::size_t before = previous_[key];
            const std::size_t after = next_[key];
            if (fits(before, after, key)) {
                link(before, after);
                enqueue(before);
                enqueue(after);
            }
            TRY_VOID(tick(job, done, done + waiting.size() + 1));
        }
        return {};
    }

    [[nodiscard]] std::vector<file::Key> keys(std::size_t last) const {
        std::vector<file::Key> picked;
        for (std::size_t key = 0; key < last; key = next_[key]) {
            picked.push_back(motion_.frames[key]);
        }
        picked.push_back(motion_.frames[last]);
        return picked;
    }

private:
    void link(std::size_t before, std::size_t after) {
        next_[before] = after;
        previous_[after] = before;
    }

    [[nodiscard]] bool fits_at(std::size_t first, std::size_t last, std::size_t frame) const {
        const file::Key& a = motion_.frames[first];
        const file::Key& b = motion_.frames[last];
        const double start = a.time;
        const double fraction =
            (static_cast<double>(motion_.frames[frame].time) - start) / (static_cast<double>(b.time) - start);
        const play::Pose pose = play::blend(a, b, fraction);
        const Shown& shown = motion_.shown[frame];
        // Written so that NaN does not fit.
        return position_squared(pose, motion_.base_translation, shown) <= position_limit_ &&
               chord_squared(pose.rotation, shown.rotation) <= chord_limit_;
    }

    /// Whether no frame between two keys exceeds the bound. First tests the frame that most likely does.
    [[nodiscard]] bool fits(std::size_t first, std::size_t last, std::size_t suspect) const {
        if (last - first > 1 && !fits_at(first, last, suspect)) {
            return false;
        }
        for (std::size_t frame = first + 1; frame < last; ++frame) {
            if (!fits_at(first, last, frame)) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] bool fits(std::size_t first, std::size_t last) const {
        return fits(first, last, first + (last - first) / 2);
    }

    /// Doubles the distance while it fits, then bisects. It never tries a distance longer than twice the
    /// final one, so all calls together cost n log n.
    [[nodiscard]] std::size_t furthest_from(std::size_t first, std::size_t last) const {
        std::size_t good = first + 1;
        std::size_t bad = last + 1;
        while (good < last) {
            const std::size_t tried = std::min(first + 2 * (good - first), last);
            if (!fits(first, tried)) {
                bad = tried;
                break;
            }
            good = tried;
        }
        while (bad <= last && bad - good > 1) {
            const std::size_t tried = good + (bad - good) / 2;
            (fits(first, tried) ? good : bad) = tried;
        }
        return good;
    }

    Result<void> tick(const Job& job, std::size_t done, std::size_t all) {
        constexpr std::size_t keys_between = 256;
        if (++ticks_ % keys_between != 0) {
            return {};
        }
        return job.report(static_cast<double>(done) / static_cast<double>(all));
    }

    const Motion& motion_;
    std::vector<std::size_t> next_;
    std::vector<std::size_t> previous_;
    double position_limit_ = 0;
    double chord_limit_ = 0;
    std::size_t ticks_ = 0;
};

}  // namespace

Stray stray_of(const play::Pose& pose, const glm::dvec3& base_translation, const Shown& shown) {
    const double chord = std::sqrt(chord_squared(pose.rotation, shown.rotation));
    return {std::sqrt(position_squared(pose, base_translation, shown)) / units_per_mm,
            4.0 * std::asin(std::min(chord / 2.0, 1.0)) / degrees};
}

Result<std::vector<file::Key>> reduce(const Motion& motion, const Bound& bound, bool is_mirrored,
                                      const Job& job) {
    if (motion.frames.empty()) {
        return std::vector<file::Key>();
    }
    const std::size_t last = motion.frames.size() - 1;
    const std::size_t seeded = is_mirrored ? last / 2 : last;
    KeyPicker picker(motion, bound);
    return picker.seed(seeded, job.part(0.0, 0.5))
        .and_then([&] { return picker.thin_out(seeded, job.part(0.5, 0.9)); })
        .and_then([&]() -> Result<void> {
            if (!is_mirrored) {
                return {};
            }
            picker.mirror(seeded);
            return picker.thin_out(last, job.part(0.9, 1.0));
        })
        .map([&] { return picker.keys(last); });
}

}  // namespace animbridge::oban::edit
