// SPDX-License-Identifier: MIT
#include "formats/sl_anim/codes/rotation_kernels.h"

#include <algorithm>
#include <cmath>

#include "base/base.h"
#include "formats/sl_anim/codes/codes.h"

namespace animbridge::sl_anim::codes {

namespace {

constexpr float range = 2.0F * rotation_limit;

ANIMBRIDGE_INLINE float decode_lane(std::int32_t code) {
    float value = static_cast<float>(code) * code_step;
    value *= range;
    value += -rotation_limit;
    // A factor instead of a condition: compilers would propagate the zero through what follows, branch, and
    // not vectorise.
    return value * static_cast<float>(std::fabs(value) >= range * code_step);
}

/// encode() without its clamps: components of normalised quaternions exceed 1 only by rounding, and the cast
/// truncates that too.
ANIMBRIDGE_INLINE std::int32_t encode_lane(float value) {
    float scaled = value;
    scaled -= -rotation_limit;
    scaled /= range;
    scaled *= max_code;
    return static_cast<std::int32_t>(scaled);
}

ANIMBRIDGE_INLINE std::int32_t encode_component_lane(float value) {
    return encode_lane(decode_lane(encode_lane(value)));
}

ANIMBRIDGE_INLINE float stored_w(float x, float y, float z) {
    const float rest = 1.0F - (x * x + y * y + z * z);
    return std::sqrt(rest > 0.0F ? rest : 0.0F);
}

ANIMBRIDGE_INLINE std::int32_t nearest_lane(float value) {
    // A wrong half does no harm, because the neighbours are tried too; lround has no vector form.
    // NOLINTNEXTLINE(bugprone-incorrect-roundings)
    return static_cast<std::int32_t>((value + rotation_limit) * (max_code / range) + 0.5F);
}

/// The nearest code of a component and its two neighbours, with the values that they decode to.
struct Neighbours {
    alignas(64) std::array<Lane<std::int32_t>, 3> codes;
    alignas(64) std::array<Lane<float>, 3> values;
};

ANIMBRIDGE_INLINE void find_neighbours(const Lane<float>& wanted, Neighbours& found) {
    for (std::size_t n = 0; n < 3; ++n) {
        for (std::size_t i = 0; i < block_keys; ++i) {
            const std::int32_t code =
                std::clamp(nearest_lane(wanted[i]) + static_cast<std::int32_t>(n) - 1, 0, 65535);
            found.codes[n][i] = code;
            found.values[n][i] = decode_lane(code);
        }
    }
}

/// The middle first, so that ties keep the nearest codes.
constexpr std::array<std::size_t, 3> middle_first = {1, 0, 2};

/// Squared chords between the targets and what the viewer plays for these vectors.
template <bool AfterUpload>
ANIMBRIDGE_INLINE void measure(const RotationBlock& targets, const Lane<float>& vx, const Lane<float>& vy,
                               const Lane<float>& vz, Lane<float>& error) {
    for (std::size_t i = 0; i < block_keys; ++i) {
        float x = vx[i];
        float y = vy[i];
        float z = vz[i];
        float w = stored_w(x, y, z);
        if constexpr (AfterUpload) {
            const float length = std::sqrt(x * x + y * y + z * z + w * w);
            x = decode_lane(encode_component_lane(x / length));
            y = decode_lane(encode_component_lane(y / length));
            z = decode_lane(encode_component_lane(z / length));
            w = stored_w(x, y, z);
        }
        const float dx = x - targets.x[i];
        const float dy = y - targets.y[i];
        const float dz = z - targets.z[i];
        const float dw = w - targets.w[i];
        error[i] = dx * dx + dy * dy + dz * dz + dw * dw;
    }
}

/// The best of the 27 choices so far, by number.
struct Best {
    alignas(64) Lane<float> error;
    alignas(64) Lane<std::int32_t> choice;
};

ANIMBRIDGE_INLINE void keep_better(const Lane<float>& error, std::int32_t choice, Best& best) {
    for (std::size_t i = 0; i < block_keys; ++i) {
        const bool better = error[i] < best.error[i];
        best.choice[i] = better ? choice : best.choice[i];
        best.error[i] = better ? error[i] : best.error[i];
    }
}

template <bool AfterUpload>
ANIMBRIDGE_INLINE void search(const RotationBlock& targets, CodeBlock& out) {
    Neighbours nx{};
    Neighbours ny{};
    Neighbours nz{};
    find_neighbours(targets.x, nx);
    find_neighbours(targets.y, ny);
    find_neighbours(targets.z, nz);
    Best best{};
    best.error.fill(HUGE_VALF);
    best.choice.fill(13);
    alignas(64) Lane<float> error{};
    for (const std::size_t a : middle_first) {
        for (const std::size_t b : middle_first) {
            for (const std::size_t c : middle_first) {
                measure<AfterUpload>(targets, nx.values[a], ny.values[b], nz.values[c], error);
                keep_better(error, static_cast<std::int32_t>(9 * a + 3 * b + c), best);
            }
        }
    }
    for (std::size_t i = 0; i < block_keys; ++i) {
        const auto choice = static_cast<std::size_t>(best.choice[i]);
        out.x[i] = nx.codes[choice / 9][i];
        out.y[i] = ny.codes[choice / 3 % 3][i];
        out.z[i] = nz.codes[choice % 3][i];
    }
}

ANIMBRIDGE_WIDE void search_as_decoded(const RotationBlock& targets, CodeBlock& out) {
    search<false>(targets, out);
}
ANIMBRIDGE_WIDE void search_as_stored(const RotationBlock& targets, CodeBlock& out) {
    search<true>(targets, out);
}

}  // namespace

ANIMBRIDGE_WIDE void decode_block(const CodeBlock& codes, RotationBlock& out) {
    for (std::size_t i = 0; i < block_keys; ++i) {
        const float x = decode_lane(codes.x[i]);
        const float y = decode_lane(codes.y[i]);
        const float z = decode_lane(codes.z[i]);
        out.x[i] = x;
        out.y[i] = y;
        out.z[i] = z;
        out.w[i] = stored_w(x, y, z);
    }
}

ANIMBRIDGE_WIDE void viewer_codes(const RotationBlock& rotations, CodeBlock& out) {
    constexpr float smallest_length = 0.0000001F;
    for (std::size_t i = 0; i < block_keys; ++i) {
        const float x = rotations.x[i];
        const float y = rotations.y[i];
        const float z = rotations.z[i];
        const float w = rotations.w[i];
        const float length = std::sqrt(x * x + y * y + z * z + w * w);
        // Dividing by 1 and multiplying by the sign do not change the other values.
        const float divisor = length > smallest_length ? length : 1.0F;
        const float sign = w >= 0.0F ? 1.0F : -1.0F;
        out.x[i] = encode_component_lane(x / divisor * sign);
        out.y[i] = encode_component_lane(y / divisor * sign);
        out.z[i] = encode_component_lane(z / divisor * sign);
    }
}

void search_codes(const RotationBlock& targets, bool after_upload, CodeBlock& out) {
    after_upload ? search_as_stored(targets, out) : search_as_decoded(targets, out);
}

}  // namespace animbridge::sl_anim::codes
