// SPDX-License-Identifier: MIT
// Curves between keys, and poses, against the witness.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "formats/mrtk/check/check.h"
#include "formats/mrtk/play/play.h"
#include "mrtk_fixtures.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

float float_of(const Json& value) {
    if (value.is_string()) {
        const auto text = value.get<std::string>();
        return text == "-inf" ? -INFINITY : text == "inf" ? INFINITY : NAN;
    }
    return static_cast<float>(value.get<double>());
}

std::vector<mrtk::file::FullKey> keys_of(const Json& rows) {
    std::vector<mrtk::file::FullKey> keys;
    for (const Json& row : rows) {
        mrtk::file::FullKey key;
        key.time = RawFloat(float_of(row[0]));
        key.value = RawFloat(float_of(row[1]));
        key.in_tangent = RawFloat(float_of(row[2]));
        key.out_tangent = RawFloat(float_of(row[3]));
        key.in_weight = RawFloat(float_of(row[4]));
        key.out_weight = RawFloat(float_of(row[5]));
        key.weighted_mode = static_cast<std::int32_t>(row[6].get<std::int64_t>());
        keys.push_back(key);
    }
    return keys;
}

/// Both solve a cubic in doubles; where the curve is flat, the solution is known to a third of its digits,
/// but the value changes so little there that it is accurate.
constexpr double close_enough = 1e-9;

void must_be_near(const glm::dvec3& found, const Json& wanted) {
    for (int i = 0; i < 3; ++i) {
        CHECK(std::abs(found[i] - wanted[static_cast<std::size_t>(i)].get<double>()) < close_enough);
    }
}

/// `wanted`: x, y, z, w.
void must_be_near(const glm::dquat& found, const Json& wanted) {
    const std::array<double, 4> xyzw = {found.x, found.y, found.z, found.w};
    for (std::size_t i = 0; i < xyzw.size(); ++i) {
        CHECK(std::abs(xyzw.at(i) - wanted[i].get<double>()) < close_enough);
    }
}

void must_be_posed(const mrtk::play::Player& player, std::size_t pose, double seconds, const Json& wanted) {
    INFO(mrtk::file::pose_name(pose) << " at " << seconds);
    REQUIRE(player.exists(pose));
    const mrtk::play::ShownPose shown = player.pose(pose, seconds);
    must_be_near(shown.position, wanted["position"]);
    must_be_near(shown.played, wanted["played"]);
    if (!wanted["meant"].is_null()) {
        must_be_near(shown.meant, wanted["meant"]);
    }
}

std::size_t joint_named(std::string_view name) {
    return static_cast<std::size_t>(
        std::find(mrtk::file::joint_names.begin(), mrtk::file::joint_names.end(), name) -
        mrtk::file::joint_names.begin());
}

void must_show(const mrtk::play::Player& player, const Json& row) {
    const auto seconds = row["time"].get<double>();
    if (row.contains("camera")) {
        must_be_posed(player, 0, seconds, row["camera"]);
    }
    for (std::size_t hand = 0; hand < mrtk::file::hand_count; ++hand) {
        if (!row.contains(mrtk::file::hand_names.at(hand))) {
            continue;
        }
        const Json& wanted = row[mrtk::file::hand_names.at(hand)];
        CHECK(player.is_on(hand, seconds) == wanted["tracked"].get<bool>());
        CHECK(player.is_on(mrtk::file::hand_count + hand, seconds) == wanted["pinch"].get<bool>());
        for (const auto& [name, pose] : wanted["joints"].items()) {
            must_be_posed(player, mrtk::file::pose_of(hand, joint_named(name)), seconds, pose);
        }
    }
    if (row.contains("gaze")) {
        must_be_near(player.gaze(seconds).origin, row["gaze"]["origin"]);
        must_be_near(player.gaze(seconds).direction, row["gaze"]["direction"]);
    }
}

}  // namespace

TEST_CASE("curves have the values of the witness between, on and beyond their keys", "[mrtk-player]") {
    std::size_t count = 0;
    for (const Json& row : mrtk_manifest()["curves"]) {
        INFO(row["name"].get<std::string>());
        const std::vector<mrtk::file::FullKey> keys = keys_of(row["keys"]);
        mrtk::file::Curve wraps;
        wraps.pre_wrap = static_cast<std::int32_t>(row["wrap"][0].get<std::int64_t>());
        wraps.post_wrap = static_cast<std::int32_t>(row["wrap"][1].get<std::int64_t>());
        wraps.count = static_cast<std::uint32_t>(keys.size());
        mrtk::file::Document document;
        document.curves[0] = wraps;
        document.full_keys = keys;
        const mrtk::play::Player player(document);
        const mrtk::curves::CurveView& view = player.curve(0);
        for (std::size_t i = 0; i < row["times"].size(); ++i) {
            const auto time = row["times"][i].get<double>();
            const auto wanted = row["values"][i].get<double>();
            INFO("at " << time);
            CHECK(std::abs(view.evaluate(time) - wanted) < close_enough * std::max(1.0, std::abs(wanted)));
            ++count;
        }
    }
    CHECK(count > 100);
}

TEST_CASE("recordings are posed as the witness poses them", "[mrtk-player]") {
    std::size_t count = 0;
    for (const Json& row : mrtk_rows()) {
        if (!row.contains("poses")) {
            continue;
        }
        INFO(row["file"].get<std::string>());
        const mrtk::file::Document document = mrtk_document(row["file"].get<std::string>());
        REQUIRE(mrtk::check::require_playable(document).has_value());
        const mrtk::play::Player player(document);
        CHECK(player.duration_seconds() == row["duration"].get<double>());
        for (const Json& pose : row["poses"]) {
            must_show(player, pose);
            ++count;
        }
    }
    CHECK(count > 100);
}

TEST_CASE("a Bezier whose time stands still is solved exactly", "[mrtk-player]") {
    // Both weights 1: time is 1/2 + 4 (u - 1/2)^3, so u = 1/2 + cbrt((share - 1/2) / 4).
    const mrtk::curves::Segment segment{mrtk::curves::Segment::Kind::curved, 1.0, 1.0};
    for (const double share : {0.0, 1e-12, 0.25, 0.4999999, 0.5, 0.5000001, 0.75, 1.0 - 1e-12, 1.0}) {
        const double u = mrtk::curves::bezier_parameter(segment, share);
        const double wanted = 0.5 + std::cbrt((share - 0.5) / 4.0);
        // A step of one bit in the time is this far in u where the curve is flat: cbrt(2^-53 / 4).
        CHECK(std::abs(u - wanted) < 1e-5);
        const double time = 0.5 + 4.0 * std::pow(u - 0.5, 3);
        CHECK(std::abs(time - share) < 1e-15);
    }
}
