// SPDX-License-Identifier: MIT
#include "formats/sl_anim/codes/codes.h"

#include <algorithm>
#include <span>

#include "formats/sl_anim/codes/rotation_kernels.h"

namespace animbridge::sl_anim::codes {

namespace {

std::uint16_t nearest_code(float value, float low, float high) {
    const double place = (static_cast<double>(value) - low) / (static_cast<double>(high) - low) *
                         static_cast<double>(max_code);
    return place >= 0.0 ? static_cast<std::uint16_t>(std::min(place + 0.5, static_cast<double>(max_code)))
                        : std::uint16_t{0};
}

std::uint16_t shifted(std::uint16_t code, int by) {
    return static_cast<std::uint16_t>(std::clamp(static_cast<int>(code) + by, 0, 65535));
}

/// The target as the viewer can store it: w >= 0 and unit length.
Quaternion storable(const Quaternion& q) {
    const double length =
        std::sqrt(double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z + double{q.w} * q.w);
    const double scale = (std::signbit(q.w) ? -1.0 : 1.0) / (length > 0.0 ? length : 1.0);
    return {static_cast<float>(q.x * scale), static_cast<float>(q.y * scale), static_cast<float>(q.z * scale),
            static_cast<float>(q.w * scale)};
}

/// Copies keys to lanes; spare lanes repeat the first key.
void fill_block(std::span<const Quaternion> rotations, Encoder encoder, RotationBlock& block) {
    for (std::size_t i = 0; i < block_keys; ++i) {
        const Quaternion& rotation = rotations[i < rotations.size() ? i : 0];
        const Quaternion q = encoder == Encoder::viewer ? rotation : storable(rotation);
        block.x[i] = q.x;
        block.y[i] = q.y;
        block.z[i] = q.z;
        block.w[i] = q.w;
    }
}

std::array<std::uint16_t, 3> xyz_of(const CodeBlock& codes, std::size_t i) {
    return {static_cast<std::uint16_t>(codes.x[i]), static_cast<std::uint16_t>(codes.y[i]),
            static_cast<std::uint16_t>(codes.z[i])};
}

/// From 170 degrees on, w is what rounding leaves of x, y and z, and one step of theirs turns far.
constexpr float least_sure_w = 0.087F;
constexpr int wide_steps = 8;

/// Finds the codes of a rotation near half a turn. Steps of the two smaller components are tried; the largest
/// one follows from them and from w.
class WideSearch {
public:
    explicit WideSearch(const Quaternion& q) : wanted_{q.x, q.y, q.z}, w_(q.w) {
        auto* const largest =
            std::ranges::max_element(wanted_, {}, [](double component) { return std::abs(component); });
        const auto place = static_cast<std::size_t>(largest - wanted_.begin());
        order_ = {(place + 1) % 3, (place + 2) % 3, place};
    }

    /// The best codes; `first` if none is better.
    [[nodiscard]] std::array<std::uint16_t, 3> best(const std::array<std::uint16_t, 3>& first) {
        best_ = first;
        least_ = error_of(first);
        std::array<std::uint16_t, 3> codes = first;
        for (int a = -wide_steps; a <= wide_steps; ++a) {
            for (int b = -wide_steps; b <= wide_steps; ++b) {
                codes[order_[0]] = shifted(first[order_[0]], a);
                codes[order_[1]] = shifted(first[order_[1]], b);
                try_largest(codes);
            }
        }
        return best_;
    }

private:
    static float value_of(std::uint16_t code) { return decode(code, -rotation_limit, rotation_limit); }

    void try_largest(std::array<std::uint16_t, 3> codes) {
        const double a = value_of(codes[order_[0]]);
        const double b = value_of(codes[order_[1]]);
        const double size = std::sqrt(std::max(1.0 - a * a - b * b - double{w_} * w_, 0.0));
        const auto ideal = static_cast<float>(std::copysign(size, wanted_[order_[2]]));
        const std::uint16_t middle = nearest_code(ideal, -rotation_limit, rotation_limit);
        for (const int by : {0, 1, -1}) {
            codes[order_[2]] = shifted(middle, by);
            const double error = error_of(codes);
            if (error < least_) {
                least_ = error;
                best_ = codes;
            }
        }
    }
    /// The squared chord to what the viewer plays.
    [[nodiscard]] double error_of(const std::array<std::uint16_t, 3>& codes) const {
        const std::array<float, 3> xyz = {value_of(codes[0]), value_of(codes[1]), value_of(codes[2])};
        // As the viewer calculates it: what single precision rounds away counts here.
        const float squares = xyz[0] * xyz[0] + xyz[1] * xyz[1] + xyz[2] * xyz[2];
        const double w = std::sqrt(squares < 1.0F ? 1.0F - squares : 0.0F);
        double error = (w - w_) * (w - w_);
        for (std::size_t i = 0; i < 3; ++i) {
            error += (xyz[i] - wanted_[i]) * (xyz[i] - wanted_[i]);
        }
        return error;
    }

    std::array<double, 3> wanted_;
    float w_;
    std::array<std::size_t, 3> order_{};
    std::array<std::uint16_t, 3> best_{};
    double least_ = 0;
};

/// Among the codes around `middle`, the one whose effect is nearest to `wanted`; ties go to the code nearest
/// to `middle`. `settled`: the effect of `middle` if storing does not change it.
template <typename Effect>
std::uint16_t search_code(std::uint16_t middle, float settled, float wanted, Effect&& effect) {
    if (effect(middle) == settled) {
        return middle;  // storing does not change it, and no other code is nearer
    }
    std::uint16_t best = middle;
    double least = std::fabs(static_cast<double>(effect(middle)) - wanted);
    for (const int by : {1, -1, 2}) {
        const std::uint16_t code = shifted(middle, by);
        const double error = std::fabs(static_cast<double>(effect(code)) - wanted);
        if (error < least) {
            least = error;
            best = code;
        }
    }
    return best;
}

std::uint16_t encode_position_component(float value, Encoder encoder) {
    switch (encoder) {
        case Encoder::viewer:
            return encode_component(value, position_limit);
        case Encoder::nearest:
            return nearest_code(std::clamp(value, -position_limit, position_limit), -position_limit,
                                position_limit);
        case Encoder::upload:
            break;
    }
    const auto stored = [](std::uint16_t code) {
        return decode(restore_position(code), -position_limit, position_limit);
    };
    const float wanted = std::clamp(value, -position_limit, position_limit);
    const std::uint16_t middle = nearest_code(wanted, -position_limit, position_limit);
    return search_code(middle, decode(middle, -position_limit, position_limit), wanted, stored);
}

}  // namespace

std::uint16_t encode_key_time(float seconds, float duration_seconds, Encoder encoder) {
    if (encoder == Encoder::viewer || !(duration_seconds > 0.0F)) {
        return encode_time(seconds, duration_seconds);
    }
    const std::uint16_t middle = nearest_code(seconds, 0.0F, duration_seconds);
    if (encoder == Encoder::nearest) {
        return middle;
    }
    const auto stored = [&](std::uint16_t code) {
        return decode_time(restore_time(code, duration_seconds), duration_seconds);
    };
    return search_code(middle, decode_time(middle, duration_seconds), seconds, stored);
}

std::vector<file::CodedKey> encode_rotations(const RotationKeys& keys, float duration_seconds,
                                             Encoder encoder) {
    std::vector<file::CodedKey> coded(keys.size());
    RotationBlock block{};
    CodeBlock codes{};
    for (std::size_t first = 0; first < keys.size(); first += block_keys) {
        const std::size_t count = std::min(block_keys, keys.size() - first);
        fill_block(std::span(keys.values).subspan(first, count), encoder, block);
        if (encoder == Encoder::viewer) {
            viewer_codes(block, codes);
        } else {
            search_codes(block, encoder == Encoder::upload, codes);
        }
        for (std::size_t i = 0; i < count; ++i) {
            const bool is_wide = encoder == Encoder::nearest && block.w[i] < least_sure_w;
            const Quaternion q{block.x[i], block.y[i], block.z[i], block.w[i]};
            coded[first + i] = {encode_key_time(keys.times[first + i], duration_seconds, encoder),
                                is_wide ? WideSearch(q).best(xyz_of(codes, i)) : xyz_of(codes, i)};
        }
    }
    return coded;
}

std::vector<file::CodedKey> encode_positions(const PositionKeys& keys, float duration_seconds,
                                             Encoder encoder) {
    std::vector<file::CodedKey> coded(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        coded[i].time = encode_key_time(keys.times[i], duration_seconds, encoder);
        std::ranges::transform(keys.values[i], coded[i].xyz.begin(),
                               [&](float value) { return encode_position_component(value, encoder); });
    }
    return coded;
}

}  // namespace animbridge::sl_anim::codes
