// SPDX-License-Identifier: MIT
// Calls with NULL, unknown names or wrong sizes: each is refused, changes nothing and reports why.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "export_calls.h"
#include "library/arguments.h"
#include "library/refusals.h"

using namespace animbridge::test;

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

TEST_CASE("NULL for a list, a name, a rig map or a file is misuse", "[arguments]") {
    GoodArguments s;
    const std::vector<std::uint8_t> bytes = fixture("minimal.anim");
    const std::string path = (fixture_folder() / "minimal.anim").string();
    ab_document* const document = s.document.get();
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
    misuse([&](ab_error* e) { return ab_rig_map_json(nullptr, e); });
    misuse([&](ab_error* e) { return ab_rigs_json(nullptr, e); });
    misuse([&](ab_error* e) { return ab_rig_match_json(nullptr, &s.out_buffer, e); });
    misuse([&](ab_error* e) { return ab_rig_match_json(&s.armature, nullptr, e); });
    misuse([&](ab_error* e) {
        return ab_document_read(nullptr, 5, nullptr, nullptr, nullptr, &s.out_document, e);
    });
    misuse([&](ab_error* e) {
        return ab_document_read(bytes.data(), bytes.size(), nullptr, nullptr, nullptr, nullptr, e);
    });
    misuse([&](ab_error* e) { return ab_document_read_file(nullptr, nullptr, nullptr, &s.out_document, e); });
    misuse([&](ab_error* e) { return ab_document_read_file(path.c_str(), nullptr, nullptr, nullptr, e); });
    misuse([&](ab_error* e) { return ab_document_write(nullptr, nullptr, &s.out_buffer, e); });
    misuse([&](ab_error* e) { return ab_document_write(document, nullptr, nullptr, e); });
    misuse([&](ab_error* e) { return ab_document_write_file(nullptr, "x", nullptr, e); });
    misuse([&](ab_error* e) { return ab_document_write_file(document, nullptr, nullptr, e); });
    misuse(
        [&](ab_error* e) { return ab_convert_file(nullptr, "x.anim", nullptr, nullptr, &s.out_buffer, e); });
    misuse([&](ab_error* e) {
        return ab_convert_file(path.c_str(), nullptr, nullptr, nullptr, &s.out_buffer, e);
    });
    CHECK(s.has_made_nothing());
}

TEST_CASE("NULL for a document or for what is made of it is misuse", "[arguments]") {
    GoodArguments s;
    ab_document* const document = s.document.get();
    misuse([&](ab_error* e) { return ab_document_json(nullptr, &s.out_buffer, e); });
    misuse([&](ab_error* e) { return ab_document_json(document, nullptr, e); });
    misuse([&](ab_error* e) { return ab_document_info(nullptr, &s.out_buffer, e); });
    misuse([&](ab_error* e) { return ab_document_info(document, nullptr, e); });
    misuse([&](ab_error* e) { return ab_document_check(nullptr, "strict", &s.out_buffer, e); });
    misuse([&](ab_error* e) { return ab_document_check(document, "strict", nullptr, e); });
    misuse([&](ab_error* e) { return ab_document_compare(nullptr, document, nullptr, &s.out_buffer, e); });
    misuse([&](ab_error* e) { return ab_document_compare(document, nullptr, nullptr, &s.out_buffer, e); });
    misuse([&](ab_error* e) { return ab_document_compare(document, document, nullptr, nullptr, e); });
    misuse([&](ab_error* e) { return ab_document_quality(nullptr, nullptr, &s.out_buffer, e); });
    misuse([&](ab_error* e) { return ab_document_quality(document, nullptr, nullptr, e); });
    misuse([&](ab_error* e) { return ab_document_edit(nullptr, "{}", &s.out_document, &s.out_buffer, e); });
    misuse(
        [&](ab_error* e) { return ab_document_edit(document, nullptr, &s.out_document, &s.out_buffer, e); });
    misuse([&](ab_error* e) { return ab_document_edit(document, "{}", nullptr, &s.out_buffer, e); });
    misuse([&](ab_error* e) {
        return ab_document_fix(nullptr, nullptr, &s.out_document, nullptr, &s.out_buffer, e);
    });
    misuse([&](ab_error* e) { return ab_document_fix(document, nullptr, nullptr, nullptr, nullptr, e); });
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
    CHECK(s.has_made_nothing());
}

TEST_CASE("NULL for a pose, its times or its document is misuse", "[arguments]") {
    GoodArguments s;
    ab_document* const document = s.document.get();
    const double time = 0;
    ab_pose pose{};
    pose.struct_size = sizeof(pose);
    pose.joint_capacity = 99;
    misuse([&](ab_error* e) { return ab_document_pose(nullptr, &time, 1, -1, &pose, e); });
    misuse([&](ab_error* e) { return ab_document_pose(document, nullptr, 1, -1, &pose, e); });
    misuse([&](ab_error* e) { return ab_document_pose(document, &time, 1, -1, nullptr, e); });
    pose.joint_capacity = 0;
    misuse([&](ab_error* e) { return ab_document_pose(document, &time, 1, -1, &pose, e); });
    CHECK(s.has_made_nothing());
}

TEST_CASE("names that are not known are misuse", "[arguments]") {
    GoodArguments s;
    const std::vector<std::uint8_t> bytes = fixture("minimal.anim");
    misuse([&](ab_error* e) {
        return ab_document_read(bytes.data(), bytes.size(), "fbx", nullptr, nullptr, &s.out_document, e);
    });
    misuse([&](ab_error* e) { return ab_document_check(s.document.get(), "lenient", &s.out_buffer, e); });
    misuse([&](ab_error* e) { return ab_document_check(s.document.get(), "", &s.out_buffer, e); });
}

TEST_CASE("a struct without its size is misuse", "[arguments]") {
    GoodArguments s;
    const auto with = [&](auto& object, auto&& call) {
        const std::uint32_t size = object.struct_size;
        for (const std::uint32_t wrong : {0U, 1U, 3U}) {
            object.struct_size = wrong;
            misuse(call);
        }
        object.struct_size = size;
    };
    const auto import = [&](ab_error* e) { return s.import_curves(e); };
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

TEST_CASE("callers built against an older, shorter header are served", "[arguments]") {
    GoodArguments s;
    const float co[2] = {1, 1};
    // Up to `co`: no handles, no interpolation, nothing inserted. The bytes after them belong to the caller.
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
    const DocumentHandle owner = s.made();
    // An older, shorter error object is filled up to its own size.
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
    // The unknown part of a newer caller's longer struct is not read.
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
