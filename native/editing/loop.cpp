// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <type_traits>

#include "editing/clip_tools.h"
#include "rig/exchange/exchange.h"

namespace animbridge::editing {

namespace {

// ---- closing the seam ----

/// The value that is above 95% of the others.
double near_largest(std::vector<double> values) {
    if (values.empty()) {
        return 0.0;
    }
    const auto at = static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(values.size() - 1));
    std::ranges::nth_element(values, values.begin() + at);
    return values[static_cast<std::size_t>(at)];
}

/// The seam of one track: what is missing at the loop's end, as half a rotation vector or in metres.
template <typename Value, typename Read, typename Difference, typename Step>
class Seam {
public:
    /// `nothing`: a seam that nobody sees, and that a file's own steps in time may make.
    Seam(Track& track, const TrimSpan& loop, double nothing, Read read, Difference difference, Step step)
        : track_(track), loop_(loop), nothing_(nothing), read_(read), difference_(difference), step_(step) {}

    /// Returns how far the end moves.
    double close(const std::function<glm::dvec3(const glm::dvec3&)>& kept) {
        move_key_to_end();
        // A key there keeps its value when what is between it and the window is cut.
        insert_key(track_, loop_.start_seconds);
        TrackCursor cursor(track_);
        const Value start = value_at(cursor, loop_.start_seconds);
        const Value end = value_at(cursor, loop_.end_seconds);
        const glm::dvec3 whole = difference_(end, start);
        const glm::dvec3 missing = kept(whole);
        const double size = glm::length(missing);
        if (size < nothing_) {
            return 0.0;
        }
        const double window = add_keys(window_for(size));
        for (std::size_t key = 0; key < track_.key_count(); ++key) {
            const double time = track_.times[key];
            const double u = (time - (loop_.end_seconds - window)) / window;
            if (u <= 0.0 || time > loop_.end_seconds + 1e-9) {
                continue;
            }
            const bool is_end = time >= loop_.end_seconds - 1e-9;
            const bool is_exact = is_end && missing == whole;
            const std::vector<double> before = numbers_at(key);
            write(key, is_exact ? beside(start, key)
                                : step_(read_(track_, key), missing * share_at(is_end ? 1.0 : u)));
            bend_handles(key, before, [&](double at) {
                return missing * share_at((at - (loop_.end_seconds - window)) / window);
            });
        }
        return size;
    }

private:
    /// Files store times in steps: a key of the last frame may be a little after the loop's end. Beside it,
    /// another one would be the same key in the file.
    void move_key_to_end() {
        constexpr double step_seconds = 5e-4;  // half of that of a file of a minute
        const auto distance = [&](double time) { return std::abs(time - loop_.end_seconds); };
        const auto nearest = std::ranges::min_element(track_.times, {}, distance);
        if (nearest != track_.times.end() && distance(*nearest) < step_seconds) {
            *nearest = loop_.end_seconds;
        }
    }

    static Value value_at(TrackCursor& cursor, double time) {
        if constexpr (std::is_same_v<Value, glm::dquat>) {
            return cursor.rotation_at(time);
        } else {
            return cursor.translation_at(time);
        }
    }

    /// The shortest of 0.1 s, 0.2 s, ... in which the track need not move faster than it does anyway.
    double window_for(double size) const {
        const double length = loop_.end_seconds - loop_.start_seconds;
        std::vector<double> speeds;
        TrackCursor cursor(track_);
        std::optional<Value> before;
        for (double time = loop_.start_seconds; time <= loop_.end_seconds; time += 1.0 / measured_rate) {
            const Value value = value_at(cursor, time);
            if (before) {
                speeds.push_back(glm::length(difference_(*before, value)) * measured_rate);
            }
            before = value;
        }
        const double usual = near_largest(std::move(speeds));
        constexpr double step_seconds = 0.1;
        double window = step_seconds;
        while (window < length / 4.0 && 1.5 * size / window > usual) {
            window += step_seconds;
        }
        return std::min(window, length / 4.0);
    }

    /// Keys where the curve needs them and has none near. Returns the window, from a key on.
    double add_keys(double window) {
        constexpr int pieces = 5;
        const double piece = window / pieces;
        const double longest = (loop_.end_seconds - loop_.start_seconds) / 4.0;
        const auto after = std::ranges::lower_bound(track_.times, loop_.end_seconds - window);
        const double from_last = after == track_.times.begin() ? 0.0 : loop_.end_seconds - *(after - 1);
        const double from_next = after == track_.times.end() ? 0.0 : loop_.end_seconds - *after;
        if (from_last > window && from_last < std::min(window + piece, longest)) {
            window = from_last;
        } else if (from_next > window - piece) {
            window = from_next;
        }
        insert_key(track_, loop_.end_seconds - window);
        for (int i = 1; i < pieces; ++i) {
            const double time = loop_.end_seconds - piece * i;
            const auto next = std::ranges::lower_bound(track_.times, time - piece / 2.0);
            if (next == track_.times.end() || *next > time + piece / 2.0) {
                insert_key(track_, time);
            }
        }
        insert_key(track_, loop_.end_seconds);
        return window;
    }

    static double share_at(double u) {
        const double within = std::clamp(u, 0.0, 1.0);
        return within * within * (3.0 - 2.0 * within);
    }

    std::vector<double> numbers_at(std::size_t key) const {
        const auto row = track_.value(key);
        return {row.begin(), row.end()};
    }

    /// Handles move as the curve does where they are. `before`: the key's numbers before it moved.
    template <typename Offset>
    void bend_handles(std::size_t key, const std::vector<double>& before, Offset&& offset_at) {
        if (track_.handles.empty()) {
            return;
        }
        const auto own = std::span(track_.handles).subspan(key * before.size(), before.size());
        const auto now = track_.value(key);
        const auto bend = [&](double Handles::*time, double Handles::*value) {
            Track alone{track_.node, track_.channel, {0.0}, before};
            for (std::size_t i = 0; i < before.size(); ++i) {
                alone.values[i] += own[i].*value;
            }
            const Value moved = step_(raw(alone), offset_at(track_.times[key] + own[0].*time));
            for (std::size_t i = 0; i < before.size(); ++i) {
                own[i].*value = number_of(moved, i) - now[i];
            }
        };
        bend(&Handles::in_time, &Handles::in_value);
        bend(&Handles::out_time, &Handles::out_value);
    }

    static Value raw(const Track& track) {
        if constexpr (std::is_same_v<Value, glm::dquat>) {
            return track.rotation(0);
        } else {
            return track.translation(0);
        }
    }
    static double number_of(const Value& value, std::size_t number) {
        if constexpr (std::is_same_v<Value, glm::dquat>) {
            return std::array{value.w, value.x, value.y, value.z}.at(number);
        } else {
            return value[static_cast<glm::length_t>(number)];
        }
    }

    /// With the sign of the key that it replaces.
    Value beside(const Value& value, std::size_t key) const {
        return glm::dot(value, read_(track_, key)) < 0.0 && std::is_same_v<Value, glm::dquat> ? -value
                                                                                              : value;
    }

    void write(std::size_t key, const Value& value) {
        if constexpr (std::is_same_v<Value, glm::dquat>) {
            std::ranges::copy(std::array{value.w, value.x, value.y, value.z}, &track_.values[key * 4]);
        } else {
            std::ranges::copy(std::array{value.x, value.y, value.z}, &track_.values[key * 3]);
        }
        if (!track_.inserted.empty()) {
            track_.inserted[key] = false;
        }
    }

    Track& track_;
    TrimSpan loop_;
    double nothing_;
    Read read_;
    Difference difference_;
    Step step_;
};

double close_rotation(Track& track, const TrimSpan& loop) {
    constexpr double least = 0.02 / degrees_of_radian / 2.0;
    const auto read = [](const Track& from, std::size_t key) { return glm::normalize(from.rotation(key)); };
    const auto difference = [](const glm::dquat& a, const glm::dquat& b) {
        return log_of(product(glm::conjugate(a), b));
    };
    const auto step = [](const glm::dquat& q, const glm::dvec3& half) { return product(q, exp_of(half)); };
    Seam<glm::dquat, decltype(read), decltype(difference), decltype(step)> seam(track, loop, least, read,
                                                                                difference, step);
    return 2.0 * degrees_of_radian * seam.close([](const glm::dvec3& all) { return all; });
}

double close_translation(Track& track, const TrimSpan& loop,
                         const std::function<glm::dvec3(const glm::dvec3&)>& kept) {
    constexpr double least = 2e-5;  // metres
    const auto read = [](const Track& from, std::size_t key) { return from.translation(key); };
    const auto difference = [](const glm::dvec3& a, const glm::dvec3& b) { return b - a; };
    const auto step = [](const glm::dvec3& p, const glm::dvec3& offset) { return p + offset; };
    Seam<glm::dvec3, decltype(read), decltype(difference), decltype(step)> seam(track, loop, least, read,
                                                                                difference, step);
    return 1000.0 * seam.close(kept);
}

/// What of a missing position is closed: nothing horizontal where the loop travels.
std::function<glm::dvec3(const glm::dvec3&)> kept_of(const Clip& clip, const std::optional<Travel>& travel,
                                                     std::size_t node) {
    if (!travel || travel->node != node || !travel->leaves()) {
        return [](const glm::dvec3& missing) { return missing; };
    }
    const auto parent = clip.skeleton.nodes[node].parent;
    const glm::dquat above = parent ? ClipPoser(Clip{clip.skeleton, {}, {}, 0.0}).world()[*parent].rotation
                                    : glm::dquat(1, 0, 0, 0);
    return [above](const glm::dvec3& missing) {
        return glm::conjugate(above) * glm::dvec3(0, 0, (above * missing).z);
    };
}

}  // namespace

SeamClosed close_loop(Clip& clip) {
    const TrimSpan loop = loop_span(clip);
    SeamClosed done;
    if (!(loop.end_seconds > loop.start_seconds)) {
        return done;
    }
    const auto travel = travel_of(clip, {});
    const auto is_open = [&](const Track& track) {
        if (track.channel == Channel::rotation && has_linear_rows(track)) {
            TrackCursor cursor(track);
            const glm::dquat start = cursor.rotation_at(loop.start_seconds);
            constexpr double seen_degrees = 0.02;
            return angle_between_degrees(start, cursor.rotation_at(loop.end_seconds)) > seen_degrees;
        }
        for (std::size_t number = 0; number < track.width() && track.key_count() > 1; ++number) {
            // A number of its own only becomes part of a row if it is off by what is seen.
            const double least = !track.component ? 0.0 : track.channel == Channel::rotation ? 5e-5 : 1e-5;
            if (std::abs(evaluate(track, loop.start_seconds, number) -
                         evaluate(track, loop.end_seconds, number)) > least) {
                return true;
            }
        }
        return false;
    };
    use_rows(clip, [&](const Track& track) { return track.channel != Channel::property && is_open(track); });
    for (Track& track : clip.tracks) {
        if (track.channel == Channel::property || track.key_count() < 2 || !is_open(track)) {
            continue;
        }
        const double moved = track.channel == Channel::rotation
                                 ? close_rotation(track, loop)
                                 : close_translation(track, loop, kept_of(clip, travel, track.node));
        double& largest = track.channel == Channel::rotation ? done.largest_degrees : done.largest_mm;
        largest = std::max(largest, moved);
        done.tracks += moved > 0.0 ? 1 : 0;
    }
    return done;
}

// ---- the best loop ----

namespace {

/// The parts of the body that are seen; of a skeleton without a body, every joint that moves.
std::vector<std::size_t> compared_joints(const Clip& clip, const rig::humanoid::FoundRig& rig) {
    constexpr std::array<std::string_view, 17> parts = {
        "spine",         "chest",         "head",          "leftUpperArm", "leftLowerArm", "leftHand",
        "rightUpperArm", "rightLowerArm", "rightHand",     "leftUpperLeg", "leftLowerLeg", "leftFoot",
        "leftToes",      "rightUpperLeg", "rightLowerLeg", "rightFoot",    "rightToes"};
    std::vector<std::size_t> joints = rig.joints_of(parts);
    if (joints.empty()) {
        const ClipPoser poser(clip);
        for (std::size_t i = 0; i < clip.skeleton.nodes.size(); ++i) {
            if (poser.moves(i)) {
                joints.push_back(i);
            }
        }
    }
    return joints;
}

/// Two times, and how unlike the poses there are: the mean squared distance of the joints, in square metres.
struct Pair {
    double start_seconds = 0;
    double end_seconds = 0;
    double squared = 0;
};

/// Compares poses by where joints are, relative to the ground below the hips, and by how fast they move.
class LoopSearch {
public:
    LoopSearch(const Clip& clip, const rig::humanoid::FoundRig& rig, std::vector<std::size_t> joints)
        : poser_(clip), duration_seconds_(clip.duration_seconds), joints_(std::move(joints)) {
        const auto hips = rig.joint_of("hips");
        const auto travel = travel_of(clip, rig);
        root_ = hips ? hips : travel ? std::optional(travel->node) : std::nullopt;
        // The number of pairs grows with the square. Of a motion with frames, every nth is looked at.
        constexpr double most_samples = 2000.0;
        const double highest = std::min(measured_rate, most_samples / std::max(duration_seconds_, 1e-9));
        const double own = std::max(1.0, frame_rate_of(clip));
        rate_ = own / std::max(1.0, std::ceil(own / highest - 1e-6));
        constexpr double finest_rate = 240.0;
        const double wanted = clip.frames_per_second > 0.0 ? own : finest_rate;
        finer_ =
            std::max<std::size_t>(1, static_cast<std::size_t>(std::min(wanted, finest_rate) / rate_ + 1e-6));
        count_ = static_cast<std::size_t>(std::floor(duration_seconds_ * rate_ + 1e-6)) + 1;
        rows_ = rows_at(0.0, 1.0 / rate_, count_, 1);
    }

    [[nodiscard]] std::size_t count() const { return count_; }

    /// The end that matches a sample best, at least `shortest` seconds later; nullopt: it is too late for
    /// one.
    [[nodiscard]] std::optional<Pair> best_end_of(std::size_t first, double shortest) const {
        std::optional<Pair> best;
        const auto apart = static_cast<std::size_t>(std::ceil(shortest * rate_ - 1e-6));
        for (std::size_t last = first + apart; last < count_; ++last) {
            const double squared = squared_distance(rows_, first, rows_, last);
            if (!best || squared < best->squared) {
                best = Pair{static_cast<double>(first) / rate_, static_cast<double>(last) / rate_, squared};
            }
        }
        return best;
    }

    /// The best pair within a sample of both times: at frames of a motion that has some, else 1/240 s apart.
    [[nodiscard]] Pair refined(const Pair& pair, double shortest) {
        if (finer_ == 1) {
            return pair;
        }
        const double step = 1.0 / rate_ / static_cast<double>(finer_);
        const auto n = static_cast<double>(finer_);
        const std::size_t margin = 2 * finer_;
        const auto starts = rows_at(pair.start_seconds - 2.0 * n * step, step, 2 * margin + 1, finer_);
        const auto ends = rows_at(pair.end_seconds - 2.0 * n * step, step, 2 * margin + 1, finer_);
        Pair best = pair;
        for (std::size_t i = finer_; i <= 3 * finer_; ++i) {
            for (std::size_t j = finer_; j <= 3 * finer_; ++j) {
                const Pair other{pair.start_seconds + (static_cast<double>(i) - 2.0 * n) * step,
                                 pair.end_seconds + (static_cast<double>(j) - 2.0 * n) * step,
                                 squared_distance(starts, i, ends, j)};
                const bool is_loop = other.start_seconds >= 0.0 && other.end_seconds <= duration_seconds_ &&
                                     other.end_seconds - other.start_seconds >= shortest;
                if (is_loop && other.squared < best.squared) {
                    best = other;
                }
            }
        }
        return best;
    }

    [[nodiscard]] Pair at(double start_seconds, double end_seconds) {
        const auto start = rows_at(start_seconds - 1.0 / rate_, 1.0 / rate_, 3, 1);
        const auto end = rows_at(end_seconds - 1.0 / rate_, 1.0 / rate_, 3, 1);
        return {start_seconds, end_seconds, squared_distance(start, 1, end, 1)};
    }

private:
    [[nodiscard]] std::size_t width() const { return joints_.size() * 6; }

    [[nodiscard]] double squared_distance(const std::vector<float>& some, std::size_t a,
                                          const std::vector<float>& others, std::size_t b) const {
        const float* const x = &some[a * width()];
        const float* const y = &others[b * width()];
        float sum = 0;
        for (std::size_t i = 0; i < width(); ++i) {
            const float apart = x[i] - y[i];
            sum += apart * apart;
        }
        return static_cast<double>(sum);
    }

    /// A row of 6 numbers a joint for each of even times, scaled so that their squared distances add up to
    /// the measure. Speeds are differences over so many steps to either side.
    [[nodiscard]] std::vector<float> rows_at(double first_seconds, double step_seconds, std::size_t count,
                                             std::size_t steps) {
        std::vector<double> times;
        std::vector<glm::dvec3> places;
        for (std::size_t i = 0; i < count; ++i) {
            times.push_back(
                std::clamp(first_seconds + static_cast<double>(i) * step_seconds, 0.0, duration_seconds_));
            poser_.pose(times.back());
            glm::dvec3 ground(0);
            if (root_) {
                ground = poser_.world()[*root_].translation;
                ground.z = 0.0;
            }
            for (const std::size_t joint : joints_) {
                places.push_back(poser_.world()[joint].translation - ground);
            }
        }
        constexpr double speed_seconds = 0.1;  // speed counts like a distance gone in this time
        const std::size_t n = joints_.size();
        const double scale = 1.0 / std::sqrt(static_cast<double>(n));
        std::vector<float> rows;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t before = i < steps ? 0 : i - steps;
            const std::size_t after = std::min(i + steps, count - 1);
            const double span = times[after] - times[before];
            for (std::size_t j = 0; j < n; ++j) {
                const glm::dvec3 place = places[i * n + j] * scale;
                const glm::dvec3 way = (places[after * n + j] - places[before * n + j]) * scale;
                const glm::dvec3 speed = span > 0.0 ? way * (speed_seconds / span) : glm::dvec3(0);
                for (const glm::dvec3& part : {place, speed}) {
                    for (glm::length_t axis = 0; axis < 3; ++axis) {
                        rows.push_back(static_cast<float>(part[axis]));
                    }
                }
            }
        }
        return rows;
    }

    ClipPoser poser_;
    double duration_seconds_;
    std::vector<std::size_t> joints_;
    std::optional<std::size_t> root_;
    double rate_ = measured_rate;
    std::size_t finer_ = 1;  ///< steps of the finer search in a sample
    std::size_t count_ = 0;
    std::vector<float> rows_;
};

/// The largest jump of a joint's own rotation.
double worst_jump_degrees(const Clip& clip, double in_seconds, double out_seconds) {
    double worst = 0;
    for (const Track& track : clip.tracks) {
        if (track.channel == Channel::rotation && !track.component && track.key_count() > 0) {
            TrackCursor cursor(track);
            const glm::dquat start = cursor.rotation_at(in_seconds);
            worst = std::max(worst, angle_between_degrees(start, cursor.rotation_at(out_seconds)));
        }
    }
    return worst;
}

}  // namespace

Result<BestLoops> best_loops(const Clip& clip, const rig::humanoid::FoundRig& rig, const Job& job) {
    constexpr double shortest_seconds = 0.6;
    constexpr double apart_seconds = 0.1;
    constexpr std::size_t most_choices = 8;
    auto joints = compared_joints(clip, rig);
    if (joints.empty() || clip.duration_seconds < shortest_seconds) {
        return fail(ErrorCode::rejected,
                    joints.empty() ? "no joint moves, so no part is better than another"
                                   : "the animation is shorter than the shortest loop, 0.6 s",
                    "loop_points");
    }
    LoopSearch search(clip, rig, std::move(joints));
    std::vector<Pair> best_of_start;
    for (std::size_t first = 0; first < search.count(); ++first) {
        if (const auto best = search.best_end_of(first, shortest_seconds)) {
            best_of_start.push_back(*best);
        }
        TRY_VOID(job.report(static_cast<double>(first) / static_cast<double>(search.count())));
    }
    std::ranges::stable_sort(best_of_start, {}, &Pair::squared);
    const auto choice_of = [&](const Pair& pair) {
        return LoopChoice{pair.start_seconds, pair.end_seconds, 1000.0 * std::sqrt(pair.squared),
                          worst_jump_degrees(clip, pair.start_seconds, pair.end_seconds)};
    };
    BestLoops found;
    std::vector<double> starts;
    for (const Pair& pair : best_of_start) {
        const bool is_near = std::ranges::any_of(
            starts, [&](double other) { return std::abs(other - pair.start_seconds) <= apart_seconds; });
        if (!is_near && starts.size() < most_choices) {
            starts.push_back(pair.start_seconds);
            found.choices.push_back(choice_of(search.refined(pair, shortest_seconds)));
        }
    }
    std::ranges::stable_sort(found.choices, {}, &LoopChoice::distance_mm);
    if (loop_of(clip)) {
        const TrimSpan loop = loop_span(clip);
        found.present = choice_of(search.at(loop.start_seconds, loop.end_seconds));
    }
    return found;
}

}  // namespace animbridge::editing
