// SPDX-License-Identifier: MIT
// Calls that are wrong in themselves: every one is told, nothing is touched, nothing breaks.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "catch.h"
#include "export_calls.h"
#include "library/armature.h"
#include "library/refusals.h"
#include "support.h"

using namespace animbridge::test;

namespace {

struct Sample {
    DocumentHandle document = read_document(fixture("minimal.anim"));
    TestArmature rig{{"mPelvis", "mTorso"}};
    ab_armature armature = rig.view();
    ab_timing timing = usual_timing;
    SlExport options{};
    ab_document* out_document = nullptr;
    ab_buffer* out_buffer = nullptr;
    ab_curves* out_curves = nullptr;

    Sample() { options.frame_end = 31.0; }
    /// An export of nothing but what the test has set up.
    ab_status from_curves(const ab_curve* curves, std::size_t count, ab_error* error) {
        return sl_from_curves(&armature, &timing, curves, count, options, nullptr, &out_document, nullptr,
                              error);
    }
};

}  // namespace

TEST_CASE("NULL is freed, counted and read as nothing", "[arguments]") {
    ab_document_free(nullptr);
    ab_buffer_free(nullptr);
    ab_curves_free(nullptr);
    CHECK(ab_buffer_data(nullptr) == nullptr);
    CHECK(ab_buffer_size(nullptr) == 0);
    CHECK(ab_curves_count(nullptr) == 0);
    CHECK(ab_document_format(nullptr) == nullptr);
    CHECK(ab_document_joint_count(nullptr) == 0);
}

TEST_CASE("NULL where something is needed is misuse", "[arguments]") {
    Sample s;
    const std::vector<std::uint8_t> bytes = fixture("minimal.anim");
    const std::string path = (fixture_folder() / "minimal.anim").string();
    ab_document* const document = s.document.get();
    const double time = 0;
    misuse([&](ab_error* e) { return ab_formats_json(nullptr, e); });
    ab_buffer* stem = nullptr;
    misuse([&](ab_error* e) { return ab_file_stem("walk", 4, ".anim", nullptr, e); });
    misuse([&](ab_error* e) { return ab_file_stem("walk", 4, nullptr, &stem, e); });
    misuse([&](ab_error* e) { return ab_file_stem(nullptr, 4, ".anim", &stem, e); });
    misuse([&](ab_error* e) { return ab_file_stem("walk", 4, std::string(65, 'x').c_str(), &stem, e); });
    CHECK(stem == nullptr);
    CHECK(ab_file_stem(nullptr, 0, "", &stem, nullptr) == AB_OK);
    CHECK(ab_buffer_size(stem) == std::string_view("animation").size());
    ab_buffer_free(stem);
    misuse([&](ab_error* e) {
        return ab_document_read(nullptr, 5, nullptr, nullptr, nullptr, &s.out_document, e);
    });
    misuse([&](ab_error* e) {
        return ab_document_read(bytes.data(), bytes.size(), nullptr, nullptr, nullptr, nullptr, e);
    });
    misuse([&](ab_error* e) { return ab_document_read_file(nullptr, nullptr, nullptr, &s.out_document, e); });
    misuse([&](ab_error* e) { return ab_document_read_file(path.c_str(), nullptr, nullptr, nullptr, e); });
    misuse([&](ab_error* e) { return ab_document_write(nullptr, &s.out_buffer, e); });
    misuse([&](ab_error* e) { return ab_document_write(document, nullptr, e); });
    misuse([&](ab_error* e) { return ab_document_write_file(nullptr, "x", e); });
    misuse([&](ab_error* e) { return ab_document_write_file(document, nullptr, e); });
    misuse([&](ab_error* e) { return ab_document_json(nullptr, &s.out_buffer, e); });
    misuse([&](ab_error* e) { return ab_document_json(document, nullptr, e); });
    misuse([&](ab_error* e) { return ab_document_info(nullptr, &s.out_buffer, e); });
    misuse([&](ab_error* e) { return ab_document_info(document, nullptr, e); });
    misuse([&](ab_error* e) { return ab_document_check(nullptr, "strict", &s.out_buffer, e); });
    misuse([&](ab_error* e) { return ab_document_check(document, "strict", nullptr, e); });
    misuse([&](ab_error* e) { return ab_document_compare(nullptr, document, nullptr, &s.out_buffer, e); });
    misuse([&](ab_error* e) { return ab_document_compare(document, nullptr, nullptr, &s.out_buffer, e); });
    misuse([&](ab_error* e) { return ab_document_compare(document, document, nullptr, nullptr, e); });
    misuse([&](ab_error* e) { return ab_document_edit(nullptr, "{}", &s.out_document, e); });
    misuse([&](ab_error* e) { return ab_document_edit(document, nullptr, &s.out_document, e); });
    misuse([&](ab_error* e) { return ab_document_edit(document, "{}", nullptr, e); });
    misuse(
        [&](ab_error* e) { return ab_convert_file(nullptr, "x.anim", nullptr, nullptr, &s.out_buffer, e); });
    misuse([&](ab_error* e) {
        return ab_convert_file(path.c_str(), nullptr, nullptr, nullptr, &s.out_buffer, e);
    });
    misuse([&](ab_error* e) { return ab_document_as_stored(nullptr, &s.out_document, nullptr, e); });
    misuse([&](ab_error* e) { return ab_document_as_stored(document, nullptr, nullptr, e); });
    misuse([&](ab_error* e) { return ab_skeleton_json("sl_anim", nullptr, nullptr, nullptr, e); });
    misuse([&](ab_error* e) { return ab_skeleton_json(nullptr, nullptr, nullptr, &s.out_buffer, e); });
    misuse([&](ab_error* e) { return ab_skeleton_json("bvh", nullptr, nullptr, &s.out_buffer, e); });
    misuse([&](ab_error* e) { return ab_skeleton_json("bvh", document, nullptr, &s.out_buffer, e); });
    misuse([&](ab_error* e) { return ab_skeleton_json("oban", nullptr, nullptr, &s.out_buffer, e); });
    misuse([&](ab_error* e) { return ab_document_child(nullptr, "a", &s.out_document, e); });
    misuse([&](ab_error* e) { return ab_document_child(document, "a", &s.out_document, e); });
    misuse([&](ab_error* e) { return ab_document_with_child(document, "a", document, &s.out_document, e); });
    ab_pose pose{};
    pose.struct_size = sizeof(pose);
    pose.joint_capacity = 99;
    misuse([&](ab_error* e) { return ab_document_pose(nullptr, &time, 1, -1, &pose, e); });
    misuse([&](ab_error* e) { return ab_document_pose(document, nullptr, 1, -1, &pose, e); });
    misuse([&](ab_error* e) { return ab_document_pose(document, &time, 1, -1, nullptr, e); });
    pose.joint_capacity = 0;
    misuse([&](ab_error* e) { return ab_document_pose(document, &time, 1, -1, &pose, e); });
    misuse([&](ab_error* e) { return ab_rig_map_json(nullptr, e); });
    misuse([&](ab_error* e) { return ab_rig_match_json(nullptr, &s.out_buffer, e); });
    misuse([&](ab_error* e) { return ab_rig_match_json(&s.armature, nullptr, e); });
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
    CHECK(s.out_document == nullptr);
    CHECK(s.out_buffer == nullptr);
    CHECK(s.out_curves == nullptr);
}

TEST_CASE("names that are not known are misuse", "[arguments]") {
    Sample s;
    const std::vector<std::uint8_t> bytes = fixture("minimal.anim");
    misuse([&](ab_error* e) {
        return ab_document_read(bytes.data(), bytes.size(), "fbx", nullptr, nullptr, &s.out_document, e);
    });
    misuse([&](ab_error* e) { return ab_document_check(s.document.get(), "lenient", &s.out_buffer, e); });
    misuse([&](ab_error* e) { return ab_document_check(s.document.get(), "", &s.out_buffer, e); });
}

TEST_CASE("a struct without its size is misuse", "[arguments]") {
    Sample s;
    const auto with = [&](auto& object, auto&& call) {
        const std::uint32_t size = object.struct_size;
        for (const std::uint32_t wrong : {0U, 1U, 3U}) {
            object.struct_size = wrong;
            misuse(call);
        }
        object.struct_size = size;
    };
    const auto import = [&](ab_error* e) {
        return ab_curves_from_document(s.document.get(), &s.armature, &s.timing, nullptr, nullptr,
                                       &s.out_curves, e);
    };
    with(s.armature, import);
    with(s.timing, import);
    ab_samples samples{};
    samples.struct_size = sizeof(samples);
    with(samples, [&](ab_error* e) {
        return ab_document_from_samples("sl_anim", &s.armature, &s.timing, &samples, nullptr,
                                        R"({"frame_end": 31})", nullptr, &s.out_document, nullptr, e);
    });
    ab_pose pose{};
    pose.struct_size = sizeof(pose);
    with(pose, [&](ab_error* e) { return ab_document_pose(s.document.get(), nullptr, 0, -1, &pose, e); });
    ab_curve curve{};
    curve.struct_size = sizeof(curve);
    with(curve, [&](ab_error* e) { return s.from_curves(&curve, 1, e); });
    ab_job job{};
    job.struct_size = sizeof(job);
    with(job, [&](ab_error* e) {
        return ab_document_compare(s.document.get(), s.document.get(), &job, &s.out_buffer, e);
    });
    ab_curves* curves = nullptr;
    REQUIRE(import(nullptr) == AB_OK);
    std::swap(curves, s.out_curves);
    const CurvesHandle owner(curves);
    with(curve, [&](ab_error* e) { return ab_curves_get(curves, 0, &curve, e); });
}

TEST_CASE("armatures that cannot be", "[arguments]") {
    Sample s;
    const auto import = [&](ab_error* e) {
        return ab_curves_from_document(s.document.get(), &s.armature, &s.timing, nullptr, nullptr,
                                       &s.out_curves, e);
    };
    const ab_armature good = s.armature;
    const auto wrong = [&](auto&& change) {
        s.armature = good;
        change(s.armature);
        misuse(import);
    };
    wrong([](ab_armature& a) { a.names = nullptr; });
    wrong([](ab_armature& a) { a.parents = nullptr; });
    wrong([](ab_armature& a) { a.rest_matrices = nullptr; });
    wrong([](ab_armature& a) { a.facing = 5; });
    wrong([](ab_armature& a) { a.facing = -1; });
    wrong([](ab_armature& a) { a.bone_count = 1; });
    wrong([](ab_armature& a) { --a.names_size; });
    wrong([](ab_armature& a) { a.names_size = 0; });
    for (const std::int32_t parent : {-2, 2, 2000000000}) {
        const std::int32_t parents[2] = {-1, parent};
        wrong([&](ab_armature& a) { a.parents = parents; });
    }
    std::vector<float> matrices(32, 0.0F);
    wrong([&](ab_armature& a) { a.rest_matrices = matrices.data(); });
    std::copy_n(good.rest_matrices, 32, matrices.begin());
    matrices[30] = std::numeric_limits<float>::infinity();
    wrong([&](ab_armature& a) { a.rest_matrices = matrices.data(); });
    // An armature without bones has nothing to show, and no arrays.
    s.armature = ab_armature{};
    s.armature.struct_size = sizeof(ab_armature);
    REQUIRE(import(nullptr) == AB_OK);
    const CurvesHandle owner(s.out_curves);
    CHECK(ab_curves_count(s.out_curves) == 0);
}

TEST_CASE("an armature whose parents go in a circle is misuse, and the bone is named", "[arguments]") {
    Sample s;
    s.rig = TestArmature({"mPelvis", "a", "b", "c"});
    const auto circle = [&](const std::vector<std::int32_t>& parents, const std::string& named) {
        INFO(named);
        s.armature = s.rig.view();
        s.armature.parents = parents.data();
        const auto with = [&](auto&& call) {
            misuse(call);
            ab_error error = empty_error();
            call(&error);
            CHECK(std::string(error.message).find("'" + named + "'") != std::string::npos);
        };
        with([&](ab_error* e) {
            return ab_curves_from_document(s.document.get(), &s.armature, &s.timing, nullptr, nullptr,
                                           &s.out_curves, e);
        });
        with([&](ab_error* e) { return ab_rig_match_json(&s.armature, &s.out_buffer, e); });
        with([&](ab_error* e) { return s.from_curves(nullptr, 0, e); });
        with([&](ab_error* e) {
            return ab_document_from_curves("bvh", &s.armature, &s.timing, nullptr, 0, nullptr,
                                           R"({"frame_count": 2})", nullptr, &s.out_document, nullptr, e);
        });
    };
    circle({-1, 1, 0, 0}, "a");  // its own parent
    circle({-1, 2, 1, 0}, "a");
    circle({-1, 2, 3, 1}, "a");
    circle({1, 2, 3, 0}, "mPelvis");
    circle({-1, 0, 3, 2}, "b");
    // Parents after their children, and several roots, are no circle.
    const std::vector<std::int32_t> any_order = {3, 0, -1, -1};
    s.armature = s.rig.view();
    s.armature.parents = any_order.data();
    REQUIRE(ab_rig_match_json(&s.armature, &s.out_buffer, nullptr) == AB_OK);
    const BufferHandle owner(s.out_buffer);
}

TEST_CASE("the same curve twice is misuse, and the curve is named", "[arguments]") {
    Sample s;
    const float co[2] = {1, 1};
    ab_curve first{};
    first.struct_size = sizeof(first);
    first.bone = 1;
    first.channel = AB_CHANNEL_ROTATION_QUATERNION;
    first.component = 2;
    first.key_count = 1;
    first.co = co;
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
        const DocumentHandle owner(std::exchange(s.out_document, nullptr));
    }
}

TEST_CASE("what only a template can give is misuse without one", "[arguments]") {
    Sample s;
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
    // A template of another format is none.
    const std::string bvh =
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\nMOTION\nFrames: 0\nFrame Time: 1\n";
    const DocumentHandle other = read_document({bvh.begin(), bvh.end()});
    s.options.template_document = other.get();
    misuse([&](ab_error* e) { return s.from_curves(nullptr, 0, e); });
    CHECK(s.out_document == nullptr);
}

TEST_CASE("values of a new header that the format does not have are refused", "[arguments]") {
    Sample s;
    const float co[2] = {1, 1};
    ab_curve curve{};
    curve.struct_size = sizeof(curve);
    curve.bone = 1;
    curve.channel = AB_CHANNEL_ROTATION_QUATERNION;
    curve.key_count = 1;
    curve.co = co;
    SlHeader good{};
    good.base_priority = 6;
    good.joint_priority = -1;
    good.hand_pose = 13;
    SlHeader header = good;
    s.options.header = &header;
    REQUIRE(s.from_curves(&curve, 1, nullptr) == AB_OK);
    const DocumentHandle made(std::exchange(s.out_document, nullptr));
    const auto wrong = [&](const char* field, auto&& change) {
        INFO(field);
        header = good;
        change(header);
        refused(AB_ERROR_BAD_VALUE, [&](ab_error* e) { return s.from_curves(&curve, 1, e); });
        ab_error error = empty_error();
        s.from_curves(&curve, 1, &error);
        CHECK(std::string(error.field) == "header." + std::string(field));
    };
    constexpr double beyond = 1e39;  // what single precision has no number for
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
    // With a template its header stays.
    header = good;
    header.base_priority = 6;
    s.options.template_document = s.document.get();
    CHECK(s.from_curves(&curve, 1, nullptr) == AB_OK);
    const DocumentHandle owner(s.out_document);
}

TEST_CASE("timings and curves that cannot be", "[arguments]") {
    Sample s;
    const auto import = [&](ab_error* e) {
        return ab_curves_from_document(s.document.get(), &s.armature, &s.timing, nullptr, nullptr,
                                       &s.out_curves, e);
    };
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
    ab_curve good{};
    good.struct_size = sizeof(good);
    good.bone = 1;
    good.channel = AB_CHANNEL_ROTATION_QUATERNION;
    good.key_count = 1;
    good.co = co;
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
    const DocumentHandle owner(s.out_document);
}

TEST_CASE("an index beyond the curves is misuse", "[arguments]") {
    Sample s;
    REQUIRE(ab_curves_from_document(s.document.get(), &s.armature, &s.timing, nullptr, nullptr, &s.out_curves,
                                    nullptr) == AB_OK);
    const CurvesHandle owner(s.out_curves);
    ab_curve curve{};
    curve.struct_size = sizeof(curve);
    for (const std::size_t index : {ab_curves_count(s.out_curves), SIZE_MAX}) {
        misuse([&](ab_error* e) { return ab_curves_get(s.out_curves, index, &curve, e); });
    }
    misuse([&](ab_error* e) { return ab_curves_report(s.out_curves, nullptr, e); });
}

TEST_CASE("callers built against an older, shorter header are served", "[arguments]") {
    Sample s;
    const float co[2] = {1, 1};
    // Up to `co`: no handles, no interpolation, nothing inserted. The bytes behind are somebody else's.
    ab_curve curve{};
    std::memset(&curve, 0x5a, sizeof(curve));
    curve.struct_size = static_cast<std::uint32_t>(offsetof(ab_curve, interpolation));
    curve.bone = 1;
    curve.channel = AB_CHANNEL_ROTATION_QUATERNION;
    curve.component = 0;
    curve.key_count = 1;
    curve.unchanged = 0;
    curve.co = co;
    s.armature.struct_size = static_cast<std::uint32_t>(offsetof(ab_armature, flags));
    s.armature.flags = reinterpret_cast<const std::uint8_t*>(1);
    s.armature.facing = 77;
    ab_error error = empty_error();
    REQUIRE(sl_from_curves(&s.armature, &s.timing, &curve, 1, s.options, nullptr, &s.out_document, nullptr,
                           &error) == AB_OK);
    const DocumentHandle owner(s.out_document);
    // An older error object is filled as far as it reaches.
    struct {
        ab_error error;
    } longer{};
    std::memset(&longer, 0x5a, sizeof(longer));
    longer.error.struct_size = static_cast<std::uint32_t>(offsetof(ab_error, field));
    CHECK(ab_document_read(nullptr, 1, nullptr, nullptr, nullptr, &s.out_document, &longer.error) ==
          AB_ERROR_INVALID_ARGUMENT);
    CHECK(longer.error.code == AB_ERROR_INVALID_ARGUMENT);
    CHECK(longer.error.byte_offset == -1);
    CHECK(longer.error.field[0] == 0x5a);
    CHECK(longer.error.struct_size == offsetof(ab_error, field));
    // A newer caller's longer struct: what this library does not know is not read.
    struct {
        ab_timing timing;
        char more[64];
    } newer{usual_timing, {}};
    newer.timing.struct_size = sizeof(newer);
    s.armature = s.rig.view();
    CHECK(ab_curves_from_document(s.document.get(), &s.armature, &newer.timing, nullptr, nullptr,
                                  &s.out_curves, &error) == AB_OK);
    const CurvesHandle curves(s.out_curves);
}

TEST_CASE("what the library says of itself", "[arguments]") {
    CHECK(ab_abi_version() == AB_ABI_VERSION);
    CHECK(std::string(ab_version()) == std::to_string(AB_VERSION_MAJOR) + "." +
                                           std::to_string(AB_VERSION_MINOR) + "." +
                                           std::to_string(AB_VERSION_PATCH));
    CHECK(std::string(ab_status_name(AB_OK)) == "ok");
    for (ab_status status = -10; status < 0; ++status) {
        CHECK(std::string(ab_status_name(status)) != "unknown status");
    }
    for (const ab_status status : {1, -11, INT32_MIN, INT32_MAX}) {
        CHECK(std::string(ab_status_name(status)) == "unknown status");
    }
}
