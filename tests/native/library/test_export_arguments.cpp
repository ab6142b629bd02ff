// SPDX-License-Identifier: MIT
// Options of an export that a call refuses.
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "catch.h"
#include "export_calls.h"
#include "library/arguments.h"
#include "library/refusals.h"

using namespace animbridge::test;

TEST_CASE("NULL where an export needs something is misuse", "[arguments]") {
    GoodArguments s;
    misuse([&](ab_error* e) {
        return sl_from_curves(nullptr, &s.timing, nullptr, 0, s.options, nullptr, &s.out_document, nullptr,
                              e);
    });
    misuse([&](ab_error* e) {
        return sl_from_curves(&s.armature, nullptr, nullptr, 0, s.options, nullptr, &s.out_document, nullptr,
                              e);
    });
    misuse([&](ab_error* e) {
        return ab_document_from_curves(nullptr, &s.armature, &s.timing, nullptr, 0, nullptr, nullptr, nullptr,
                                       &s.out_document, nullptr, e);
    });
    for (const char* const format : {"fbx", "oban_level"}) {
        misuse([&](ab_error* e) {
            return ab_document_from_curves(format, &s.armature, &s.timing, nullptr, 0, nullptr, nullptr,
                                           nullptr, &s.out_document, nullptr, e);
        });
    }
    misuse([&](ab_error* e) {
        return ab_document_from_samples("sl_anim", &s.armature, &s.timing, nullptr, nullptr, nullptr, nullptr,
                                        &s.out_document, nullptr, e);
    });
    misuse([&](ab_error* e) {
        return sl_from_curves(&s.armature, &s.timing, nullptr, 0, s.options, nullptr, nullptr, nullptr, e);
    });
    misuse([&](ab_error* e) { return s.from_curves(nullptr, 1, e); });
    CHECK(s.has_made_nothing());
}

TEST_CASE("what only a template can give is misuse without one", "[arguments]") {
    GoodArguments s;
    s.options.keep_duration = true;
    misuse([&](ab_error* e) { return s.from_curves(nullptr, 0, e); });
    SlSamples samples{};
    samples.view.struct_size = sizeof(samples.view);
    misuse([&](ab_error* e) {
        return sl_from_samples(&s.armature, &s.timing, samples, s.options, nullptr, &s.out_document, nullptr,
                               e);
    });
    s.options.keep_duration = false;
    ab_curve unchanged{};
    unchanged.struct_size = sizeof(unchanged);
    unchanged.channel = AB_CHANNEL_ROTATION_QUATERNION;
    unchanged.unchanged = 1;
    misuse([&](ab_error* e) { return s.from_curves(&unchanged, 1, e); });
    // A document of another format is not a template.
    const std::string bvh =
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\nMOTION\nFrames: 0\nFrame Time: 1\n";
    const DocumentHandle other = read_document({bvh.begin(), bvh.end()});
    s.options.template_document = other.get();
    misuse([&](ab_error* e) { return s.from_curves(nullptr, 0, e); });
    CHECK(s.out_document == nullptr);
}

TEST_CASE("values of a new header that the format does not have are refused", "[arguments]") {
    GoodArguments s;
    const float co[2] = {1, 1};
    const ab_curve curve = one_key_curve(co);
    SlHeader good{};
    good.base_priority = 6;
    good.joint_priority = -1;
    good.hand_pose = 13;
    SlHeader header = good;
    s.options.header = &header;
    REQUIRE(s.from_curves(&curve, 1, nullptr) == AB_OK);
    const DocumentHandle made = s.made();
    const auto wrong = [&](const char* field, auto&& change) {
        INFO(field);
        header = good;
        change(header);
        refused(AB_ERROR_BAD_VALUE, [&](ab_error* e) { return s.from_curves(&curve, 1, e); });
        ab_error error = empty_error();
        s.from_curves(&curve, 1, &error);
        CHECK(std::string(error.field) == "header." + std::string(field));
    };
    constexpr double beyond = 1e39;  // too large for a float
    wrong("base_priority", [](SlHeader& h) { h.base_priority = -2; });
    wrong("base_priority", [](SlHeader& h) { h.base_priority = 7; });
    wrong("joint_priority", [](SlHeader& h) { h.joint_priority = -3; });
    wrong("joint_priority", [](SlHeader& h) { h.joint_priority = 7; });
    wrong("hand_pose", [](SlHeader& h) { h.hand_pose = 14; });
    wrong("hand_pose", [](SlHeader& h) { h.hand_pose = -1; });
    wrong("ease_in_seconds", [&](SlHeader& h) { h.ease_in_seconds = beyond; });
    wrong("ease_out_seconds", [&](SlHeader& h) { h.ease_out_seconds = -beyond; });
    wrong("loop_in_seconds", [&](SlHeader& h) { h.loop_in_seconds = beyond; });
    wrong("loop_out_seconds", [&](SlHeader& h) { h.loop_out_seconds = beyond; });
    // A template keeps its own header, so these values go unread.
    header = good;
    header.base_priority = 6;
    s.options.template_document = s.document.get();
    CHECK(s.from_curves(&curve, 1, nullptr) == AB_OK);
    const DocumentHandle owner = s.made();
}

TEST_CASE("an unknown encoder or an end before the start is refused", "[arguments]") {
    GoodArguments s;
    const float co[2] = {1, 1};
    const ab_curve good = one_key_curve(co);
    for (const char* const encoder : {"", "Upload", "wrong"}) {
        s.options.encoder = encoder;
        refused(AB_ERROR_BAD_VALUE, [&](ab_error* e) { return s.from_curves(&good, 1, e); });
    }
    s.options.encoder = "upload";
    for (const double end : {0.0, -1e9, 1e300}) {
        s.options.frame_end = end;  // before frame_start, or nowhere
        misuse([&](ab_error* e) { return s.from_curves(&good, 1, e); });
    }
    for (const double end :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        s.options.frame_end = end;
        refused(AB_ERROR_BAD_VALUE, [&](ab_error* e) { return s.from_curves(&good, 1, e); });
    }
    s.options.frame_end = 31.0;
    CHECK(s.from_curves(&good, 1, nullptr) == AB_OK);
    const DocumentHandle owner = s.made();
}
