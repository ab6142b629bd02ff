// SPDX-License-Identifier: MIT
// The 16-bit codes, all of them, and the arithmetic kernels.
#include <random>

#include "catch.h"
#include "formats/sl_anim/codes/codes.h"
#include "formats/sl_anim/codes/rotation_kernels.h"
#include "spec_codes.h"

using namespace animbridge::sl_anim::codes;
using namespace animbridge::test;

namespace {

int falling_codes(float limit) {
    int falling = 0;
    for (unsigned code = 0; code <= 65535; ++code) {
        const auto given = static_cast<std::uint16_t>(code);
        const std::uint16_t again = encode(decode(given, -limit, limit), -limit, limit);
        // A code either stays or falls by one.
        if (again != given) {
            REQUIRE(again + 1 == given);
            ++falling;
        }
    }
    return falling;
}

}  // namespace

TEST_CASE("the numbers of codes that fall are the published ones", "[codes]") {
    CHECK(falling_codes(rotation_limit) == 5653);
    CHECK(falling_codes(position_limit) == 9150);
}

TEST_CASE("zero has two codes", "[codes]") {
    for (const float limit : {rotation_limit, position_limit}) {
        for (unsigned code = 0; code <= 65535; ++code) {
            const bool zero = code == 32767 || code == 32768;
            if ((decode(static_cast<std::uint16_t>(code), -limit, limit) == 0.0F) != zero) {
                FAIL("code " << code << " within " << limit);
            }
        }
    }
    CHECK(encode(0.0F, -1.0F, 1.0F) == 32767);
    CHECK(encode(0.0F, -5.0F, 5.0F) == 32767);
}

TEST_CASE("codes decode to within a millionth of their place", "[codes]") {
    for (const Range range : {unit_range, position_range}) {
        for (int code = 0; code <= 65535; ++code) {
            const double place = static_cast<double>(range.low) +
                                 (static_cast<double>(range.high) - range.low) * code / 65535.0;
            const double value = decode(static_cast<std::uint16_t>(code), range.low, range.high);
            const double step = (static_cast<double>(range.high) - range.low) / 65535.0;
            if (std::abs(value - place) > (code == 32767 || code == 32768 ? step : 1e-6)) {
                FAIL("code " << code << " is " << value);
            }
        }
    }
}

TEST_CASE("decode and encode do what the description says", "[codes]") {
    for (const Range range :
         {unit_range, position_range, Range{0.0F, 0.3F}, Range{0.0F, 60.0F}, Range{0.0F, 1.0F / 3.0F}}) {
        for (unsigned code = 0; code <= 65535; ++code) {
            const float value = decode(static_cast<std::uint16_t>(code), range.low, range.high);
            if (value != spec_decode(code, range) ||
                encode(value, range.low, range.high) != spec_encode(value, range)) {
                FAIL("code " << code << " within " << range.low << " to " << range.high);
            }
        }
    }
    CHECK(encode(7.0F, -5.0F, 5.0F) == 65535);
    CHECK(encode(-7.0F, -5.0F, 5.0F) == 0);
    CHECK(encode(1.0F, -1.0F, 1.0F) == 65535);
    CHECK(encode(-1.0F, -1.0F, 1.0F) == 0);
}

TEST_CASE("the last time code is the duration to the bit", "[codes]") {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> seconds(0.001F, 60.0F);
    for (int i = 0; i < 200000; ++i) {
        const float duration = seconds(random);
        if (decode_time(65535, duration) != duration || decode_time(0, duration) != 0.0F) {
            FAIL("duration " << duration);
        }
    }
    // 0/0 becomes code 0.
    CHECK(encode_time(0.0F, 0.0F) == 0);
    CHECK(decode_time(65535, 0.0F) == 0.0F);
}

TEST_CASE("an upload restores codes as the description says", "[codes]") {
    for (unsigned code = 0; code <= 65535; ++code) {
        if (restore_position(static_cast<std::uint16_t>(code)) != spec_restored_position(code)) {
            FAIL("position code " << code);
        }
    }
    for (const float duration : {0.5F, 1.0F, 2.3F, 59.9F}) {
        for (unsigned code = 0; code <= 65535; ++code) {
            const Range range{0.0F, duration};
            if (restore_time(static_cast<std::uint16_t>(code), duration) !=
                spec_encode(spec_decode(code, range), range)) {
                FAIL("time code " << code << " of " << duration);
            }
        }
    }
    std::mt19937 random(2);
    std::uniform_int_distribution<int> any(0, 65535);
    for (int i = 0; i < 200000; ++i) {
        const Codes codes = {static_cast<std::uint16_t>(any(random)), static_cast<std::uint16_t>(any(random)),
                             static_cast<std::uint16_t>(any(random))};
        const Quaternion loaded =
            from_stored(spec_decode(codes[0], unit_range), spec_decode(codes[1], unit_range),
                        spec_decode(codes[2], unit_range));
        if (restore_rotation(loaded) != spec_restored(codes)) {
            FAIL("rotation codes " << codes[0] << " " << codes[1] << " " << codes[2]);
        }
    }
}

TEST_CASE("a block of rotations decodes and encodes like one after the other", "[codes]") {
    std::mt19937 random(3);
    std::uniform_int_distribution<std::int32_t> any(0, 65535);
    for (int round = 0; round < 2000; ++round) {
        CodeBlock codes{};
        for (std::size_t i = 0; i < block_keys; ++i) {
            codes.x[i] = any(random);
            codes.y[i] = any(random);
            codes.z[i] = any(random);
        }
        RotationBlock decoded{};
        decode_block(codes, decoded);
        CodeBlock stored{};
        viewer_codes(decoded, stored);
        for (std::size_t i = 0; i < block_keys; ++i) {
            const Codes given = {static_cast<std::uint16_t>(codes.x[i]),
                                 static_cast<std::uint16_t>(codes.y[i]),
                                 static_cast<std::uint16_t>(codes.z[i])};
            const Quat expected = spec_rotation(given);
            const Codes kept = spec_restored(given);
            if (decoded.w[i] != static_cast<float>(expected[0]) ||
                decoded.x[i] != static_cast<float>(expected[1]) ||
                decoded.y[i] != static_cast<float>(expected[2]) ||
                decoded.z[i] != static_cast<float>(expected[3]) || stored.x[i] != kept[0] ||
                stored.y[i] != kept[1] || stored.z[i] != kept[2]) {
                FAIL("codes " << given[0] << " " << given[1] << " " << given[2]);
            }
        }
    }
}
