// SPDX-License-Identifier: MIT
// Recordings of sampled poses, and the bones of recordings, through the C interface alone.
#include <array>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "catch.h"
#include "library/armature.h"
#include "library/mrtk_scene.h"
#include "library/refusals.h"
#include "support.h"

using namespace animbridge::test;
using nlohmann::json;

namespace {

/// A file as JSON, with its curves by name.
json json_of(const ab_document* document) {
    ab_buffer* text = nullptr;
    REQUIRE(ab_document_json(document, &text, nullptr) == AB_OK);
    json file = parsed(text);
    json curves = json::object();
    for (const json& curve : file["curves"]) {
        curves[curve["name"].get<std::string>()] = curve;
    }
    file["curves"] = curves;
    return file;
}

/// Bones of a recording at separate positions in three samples, and the exported file.
struct Sampled {
    explicit Sampled(const std::vector<std::string>& names) : bones(names) {
        for (int sample = 0; sample < 3; ++sample) {
            frames.push_back(1.0 + 15.0 * sample);
            for (std::size_t bone = 0; bone < names.size(); ++bone) {
                put_matrix(matrices, {static_cast<float>(bone), 0.25F * static_cast<float>(sample), 1.0F});
            }
        }
    }

    ab_status made(const ab_document* base, const char* options, ab_document** out, ab_buffer** report,
                   ab_error* error) const {
        const ab_armature armature = bones.view();
        ab_samples samples = samples_of(frames, matrices);
        samples.bones = exported.empty() ? nullptr : exported.data();
        return ab_document_from_samples("mrtk", &armature, &usual_timing, &samples, base, options, nullptr,
                                        out, report, error);
    }
    /// The new file as JSON.
    [[nodiscard]] json file(const ab_document* base = nullptr, const char* options = nullptr) const {
        ab_document* out = nullptr;
        ab_error error = empty_error();
        const ab_status status = made(base, options, &out, nullptr, &error);
        INFO(error.message);
        REQUIRE(status == AB_OK);
        const DocumentHandle document(out);
        return json_of(out);
    }

    FreeBones bones;
    std::vector<double> frames{};
    std::vector<float> matrices{};
    std::vector<std::uint8_t> exported{};
};

}  // namespace

TEST_CASE("samples give the poses that the scene shows, in Unity's space", "[mrtk-scene]") {
    FreeBones bones({"L_Wrist", "prop", "R_IndexTip"});
    bones.hang(2, 0);
    const ab_armature armature = bones.view();
    std::vector<double> frames;
    std::vector<float> matrices;
    std::vector<float> object;
    for (int i = 0; i < 5; ++i) {
        const auto step = static_cast<float>(i);
        frames.push_back(1.0 + i);
        put_matrix(matrices, {0.25F * step, 0.5F, 1.0F});
        put_matrix(matrices, {9, 9, 9});
        put_matrix(matrices, {0.5F, 0.125F * step * step, 2.0F});
        object.insert(object.end(), {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, step, 1});
    }
    ab_samples samples = samples_of(frames, matrices);
    for (const bool moves : {false, true}) {
        INFO(moves);
        samples.object_matrices = moves ? object.data() : nullptr;
        ab_document* out = nullptr;
        ab_buffer* report = nullptr;
        ab_error error = empty_error();
        const ab_status status = ab_document_from_samples("mrtk", &armature, &usual_timing, &samples, nullptr,
                                                          nullptr, nullptr, &out, &report, &error);
        INFO(error.message);
        REQUIRE(status == AB_OK);
        const DocumentHandle made(out);
        const json told = parsed(report);
        CHECK(told["joints"] == 2);
        // The defaults of max_position_mm and max_rotation_degrees.
        CHECK(told["max_position_error_mm"].get<double>() <= 0.1);
        CHECK(told["max_rotation_error_degrees"].get<double>() <= 0.02);
        const json poses = poses_at(out, {0.0, 2.0 / 30, 4.0 / 30});
        for (std::size_t time = 0; time < 3; ++time) {
            const double i = 2.0 * static_cast<double>(time);
            const double up = moves ? i : 0.0;
            // Spec 4.1: (x, z, y).
            const std::array wanted = {0.25 * i, 1.0 + up, 0.5, 0.5, 2.0 + up, 0.125 * i * i};
            for (std::size_t n = 0; n < wanted.size(); ++n) {
                CHECK(std::abs(poses["positions"][6 * time + n].get<double>() - wanted.at(n)) < 1e-4);
            }
            // A half turn about Blender's +X is one about Unity's +X.
            CHECK(std::abs(std::abs(poses["rotations"][8 * time + 1].get<double>()) - 1.0) < 1e-6);
        }
    }
    matrices[4] = NAN;  // for the first bone; matrices of bones that are not joints are not read
    refused(AB_ERROR_BAD_VALUE, [&](ab_error* e) {
        ab_document* out = nullptr;
        return ab_document_from_samples("mrtk", &armature, &usual_timing, &samples, nullptr, nullptr, nullptr,
                                        &out, nullptr, e);
    });
}

TEST_CASE("samples replace the poses of exported bones and leave the template's others", "[mrtk-scene]") {
    const DocumentHandle base = recording("two_hands_v11.bin");
    json before = json_of(base.get());
    Sampled scene({"L_Wrist", "R_Wrist"});
    scene.exported = {1, 0};
    json after = scene.file(base.get());
    for (const auto& [name, curve] : before["curves"].items()) {
        INFO(name);
        CHECK((after["curves"][name] == curve) == (name.find("left.Wrist.") != 0));
    }
    CHECK(after["markers"] == before["markers"]);
    json alone = scene.file(base.get(), R"({"keep_others": false})");
    CHECK(alone["curves"]["left.Wrist.position.x"] == after["curves"]["left.Wrist.position.x"]);
    CHECK(alone["curves"]["right.Wrist.position.x"] != before["curves"]["right.Wrist.position.x"]);
    CHECK(alone["curves"]["gaze.origin.x"] != before["curves"]["gaze.origin.x"]);
}

TEST_CASE("curves and samples keep the same poses of the template", "[mrtk-scene]") {
    const Scene scene("none_with_zeros.bin");
    json before = json_of(scene.document.get());
    json by_curves = json_of(scene.back({}, scene.document.get()).document.get());
    json by_samples = Sampled({"Camera"}).file(scene.document.get());
    CHECK(by_samples["curves"]["left.None.rotation.w"] == before["curves"]["left.None.rotation.w"]);
    const FreeBones camera({"Camera"});
    json without_bone =
        json_of(exported(camera.view(), scene.timing, {}, scene.document.get()).document.get());
    CHECK(without_bone["curves"]["left.None.rotation.w"] == before["curves"]["left.None.rotation.w"]);
    // A bone that exists but has no keys has no motion.
    CHECK(by_curves["curves"]["left.None.rotation.w"] != before["curves"]["left.None.rotation.w"]);
}

TEST_CASE("switches of samples are the given ones, the template's, or on and off", "[mrtk-scene]") {
    const Sampled scene({"L_Wrist"});
    json fresh = scene.file()["curves"];
    CHECK(fresh["left.tracked"]["keys"] == json::parse("[[0.0, 1.0]]"));
    CHECK(fresh["left.pinch"]["keys"] == json::parse("[[0.0, 0.0]]"));
    CHECK(fresh["right.tracked"]["keys"].empty());
    json given = scene.file(nullptr, R"({"pinch_left": [0.25, 0.5], "tracked_left": [0]})")["curves"];
    CHECK(given["left.pinch"]["keys"] == json::parse("[[0.0, 0.0], [0.25, 1.0], [0.5, 0.0]]"));
    CHECK(given["left.tracked"]["keys"] == json::parse("[[0.0, 1.0]]"));
    const DocumentHandle base = recording("hands_come_and_go.bin");
    CHECK(scene.file(base.get())["curves"]["left.tracked"] == json_of(base.get())["curves"]["left.tracked"]);
}

TEST_CASE("the gaze's direction is sampled from its origin", "[mrtk-scene]") {
    Sampled scene({"Gaze", "GazeDirection"});
    scene.bones.hang(1, 0);
    for (const bool is_whole : {true, false}) {
        INFO(is_whole);
        // Either bone exports both.
        scene.exported = {static_cast<std::uint8_t>(is_whole ? 1 : 0), 1};
        json made = scene.file();
        CHECK(made["version"] == "1.1");
        // From (0, 0.25 i, 1) to (1, 0.25 i, 1) in Blender; the origin bone is turned about X alone.
        CHECK(made["curves"]["gaze.direction.x"]["keys"][0][1] == 1.0);
        CHECK(made["curves"]["gaze.direction.y"]["keys"][0][1] == 0.0);
        CHECK(made["curves"]["gaze.origin.y"]["keys"][0][1] == 1.0);
        CHECK(made["curves"]["gaze.origin.z"]["keys"].back()[1] == 0.5);
    }
}

TEST_CASE("samples that a version cannot hold stop the export", "[mrtk-scene]") {
    // Key reduction within 100 mm of a path that turns by 250 mm at its middle sample.
    Sampled scene({"L_Wrist"});
    scene.matrices[16 + 13] = 0.08F;
    ab_document* out = nullptr;
    ab_error error = empty_error();
    const char* const loose = R"({"max_position_mm": 10000, "stop_above_mm": 20})";
    CHECK(scene.made(nullptr, loose, &out, nullptr, &error) == AB_ERROR_REJECTED);
    CHECK(std::string(error.message).find("L_Wrist") != std::string::npos);
    CHECK(out == nullptr);
    CHECK(scene.made(nullptr, R"({"max_position_mm": 10000, "stop_above_mm": 0})", &out, nullptr, &error) ==
          AB_OK);
    ab_document_free(out);
}

TEST_CASE("an export that turns a joint wrong names the joint", "[mrtk-scene]") {
    Sampled scene({"Camera", "L_Wrist"});
    // A quarter turn about Z at the middle sample.
    float* const turned = &scene.matrices[16 * 3];
    turned[0] = turned[5] = 0.0F;
    turned[1] = 1.0F;
    turned[4] = -1.0F;
    ab_document* out = nullptr;
    ab_error error = empty_error();
    CHECK(scene.made(nullptr, R"({"max_rotation_degrees": 180})", &out, nullptr, &error) ==
          AB_ERROR_REJECTED);
    CHECK(std::string(error.message).starts_with("L_Wrist is turned by "));
}

TEST_CASE("hands without a recording are two complete ones", "[mrtk-scene]") {
    ab_buffer* buffer = nullptr;
    REQUIRE(ab_skeleton_json("mrtk", nullptr, nullptr, &buffer, nullptr) == AB_OK);
    const json skeleton = parsed(buffer);
    CHECK(skeleton["properties"] == json({"tracked_left", "tracked_right", "pinch_left", "pinch_right"}));
    REQUIRE(skeleton["joints"].size() == 52);
    std::size_t roots = 0;
    for (const json& joint : skeleton["joints"]) {
        INFO(joint);
        const bool is_left = joint["name"].get<std::string>().rfind("L_", 0) == 0;
        CHECK(joint["hand"] == (is_left ? "left" : "right"));
        roots += joint["parent"] == -1 ? 1 : 0;
        CHECK(joint["length"].get<double>() > 0.001);
        // The left hand is at -X, the hands are as high as a chest.
        CHECK((joint["head"][0].get<double>() < 0) == is_left);
        CHECK((joint["head"][2].get<double>() > 1.0 && joint["head"][2].get<double>() < 1.5));
    }
    CHECK(roots == 2);
}

TEST_CASE("hands rest as at the time that is asked for", "[mrtk-scene]") {
    const DocumentHandle document = recording("two_hands_v11.bin");
    for (const double seconds : {0.0, 0.75}) {
        INFO(seconds);
        const std::string options = R"({"rig": "hands", "rest_seconds": )" + std::to_string(seconds) + "}";
        ab_buffer* buffer = nullptr;
        REQUIRE(ab_skeleton_json(nullptr, document.get(), options.c_str(), &buffer, nullptr) == AB_OK);
        const json skeleton = parsed(buffer);
        const json poses = poses_at(document.get(), {seconds});
        // The joints of a pose are in the order of the file, as the bones are.
        for (std::size_t i = 0; i < skeleton["joints"].size(); ++i) {
            const json& joint = skeleton["joints"][i];
            if (joint["name"] == "Gaze" || joint["name"] == "GazeDirection" || joint["name"] == "Camera") {
                continue;
            }
            INFO(joint["name"]);
            const auto head = [&](std::size_t n) { return joint["head"][n].get<double>(); };
            const auto place = [&](std::size_t n) { return poses["positions"][3 * i + n].get<double>(); };
            CHECK(std::abs(head(0) - place(0)) < 1e-12);
            CHECK(std::abs(head(1) - place(2)) < 1e-12);
            CHECK(std::abs(head(2) - place(1)) < 1e-12);
        }
    }
}
