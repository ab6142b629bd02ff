// SPDX-License-Identifier: MIT
#include "formats/mrtk/curves/curves.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

namespace animbridge::mrtk::curves {

namespace {

constexpr double third = 1.0 / 3.0;

/// Within 0 to 1; 0 for NaN.
double share_of(double weight) { return weight > 0.0 ? std::min(weight, 1.0) : 0.0; }

/// The cubic Hermite form, which is the Bezier whose weights are thirds.
double hermite(const CurveKey& left, const CurveKey& right, double share) {
    const double length = right.time - left.time;
    const double rest = 1.0 - share;
    return (1.0 + 2.0 * share) * rest * rest * left.value + share * rest * rest * length * left.out_tangent +
           share * share * (3.0 - 2.0 * share) * right.value -
           share * share * rest * length * right.in_tangent;
}

/// The tolerance for tangents along the line: a float's last bit or two.
constexpr double on_the_line = 1e-6;

bool along_line(const CurveKey& left, const CurveKey& right) {
    const double slope = (right.value - left.value) / (right.time - left.time);
    const double allowed = on_the_line * std::max(std::abs(slope), 1e-30);
    return std::abs(left.out_tangent - slope) <= allowed && std::abs(right.in_tangent - slope) <= allowed;
}

}  // namespace

Segment segment_between(const CurveKey& left, const CurveKey& right) {
    if (std::isinf(left.out_tangent) || std::isinf(right.in_tangent)) {
        return {Segment::Kind::step};
    }
    const bool out = (left.weighted_mode & file::weighted_out) != 0;
    const bool in = (right.weighted_mode & file::weighted_in) != 0;
    const double out_weight = out ? share_of(left.out_weight) : third;
    const double in_weight = in ? share_of(right.in_weight) : third;
    const bool straight = (out_weight == 0.0 && in_weight == 0.0) ||
                          (!out && !in && right.time > left.time && along_line(left, right));
    return {straight ? Segment::Kind::linear : Segment::Kind::curved, out_weight, in_weight};
}

double bezier_parameter(const Segment& segment, double share) {
    const double x1 = segment.out_weight;
    const double x2 = 1.0 - segment.in_weight;
    if (share <= 0.0 || share >= 1.0) {
        return share <= 0.0 ? 0.0 : 1.0;
    }
    // Time never decreases along the curve, so there is one solution, between low and high. Newton's step is
    // used if it at least halves the last step; where the curve is flat, the bracket is halved.
    double low = 0.0;
    double high = 1.0;
    double u = share;
    double step_before = 1.0;
    constexpr int most_steps = 100;
    for (int step = 0; step < most_steps; ++step) {
        const double error = cubic_bezier(0.0, x1, x2, 1.0, u) - share;
        (error > 0.0 ? high : low) = u;
        const double v = 1.0 - u;
        const double slope = 3.0 * (v * v * x1 + 2.0 * v * u * (x2 - x1) + u * u * (1.0 - x2));
        const double newton = u - error / slope;
        const bool is_fast = newton > low && newton < high && std::abs(newton - u) <= 0.5 * step_before;
        const double next = is_fast ? newton : 0.5 * (low + high);
        if (error == 0.0 || next == u) {
            break;
        }
        step_before = std::abs(next - u);
        u = next;
    }
    return u;
}

double value_between(const CurveKey& left, const CurveKey& right, double time) {
    const double length = right.time - left.time;
    if (!(time < right.time) || !(length > 0.0)) {
        return right.value;
    }
    const double share = (time - left.time) / length;
    const Segment segment = segment_between(left, right);
    if (segment.kind == Segment::Kind::step) {
        return left.value;
    }
    if (segment.kind == Segment::Kind::linear) {
        return left.value + share * (right.value - left.value);
    }
    if (segment.out_weight == third && segment.in_weight == third) {
        return hermite(left, right, share);
    }
    const double u = bezier_parameter(segment, share);
    return cubic_bezier(left.value, left.value + left.out_tangent * segment.out_weight * length,
                        right.value - right.in_tangent * segment.in_weight * length, right.value, u);
}

CurveView::CurveView(const file::Document& document, std::size_t curve)
    : count_(document.curves[curve].count),
      stride_(file::key_bytes(document, curve)),
      pre_wrap_(document.curves[curve].pre_wrap),
      post_wrap_(document.curves[curve].post_wrap),
      is_switch_(mrtk::file::is_switch(curve)) {
    // Any object may be read as bytes.
    if (document.has_full_keys(curve)) {
        data_ = reinterpret_cast<const std::uint8_t*>(document.full_keys_of(curve).data());
    } else {
        data_ = reinterpret_cast<const std::uint8_t*>(document.simple_keys_of(curve).data());
    }
}

CurveView::CurveView(std::span<const file::FullKey> keys, const file::Curve& wraps, bool is_switch)
    : data_(reinterpret_cast<const std::uint8_t*>(keys.data())),
      count_(keys.size()),
      stride_(sizeof(file::FullKey)),
      pre_wrap_(wraps.pre_wrap),
      post_wrap_(wraps.post_wrap),
      is_switch_(is_switch) {}

double CurveView::number(std::size_t key, std::size_t which) const {
    float value = 0;
    std::memcpy(&value, data_ + key * stride_ + which * sizeof(float), sizeof(value));
    return static_cast<double>(value);
}

file::FullKey CurveView::full_key(std::size_t key) const {
    file::FullKey full = full_key_of({});
    std::memcpy(&full, data_ + key * stride_, stride_);
    return full;
}

CurveKey CurveView::key(std::size_t key) const {
    const file::FullKey full = full_key(key);
    const auto wide = [](RawFloat number) { return static_cast<double>(number.value()); };
    return {wide(full.time),      wide(full.value),      wide(full.in_tangent), wide(full.out_tangent),
            wide(full.in_weight), wide(full.out_weight), full.weighted_mode};
}

bool CurveView::is_sorted() const {
    for (std::size_t i = 1; i < count_; ++i) {
        if (!(time(i) >= time(i - 1))) {
            return false;
        }
    }
    return count_ == 0 || !std::isnan(time(0));
}

std::size_t CurveView::keys_until(double seconds) const {
    std::size_t first = 0;
    std::size_t left = count_;
    while (left > 0) {
        const std::size_t half = left / 2;
        if (time(first + half) <= seconds) {
            first += half + 1;
            left -= half + 1;
        } else {
            left = half;
        }
    }
    return first;
}

double CurveView::wrapped(double seconds) const {
    const double start = time(0);
    const double end = time(count_ - 1);
    if (seconds >= start && seconds <= end) {
        return seconds;
    }
    const std::int32_t mode = seconds < start ? pre_wrap_ : post_wrap_;
    const double length = end - start;
    if (!(length > 0.0) || (mode != file::loop && mode != file::ping_pong)) {
        return std::clamp(seconds, start, end);
    }
    const double period = mode == file::loop ? length : 2.0 * length;
    double into = std::fmod(seconds - start, period);
    into += into < 0.0 ? period : 0.0;
    into = into > length ? period - into : into;
    return std::clamp(start + into, start, end);
}

double CurveView::evaluate(double seconds) const {
    if (count_ == 0) {
        return 0.0;
    }
    const double shown = wrapped(seconds);
    const std::size_t right = keys_until(shown);
    if (right == 0 || right == count_ || is_switch_) {
        return value(right == 0 ? 0 : right - 1);
    }
    return value_between(key(right - 1), key(right), shown);
}

namespace {

template <typename Keep>
double time_of_all(const file::Document& document, Keep keep) {
    std::optional<double> best;
    const auto add = [&](const auto& keys) {
        for (const auto& key : keys) {
            const float time = key.time.value();
            if (std::isfinite(time) && (!best || keep(static_cast<double>(time), *best))) {
                best = static_cast<double>(time);
            }
        }
    };
    add(document.full_keys);
    add(document.simple_keys);
    return best.value_or(0.0);
}

}  // namespace

double duration_seconds(const file::Document& document) {
    return time_of_all(document, [](double time, double best) { return time > best; });
}

double first_seconds(const file::Document& document) {
    return time_of_all(document, [](double time, double best) { return time < best; });
}

namespace {

constexpr int looks_per_segment = 16;

/// Lines need not be closer to a curve than this fraction of its range, which bounds their number.
constexpr double least_share = 1e-5;

struct BendPoint {
    double share = 0;  ///< of the segment's duration
    double value = 0;
};

/// A curved segment, by its Bezier's parameter.
class Bend {
public:
    Bend(const CurveKey& left, const CurveKey& right) : segment_(segment_between(left, right)) {
        const double length = right.time - left.time;
        values_ = {left.value, left.value + left.out_tangent * segment_.out_weight * length,
                   right.value - right.in_tangent * segment_.in_weight * length, right.value};
    }

    [[nodiscard]] BendPoint at(double u) const {
        const double v = 1.0 - u;
        const double first = 3.0 * v * v * u;
        const double second = 3.0 * v * u * u;
        const double last = u * u * u;
        return {first * segment_.out_weight + second * (1.0 - segment_.in_weight) + last,
                v * v * v * values_[0] + first * values_[1] + second * values_[2] + last * values_[3]};
    }

    [[nodiscard]] bool is_finite() const {
        return std::ranges::all_of(values_, [](double value) { return std::isfinite(value); });
    }
    /// The difference of its highest and lowest value.
    [[nodiscard]] double range() const {
        const auto [low, high] = std::minmax_element(values_.begin(), values_.end());
        return *high - *low;
    }

    /// Whether a line from one parameter to another is within the bound everywhere.
    [[nodiscard]] bool is_line(double from, double to, double bound) const {
        const BendPoint start = at(from);
        const BendPoint end = at(to);
        const double run = end.share - start.share;
        constexpr int looks = 8;
        for (int look = 1; run > 0.0 && look < looks; ++look) {
            const BendPoint point = at(from + (to - from) * look / looks);
            const double on_line =
                start.value + (end.value - start.value) * (point.share - start.share) / run;
            if (!(std::abs(point.value - on_line) <= bound)) {
                return false;
            }
        }
        return true;
    }

private:
    Segment segment_;
    std::array<double, 4> values_{};
};

/// Divides at the middle until all parts are lines.
void divide(const Bend& bend, double from, double to, double bound, std::vector<double>& shares) {
    constexpr double shortest = 1.0 / most_lines_of_bend;
    if (to - from <= shortest || bend.is_line(from, to, bound)) {
        return;
    }
    const double middle = 0.5 * (from + to);
    divide(bend, from, middle, bound, shares);
    shares.push_back(bend.at(middle).share);
    divide(bend, middle, to, bound, shares);
}

}  // namespace

void add_bend_times(const CurveView& curve, std::vector<double>& times) {
    for (std::size_t key = 1; !curve.is_switch() && key < curve.size(); ++key) {
        const CurveKey left = curve.key(key - 1);
        const CurveKey right = curve.key(key);
        if (segment_between(left, right).kind != Segment::Kind::curved) {
            continue;
        }
        const Bend bend(left, right);
        for (int look = 1; look < looks_per_segment; ++look) {
            const double share = bend.at(static_cast<double>(look) / looks_per_segment).share;
            times.push_back(left.time + share * (right.time - left.time));
        }
    }
}

std::vector<double> line_times(const CurveKey& left, const CurveKey& right, double bound) {
    const Bend bend(left, right);
    std::vector<double> times;
    if (!bend.is_finite()) {
        return times;
    }
    divide(bend, 0.0, 1.0, std::max(bound, least_share * bend.range()), times);
    for (double& share : times) {
        share = left.time + share * (right.time - left.time);
    }
    return times;
}

}  // namespace animbridge::mrtk::curves
