// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/mrtk/file/file.h"
#include "model/clip/clip.h"

/// Unity's AnimationCurve as recordings use it: Hermite and weighted Bezier segments, steps and wrap modes;
/// the seven curves of a pose, and curves apart, to change their keys (docs/mrtk-format.md, "Between keys").
/// Nothing here fails. Unity's space, seconds.
namespace animbridge::mrtk::curves {

// ---- one curve ----

/// A key with the members that the file omits. A key of version 1.1 has tangents and weights of 0 on both
/// sides, which makes straight lines.
struct CurveKey {
    double time = 0;
    double value = 0;
    double in_tangent = 0;
    double out_tangent = 0;
    double in_weight = 0;
    double out_weight = 0;
    std::int32_t weighted_mode = file::weighted_both;
};

/// The curve between two keys.
struct Segment {
    enum class Kind : std::uint8_t { step, linear, curved };
    Kind kind = Kind::linear;
    /// For a curved segment: how far the tangents reach, as fractions of its length. Limited to 0 to 1; 0
    /// replaces NaN.
    double out_weight = 0;
    double in_weight = 0;
};
/// A segment is linear if its tangents have no reach, or point along the line.
[[nodiscard]] Segment segment_between(const CurveKey& left, const CurveKey& right);

/// The value at a time between the times of two keys. At the right key's time, it is the right key's value.
[[nodiscard]] double value_between(const CurveKey& left, const CurveKey& right, double time);

/// The parameter of a curved segment's Bezier at a time: 0 at the left key, 1 at the right one. `share`: the
/// time as a fraction of the segment's length, 0 to 1.
[[nodiscard]] double bezier_parameter(const Segment& segment, double share);

/// The keys of a curve, of either kind. Their owner must outlive the view.
class CurveView {
public:
    CurveView() = default;
    CurveView(const file::Document& document, std::size_t curve);
    /// Keys from elsewhere, with the wrap modes of a curve.
    CurveView(std::span<const file::FullKey> keys, const file::Curve& wraps, bool is_switch);

    [[nodiscard]] std::size_t size() const { return count_; }
    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] double time(std::size_t key) const { return number(key, 0); }
    [[nodiscard]] std::uint32_t time_bits(std::size_t key) const { return full_key(key).time.bits; }
    [[nodiscard]] double value(std::size_t key) const { return number(key, 1); }
    [[nodiscard]] CurveKey key(std::size_t key) const;
    [[nodiscard]] file::FullKey full_key(std::size_t key) const;
    [[nodiscard]] std::int32_t pre_wrap() const { return pre_wrap_; }
    [[nodiscard]] std::int32_t post_wrap() const { return post_wrap_; }
    [[nodiscard]] bool is_switch() const { return is_switch_; }

    /// Whether no time is smaller than the one before. A NaN is not in order.
    [[nodiscard]] bool is_sorted() const;
    /// The number of keys at or before the time. The curve must be sorted.
    [[nodiscard]] std::size_t keys_until(double seconds) const;
    /// The time in the range of the keys that shows the value for any time, by the wrap modes. There must be
    /// a key.
    [[nodiscard]] double wrapped(double seconds) const;

    /// The value that Unity shows; 0 without keys. The curve must be sorted, and its numbers finite.
    [[nodiscard]] double evaluate(double seconds) const;

private:
    [[nodiscard]] double number(std::size_t key, std::size_t which) const;

    const std::uint8_t* data_ = nullptr;
    std::size_t count_ = 0;
    std::size_t stride_ = sizeof(file::SimpleKey);
    std::int32_t pre_wrap_ = file::clamp_forever;
    std::int32_t post_wrap_ = file::clamp_forever;
    bool is_switch_ = false;
};

/// A simple key with the tangents and weights that MRTK gives it.
[[nodiscard]] inline file::FullKey full_key_of(const file::SimpleKey& key) {
    return {key.time, key.value, {}, {}, {}, {}, file::weighted_both};
}

/// The time of the last key of all curves, where MRTK stops; 0 if there are no keys. Times that are not
/// finite do not count.
[[nodiscard]] double duration_seconds(const file::Document& document);
/// The time of the first key of all curves; 0 if there are no keys.
[[nodiscard]] double first_seconds(const file::Document& document);

// ---- the seven curves of a pose ----

/// X, Y, Z, W.
using RotationViews = std::array<CurveView, 4>;
[[nodiscard]] RotationViews rotation_of(const file::Document& document, std::size_t pose);

/// Whether any of the seven curves has a key: a pose without keys is not part of the recording.
[[nodiscard]] bool has_keys(const file::Document& document, std::size_t pose);
/// Whether any joint of the hand has a key.
[[nodiscard]] bool has_hand(const file::Document& document, std::size_t hand);

/// Whether the curves have the same key times.
[[nodiscard]] bool same_times(const CurveView& a, const CurveView& b);
[[nodiscard]] bool share_times(const RotationViews& rotation);

/// How far a quaternion's length may be from 1. Trackers write 0.9997 to 1.0008; ten times that is not noise.
inline constexpr double length_tolerance = 0.01;

/// Whether W is what MRTK 2.6.0 to 2.7.2 leave of it (docs/mrtk-format.md, "Lost W"): version 1.1, and W has
/// one of several keys; or only the first and the last, and the last has Z's value.
[[nodiscard]] bool has_lost_w(const file::Document& document, std::size_t pose);

// ---- times in curved segments, by the parameter of their Bezier: it is even where a curve is steep ----

/// Adds 15 times inside each curved segment of a curve, for comparisons. The curve must be sorted, and its
/// numbers finite.
void add_bend_times(const CurveView& curve, std::vector<double>& times);

/// A segment becomes at most this many lines, so that keys do not outgrow a file whose values are far apart.
inline constexpr int most_lines_of_bend = 1024;

/// The times between two keys, in order, between which lines follow the curved segment within `bound`, in its
/// unit. They can miss the bound only if most_lines_of_bend are too few, or the segment's range is over
/// 100,000 times the bound.
[[nodiscard]] std::vector<double> line_times(const CurveKey& left, const CurveKey& right, double bound);

// ---- curves apart, to change keys ----

/// Keys of version 1.1 and of switches have the tangents and weights that MRTK gives them.
struct LooseCurve {
    std::int32_t pre_wrap = file::clamp_forever;
    std::int32_t post_wrap = file::clamp_forever;
    std::vector<file::FullKey> keys{};

    [[nodiscard]] CurveView view(bool is_switch = false) const {
        return {keys, file::Curve{0, 0, pre_wrap, post_wrap}, is_switch};
    }
};
/// There are curve_count of them.
using LooseCurves = std::vector<LooseCurve>;

/// The document without its curves.
[[nodiscard]] file::Document head_of(const file::Document& document);

[[nodiscard]] LooseCurves taken_apart(const file::Document& document);
/// The document `like` with other curves. Its version and sections define which curves, and which members of
/// the keys, it stores; the others are left out.
[[nodiscard]] file::Document put_together(const file::Document& like, const LooseCurves& curves);

/// Cut off what is before or after a time. Where a curve crosses it, a key there keeps the curve's shape:
/// exact on lines and steps, and on curved segments by de Casteljau's division, up to rounding to floats. So
/// a rotation's key inside a turn has the length that MRTK plays there, which is less than 1 on lines. Keys
/// must be in order of time. Both return the number of inserted keys.
std::size_t cut_before(LooseCurve& curve, double seconds, bool is_switch);
std::size_t cut_after(LooseCurve& curve, double seconds, bool is_switch);

/// Changes every time to (time + shift) / speed, and slopes to match.
void retime(LooseCurve& curve, double shift, double speed);
[[nodiscard]] RawFloat retimed(RawFloat time, double shift, double speed);

/// Sorts the keys by time, like Unity.
void sort_keys(LooseCurve& curve);

// ---- curves that repeat before or after their keys; MRTK itself never writes any ----

[[nodiscard]] constexpr bool repeats(std::int32_t wrap) {
    return wrap == file::loop || wrap == file::ping_pong;
}

/// Whether the curve shows other values before or after its keys than its first and last.
[[nodiscard]] bool is_repeating(const CurveView& curve);
/// The number of such curves.
[[nodiscard]] std::size_t repeating_curves(const file::Document& document);
/// The document with curves that hold their first and last value, as in a clip or a scene.
[[nodiscard]] file::Document held(file::Document document);
void hold(LooseCurve& curve);

// ---- curves and numbers of clip space: Y and Z swapped ----

/// The number that one of a pose's seven curves is. The gaze's origin and direction are like the first three.
struct PoseNumber {
    Channel channel = Channel::translation;
    std::uint8_t component = 0;
    double sign = 1;
};

inline constexpr std::size_t rotation_w = 6;

[[nodiscard]] constexpr PoseNumber pose_number(std::size_t curve) {
    constexpr std::array<PoseNumber, file::pose_curves> numbers = {{{Channel::translation, 0, 1.0},
                                                                    {Channel::translation, 2, 1.0},
                                                                    {Channel::translation, 1, 1.0},
                                                                    {Channel::rotation, 1, -1.0},
                                                                    {Channel::rotation, 3, -1.0},
                                                                    {Channel::rotation, 2, -1.0},
                                                                    {Channel::rotation, 0, 1.0}}};
    return numbers.at(curve);
}

/// The inverse: the curve of a pose for a number of a channel.
[[nodiscard]] constexpr std::size_t curve_of_number(Channel channel, std::size_t component) {
    for (std::size_t i = 0; i < file::pose_curves; ++i) {
        if (pose_number(i).channel == channel && pose_number(i).component == component) {
            return i;
        }
    }
    return 0;
}

}  // namespace animbridge::mrtk::curves
