// SPDX-License-Identifier: MIT
// What a viewer shows of a pose, against the witness and the specification's worked example.
#include <algorithm>

#include "catch.h"
#include "formats/sl_pose/edit/edit.h"
#include "formats/sl_pose/play/play.h"
#include "rig/avatar/avatar.h"
#include "sl_pose_fixtures.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

using sl_pose::play::Shown;

constexpr double allowed = 1e-6;

std::vector<Shown> shown_of(const std::string& file, sl_pose::edit::Load load = sl_pose::edit::Load::all) {
    const auto part = sl_pose::edit::loaded(pose_document(file), load);
    return sl_pose::play::shown(sl_pose::pose::pose_of(part).value());
}

std::string_view joint_name(const Shown& joint) { return rig::avatar::skeleton()[joint.joint].node.name; }

Shown joint_of(const std::vector<Shown>& joints, std::string_view name) {
    return *std::ranges::find(joints, name, joint_name);
}

void check_near(const glm::dvec3& found, const Json& wanted) {
    for (int i = 0; i < 3; ++i) {
        const auto number = wanted[static_cast<std::size_t>(i)].get<double>();
        CHECK(std::abs(found[i] - number) <= allowed * std::max(1.0, std::abs(number)));
    }
}

/// With its sign.
void check_rotation(const glm::dquat& found, const std::array<double, 4>& xyzw) {
    CHECK(std::abs(found.x - xyzw[0]) < allowed);
    CHECK(std::abs(found.y - xyzw[1]) < allowed);
    CHECK(std::abs(found.z - xyzw[2]) < allowed);
    CHECK(std::abs(found.w - xyzw[3]) < allowed);
}

}  // namespace

TEST_CASE("every pose is shown as by the witness", "[sl-pose-player]") {
    std::size_t compared = 0;
    for (const Json& row : pose_rows()) {
        if (row["program"].is_null()) {
            continue;
        }
        const auto file = row["file"].get<std::string>();
        INFO(file);
        const auto joints = shown_of(file);
        CHECK(joints.size() == row["joints"].size() + row["unlisted"].get<std::size_t>());
        for (const Json& wanted : row["joints"]) {
            const auto name = wanted["joint"].get<std::string>();
            INFO(name);
            const auto found = std::ranges::find(joints, name, joint_name);
            REQUIRE(found != joints.end());
            CHECK(sl_pose::play::name_of(found->known) == wanted["known"].get<std::string>());
            const Json& q = wanted["rotation_wxyz"];
            check_rotation(found->rotation,
                           {q[1].get<double>(), q[2].get<double>(), q[3].get<double>(), q[0].get<double>()});
            check_near(found->position, wanted["position"]);
            check_near(found->scale, wanted["scale"]);
            ++compared;
        }
    }
    CHECK(compared > 100);
}

TEST_CASE("a pose is shown as in the worked example", "[sl-pose-player]") {
    // Section 2.4 of the specification, printed by the viewer's own code.
    const auto joints = shown_of("fs8.xml");
    const Shown shoulder = joint_of(joints, "mShoulderLeft");
    check_rotation(shoulder.rotation, {0.0933066, -0.2265663, 0.2109838, 0.9462808});
    check_near(shoulder.position, Json::array({0.01, 0.079, -0.02}));
    check_near(shoulder.scale, Json::array({1.1, 1.0, 0.95}));
    const Shown pelvis = joint_of(joints, "PELVIS");
    check_rotation(pelvis.rotation, {0.1077968, -0.1600052, 0.2039612, 0.9597802});
    check_near(pelvis.position, Json::array({0.0, 0.0, -0.04}));
    check_near(pelvis.scale, Json::array({0.22, 0.16, 0.12}));
    check_rotation(joint_of(shown_of("bd3.xml"), "mShoulderLeft").rotation,
                   {0.0933066, 0.2685155, -0.1540971, 0.9462808});
    // The collar is at rest, so its frame is the shoulder's parent.
    const auto world = sl_pose::play::placed(joints);
    const auto at = [&](std::string_view name) { return world[rig::avatar::find_joint(name).value()]; };
    check_near(seen_from(at("mCollarLeft"), at("mElbowLeft").translation),
               Json::array({-0.0995119, 0.3006027, 0.0000842}));
}

TEST_CASE("angles that are saved give the rotation again", "[sl-pose-player]") {
    const auto turned_back = [](const sl_pose::pose::Triple& angles) {
        const glm::dquat q = sl_pose::pose::rotation_of(angles);
        return angle_between_degrees(q, sl_pose::pose::rotation_of(sl_pose::pose::angles_of(q)));
    };
    // The specification's own bounds of the storage error, in degrees.
    for (float x = -3.0F; x < 3.1F; x += 0.37F) {
        for (float y = -1.5F; y < 1.55F; y += 0.31F) {
            CHECK(turned_back({x, y, 0.7F * x}) < 0.0001);
        }
        CHECK(turned_back({x, 1.5707963F, 0.4F}) < 0.025);
        CHECK(turned_back({x, -1.5707963F, 0.4F}) < 0.025);
    }
    const auto locked = sl_pose::pose::angles_of(sl_pose::pose::rotation_of({0.5235988F, 1.5707963F, 0.0F}));
    CHECK(locked[0] == 0.0F);
    CHECK(std::abs(locked[1] - 1.5707963F) < 1e-6F);
    CHECK(std::abs(locked[2] - 0.5235988F) < 1e-6F);
}

TEST_CASE("what is loaded depends on the button", "[sl-pose-player]") {
    const Shown all = joint_of(shown_of("bd3.xml"), "mShoulderLeft");
    const Shown plain = joint_of(shown_of("bd3.xml", sl_pose::edit::Load::plain), "mShoulderLeft");
    const Shown rotations = joint_of(shown_of("bd3.xml", sl_pose::edit::Load::rotations), "mShoulderLeft");
    check_near(all.scale, Json::array({0.1, 0.0, -0.05}));
    check_near(plain.scale, Json::array({1.0, 1.0, 1.0}));
    check_near(plain.position, Json::array({0.01, 0.0, -0.02}));
    check_near(rotations.position, Json::array({0.0, 0.079, 0.0}));
    CHECK(rotations.rotation == all.rotation);
}
