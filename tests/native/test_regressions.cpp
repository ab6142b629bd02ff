// SPDX-License-Identifier: MIT
// Bugs that were found once, each by its story.
#include "build.h"
#include "catch.h"
#include "formats/sl_anim/compare.h"
#include "model/skeleton.h"

using namespace animbridge;
using namespace animbridge::test;

TEST_CASE("equal rotations are no angle apart, not even by rounding", "[regressions]") {
    // `compare` with itself said 1e-16 degrees, and so found a difference where a tolerance of 0 allows none.
    for (int i = 1; i < 2000; ++i) {
        const glm::dquat q(std::cos(i), std::sin(i) * 0.3, std::sin(i) * 0.7, std::cos(i * 3.0));
        CHECK(angle_between_degrees(q, q) == 0.0);
        CHECK(angle_between_degrees(q, -q) == 0.0);
    }
    CHECK(angle_between_degrees({0, 0, 0, 0}, {0, 0, 0, 0}) == 0.0);
    CHECK(angle_between_degrees({1, 0, 0, 0}, {0, 1, 0, 0}) == Approx(180.0));
    CHECK(angle_between_degrees({1, 0, 0, 0}, {2, 0, 0, 2}) == Approx(90.0));
}
