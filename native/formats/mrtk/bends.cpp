// SPDX-License-Identifier: MIT
#include "formats/mrtk/bends.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace animbridge::mrtk {

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
        return std::all_of(values_.begin(), values_.end(), [](double value) { return std::isfinite(value); });
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

}  // namespace animbridge::mrtk
