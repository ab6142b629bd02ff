// SPDX-License-Identifier: MIT
// Curves and timings that a call refuses.
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "catch.h"
#include "library/arguments.h"
#include "library/refusals.h"

using namespace animbridge::test;

TEST_CASE("NULL where an import needs something is misuse", "[arguments]") {
    GoodArguments s;
    ab_document* const document = s.document.get();
    misuse([&](ab_error* e) {
        return ab_curves_from_document(nullptr, &s.armature, &s.timing, nullptr, nullptr, &s.out_curves, e);
    });
    misuse([&](ab_error* e) {
        return ab_curves_from_document(document, nullptr, &s.timing, nullptr, nullptr, &s.out_curves, e);
    });
    misuse([&](ab_error* e) {
        return ab_curves_from_document(document, &s.armature, nullptr, nullptr, nullptr, &s.out_curves, e);
    });
    misuse([&](ab_error* e) {
        return ab_curves_from_document(document, &s.armature, &s.timing, nullptr, nullptr, nullptr, e);
    });
    ab_curve curve{};
    curve.struct_size = sizeof(curve);
    misuse([&](ab_error* e) { return ab_curves_get(nullptr, 0, &curve, e); });
    misuse([&](ab_error* e) { return ab_curves_report(nullptr, &s.out_buffer, e); });
    CHECK(s.has_made_nothing());
}

TEST_CASE("the same curve twice is misuse, and the curve is named", "[arguments]") {
    GoodArguments s;
    const float co[2] = {1, 1};
    ab_curve first = one_key_curve(co);
    first.component = 2;
    std::vector<ab_curve> curves = {first, first};
    const auto to_sl = [&](ab_error* e) { return s.from_curves(curves.data(), curves.size(), e); };
    const auto to_bvh = [&](ab_error* e) {
        return ab_document_from_curves("bvh", &s.armature, &s.timing, curves.data(), curves.size(), nullptr,
                                       R"({"frame_count": 2})", nullptr, &s.out_document, nullptr, e);
    };
    const auto named = [](auto&& call, const std::string& what) {
        misuse(call);
        ab_error error = empty_error();
        call(&error);
        INFO(error.message);
        CHECK(std::string(error.message).find(what) != std::string::npos);
    };
    named(to_sl, "bone 'mTorso', channel 1, component 2");
    named(to_bvh, "bone 'mTorso', channel 1, component 2");
    for (ab_curve& curve : curves) {
        curve.bone = -1;
        curve.component = 0;
    }
    named(
        [&](ab_error* e) {
            return ab_document_from_curves("oban", nullptr, &s.timing, curves.data(), curves.size(), nullptr,
                                           R"({"name": "x"})", nullptr, &s.out_document, nullptr, e);
        },
        "the object, channel 1, component 0");
    // Another component, channel or bone is another curve.
    for (const auto& [bone, channel, component] :
         {std::array{1, 1, 3}, std::array{1, 0, 2}, std::array{0, 1, 2}}) {
        curves = {first, first};
        curves[1].bone = bone;
        curves[1].channel = channel;
        curves[1].component = component;
        REQUIRE(to_sl(nullptr) == AB_OK);
        const DocumentHandle owner = s.made();
    }
}

TEST_CASE("a property that is no part of a format is misuse", "[arguments]") {
    GoodArguments s;
    const float co[2] = {1, 1};
    ab_curve curve = one_key_curve(co);
    curve.channel = AB_CHANNEL_PROPERTY;
    curve.component = 0;
    const auto refusal_of = [&](std::int32_t bone, const char* property) {
        curve.bone = bone;
        curve.property = property;
        ab_error error = empty_error();
        CHECK(s.from_curves(&curve, 1, &error) == AB_ERROR_INVALID_ARGUMENT);
        return std::string(error.message);
    };
    const std::string malformed =
        "curve.channel is AB_CHANNEL_PROPERTY; such a curve has bone -1, the object, and the name of a "
        "property";
    CHECK(refusal_of(0, "tracked") == malformed);
    CHECK(refusal_of(-1, nullptr) == malformed);
    CHECK(refusal_of(-1, "") == malformed);
    const std::string homeless =
        "curve.channel is AB_CHANNEL_PROPERTY; a Second Life animation has no place for a property";
    CHECK(refusal_of(-1, "tracked") == homeless);
    curve.unchanged = 1;
    CHECK(refusal_of(-1, "tracked") == homeless);
    CHECK(s.has_made_nothing());
}

TEST_CASE("timings and curves that cannot be", "[arguments]") {
    GoodArguments s;
    const auto import = [&](ab_error* e) { return s.import_curves(e); };
    for (const double rate :
         {0.0, -24.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
        s.timing.frames_per_second = rate;
        misuse(import);
    }
    s.timing = usual_timing;
    s.timing.frame_start = std::numeric_limits<double>::quiet_NaN();
    misuse(import);
    s.timing = usual_timing;
    const float co[2] = {1, 1};
    const ab_curve good = one_key_curve(co);
    const auto wrong = [&](auto&& change) {
        ab_curve curve = good;
        change(curve);
        misuse([&](ab_error* e) { return s.from_curves(&curve, 1, e); });
    };
    wrong([](ab_curve& c) { c.bone = -1; });
    wrong([](ab_curve& c) { c.bone = 2; });
    wrong([](ab_curve& c) { c.channel = -1; });
    wrong([](ab_curve& c) { c.channel = 9; });
    wrong([](ab_curve& c) { c.component = 4; });
    wrong([](ab_curve& c) { c.component = -1; });
    wrong([](ab_curve& c) { c.channel = AB_CHANNEL_LOCATION, c.component = 3; });
    wrong([](ab_curve& c) { c.channel = AB_CHANNEL_ROTATION_ZYX, c.component = 3; });
    wrong([](ab_curve& c) { c.co = nullptr; });
    CHECK(s.from_curves(&good, 1, nullptr) == AB_OK);
    const DocumentHandle owner = s.made();
}

TEST_CASE("an index beyond the curves is misuse", "[arguments]") {
    GoodArguments s;
    REQUIRE(s.import_curves(nullptr) == AB_OK);
    const CurvesHandle owner(s.out_curves);
    ab_curve curve{};
    curve.struct_size = sizeof(curve);
    for (const std::size_t index : {ab_curves_count(s.out_curves), SIZE_MAX}) {
        misuse([&](ab_error* e) { return ab_curves_get(s.out_curves, index, &curve, e); });
    }
    misuse([&](ab_error* e) { return ab_curves_report(s.out_curves, nullptr, e); });
}
