// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <iterator>
#include <limits>
#include <numbers>
#include <span>

#include "editing/clip_tools.h"
#include "rig/exchange/exchange.h"

namespace animbridge::editing {

glm::dvec3 log_of(const glm::dquat& q) {
    const glm::dquat short_way = q.w < 0.0 ? -q : q;
    const glm::dvec3 v(short_way.x, short_way.y, short_way.z);
    const double sine = glm::length(v);
    constexpr double tiny = 1e-12;
    return sine < tiny ? v : v * (std::atan2(sine, short_way.w) / sine);
}

glm::dquat exp_of(const glm::dvec3& half) {
    const double angle = glm::length(half);
    constexpr double tiny = 1e-12;
    const glm::dvec3 v = angle < tiny ? half : half * (std::sin(angle) / angle);
    return {std::cos(angle), v.x, v.y, v.z};
}

namespace {

/// The joint with this name, whatever the spelling of its aliases.
std::optional<std::size_t> joint_named(const Skeleton& skeleton, const std::string& name) {
    for (std::size_t i = 0; i < skeleton.nodes.size(); ++i) {
        const Node& node = skeleton.nodes[i];
        if (node.name == name || std::ranges::find(node.aliases, name) != node.aliases.end()) {
            return i;
        }
    }
    return std::nullopt;
}

Track& rotation_track_of(Clip& clip, std::size_t node) {
    const auto found = std::ranges::find_if(clip.tracks, [&](const Track& track) {
        return track.node == node && track.channel == Channel::rotation && track.key_count() > 0;
    });
    if (found != clip.tracks.end()) {
        return *found;
    }
    Track track{node, Channel::rotation};
    const glm::dquat& rest = clip.skeleton.nodes[node].rest_local.rotation;
    track.add_key(0.0, std::array{rest.w, rest.x, rest.y, rest.z});
    clip.tracks.push_back(std::move(track));
    return clip.tracks.back();
}

}  // namespace

Result<void> blend(Clip& clip, const BlendEdit& edit) {
    const auto joint = joint_named(clip.skeleton, edit.joint);
    if (!joint) {
        return json_fail("blend_edits", json_text(edit.joint), "the name of a joint of the animation");
    }
    if (edit.at_seconds > clip.duration_seconds) {
        return json_fail("blend_edits", edit.at_seconds,
                         "a time from 0 to the end, " + shown_number(clip.duration_seconds) + " s");
    }
    constexpr double largest_degrees = 170.0;  // beyond, the way round is a matter of rounding
    const glm::dvec3 half = log_of(rotation_of_euler({}, glm::radians(edit.degrees)));
    if (const double turn = 2.0 * glm::length(half) * degrees_of_radian; turn > largest_degrees) {
        return json_fail("blend_edits", turn,
                         "a turn of at most 170 degrees in one edit, or it could go the other way round; "
                         "make it in two");
    }
    use_lines(clip,
              [&](const Track& track) { return track.node == *joint && track.channel == Channel::rotation; });
    constexpr int pieces = 8;  // off the falloff's curve by about a hundredth of the edit
    blend_keys(rotation_track_of(clip, *joint), {edit.at_seconds, edit.falloff_seconds, pieces}, clip,
               [&](const std::array<double, 4>& row, double part) {
                   const glm::dquat q = product({row[0], row[1], row[2], row[3]}, exp_of(half * part));
                   return std::array{q.w, q.x, q.y, q.z};
               });
    return {};
}

// ---- an edit on keys ----

namespace {

/// Whether the track shows the same at both ends of the loop, but for what nobody sees.
bool is_closed(const Track& track, const TrimSpan& loop) {
    constexpr double seen = 0.01;  // a degree of a rotation; a centimetre
    double apart = 0;
    double opposite = 0;
    for (std::size_t number = 0; number < track.width(); ++number) {
        const double start = evaluate(track, loop.start_seconds, number);
        const double end = evaluate(track, loop.end_seconds, number);
        apart = std::max(apart, std::abs(end - start));
        opposite = std::max(opposite, std::abs(end + start));
    }
    return std::min(apart, track.channel == Channel::rotation ? opposite : apart) < seen;
}

/// How much of an edit applies at a time. Nothing outside may change, so a falloff reaches to the track's
/// next keys, and to its ends where none follow. In a loop that a track closes, it goes on at the other end.
class Spread {
public:
    Spread(const KeyEdit& edit, const Clip& clip, const Track& track)
        : at_(edit.at_seconds),
          end_(clip.duration_seconds),
          same_seconds_(clip.duration_seconds / steps_of_a_file / 2.0) {
        const TrimSpan loop = loop_span(clip);
        const bool is_round =
            loop_of(clip) && loop.start_seconds < loop.end_seconds && is_closed(track, loop);
        if (is_round && at_ < loop.start_seconds) {
            end_ = loop.start_seconds;
        } else if (is_round && at_ > loop.end_seconds) {
            start_ = loop.end_seconds;
        } else if (is_round) {
            loop_ = loop;
            round_ = loop.end_seconds - loop.start_seconds;
        }
        if (edit.falloff_seconds) {
            const double falloff = std::max(*edit.falloff_seconds, 2.0 * same_seconds_);
            before_ = width_to_key(track, -1.0, falloff);
            after_ = width_to_key(track, 1.0, falloff);
        }
    }

    /// From 0 to 1.
    [[nodiscard]] double share(double seconds) const {
        const double apart = seconds - at_;
        const double other = apart < 0.0 ? apart + round_ : apart - round_;
        return goes_round(seconds) ? std::max(share_at(apart), share_at(other)) : share_at(apart);
    }

    /// Gives the track keys at the edit and its borders, and so many pieces to each side.
    void add_keys(Track& track, int pieces) const {
        const bool crosses_seam = round_ > 0.0 && (at_ - before_ < loop_.start_seconds - same_seconds_ ||
                                                   at_ + after_ > loop_.end_seconds + same_seconds_);
        if (crosses_seam) {
            add_key(track, loop_.start_seconds, 0.0);
            add_key(track, loop_.end_seconds, 0.0);
        }
        for (int i = 0; i <= pieces; ++i) {
            for (const double width : {-before_, after_}) {
                const double time = at_ + width * i / pieces;
                const bool is_end = i == 0 || i == pieces;
                const double most_apart = is_end ? 0.0 : std::abs(width) / pieces;
                add_key(track, std::clamp(time, start_, end_), most_apart);
                for (const double round : {-round_, round_}) {
                    if (crosses_seam && goes_round(time + round)) {
                        add_key(track, time + round, most_apart);
                    }
                }
            }
        }
    }

private:
    [[nodiscard]] bool goes_round(double seconds) const {
        return round_ > 0.0 && seconds >= loop_.start_seconds - same_seconds_ &&
               seconds <= loop_.end_seconds + same_seconds_;
    }

    [[nodiscard]] double share_at(double apart) const {
        constexpr double nearly = 1.0 - 1e-9;
        const double width = apart < 0.0 ? before_ : after_;
        const double u = width > 0.0 ? std::abs(apart) / width : (apart == 0.0 ? 0.0 : 1.0);
        return u >= nearly ? 0.0 : 1.0 - u * u * (3.0 - 2.0 * u);
    }

    /// How far the edit reaches to one side, of sign -1 or 1.
    [[nodiscard]] double width_to_key(const Track& track, double side, double falloff) const {
        constexpr double rounding_seconds = 1e-6;
        double width = round_ > 0.0 ? round_ : side < 0.0 ? at_ - start_ : end_ - at_;
        for (const double time : track.times) {
            const double apart = side * (time - at_);
            const double way = apart < 0.0 && goes_round(time) ? apart + round_ : apart;
            const bool counts = round_ == 0.0 || goes_round(time);
            if (counts && way >= falloff - rounding_seconds) {
                width = std::min(width, way);
            }
        }
        return width;
    }

    /// A key at the time, unless one is there, or those around it are near enough to each other.
    void add_key(Track& track, double seconds, double most_apart) const {
        constexpr double none = std::numeric_limits<double>::infinity();
        const auto next = std::ranges::lower_bound(track.times, seconds);
        const double after = next == track.times.end() ? none : *next;
        const double before = next == track.times.begin() ? -none : *std::prev(next);
        if (std::min(seconds - before, after - seconds) > same_seconds_ && after - before > most_apart) {
            insert_key(track, seconds);
        }
    }

    static constexpr double steps_of_a_file = 65535.0;  // an .anim's

    double at_;
    double start_ = 0;
    double end_;
    double same_seconds_;  ///< what a file cannot tell apart
    TrimSpan loop_{};
    double round_ = 0;  ///< the length of the loop; 0: the edit does not go round
    double before_ = std::numeric_limits<double>::infinity();
    double after_ = std::numeric_limits<double>::infinity();
};

}  // namespace

void blend_keys(Track& track, const KeyEdit& edit, const Clip& clip, const EditedRow& edited_row) {
    const Spread spread(edit, clip, track);
    if (edit.falloff_seconds) {
        spread.add_keys(track, edit.pieces);
    }
    const std::size_t width = track.width();
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        const double share = spread.share(track.times[key]);
        if (!(share > 0.0)) {
            continue;
        }
        std::array<double, 4> row{};
        std::ranges::copy(track.value(key), row.begin());
        const std::array<double, 4> made = edited_row(row, share);
        std::copy_n(made.begin(), width, &track.values[key * width]);
        if (!track.inserted.empty() && edit.falloff_seconds) {
            track.inserted[key] = false;
        }
        if (track.handles.empty()) {
            continue;
        }
        // Handles move as the curve does where they are.
        const auto own = std::span(track.handles).subspan(key * width, width);
        const auto bend = [&](double Handles::*time, double Handles::*value) {
            std::array<double, 4> place = row;
            for (std::size_t i = 0; i < width; ++i) {
                place.at(i) += own[i].*value;
            }
            place = edited_row(place, spread.share(track.times[key] + own[0].*time));
            for (std::size_t i = 0; i < width; ++i) {
                own[i].*value = place.at(i) - made.at(i);
            }
        };
        bend(&Handles::in_time, &Handles::in_value);
        bend(&Handles::out_time, &Handles::out_value);
    }
}

// ---- smoothing ----

namespace {

/// Frames on each side that a fit uses.
constexpr std::ptrdiff_t side_frames = 3;
/// The value in the middle of a parabola through seven points (Savitzky and Golay, 1964).
constexpr std::array<double, 7> parabola = {-2.0 / 21, 3.0 / 21, 6.0 / 21, 7.0 / 21,
                                            6.0 / 21,  3.0 / 21, -2.0 / 21};

/// Even samples of a track, and how far each is from the smooth curve. In a loop the ends follow each other;
/// else what is beyond an end is what is before it, turned round.
template <typename Value, typename Difference>
std::vector<glm::dvec3> offsets_by_parabola(const std::vector<Value>& samples, bool is_loop,
                                            Difference&& difference) {
    const auto count = static_cast<std::ptrdiff_t>(samples.size());
    std::vector<glm::dvec3> offsets(samples.size(), glm::dvec3(0));
    for (std::ptrdiff_t i = 0; i < count; ++i) {
        glm::dvec3 sum(0);
        for (std::ptrdiff_t k = -side_frames; k <= side_frames; ++k) {
            const std::ptrdiff_t wanted = i + k;
            const bool is_inside = wanted >= 0 && wanted < count;
            const std::ptrdiff_t period = count - 1;
            const std::ptrdiff_t at = is_inside ? wanted
                                      : is_loop ? ((wanted % period) + period) % period
                                                : std::clamp<std::ptrdiff_t>(i - k, 0, count - 1);
            const glm::dvec3 apart =
                difference(samples[static_cast<std::size_t>(i)], samples[static_cast<std::size_t>(at)]);
            const double sign = is_inside || is_loop ? 1.0 : -1.0;
            sum += parabola.at(static_cast<std::size_t>(k + side_frames)) * sign * apart;
        }
        offsets[static_cast<std::size_t>(i)] = sum;
    }
    return offsets;
}

/// The One-Euro filter (Casiez, Roussel and Vogel, 2012), forwards and backwards, so that it does not lag.
/// `step` moves from one value to another by a part; `difference` is a vector, `speed` its length a second.
template <typename Value, typename Difference, typename Step>
std::vector<glm::dvec3> offsets_by_speed(const std::vector<Value>& samples, double rate, double speed_unit,
                                         Difference&& difference, Step&& step) {
    constexpr double slowest_hertz = 1.5;
    constexpr double hertz_per_speed = 0.02;
    std::vector<Value> smooth = samples;
    const auto pass = [&](std::size_t from, std::size_t to) {
        const double speed = glm::length(difference(smooth[from], smooth[to])) * speed_unit * rate;
        const double cutoff = slowest_hertz + hertz_per_speed * speed;
        const double share = 1.0 / (1.0 + rate / (2.0 * std::numbers::pi * cutoff));
        smooth[to] = step(smooth[from], smooth[to], share);
    };
    for (std::size_t i = 1; i < smooth.size(); ++i) {
        pass(i - 1, i);
    }
    for (std::size_t i = smooth.size() - 1; i > 0; --i) {
        pass(i, i - 1);
    }
    std::vector<glm::dvec3> offsets;
    offsets.reserve(samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        offsets.push_back(difference(samples[i], smooth[i]));
    }
    return offsets;
}

double shortened(glm::dvec3& offset, double most) {
    const double length = glm::length(offset);
    if (length > most) {
        offset *= most / length;
    }
    return std::min(length, most);
}

/// Replaces the track by even samples of it, smoothed. Returns the largest change. In a loop, only a track
/// that ends as it begins goes round: a file has loop points even if it plays once.
class TrackSmoother {
public:
    TrackSmoother(const Clip& clip, Filter filter, double rate) : filter_(filter), rate_(rate) {
        const TrimSpan loop = loop_span(clip);
        is_loop_ = loop_of_whole(clip, loop);
    }

    /// From each sample to the smooth curve, as half rotation vectors.
    [[nodiscard]] std::vector<glm::dvec3> rotation_offsets(const Track& track) const {
        std::vector<glm::dquat> samples;
        TrackCursor cursor(track);
        for (const double time : times_of(track)) {
            glm::dquat q = cursor.rotation_at(time);
            samples.push_back(!samples.empty() && glm::dot(samples.back(), q) < 0.0 ? -q : q);
        }
        const auto difference = [](const glm::dquat& a, const glm::dquat& b) {
            return log_of(product(glm::conjugate(a), b));
        };
        constexpr double closed = 1.0 / degrees_of_radian / 2.0;
        const bool goes_round = is_loop_ && glm::length(difference(samples.front(), samples.back())) < closed;
        return filter_ == Filter::savgol
                   ? offsets_by_parabola(samples, goes_round, difference)
                   : offsets_by_speed(samples, rate_, 2.0 * degrees_of_radian, difference,
                                      [](const glm::dquat& a, const glm::dquat& b, double share) {
                                          return glm::slerp(a, b, share);
                                      });
    }

    /// In degrees.
    double rotations(Track& track, double most_degrees) const {
        TrackCursor cursor(track);
        auto offsets = rotation_offsets(track);
        const double largest = shorten(offsets, most_degrees / degrees_of_radian / 2.0);
        Track made{track.node, track.channel};
        for (const double time : key_times(track)) {
            const glm::dquat q = product(cursor.rotation_at(time), exp_of(offset_at(offsets, track, time)));
            const bool turns_back =
                made.key_count() > 0 && glm::dot(made.rotation(made.key_count() - 1), q) < 0.0;
            const glm::dquat row = turns_back ? -q : q;
            made.add_key(time, std::array{row.w, row.x, row.y, row.z});
        }
        track = std::move(made);
        return 2.0 * largest * degrees_of_radian;
    }

    /// In millimetres.
    double positions(Track& track, double most_mm) const {
        std::vector<glm::dvec3> samples;
        TrackCursor cursor(track);
        for (const double time : times_of(track)) {
            samples.push_back(cursor.translation_at(time));
        }
        const auto difference = [](const glm::dvec3& a, const glm::dvec3& b) { return b - a; };
        constexpr double degrees_per_metre = 100.0;  // about those of an arm that moves a hand
        constexpr double closed_metres = 0.005;
        const bool goes_round =
            is_loop_ && glm::length(difference(samples.front(), samples.back())) < closed_metres;
        auto offsets = filter_ == Filter::savgol
                           ? offsets_by_parabola(samples, goes_round, difference)
                           : offsets_by_speed(samples, rate_, degrees_per_metre, difference,
                                              [](const glm::dvec3& a, const glm::dvec3& b, double share) {
                                                  return glm::mix(a, b, share);
                                              });
        const double largest = shorten(offsets, most_mm / 1000.0);
        Track made{track.node, track.channel};
        for (const double time : key_times(track)) {
            const glm::dvec3 p = cursor.translation_at(time) + offset_at(offsets, track, time);
            made.add_key(time, std::array{p.x, p.y, p.z});
        }
        track = std::move(made);
        return 1000.0 * largest;
    }

private:
    static bool loop_of_whole(const Clip& clip, const TrimSpan& loop) {
        const bool has_markers = std::ranges::any_of(clip.markers, [](const Marker& marker) {
            return marker.name == "loop_in" && marker.time_seconds == 0.0;
        });
        return has_markers && loop.start_seconds == 0.0 && loop.end_seconds == clip.duration_seconds;
    }

    [[nodiscard]] std::vector<double> times_of(const Track& track) const {
        const double first = track.times.front();
        const double length = track.times.back() - first;
        const auto steps = static_cast<std::size_t>(std::max(1.0, std::round(length * rate_)));
        std::vector<double> times;
        for (std::size_t i = 0; i <= steps; ++i) {
            times.push_back(first + length * static_cast<double>(i) / static_cast<double>(steps));
        }
        return times;
    }

    /// Between two samples, part of each: never longer than both.
    [[nodiscard]] static glm::dvec3 offset_at(const std::vector<glm::dvec3>& offsets, const Track& track,
                                              double time) {
        const double length = track.times.back() - track.times.front();
        const double place = (time - track.times.front()) / length * static_cast<double>(offsets.size() - 1);
        const auto left = std::min(static_cast<std::size_t>(std::max(place, 0.0)), offsets.size() - 2);
        return glm::mix(offsets[left], offsets[left + 1],
                        std::clamp(place - static_cast<double>(left), 0.0, 1.0));
    }

    /// The samples' times and those of the old keys, of which one near a sample stands for both.
    [[nodiscard]] std::vector<double> key_times(const Track& track) const {
        std::vector<double> times = track.times;
        for (const double sample : times_of(track)) {
            const auto next = std::ranges::lower_bound(track.times, sample);
            const double after = next == track.times.end() ? 1e9 : *next - sample;
            const double before = next == track.times.begin() ? 1e9 : sample - *(next - 1);
            if (std::min(after, before) * rate_ > 0.5) {
                times.push_back(sample);
            }
        }
        std::ranges::sort(times);
        times.erase(std::unique(times.begin(), times.end()), times.end());
        return times;
    }

    /// Returns the longest that is left.
    static double shorten(std::vector<glm::dvec3>& offsets, double most) {
        double longest = 0;
        for (glm::dvec3& offset : offsets) {
            longest = std::max(longest, shortened(offset, most));
        }
        return longest;
    }

    Filter filter_;
    double rate_;
    bool is_loop_ = false;
};

bool varies(const Track& track) {
    const std::size_t width = track.width();
    for (std::size_t i = width; i < track.values.size(); ++i) {
        if (track.values[i] != track.values[i % width]) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::vector<double> shakes_degrees(const Clip& clip, const Track& track) {
    if ((track.times.back() - track.times.front()) * measured_rate <=
        2.0 * static_cast<double>(side_frames)) {
        return {};
    }
    std::vector<double> degrees;
    for (const glm::dvec3& offset :
         TrackSmoother(clip, Filter::savgol, measured_rate).rotation_offsets(track)) {
        degrees.push_back(2.0 * degrees_of_radian * glm::length(offset));
    }
    return degrees;
}

Smoothed smooth(Clip& clip, Filter filter, double degrees, double mm) {
    constexpr double lowest_rate = 24.0;
    constexpr double highest_rate = 60.0;
    const double own = frame_rate_of(clip);
    const double rate = own >= lowest_rate && own <= highest_rate ? own : usual_rate;
    const auto is_meant = [&](const Track& track) {
        const bool steps =
            std::ranges::find(track.interpolation, Interpolation::step) != track.interpolation.end();
        const double most = track.channel == Channel::rotation ? degrees : mm;
        // A fit needs as many frames as it has points.
        return track.channel != Channel::property && !steps && most > 0.0 && track.key_count() > 1 &&
               (track.times.back() - track.times.front()) * rate > 2.0 * static_cast<double>(side_frames) &&
               varies(track);
    };
    use_lines(clip, is_meant);
    const TrackSmoother smoother(clip, filter, rate);
    Smoothed done;
    for (Track& track : clip.tracks) {
        if (!is_meant(track)) {
            continue;
        }
        ++done.tracks;
        if (track.channel == Channel::rotation) {
            done.largest_degrees = std::max(done.largest_degrees, smoother.rotations(track, degrees));
        } else {
            done.largest_mm = std::max(done.largest_mm, smoother.positions(track, mm));
        }
    }
    return done;
}

}  // namespace animbridge::editing
