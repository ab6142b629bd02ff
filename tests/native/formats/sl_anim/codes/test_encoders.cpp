// SPDX-License-Identifier: MIT
// The three encoders compared with searches written here, in double precision.
#include <algorithm>

#include "catch.h"
#include "formats/sl_anim/codes/codes.h"
#include "spec_codes.h"

using namespace animbridge::sl_anim::codes;
using namespace animbridge::test;

namespace {

RotationKeys random_rotations(unsigned seed, std::size_t count, double low_degrees, double high_degrees) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> degrees(low_degrees, high_degrees);
    RotationKeys keys;
    for (std::size_t i = 0; i < count; ++i) {
        const Quat q = random_turn(random, degrees(random));
        const float sign = i % 2 == 0 ? 1.0F : -1.0F;  // both signs mean the same rotation
        keys.times.push_back(static_cast<float>(i) / static_cast<float>(count));
        keys.values.push_back({sign * static_cast<float>(q[1]), sign * static_cast<float>(q[2]),
                               sign * static_cast<float>(q[3]), sign * static_cast<float>(q[0])});
    }
    return keys;
}

Quat wide(const Quaternion& q) { return {q.w, q.x, q.y, q.z}; }

/// The components of the stored form on the scale of codes.
std::array<double, 3> places(const Quaternion& q) {
    const double length =
        std::sqrt(double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z + double{q.w} * q.w);
    const double scale = (q.w < 0.0F ? -1.0 : 1.0) / length;
    return {(q.x * scale + 1.0) / 2.0 * 65535.0, (q.y * scale + 1.0) / 2.0 * 65535.0,
            (q.z * scale + 1.0) / 2.0 * 65535.0};
}

std::uint16_t code_at(double place) {
    return static_cast<std::uint16_t>(std::clamp(std::lround(place), 0L, 65535L));
}

/// Every component rounded to the nearest code.
Codes rounded(const Quaternion& q) {
    const auto at = places(q);
    return {code_at(at[0]), code_at(at[1]), code_at(at[2])};
}

/// Whether a component is so near the middle between two codes that either counts as nearest.
bool tied(const Quaternion& q) {
    const auto at = places(q);
    return std::any_of(at.begin(), at.end(),
                       [](double place) { return std::abs(place - std::floor(place) - 0.5) < 0.02; });
}

/// How far the played rotation is from the wanted one, in degrees: twice the chord between the quaternions,
/// so that a key longer than 1 (as happens near 180 degrees) counts as off too.
double off(const Quat& played, const Quaternion& wanted) {
    const double sign = wanted.w < 0.0F ? -1.0 : 1.0;
    const double w = played[0] - sign * wanted.w;
    const double x = played[1] - sign * wanted.x;
    const double y = played[2] - sign * wanted.y;
    const double z = played[3] - sign * wanted.z;
    return 2.0 * std::sqrt(w * w + x * x + y * y + z * z) * 180.0 / std::numbers::pi;
}
double direct_error(const Codes& codes, const Quaternion& wanted) {
    return off(spec_rotation(codes), wanted);
}
double stored_error(const Codes& codes, const Quaternion& wanted) {
    return off(spec_rotation(spec_restored(codes)), wanted);
}

double direct_degrees(const Codes& codes, const Quaternion& wanted) {
    return degrees_between(spec_rotation(codes), wide(wanted));
}
double stored_degrees(const Codes& codes, const Quaternion& wanted) {
    return direct_degrees(spec_restored(codes), wanted);
}

/// The least error of the 27 codes around the rounded one.
template <typename Error>
double least_about(const Codes& middle, const Quaternion& wanted, Error&& error) {
    double least = 1e9;
    for (int n = 0; n < 27; ++n) {
        Codes codes = middle;
        const std::array<int, 3> by = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
        for (std::size_t i = 0; i < 3; ++i) {
            codes[i] = static_cast<std::uint16_t>(std::clamp(codes[i] + by[i], 0, 65535));
        }
        least = std::min(least, error(codes, wanted));
    }
    return least;
}

struct Errors {
    double mean = 0;
    double most = 0;
    void add(double error, std::size_t of) {
        mean += error / static_cast<double>(of);
        most = std::max(most, error);
    }
};

}  // namespace

TEST_CASE("the viewer's encoder writes E(D(E(x)))", "[encoders]") {
    for (const auto& [low, high] : {std::pair(0.0, 180.0), std::pair(179.0, 180.0), std::pair(0.0, 0.01)}) {
        const RotationKeys keys = random_rotations(11, 20000, low, high);
        const auto coded = encode_rotations(keys, 1.0F, Encoder::viewer);
        REQUIRE(coded.size() == keys.size());
        for (std::size_t i = 0; i < coded.size(); ++i) {
            const Quaternion& q = keys.values[i];
            const float length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
            const float sign = q.w >= 0.0F ? 1.0F : -1.0F;
            const Codes expected = {
                static_cast<std::uint16_t>(spec_component(sign * (q.x / length), unit_range)),
                static_cast<std::uint16_t>(spec_component(sign * (q.y / length), unit_range)),
                static_cast<std::uint16_t>(spec_component(sign * (q.z / length), unit_range))};
            if (coded[i].xyz != expected || coded[i].time != spec_encode(keys.times[i], {0.0F, 1.0F})) {
                FAIL("rotation " << q.x << " " << q.y << " " << q.z << " " << q.w);
            }
        }
    }
}

TEST_CASE("the nearest codes are the best of the neighbours", "[encoders]") {
    for (const auto& [low, high] :
         {std::pair(0.0, 170.0), std::pair(170.0, 180.0), std::pair(179.99, 180.0)}) {
        const RotationKeys keys = random_rotations(12, 5000, low, high);
        const auto coded = encode_rotations(keys, 1.0F, Encoder::nearest);
        Errors searched;
        Errors plain;
        for (std::size_t i = 0; i < coded.size(); ++i) {
            const Codes middle = rounded(keys.values[i]);
            const double error = direct_error(coded[i].xyz, keys.values[i]);
            const double by_rounding = direct_error(middle, keys.values[i]);
            searched.add(error, coded.size());
            plain.add(by_rounding, coded.size());
            // Single precision in the search leaves a small rest: a fiftieth of a code.
            if (error > by_rounding + 1e-4 ||
                (!tied(keys.values[i]) && error > least_about(middle, keys.values[i], direct_error) + 2e-4)) {
                FAIL("rotation " << i << " from " << low << ": " << error << ", rounding " << by_rounding);
            }
        }
        CHECK(searched.mean <= plain.mean);
    }
}

TEST_CASE("the upload encoder is the best after an upload", "[encoders]") {
    for (const auto& [low, high] : {std::pair(0.0, 170.0), std::pair(170.0, 180.0)}) {
        const RotationKeys keys = random_rotations(13, 5000, low, high);
        const auto for_upload = encode_rotations(keys, 1.0F, Encoder::upload);
        const auto nearest = encode_rotations(keys, 1.0F, Encoder::nearest);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const double error = stored_error(for_upload[i].xyz, keys.values[i]);
            // From 170 degrees on, the other encoder looks further than to the neighbours.
            if ((high <= 170.0 && error > stored_error(nearest[i].xyz, keys.values[i]) + 1e-4) ||
                (!tied(keys.values[i]) &&
                 error > least_about(rounded(keys.values[i]), keys.values[i], stored_error) + 2e-4)) {
                FAIL("rotation " << i << " from " << low << ": " << error);
            }
        }
    }
}

TEST_CASE("errors up to 170 degrees are of the published size", "[encoders]") {
    // Angles spread evenly, about random axes, as for the published figures: mean and maximum in degrees.
    const RotationKeys keys = random_rotations(14, 200000, 0.0, 170.0);
    const auto measured = [&](Encoder encoder, bool stored) {
        Errors errors;
        const auto coded = encode_rotations(keys, 1.0F, encoder);
        for (std::size_t i = 0; i < coded.size(); ++i) {
            errors.add(stored ? stored_degrees(coded[i].xyz, keys.values[i])
                              : direct_degrees(coded[i].xyz, keys.values[i]),
                       coded.size());
        }
        return errors;
    };
    CHECK(measured(Encoder::nearest, false).mean == Approx(0.0021).margin(0.0002));
    CHECK(measured(Encoder::nearest, false).most < 0.03);
    CHECK(measured(Encoder::upload, true).mean == Approx(0.0026).margin(0.0003));
    CHECK(measured(Encoder::upload, true).most < 0.08);
    CHECK(measured(Encoder::nearest, true).mean == Approx(0.0039).margin(0.0004));
}

TEST_CASE("positions", "[encoders]") {
    std::mt19937 random(15);
    std::uniform_real_distribution<float> metres(-5.5F, 5.5F);
    PositionKeys keys;
    for (int i = 0; i < 50000; ++i) {
        keys.times.push_back(0.0F);
        keys.values.push_back(
            {metres(random), i == 0 ? 0.0F : metres(random), i == 0 ? -0.0F : metres(random)});
    }
    const auto viewer = encode_positions(keys, 1.0F, Encoder::viewer);
    const auto nearest = encode_positions(keys, 1.0F, Encoder::nearest);
    const auto upload = encode_positions(keys, 1.0F, Encoder::upload);
    const double half_step = 10.0 / 65535.0 / 2.0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        for (std::size_t c = 0; c < 3; ++c) {
            const double wanted = std::clamp(static_cast<double>(keys.values[i][c]), -5.0, 5.0);
            const auto direct = [&](unsigned code) {
                return std::abs(spec_decode(code, position_range) - wanted);
            };
            const auto stored = [&](unsigned code) { return direct(spec_restored_position(code)); };
            // Next to the two zeros a code may be off by a whole step.
            const double allowed = std::abs(wanted) < 4.0 * half_step ? 2.0 * half_step : half_step;
            if (viewer[i].xyz[c] != spec_component(keys.values[i][c], position_range) ||
                direct(nearest[i].xyz[c]) > allowed + 1e-6 ||
                stored(upload[i].xyz[c]) > stored(nearest[i].xyz[c]) + 1e-6) {
                FAIL("position " << wanted);
            }
        }
    }
}

TEST_CASE("times", "[encoders]") {
    std::mt19937 random(16);
    for (const float duration : {0.1F, 1.0F, 1.0F / 3.0F, 7.7F, 60.0F}) {
        std::uniform_real_distribution<float> seconds(0.0F, duration);
        const Range range{0.0F, duration};
        const double half_step = static_cast<double>(duration) / 65535.0 / 2.0;
        for (int i = 0; i < 20000; ++i) {
            const float wanted = seconds(random);
            const auto direct = [&](unsigned code) {
                return std::abs(static_cast<double>(spec_decode(code, range)) - wanted);
            };
            const auto stored = [&](unsigned code) {
                return direct(spec_encode(spec_decode(code, range), range));
            };
            const auto nearest = encode_key_time(wanted, duration, Encoder::nearest);
            const auto upload = encode_key_time(wanted, duration, Encoder::upload);
            if (encode_key_time(wanted, duration, Encoder::viewer) != spec_encode(wanted, range) ||
                direct(nearest) > half_step * 1.01 || stored(upload) > stored(nearest) + half_step * 0.01) {
                FAIL(wanted << " of " << duration);
            }
        }
        for (const Encoder encoder : {Encoder::viewer, Encoder::nearest, Encoder::upload}) {
            CHECK(encode_key_time(0.0F, duration, encoder) == 0);
            CHECK(encode_key_time(duration, duration, encoder) == 65535);
            CHECK(encode_key_time(0.0F, 0.0F, encoder) == 0);
        }
    }
}

TEST_CASE("times that were decoded come back to their code", "[encoders]") {
    for (const float duration : {0.25F, 1.0F, 2.9F, 31.0F}) {
        for (unsigned code = 0; code <= 65535; ++code) {
            const float seconds = spec_decode(code, {0.0F, duration});
            if (encode_key_time(seconds, duration, Encoder::nearest) != code) {
                FAIL("code " << code << " of " << duration);
            }
        }
    }
}
