// SPDX-License-Identifier: MIT
// The table of docs/second-life-accuracy.md: how far decoded rotations are from the wanted ones, for random
// orientations.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <random>
#include <vector>

#include "formats/sl_anim/codes/codes.h"
#include "model/clip/clip.h"

namespace {

using namespace animbridge;
using namespace animbridge::sl_anim::codes;
using namespace animbridge::sl_anim::file;

constexpr std::size_t sample_count = 1'000'000;

/// Rotations about random axes, with angles spread evenly between two bounds in degrees.
RotationKeys random_rotations(double least_degrees, double most_degrees) {
    std::mt19937_64 random(20260101);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> angle(least_degrees, most_degrees);
    RotationKeys keys;
    keys.times.assign(sample_count, 0.0F);
    for (std::size_t i = 0; i < sample_count; ++i) {
        const glm::dvec3 axis = glm::normalize(glm::dvec3(normal(random), normal(random), normal(random)));
        const double half = angle(random) * std::numbers::pi / 360.0;
        const glm::dvec3 v = axis * std::sin(half);
        keys.values.push_back({static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z),
                               static_cast<float>(std::cos(half))});
    }
    return keys;
}

Quaternion decoded(const std::array<std::uint16_t, 3>& xyz) {
    return from_stored(decode(xyz[0], -1.0F, 1.0F), decode(xyz[1], -1.0F, 1.0F), decode(xyz[2], -1.0F, 1.0F));
}

glm::dquat exact(const Quaternion& q) { return {q.w, q.x, q.y, q.z}; }

struct Errors {
    double sum = 0;
    double most = 0;

    void add(double degrees) {
        sum += degrees;
        most = std::max(most, degrees);
    }
};

void print_row(const char* name, const RotationKeys& wanted,
               const std::vector<std::array<std::uint16_t, 3>>& codes) {
    Errors direct;
    Errors stored;
    for (std::size_t i = 0; i < codes.size(); ++i) {
        direct.add(angle_between_degrees(exact(decoded(codes[i])), exact(wanted.values[i])));
        stored.add(angle_between_degrees(exact(decoded(restore_rotation(decoded(codes[i])))),
                                         exact(wanted.values[i])));
    }
    const auto n = static_cast<double>(codes.size());
    std::printf("| %-8s | %.4f | %.3f | %.4f | %.3f |\n", name, direct.sum / n, direct.most, stored.sum / n,
                stored.most);
}

std::vector<std::array<std::uint16_t, 3>> codes_of(const RotationKeys& keys, Encoder encoder) {
    std::vector<std::array<std::uint16_t, 3>> codes;
    for (const CodedKey& key : encode_rotations(keys, 0.0F, encoder)) {
        codes.push_back(key.xyz);
    }
    return codes;
}

/// One encode with the viewer's quantiser or with rounding, as the baseline for the searches.
std::vector<std::array<std::uint16_t, 3>> simple_codes(const RotationKeys& keys, bool round) {
    std::vector<std::array<std::uint16_t, 3>> codes;
    for (const Quaternion& q : keys.values) {
        const Vector v = to_stored(q);
        const auto code = [&](float value) {
            return round ? static_cast<std::uint16_t>(std::floor((value + 1.0F) * 0.5F * max_code + 0.5F))
                         : encode(value, -1.0F, 1.0F);
        };
        codes.push_back({code(v[0]), code(v[1]), code(v[2])});
    }
    return codes;
}

void print_table(const char* title, double least_degrees, double most_degrees) {
    const RotationKeys wanted = random_rotations(least_degrees, most_degrees);
    std::printf(
        "\n%s, %zu rotations\n\n| encoder | mean | max | mean after upload | max after upload "
        "|\n|---|---|---|---|---|\n",
        title, sample_count);
    print_row("floor", wanted, simple_codes(wanted, false));
    print_row("round", wanted, simple_codes(wanted, true));
    print_row("viewer", wanted, codes_of(wanted, Encoder::viewer));
    print_row("nearest", wanted, codes_of(wanted, Encoder::nearest));
    print_row("upload", wanted, codes_of(wanted, Encoder::upload));
}

}  // namespace

int main() {
    print_table("0 to 170 degrees", 0.0, 170.0);
    print_table("170 to 180 degrees", 170.0, 180.0);
    return 0;
}
