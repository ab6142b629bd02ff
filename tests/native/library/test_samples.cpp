// SPDX-License-Identifier: MIT
// Sampled poses and reduction through the C interface.
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "export_calls.h"
#include "library/armature.h"
#include "support.h"

using namespace animbridge::test;
using nlohmann::json;

namespace {

/// Poses of a chain of five bones, each rotating about Z a little more than the one before.
struct Poses {
    TestArmature rig{{"mPelvis", "mTorso", "mChest", "mNeck", "mHead"}};
    ab_armature armature = rig.view();
    std::vector<double> frames;
    std::vector<float> matrices;
    SlSamples view{};

    explicit Poses(int count, float speed = 0.05F) {
        for (int i = 0; i < count; ++i) {
            frames.push_back(1.0 + i);
            for (int bone = 0; bone < 5; ++bone) {
                const float angle = std::sin(speed * static_cast<float>(i)) * static_cast<float>(bone);
                const float c = std::cos(angle);
                const float s = std::sin(angle);
                const float height = 1.0F + 0.1F * static_cast<float>(bone);
                matrices.insert(matrices.end(), {c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, 0, 0, height, 1});
            }
        }
        view.view = {sizeof(ab_samples),
                     static_cast<std::uint32_t>(count),
                     frames.data(),
                     matrices.data(),
                     nullptr,
                     nullptr};
    }
    [[nodiscard]] SlExport options() const {
        SlExport options{};
        options.frame_end = frames.back();
        return options;
    }
};

struct Export {
    ab_status status = AB_OK;
    DocumentHandle document;
    json report;
    ab_error error = empty_error();
};

Export export_poses(const Poses& poses, const SlExport& options, const ab_job* job = nullptr) {
    Export result;
    ab_document* document = nullptr;
    ab_buffer* report = nullptr;
    result.status = sl_from_samples(&poses.armature, &usual_timing, poses.view, options, job, &document,
                                    &report, &result.error);
    result.document.reset(document);
    const BufferHandle owner(report);
    if (result.status == AB_OK) {
        result.report = json::parse(text_of(report));
    }
    return result;
}

json info_of(const ab_document* document) {
    ab_buffer* out = nullptr;
    REQUIRE(ab_document_info(document, &out, nullptr) == AB_OK);
    const BufferHandle owner(out);
    return json::parse(text_of(out));
}

int stop_at_once(void* /*user*/, double /*fraction*/) { return 1; }

}  // namespace

TEST_CASE("sampled poses become a file within the bound", "[samples]") {
    const Poses poses(90);
    const Export made = export_poses(poses, poses.options());
    INFO(made.error.message);
    REQUIRE(made.status == AB_OK);
    CHECK(made.report.at("sampled_keys") == 6 * 90);
    CHECK(made.report.at("kept_keys").get<int>() < 6 * 90);
    CHECK(made.report.at("max_position_error_mm").get<double>() <= 0.5);
    CHECK(made.report.at("max_rotation_error_degrees").get<double>() <= 0.05);
    CHECK(made.report.at("bound").at("max_position_mm") == 0.5);
    CHECK(made.report.at("joints") == 5);
    CHECK(made.report.at("size_bytes") == bytes_of(made.document.get()).size());
    const json info = info_of(made.document.get());
    CHECK(info.at("rotation_keys").get<int>() + info.at("position_keys").get<int>() ==
          made.report.at("kept_keys").get<int>());
    CHECK(info.at("duration_seconds").get<double>() == Approx(89.0 / 30.0));
}

TEST_CASE("without a bound every sample is a key", "[samples]") {
    for (const auto& [mm, degrees] : {std::pair(0.0, 0.05), std::pair(0.5, 0.0), std::pair(-1.0, -1.0)}) {
        Poses poses(31);
        poses.view.max_position_mm = mm;
        poses.view.max_rotation_degrees = degrees;
        const Export made = export_poses(poses, poses.options());
        REQUIRE(made.status == AB_OK);
        CHECK(made.report.at("kept_keys") == 6 * 31);
        CHECK(made.report.at("bound").is_null());
        CHECK(info_of(made.document.get()).at("rotation_keys") == 5 * 31);
    }
}

TEST_CASE("one sample is a pose", "[samples]") {
    const Poses poses(1);
    const Export made = export_poses(poses, poses.options());
    REQUIRE(made.status == AB_OK);
    CHECK(made.report.at("kept_keys") == 6);
    CHECK(made.report.at("duration_seconds") == 0.0);
}

TEST_CASE("bones that stand still get one key", "[samples]") {
    const Poses poses(60, 0.0F);
    const Export made = export_poses(poses, poses.options());
    REQUIRE(made.status == AB_OK);
    CHECK(made.report.at("sampled_keys") == 6 * 60);
    CHECK(made.report.at("kept_keys") == 6);
    CHECK(made.report.at("joints") == 5);
}

TEST_CASE("of a template the header and the joints that no bone samples stay", "[samples]") {
    const auto base = read_document(fixture("joints_all_bones.anim"));
    Poses poses(20);
    const std::vector<std::uint8_t> bones{0, 1, 1, 0, 1};
    poses.view.view.bones = bones.data();
    SlExport options = poses.options();
    options.template_document = base.get();
    options.keep_duration = true;
    const json before = info_of(base.get());
    const Export made = export_poses(poses, options);
    INFO(made.error.message);
    REQUIRE(made.status == AB_OK);
    const json after = info_of(made.document.get());
    CHECK(after.at("duration_seconds") == before.at("duration_seconds"));
    CHECK(after.at("base_priority") == before.at("base_priority"));
    CHECK(after.at("joints").size() == before.at("joints").size());
    for (std::size_t i = 0; i < after.at("joints").size(); ++i) {
        const json& joint = before.at("joints")[i];
        const auto name = joint.at("name").get<std::string>();
        if (name != "mTorso" && name != "mChest" && name != "mHead") {
            CHECK(after.at("joints")[i] == joint);
        }
    }
    CHECK(made.report.at("changed").size() == 3);
}

TEST_CASE("a duration that is no number is refused before anything is encoded", "[samples]") {
    const Poses poses(2);
    SlExport options = poses.options();
    options.target = "opensim";  // it has no limit on the duration
    options.frame_end = 1e300;
    const Export made = export_poses(poses, options);
    CHECK(made.status == AB_ERROR_INVALID_ARGUMENT);
    CHECK(made.document == nullptr);
    CHECK(std::string(made.error.message).find("frame_end is too far from timing.frame_start") !=
          std::string::npos);
}

TEST_CASE("limits of Second Life, findings for OpenSim", "[samples]") {
    Poses poses(1831, 0.5F);
    const Export too_long = export_poses(poses, poses.options());
    CHECK(too_long.status == AB_ERROR_REJECTED);
    CHECK(too_long.document == nullptr);
    CHECK(std::string(too_long.error.message).find("1.000 s more than the 60 s") != std::string::npos);
    SlExport options = poses.options();
    options.target = "opensim";
    const Export opensim = export_poses(poses, options);
    INFO(opensim.error.message);
    REQUIRE(opensim.status == AB_OK);
    CHECK(opensim.report.at("findings").dump().find("duration_too_long") != std::string::npos);

    // 55 s at 120 samples per second, and every one a key: 6 x 6600 x 8 bytes.
    Poses many(6600, 1.7F);
    many.view.max_position_mm = 0.0;
    for (std::size_t i = 0; i < many.frames.size(); ++i) {
        many.frames[i] = 1.0 + static_cast<double>(i) * 0.25;
    }
    const Export too_large = export_poses(many, many.options());
    CHECK(too_large.status == AB_ERROR_REJECTED);
    // Header and constraint count 45, records 5 x 12, names 8+7+7+6+6 with their NULs.
    const int bytes = 45 + 5 * 12 + 34 + 6 * 6600 * 8;
    INFO(too_large.error.message);
    CHECK(std::string(too_large.error.message).find(std::to_string(bytes) + " bytes") != std::string::npos);
    CHECK(std::string(too_large.error.message).find(std::to_string(bytes - 250000) + " more") !=
          std::string::npos);
    options = many.options();
    options.target = "opensim";
    options.stop_above_mm = 0;  // fingertips move far within one of the file's steps of time
    const Export large = export_poses(many, options);
    REQUIRE(large.status == AB_OK);
    CHECK(large.report.at("findings").dump().find("file_too_large") != std::string::npos);
}

TEST_CASE("an export stops where a bone without a joint carries a joint", "[samples]") {
    // Stray has no joint. At frame 2 it moves the elbow 150 mm away.
    Poses poses(2);
    poses.rig = TestArmature({"mPelvis", "mTorso", "mChest", "Stray", "mElbowLeft"});
    poses.armature = poses.rig.view();
    for (std::size_t i = 0; i < 10; ++i) {
        const std::vector<float> still{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
        std::copy(still.begin(), still.end(), poses.matrices.begin() + 16 * static_cast<std::ptrdiff_t>(i));
    }
    for (const std::size_t bone : {std::size_t{8}, std::size_t{9}}) {
        poses.matrices[16 * bone + 13] = 0.15F;
    }
    SlExport options = poses.options();
    const Export stopped = export_poses(poses, options);
    CHECK(stopped.status == AB_ERROR_REJECTED);
    CHECK(stopped.document == nullptr);
    const std::string message = stopped.error.message;
    for (const char* const words : {"mElbowLeft is 150 mm", "frame 2", "allows 20", "Stray", "--force"}) {
        INFO(message);
        CHECK(message.find(words) != std::string::npos);
    }
    options.stop_above_mm = 149;
    CHECK(export_poses(poses, options).status == AB_ERROR_REJECTED);
    options.stop_above_mm = 151;
    CHECK(export_poses(poses, options).status == AB_OK);
    options.stop_above_mm = 0;
    const Export forced = export_poses(poses, options);
    REQUIRE(forced.status == AB_OK);
    CHECK(forced.report.at("max_position_error_mm").get<double>() == Approx(150).margin(0.5));
    CHECK(forced.report.at("worst").at("joint") == "mElbowLeft");
    for (const json& track : forced.report.at("changed")) {
        CHECK((track.at("channel") == "rotation" || track.at("joint") == "mPelvis"));
    }
}

TEST_CASE("limbs without a bone are named", "[samples]") {
    Poses poses(2);
    const auto warnings = [&](const std::vector<std::string>& names) {
        poses.rig = TestArmature(names);
        poses.armature = poses.rig.view();
        return export_poses(poses, poses.options()).report.at("warnings").dump();
    };
    const std::string arm = warnings({"mPelvis", "mTorso", "mChest", "mHead", "mShoulderLeft"});
    CHECK(arm.find("The left forearm, the right arm, the left leg and the right leg have no bone") !=
          std::string::npos);
    const std::string gap = warnings({"mPelvis", "mTorso", "mChest", "mHipRight", "mAnkleRight"});
    CHECK(gap.find("The head, the left arm, the right arm, the left leg and the right lower leg have") !=
          std::string::npos);
}

TEST_CASE("a sampled export fits the size that is asked for", "[samples]") {
    Poses poses(1200, 1.7F);
    poses.view.max_position_mm = 0.0;
    SlExport options = poses.options();
    // Unreduced, it takes more than 6 x 1200 x 8 bytes.
    options.fit_bytes = 40000;
    options.stop_above_mm = 0;  // so few keys put fingertips farther off than that
    const Export fitted = export_poses(poses, options);
    INFO(fitted.error.message);
    REQUIRE(fitted.status == AB_OK);
    CHECK(fitted.report.at("size_bytes").get<int>() <= 40000);
    CHECK(fitted.report.at("size_bytes").get<int>() > 32000);
    options.fit_bytes = 100;
    CHECK(export_poses(poses, options).status == AB_ERROR_REJECTED);
}

TEST_CASE("exports of curves keep within the same limits", "[samples]") {
    TestArmature rig{{"mPelvis", "mTorso"}};
    const ab_armature armature = rig.view();
    std::vector<float> co;
    for (int i = 0; i < 33000; ++i) {
        co.insert(co.end(), {1.0F + 0.05F * static_cast<float>(i), std::sin(static_cast<float>(i) * 0.01F)});
    }
    ab_curve curve{};
    curve.struct_size = sizeof(curve);
    curve.bone = 1;
    curve.channel = AB_CHANNEL_LOCATION;
    curve.key_count = 33000;
    curve.co = co.data();
    SlExport options{};
    options.frame_end = 1651.0;
    const auto status = [&](ab_error& error) {
        ab_document* out = nullptr;
        const ab_status result =
            sl_from_curves(&armature, &usual_timing, &curve, 1, options, nullptr, &out, nullptr, &error);
        const DocumentHandle owner(out);
        return result;
    };
    ab_error error = empty_error();
    CHECK(status(error) == AB_ERROR_REJECTED);
    CHECK(std::string(error.message).find("more than the 250000") != std::string::npos);
    options.target = "opensim";
    CHECK(status(error) == AB_OK);
    options.target = "second_life";
    CHECK(status(error) == AB_ERROR_REJECTED);
    curve.key_count = 4000;
    options.fit_bytes = 20000;
    CHECK(status(error) == AB_OK);
    options.target = "elsewhere";
    CHECK(status(error) == AB_ERROR_BAD_VALUE);
}

TEST_CASE("samples that are none", "[samples]") {
    const auto status_of = [](auto&& change) {
        Poses poses(5);
        SlExport options = poses.options();
        change(poses, options);
        const Export made = export_poses(poses, options);
        CHECK((made.status == AB_OK) == (made.document != nullptr));
        CHECK((made.status == AB_OK) == (std::string(made.error.message).empty()));
        return made.status;
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(status_of([](Poses&, SlExport&) {}) == AB_OK);
    CHECK(status_of([](Poses& p, SlExport&) { p.view.view.struct_size = 0; }) == AB_ERROR_INVALID_ARGUMENT);
    CHECK(status_of([](Poses& p, SlExport&) { p.view.view.frames = nullptr; }) == AB_ERROR_INVALID_ARGUMENT);
    CHECK(status_of([](Poses& p, SlExport&) { p.view.view.matrices = nullptr; }) ==
          AB_ERROR_INVALID_ARGUMENT);
    CHECK(status_of([](Poses& p, SlExport&) { p.view.view.sample_count = 0; }) == AB_ERROR_INVALID_ARGUMENT);
    CHECK(status_of([&](Poses& p, SlExport&) { p.view.max_position_mm = nan; }) == AB_ERROR_BAD_VALUE);
    CHECK(status_of([](Poses& p, SlExport&) { p.frames[3] = 2.0; }) == AB_ERROR_INVALID_ARGUMENT);
    CHECK(status_of([](Poses&, SlExport& o) { o.frame_end = 4.0; }) == AB_ERROR_INVALID_ARGUMENT);
    CHECK(status_of([&](Poses& p, SlExport&) { p.matrices[20] = static_cast<float>(nan); }) ==
          AB_ERROR_BAD_VALUE);
}

TEST_CASE("a sampled export can be stopped", "[samples]") {
    const Poses poses(90);
    const ab_job job{sizeof(ab_job), stop_at_once, nullptr};
    const Export stopped = export_poses(poses, poses.options(), &job);
    CHECK(stopped.status == AB_ERROR_CANCELLED);
    CHECK(stopped.document == nullptr);
}

TEST_CASE("reduction through the interface", "[samples]") {
    const auto document = read_document(load(fixture_folder().parent_path() / "demo" / "dance.anim"));
    const auto reduced = [&](const char* options, ab_error& error) {
        ab_document* out = nullptr;
        ab_buffer* report = nullptr;
        const ab_status status = ab_document_reduce(document.get(), options, nullptr, &out, &report, &error);
        const BufferHandle owner(report);
        return std::tuple(status, DocumentHandle(out),
                          status == AB_OK ? json::parse(text_of(report)) : json());
    };
    ab_error error = empty_error();
    const auto [status, made, report] = reduced(nullptr, error);
    REQUIRE(status == AB_OK);
    CHECK(report.at("bytes_after") == bytes_of(made.get()).size());
    CHECK(report.at("bytes_after").get<int>() < report.at("bytes_before").get<int>());
    CHECK(report.at("keys_after").get<int>() < report.at("keys_before").get<int>());
    CHECK(report.at("max_position_error_mm").get<double>() <= 0.5);
    CHECK(report.at("max_rotation_error_degrees").get<double>() <= 0.05);
    const auto fitted = reduced("{\"fit_bytes\": 3000}", error);
    REQUIRE(std::get<0>(fitted) == AB_OK);
    CHECK(bytes_of(std::get<1>(fitted).get()).size() <= 3000);
    CHECK(std::get<0>(reduced("{\"fit_bytes\": 300}", error)) == AB_ERROR_REJECTED);
    CHECK(std::get<0>(reduced("{\"fit\": 300}", error)) == AB_ERROR_BAD_VALUE);
    ab_document* out = nullptr;
    CHECK(ab_document_reduce(nullptr, nullptr, nullptr, &out, nullptr, &error) == AB_ERROR_INVALID_ARGUMENT);
    CHECK(ab_document_reduce(document.get(), nullptr, nullptr, nullptr, nullptr, &error) ==
          AB_ERROR_INVALID_ARGUMENT);
}
