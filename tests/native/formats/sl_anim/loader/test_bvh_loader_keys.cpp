// SPDX-License-Identifier: MIT
// Which frames Second Life's BVH loader keeps: rules 8 and 9 of the specification. Rotations about z that are
// d apart differ by 4 sin(d / 2) in the loader's measure.
#include "catch.h"
#include "formats/sl_anim/loader/parts.h"

using namespace animbridge::sl_anim::codes;
using namespace animbridge::sl_anim::loader;

namespace {

std::vector<Quaternion> about_z(const std::vector<float>& degrees) {
    std::vector<Quaternion> rotations;
    for (const float angle : degrees) {
        rotations.push_back(about_axis(2, angle));
    }
    return rotations;
}

std::vector<std::size_t> frames_of(const KeptFrames& kept) {
    std::vector<std::size_t> frames;
    for (std::size_t i = 0; i < kept.kept.size(); ++i) {
        if (kept.kept[i] != 0) {
            frames.push_back(i);
        }
    }
    return frames;
}

using Frames = std::vector<std::size_t>;

KeptFrames rotations(const std::vector<float>& degrees, std::size_t depth = 0) {
    const auto values = about_z(degrees);
    return keep_rotations(values, {values.front(), values.size() > 1 ? std::size_t{1} : std::size_t{0}},
                          depth);
}

KeptFrames positions(const std::vector<float>& inches) {
    std::vector<Vector> values;
    for (const float x : inches) {
        values.push_back({0, x, 0});
    }
    return keep_positions(values, {values.front(), values.size() > 1 ? std::size_t{1} : std::size_t{0}});
}

}  // namespace

TEST_CASE("the first key frame and the last are kept, what lies on the chord is not", "[bvh-loader]") {
    CHECK(frames_of(rotations({0})) == Frames{0});
    CHECK(frames_of(rotations({0, 5})) == Frames{1});
    CHECK(frames_of(rotations({0, 5, 7})) == Frames{1, 2});
    CHECK(frames_of(rotations({0, 2, 4, 6})) == Frames{1, 3});
    CHECK(frames_of(positions({0})) == Frames{0});
    CHECK(frames_of(positions({0, 1})) == Frames{1});
    CHECK(frames_of(positions({0, 1, 2, 3, 4, 5, 6, 7})) == Frames{1, 7});
    CHECK(frames_of(positions({0, 1, 2, 4, 6, 8})) == Frames{1, 2, 5});
}

TEST_CASE("the last test keeps its frame when more than one was dropped before", "[bvh-loader]") {
    CHECK(frames_of(rotations({0, 2, 4, 6, 8})) == Frames{1, 3, 4});
    // The deviation of a normalised lerp grows with the chord, so the frame after the last dropped one is
    // kept.
    CHECK(frames_of(rotations({0, 2, 4, 6, 8, 10, 12, 14, 16})) == Frames{1, 7, 8});
    CHECK(frames_of(rotations({0, 9, 9, 9, 9, 9, 9})) == Frames{1, 5, 6});
}

TEST_CASE("the frame after the most deviant one comes back", "[bvh-loader]") {
    // Frame 2 is off by 4 sin(0.1 deg) = 0.00698 when frame 3 is tested: frame 3 comes back, not frame 2.
    CHECK(frames_of(rotations({0, 0, 0.2F, 0, 0, 0, 30})) == Frames{1, 3, 5, 6});
    // Only once: at the next kept frame, nothing is stored any more.
    CHECK(frames_of(rotations({0, 0, 0.2F, 0, 0, 0, 30, 30, 30, 0})) == Frames{1, 3, 5, 6, 8, 9});
    // Positions have no such rule.
    CHECK(frames_of(positions({0, 0, 0.02F, 0, 0, 0, 30})) == Frames{1, 5, 6});
}

TEST_CASE("rotations are kept from 0.01 on, positions from 0.03 inches on", "[bvh-loader]") {
    // 4 sin(0.14 deg) = 0.00977, 4 sin(0.15 deg) = 0.01047.
    CHECK(frames_of(rotations({0, 0, 0.28F, 0})) == Frames{1, 3});
    CHECK(frames_of(rotations({0, 0, 0.30F, 0})) == Frames{1, 2, 3});
    CHECK(frames_of(positions({0, 0, 0.029F, 0})) == Frames{1, 3});
    CHECK(frames_of(positions({0, 0, 0.031F, 0})) == Frames{1, 2, 3});
}

TEST_CASE("a deep chain below makes rotations count more", "[bvh-loader]") {
    // 4 sin(0.125 deg) = 0.00873; 0.01 / 1.32 = 0.00758 at depth 4, 0.01 up to depth 3.
    CHECK(frames_of(rotations({0, 0, 0.25F, 0}, 3)) == Frames{1, 3});
    CHECK(frames_of(rotations({0, 0, 0.25F, 0}, 4)) == Frames{1, 2, 3});
    // 4 sin(0.05 deg) = 0.00349; 0.01 / 3.3 = 0.00303 at depth 10.
    CHECK(frames_of(rotations({0, 0, 0.1F, 0}, 8)) == Frames{1, 3});
    CHECK(frames_of(rotations({0, 0, 0.1F, 0}, 10)) == Frames{1, 2, 3});
}

TEST_CASE("signs are not aligned for the chord", "[bvh-loader]") {
    // 340 degrees are the negative of -20: the same rotation, but the chord from 0 goes the long way.
    CHECK(frames_of(rotations({0, 0, -10, -20})) == Frames{1, 3});
    CHECK(frames_of(rotations({0, 0, -10, 340})) == Frames{1, 2, 3});
}

TEST_CASE("a rotation moves where it leaves frame 0 by more than 0.001, but not in the last frame",
          "[bvh-loader]") {
    CHECK(rotations({0, 30}).moves);
    CHECK(!rotations({0, 0, 30}).moves);
    CHECK(rotations({0, 30, 0}).moves);
    CHECK(!rotations({0, 0, 0, 30}).moves);
    CHECK(rotations({0, 0, 30, 0}).moves);
    // 4 sin(0.014 deg) = 0.000977, 4 sin(0.015 deg) = 0.00105.
    CHECK(!rotations({0, 0.028F, 0.028F, 0.028F}).moves);
    CHECK(rotations({0, 0.030F, 0.030F, 0.030F}).moves);
    CHECK(!rotations({10, 370, -350, 10}).moves);
    CHECK(!rotations({7}).moves);
}

TEST_CASE("a position moves by more than 0.001 inches, but not in frame 2", "[bvh-loader]") {
    CHECK(positions({0, 1}).moves);
    CHECK(!positions({0, 0, 1}).moves);
    CHECK(positions({0, 1, 0}).moves);
    CHECK(!positions({0, 0, 1, 0}).moves);
    CHECK(positions({0, 0, 0, 1}).moves);
    CHECK(!positions({5, 5.0009F, 5, 5}).moves);
    CHECK(positions({5, 5.0012F, 5, 5}).moves);
}

TEST_CASE("without a reference frame every frame is looked at", "[bvh-loader]") {
    const auto values = about_z({0, 0, 0, 30});
    const KeptFrames kept = keep_rotations(values, {Quaternion{}, 0}, 0);
    CHECK(kept.moves);
    CHECK(frames_of(kept) == Frames{0, 2, 3});
    const std::vector<Vector> places = {{0, 0, 0}, {0, 1, 0}, {0, 0, 0}};
    CHECK(keep_positions(places, {Vector{}, 0}).moves);
}

TEST_CASE("values that are no numbers are survived", "[bvh-loader]") {
    const float nan = std::nanf("");
    CHECK(!rotations({0, nan, nan, nan}).moves);
    CHECK(frames_of(rotations({0, nan, nan, nan})) == Frames{1, 3});
    CHECK(frames_of(positions({0, nan, nan, nan})) == Frames{1, 2, 3});
}
