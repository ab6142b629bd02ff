// SPDX-License-Identifier: MIT
// Poses as bulk arrays.
#include <cmath>
#include <limits>
#include <string>

#include "catch.h"
#include "library/armature.h"
#include "support.h"

using namespace animbridge::test;

namespace {

constexpr double canary = 12345.678;

struct Arrays {
    std::size_t capacity;
    std::vector<double> clip, weights, local_rotations, local_positions, world_rotations, world_positions;

    Arrays(std::size_t times, std::size_t joints)
        : capacity(joints),
          clip(times, canary),
          weights(times, canary),
          local_rotations(times * joints * 4, canary),
          local_positions(times * joints * 3, canary),
          world_rotations(times * joints * 4, canary),
          world_positions(times * joints * 3, canary) {}
};

ab_status pose(const ab_document* document, const std::vector<double>& times, Arrays& out,
               double stop = -1.0) {
    ab_pose arrays{};
    arrays.struct_size = sizeof(arrays);
    arrays.joint_capacity = out.capacity;
    arrays.clip_seconds = out.clip.data();
    arrays.ease_weights = out.weights.data();
    arrays.local_rotations = out.local_rotations.data();
    arrays.local_positions = out.local_positions.data();
    arrays.world_rotations = out.world_rotations.data();
    arrays.world_positions = out.world_positions.data();
    return ab_document_pose(document, times.data(), times.size(), stop, &arrays, nullptr);
}

}  // namespace

TEST_CASE("poses fill the arrays row by row", "[pose]") {
    const DocumentHandle document = read_document(fixture("joints_all_bones.anim"));
    const std::size_t joints = ab_document_joint_count(document.get());
    REQUIRE(joints == 133);
    Arrays exact(3, joints);
    REQUIRE(pose(document.get(), {0.0, 0.25, 0.5}, exact) == AB_OK);
    CHECK(exact.clip[0] == 0.0);
    CHECK(exact.clip[1] == 0.25);
    for (const double number : exact.world_positions) {
        CHECK(std::isfinite(number));
        CHECK(number != canary);
    }
    // Arrays with too much room: the rest of each row is not changed, and the values are the same.
    Arrays wide(3, joints + 2);
    REQUIRE(pose(document.get(), {0.0, 0.25, 0.5}, wide) == AB_OK);
    for (std::size_t t = 0; t < 3; ++t) {
        for (std::size_t i = 0; i < joints * 3; ++i) {
            CHECK(wide.world_positions[t * (joints + 2) * 3 + i] ==
                  exact.world_positions[t * joints * 3 + i]);
        }
        CHECK(wide.world_positions[(t + 1) * (joints + 2) * 3 - 1] == canary);
        CHECK(wide.local_rotations[(t + 1) * (joints + 2) * 4 - 1] == canary);
    }
    for (std::size_t row = 0; row < 3 * joints; ++row) {
        double square = 0;
        for (std::size_t c = 0; c < 4; ++c) {
            square += exact.world_rotations[row * 4 + c] * exact.world_rotations[row * 4 + c];
        }
        CHECK(square == Approx(1.0));
    }
}

TEST_CASE("too little room is misuse, and writes nothing", "[pose]") {
    const DocumentHandle document = read_document(fixture("joints_all_bones.anim"));
    Arrays small(1, 132);
    CHECK(pose(document.get(), {0.0}, small) == AB_ERROR_INVALID_ARGUMENT);
    CHECK(small.clip[0] == canary);
    CHECK(small.world_positions[0] == canary);
}

TEST_CASE("arrays may be left out", "[pose]") {
    const DocumentHandle document = read_document(fixture("joints_all_bones.anim"));
    const double time = 0.25;
    ab_pose arrays{};
    arrays.struct_size = sizeof(arrays);
    arrays.joint_capacity = 133;
    CHECK(ab_document_pose(document.get(), &time, 1, -1.0, &arrays, nullptr) == AB_OK);
    CHECK(ab_document_pose(document.get(), nullptr, 0, -1.0, &arrays, nullptr) == AB_OK);
    double clip = canary;
    arrays.clip_seconds = &clip;
    CHECK(ab_document_pose(document.get(), &time, 1, -1.0, &arrays, nullptr) == AB_OK);
    CHECK(clip == 0.25);
}

TEST_CASE("what a file does not move or nobody knows is no number", "[pose]") {
    // One joint that the avatar lacks: it plays, but has no position in the world.
    const DocumentHandle document = read_document(fixture("name_unknown.anim"));
    const std::size_t joints = ab_document_joint_count(document.get());
    REQUIRE(joints >= 1);
    Arrays out(1, joints);
    REQUIRE(pose(document.get(), {0.0}, out) == AB_OK);
    bool any_nowhere = false;
    for (const double number : out.world_positions) {
        any_nowhere = any_nowhere || std::isnan(number);
    }
    CHECK(any_nowhere);
}

TEST_CASE("a file that is refused has no pose", "[pose]") {
    const DocumentHandle document = read_document(fixture("hand_pose_max.anim"));
    CHECK(ab_document_joint_count(document.get()) == 0);
    Arrays out(1, 216);
    CHECK(pose(document.get(), {0.0}, out) == AB_ERROR_REJECTED);
    CHECK(out.clip[0] == canary);
}

TEST_CASE("times that are no times are refused, late ones are not", "[pose]") {
    const DocumentHandle document = read_document(fixture("loop_with_outro.anim"));
    Arrays out(1, ab_document_joint_count(document.get()));
    const double infinite = std::numeric_limits<double>::infinity();
    for (const double wrong : {std::nan(""), infinite, -infinite}) {
        CHECK(pose(document.get(), {wrong}, out) == AB_ERROR_INVALID_ARGUMENT);
        CHECK(out.clip[0] == canary);
    }
    CHECK(pose(document.get(), {1.0}, out, std::nan("")) == AB_ERROR_INVALID_ARGUMENT);
    for (const double odd : {1e300, -1e300, 1e30, -3.0}) {
        CHECK(pose(document.get(), {odd}, out) == AB_OK);
        CHECK(std::isfinite(out.clip[0]));
        CHECK(pose(document.get(), {odd}, out, 1e30) == AB_OK);
        CHECK(std::isfinite(out.clip[0]));
    }
}

TEST_CASE("a BVH and an OBAN are posed in their own axes and unit", "[pose]") {
    const std::string bvh =
        "HIERARCHY\nROOT a\n{\nOFFSET 1 2 3\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT b\n{\n"
        "OFFSET 0 1 0\nCHANNELS 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n0 0 0\n90 0 0\n";
    const DocumentHandle document = read_document({bvh.begin(), bvh.end()});
    REQUIRE(ab_document_joint_count(document.get()) == 2);
    Arrays out(2, 2);
    REQUIRE(pose(document.get(), {0.0, 7.0}, out) == AB_OK);
    CHECK(out.clip[1] == 0.5);  // the last frame holds
    CHECK(out.weights[1] == 1.0);
    // A quarter turn about Z takes the child from above the root to its left.
    CHECK(std::abs(out.local_rotations[8] - std::sqrt(0.5)) < 1e-12);
    CHECK(std::abs(out.local_rotations[11] - std::sqrt(0.5)) < 1e-12);
    CHECK(out.world_positions[3] == 1.0);
    CHECK(out.world_positions[4] == 3.0);
    CHECK(std::abs(out.world_positions[9] - 0.0) < 1e-12);
    CHECK(std::abs(out.world_positions[10] - 2.0) < 1e-12);
    CHECK(pose(document.get(), {0.0}, out, 1.0) == AB_ERROR_INVALID_ARGUMENT);  // a BVH has no ease
    const std::string oban =
        "<Oni><OBAN id=\"0\"><Flags></Flags><InitialTransform>1 0 0 0 1 0 0 0 1 0 0 0</InitialTransform>"
        "<BaseTransform>1 0 0 0 1 0 0 0 1 0 0 0</BaseTransform><FrameLength>1</FrameLength>"
        "<FrameCount>31</FrameCount><HalfStopFrame>0</HalfStopFrame><KeyFrames>"
        "<OBANKeyFrame><Rotation>0 0 0 -1</Rotation><Translation>1 2 3</Translation><Time>0</Time>"
        "</OBANKeyFrame><OBANKeyFrame><Rotation>0 0 0 -1</Rotation><Translation>5 2 3</Translation>"
        "<Time>30</Time></OBANKeyFrame></KeyFrames></OBAN></Oni>";
    const DocumentHandle object = read_document({oban.begin(), oban.end()});
    REQUIRE(ab_document_joint_count(object.get()) == 1);
    Arrays half(1, 1);
    REQUIRE(pose(object.get(), {0.25}, half) == AB_OK);
    CHECK(half.local_positions == std::vector<double>{3, 2, 3});
    CHECK(half.world_positions == half.local_positions);
    Arrays none(1, 0);
    CHECK(pose(object.get(), {0.25}, none) == AB_ERROR_INVALID_ARGUMENT);
    CHECK(none.clip[0] == canary);
}
