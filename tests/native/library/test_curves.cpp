// SPDX-License-Identifier: MIT
// Import and export of curves through the C interface.
#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>

#include "catch.h"
#include "export_calls.h"
#include "library/armature.h"
#include "support.h"

using namespace animbridge::test;
using nlohmann::json;

namespace {

struct Import {
    DocumentHandle document;
    TestArmature rig{{"mPelvis", "mTorso", "mChest", "mNeck", "mHead"}};
    ab_armature armature = rig.view();
    CurvesHandle curves;

    explicit Import(const std::string& file) : document(read_document(fixture(file))) {
        ab_curves* out = nullptr;
        ab_error error = empty_error();
        if (ab_curves_from_document(document.get(), &armature, &usual_timing, nullptr, nullptr, &out,
                                    &error) != AB_OK) {
            FAIL(error.message);
        }
        curves.reset(out);
    }
    [[nodiscard]] json report() const {
        ab_buffer* out = nullptr;
        REQUIRE(ab_curves_report(curves.get(), &out, nullptr) == AB_OK);
        const BufferHandle owner(out);
        return json::parse(text_of(out));
    }
};

struct Export {
    ab_status status = AB_OK;
    DocumentHandle document;
    json report;
    ab_error error = empty_error();
};

Export export_curves(const ab_armature& armature, const std::vector<ab_curve>& curves,
                     const SlExport& options) {
    Export result;
    ab_document* document = nullptr;
    ab_buffer* report = nullptr;
    result.status = sl_from_curves(&armature, &usual_timing, curves.data(), curves.size(), options, nullptr,
                                   &document, &report, &result.error);
    result.document.reset(document);
    const BufferHandle owner(report);
    if (result.status == AB_OK) {
        result.report = json::parse(text_of(report));
    }
    return result;
}

json json_of(const ab_document* document) {
    ab_buffer* out = nullptr;
    REQUIRE(ab_document_json(document, &out, nullptr) == AB_OK);
    const BufferHandle owner(out);
    return json::parse(text_of(out));
}

SlExport options_with(const ab_document* base) {
    SlExport options{};
    options.template_document = base;
    options.keep_duration = true;
    return options;
}

}  // namespace

TEST_CASE("curves of an import", "[curves]") {
    const Import import("joints_all_bones.anim");
    const json report = import.report();
    CHECK(report.at("facing") == "+X");
    CHECK(report.at("matched").size() == 5);
    CHECK(report.at("unmatched_joints").size() == 128);
    const auto curves = all_curves(import.curves.get());
    REQUIRE(!curves.empty());
    std::set<std::tuple<int, int, int>> seen;
    for (const ab_curve& curve : curves) {
        CHECK(curve.struct_size == sizeof(ab_curve));
        CHECK(curve.bone >= 0);
        CHECK(curve.bone < 5);
        CHECK((curve.channel == AB_CHANNEL_LOCATION || curve.channel == AB_CHANNEL_ROTATION_QUATERNION));
        CHECK(seen.insert({curve.bone, curve.channel, curve.component}).second);
        CHECK(curve.interpolation == nullptr);
        CHECK(curve.handle_left == nullptr);
        CHECK(curve.handle_right == nullptr);
        REQUIRE(curve.key_count > 0);
        for (std::uint32_t i = 1; i < curve.key_count; ++i) {
            CHECK(curve.co[2 * i - 2] < curve.co[2 * i]);
        }
        CHECK(curve.co[0] >= 1.0F);
    }
}

TEST_CASE("a shorter curve struct is filled as far as it reaches", "[curves]") {
    const Import import("joints_all_bones.anim");
    ab_curve curve{};
    curve.struct_size = offsetof(ab_curve, co);
    curve.co = reinterpret_cast<const float*>(&curve);
    REQUIRE(ab_curves_get(import.curves.get(), 0, &curve, nullptr) == AB_OK);
    CHECK(curve.key_count > 0);
    CHECK(curve.co == reinterpret_cast<const float*>(&curve));
    CHECK(curve.struct_size == offsetof(ab_curve, co));
}

TEST_CASE("unchanged curves give the file again", "[curves]") {
    for (const Fixture& row : fixtures()) {
        if (!row.readable) {
            continue;
        }
        INFO(row.file);
        const DocumentHandle document = read_document(row.bytes());
        const TestArmature rig({"mPelvis", "mTorso", "mChest", "mNeck", "mHead"});
        const ab_armature armature = rig.view();
        ab_curves* out = nullptr;
        if (ab_curves_from_document(document.get(), &armature, &usual_timing, nullptr, nullptr, &out,
                                    nullptr) != AB_OK) {
            continue;
        }
        const CurvesHandle owner(out);
        auto curves = all_curves(out);
        for (ab_curve& curve : curves) {
            curve.unchanged = 1;
            curve.co = nullptr;  // not read
        }
        SlExport options = options_with(document.get());
        options.target = "opensim";  // one of them is too large for Second Life
        const Export result = export_curves(armature, curves, options);
        REQUIRE(result.status == AB_OK);
        CHECK(bytes_of(result.document.get()) == row.bytes());
        CHECK(result.report.at("changed").empty());
    }
}

TEST_CASE("a file that is refused gives no curves", "[curves]") {
    const DocumentHandle document = read_document(fixture("hand_pose_max.anim"));
    const TestArmature rig({"mPelvis"});
    const ab_armature armature = rig.view();
    ab_curves* out = nullptr;
    ab_error error = empty_error();
    CHECK(ab_curves_from_document(document.get(), &armature, &usual_timing, nullptr, nullptr, &out, &error) ==
          AB_ERROR_REJECTED);
    CHECK(out == nullptr);
    CHECK(std::string(error.message).find("hand poses above 14") != std::string::npos);
}

TEST_CASE("a new file from curves", "[curves]") {
    const TestArmature rig({"mPelvis", "mTorso"});
    const ab_armature armature = rig.view();
    const float w[4] = {1, 1, 31, 0.70710678F};
    const float z[4] = {1, 0, 31, 0.70710678F};
    std::vector<ab_curve> curves(2);
    for (ab_curve& curve : curves) {
        curve.struct_size = sizeof(curve);
        curve.bone = 1;
        curve.channel = AB_CHANNEL_ROTATION_QUATERNION;
        curve.key_count = 2;
        curve.co = w;
    }
    curves[1].component = 3;
    curves[1].co = z;
    SlHeader header{};
    header.base_priority = 5;
    header.joint_priority = 3;
    header.loop = true;
    header.loop_in_seconds = 0.25F;
    header.loop_out_seconds = 0.75F;
    header.ease_in_seconds = 0.5F;
    header.ease_out_seconds = 0.125F;
    header.hand_pose = 7;
    header.emote = "express_smile";
    SlExport options{};
    options.frame_end = 31.0;
    options.header = &header;
    for (const char* const encoder : {"upload", "nearest", "viewer"}) {
        options.encoder = encoder;
        const Export result = export_curves(armature, curves, options);
        REQUIRE(result.status == AB_OK);
        const json document = json_of(result.document.get());
        CHECK(document.at("version") == "1.0");
        CHECK(document.at("duration") == 1.0);
        CHECK(document.at("base_priority") == 5);
        CHECK(document.at("loop") == 1);
        CHECK(document.at("loop_in_point") == 0.25);
        CHECK(document.at("loop_out_point") == 0.75);
        CHECK(document.at("ease_in_duration") == 0.5);
        CHECK(document.at("ease_out_duration") == 0.125);
        CHECK(document.at("hand_pose") == 7);
        CHECK(document.at("emote_name") == "express_smile");
        REQUIRE(document.at("joints").size() == 1);
        const json& joint = document["joints"][0];
        CHECK(joint.at("name") == "mTorso");
        CHECK(joint.at("priority") == 3);
        REQUIRE(joint.at("rotation_keys").size() == 2);
        // (sqrt(1/2) + 1) / 2 * 65535 = 55938.3
        CHECK(std::abs(joint["rotation_keys"][1][3].get<int>() - 55938) <= 2);
        CHECK(joint["rotation_keys"][1][0] == 65535);
        CHECK(result.report.at("max_rotation_error_degrees").get<double>() < 0.05);
    }
}

TEST_CASE("priorities of joints are in the document before it is judged", "[curves]") {
    const Import import("joints_all_bones.anim");
    const auto curves = all_curves(import.curves.get());
    SlExport options = options_with(import.document.get());
    SECTION("every record of the joint gets them, by any of its names; other joints keep theirs") {
        options.joint_priorities_json = R"({"avatar_mTorso": 6, "mHead": -1, "mTail1000": -9})";
        const Export result = export_curves(import.armature, curves, options);
        REQUIRE(result.status == AB_OK);
        const json before = json_of(import.document.get());
        const json after = json_of(result.document.get());
        REQUIRE(after.at("joints").size() == before.at("joints").size());
        for (std::size_t i = 0; i < after["joints"].size(); ++i) {
            const std::string name = after["joints"][i].at("name");
            const json expected = name == "mTorso"  ? json(6)
                                  : name == "mHead" ? json(-1)
                                                    : before["joints"][i].at("priority");
            CHECK(after["joints"][i].at("priority") == expected);
        }
    }
    SECTION("one that the viewer refuses leaves no document") {
        options.joint_priorities_json = R"({"mTorso": -3})";
        const Export result = export_curves(import.armature, curves, options);
        CHECK(result.status == AB_ERROR_REJECTED);
        CHECK(result.document == nullptr);
        CHECK(std::string(result.error.message).find("-3") != std::string::npos);
    }
    SECTION("anything but an object of whole numbers is named") {
        for (const char* const text : {"[]", R"({"mTorso": 1.5})", R"({"mTorso": 2147483648})", "{"}) {
            options.joint_priorities_json = text;
            const Export result = export_curves(import.armature, curves, options);
            CHECK(result.status == AB_ERROR_BAD_VALUE);
            CHECK(result.document == nullptr);
        }
    }
}

TEST_CASE("the duration of a template that no time can be told in is refused", "[curves]") {
    const TestArmature rig({"mPelvis", "mTorso"});
    const ab_armature armature = rig.view();
    for (const char* const name :
         {"duration_infinite.anim", "duration_minus_infinite.anim", "duration_nan.anim"}) {
        INFO(name);
        const DocumentHandle base = read_document(fixture(name));
        const Export kept = export_curves(armature, {}, options_with(base.get()));
        CHECK(kept.status == AB_ERROR_REJECTED);
        CHECK(kept.document == nullptr);
        CHECK(std::string(kept.error.message).find("single precision") != std::string::npos);
    }
}

TEST_CASE("cancelling an export gives nothing", "[curves]") {
    const Import import("joints_all_bones.anim");
    const auto curves = all_curves(import.curves.get());
    const SlExport options = options_with(import.document.get());
    const ab_job job{sizeof(ab_job), [](void*, double) -> std::int32_t { return 1; }, nullptr};
    ab_document* document = nullptr;
    ab_buffer* report = nullptr;
    CHECK(sl_from_curves(&import.armature, &usual_timing, curves.data(), curves.size(), options, &job,
                         &document, &report, nullptr) == AB_ERROR_CANCELLED);
    CHECK(document == nullptr);
    CHECK(report == nullptr);
}

TEST_CASE("keys that no F-curve could hold are refused", "[curves]") {
    // Floats, and so Blender's frames, end at 3.4e38.
    Import import("every_field.anim");
    ab_timing timing = usual_timing;
    timing.frames_per_second = 1e300;
    ab_curves* out = nullptr;
    ab_error error = empty_error();
    CHECK(ab_curves_from_document(import.document.get(), &import.armature, &timing, nullptr, nullptr, &out,
                                  &error) == AB_ERROR_BAD_VALUE);
    CHECK(out == nullptr);
    CHECK(std::string(error.field) == "curves");
    CHECK(std::string(error.message).find("fewer frames per second") != std::string::npos);
}
