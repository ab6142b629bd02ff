// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "formats/mrtk/document.h"

/// Unity's AnimationCurve: Hermite and weighted Bezier segments, steps and wrap modes (docs/mrtk-format.md,
/// "Between keys").
namespace animbridge::mrtk {

/// A key with the members that the file omits. A key of version 1.1 has tangents and weights of 0 on both
/// sides, which makes straight lines.
struct CurveKey {
    double time = 0;
    double value = 0;
    double in_tangent = 0;
    double out_tangent = 0;
    double in_weight = 0;
    double out_weight = 0;
    std::int32_t weighted_mode = weighted_both;
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
    CurveView(const Document& document, std::size_t curve);
    /// Keys from elsewhere, with the wrap modes of a curve.
    CurveView(std::span<const FullKey> keys, const Curve& wraps, bool is_switch);

    [[nodiscard]] std::size_t size() const { return count_; }
    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] double time(std::size_t key) const { return number(key, 0); }
    [[nodiscard]] std::uint32_t time_bits(std::size_t key) const { return full_key(key).time.bits; }
    [[nodiscard]] double value(std::size_t key) const { return number(key, 1); }
    [[nodiscard]] CurveKey key(std::size_t key) const;
    [[nodiscard]] FullKey full_key(std::size_t key) const;
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
    std::size_t stride_ = sizeof(SimpleKey);
    std::int32_t pre_wrap_ = clamp_forever;
    std::int32_t post_wrap_ = clamp_forever;
    bool is_switch_ = false;
};

/// A simple key with the tangents and weights that MRTK gives it.
[[nodiscard]] inline FullKey full_key_of(const SimpleKey& key) {
    return {key.time, key.value, {}, {}, {}, {}, weighted_both};
}

/// The time of the last key of all curves, where MRTK stops; 0 if there are no keys. Times that are not
/// finite do not count.
[[nodiscard]] double duration_seconds(const Document& document);
/// The time of the first key of all curves; 0 if there are no keys.
[[nodiscard]] double first_seconds(const Document& document);

}  // namespace animbridge::mrtk
