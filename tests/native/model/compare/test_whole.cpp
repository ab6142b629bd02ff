// SPDX-License-Identifier: MIT
#include <cmath>
#include <vector>

#include "catch.h"
#include "model/compare/compare.h"

using namespace animbridge;

namespace {

glm::dquat about_z(double degrees) {
    const double half = degrees * 3.14159265358979323846 / 360.0;
    return {std::cos(half), 0, 0, std::sin(half)};
}

}  // namespace

TEST_CASE("a path's offset is the median of its distances, unless it is an error", "[compare]") {
    CHECK(offset_of_path({}) == glm::dvec3(0));
    CHECK(offset_of_path({{0.015, 0, 0}, {0.015, 0, 0}}) == glm::dvec3(0));
    CHECK(offset_of_path({{3, 0, 1}, {3.01, 0, 1}, {9, -8, 7}}) == glm::dvec3(3.01, 0, 1));
}

TEST_CASE("a body is turned as a whole if at least half of its turns are alike", "[compare]") {
    const glm::dquat none(1, 0, 0, 0);
    CHECK(turn_of_body({}) == none);
    CHECK(turn_of_body({about_z(4), about_z(4)}) == none);
    // A quaternion and its negative are one rotation.
    const glm::dquat turned = turn_of_body({about_z(40), -about_z(40), about_z(-100)});
    CHECK(angle_between_degrees(turned, about_z(40)) < 1e-9);
    CHECK(turn_of_body({about_z(0), about_z(50), about_z(100), about_z(150)}) == none);
}
