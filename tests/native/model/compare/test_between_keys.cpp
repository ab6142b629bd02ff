// SPDX-License-Identifier: MIT
// How two animations are compared: where, and what is said of many errors.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "catch.h"
#include "model/compare/compare.h"

using namespace animbridge;

TEST_CASE("however many bends there are, eight of each gap are looked at", "[between-keys]") {
    const std::vector<double> times = {0.0, 1.0, 1.0 + 1e-7, 3.0};
    std::vector<double> bends;
    for (int i = -50; i < 1000; ++i) {
        bends.push_back(i * 0.01 + 0.005);
    }
    bends.push_back(1.0 + 5e-8);
    const std::vector<double> all = with_bends(times, bends);
    CHECK(std::is_sorted(all.begin(), all.end()));
    CHECK(all.size() == times.size() + 16);
    CHECK(all.front() == 0.0);
    CHECK(all.back() == 3.0);
    // None where files have a step.
    CHECK(std::count_if(all.begin(), all.end(), [](double t) { return t > 1.0 && t < 1.0 + 1e-7; }) == 0);
    // They are spread over the gap.
    CHECK(all[1] < 0.1);
    CHECK(all[8] > 0.9);
    CHECK(with_bends(times, {}) == times);
    CHECK(with_bends({}, bends).empty());
}

TEST_CASE("a steep curve is looked at where it is steep", "[between-keys]") {
    // Handles as long as the segment: the value jumps from 0 to 1 near the middle.
    Track track{0, Channel::translation};
    track.component = 0;
    track.add_key(0.0, std::array{0.0});
    track.add_key(1.0, std::array{1.0});
    track.interpolation = {Interpolation::bezier, Interpolation::linear};
    track.handles = {{0, 0, 1, 0}, {-1, 0, 0, 0}};
    std::vector<double> bends;
    add_bend_times(track, bends);
    REQUIRE(bends.size() == 15);
    double before = 0.0;
    for (const double seconds : bends) {
        const double value = evaluate(track, seconds);
        CHECK(value - before < 0.1);
        before = value;
    }
    CHECK(1.0 - before < 0.1);
    track.interpolation[0] = Interpolation::linear;
    bends.clear();
    add_bend_times(track, bends);
    CHECK(bends.empty());
}

TEST_CASE("the largest difference nearby is found, with few looks", "[between-keys]") {
    const std::vector<double> times = {0.0, 0.3, 0.5, 1.0};
    int looks = 0;
    const auto at = [&](double seconds) {
        ++looks;
        const double away = std::abs(seconds - 0.4321);
        return Difference{5.0 - away * away, 3.0 - std::abs(seconds - 0.77)};
    };
    JointDifference found{"joint"};
    for (const double seconds : times) {
        found.widen(at(seconds).millimetres, at(seconds).degrees, seconds);
    }
    CHECK(found.position_at_seconds == 0.5);
    looks = 0;
    widen_nearby(times, at, found);
    CHECK(std::abs(found.position_mm - 5.0) < 1e-6);
    CHECK(std::abs(found.position_at_seconds - 0.4321) < 1e-3);
    CHECK(std::abs(found.rotation_degrees - 3.0) < 1e-3);
    CHECK(looks <= 128);
    // A maximum at a key stays there.
    JointDifference flat{"joint", 2.0, 0.3, 0.0, 0.0};
    widen_nearby(
        times,
        [](double) {
            return Difference{2.0 + 1e-12, 0.0};
        },
        flat);
    CHECK(flat.position_at_seconds == 0.3);
}

TEST_CASE("spreads say how large nearly all errors are", "[between-keys]") {
    std::mt19937 random(34);
    std::lognormal_distribution<double> sizes(0.0, 1.5);
    for (const std::size_t count : {1U, 3U, 999U, 1000U, 1001U, 12345U}) {
        std::vector<double> errors(count);
        double sum = 0.0;
        SpreadCounter counter;
        WorstDifference worst;
        for (double& error : errors) {
            error = sizes(random);
            sum += error;
            worst.widen(error, 0.0, 0.0);
            counter.add(error, 0.0);
        }
        std::ranges::sort(errors);
        // The smallest error that no more than one in a thousand exceeds.
        const double exact = errors[count - 1 - count / 1000];
        const auto spread = counter.spreads(worst, 1, count);
        CHECK(spread.position_mm.percentile_99_9 >= exact);
        CHECK(spread.position_mm.percentile_99_9 <= exact * 1.008);
        CHECK(spread.position_mm.percentile_99_9 <= spread.position_mm.worst);
        CHECK(spread.position_mm.mean == Approx(sum / static_cast<double>(count)));
        CHECK(spread.rotation_degrees.percentile_99_9 == 0.0);
        CHECK(spread.rotation_degrees.mean == 0.0);
    }
}
