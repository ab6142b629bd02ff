// SPDX-License-Identifier: MIT
// MRTK recordings as a scene takes and gives them, through the C interface alone.
#include <array>
#include <cmath>
#include <filesystem>
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

bool has_warning(const json& report, const std::string& words) {
    for (const json& warning : report["warnings"]) {
        if (warning.get<std::string>().find(words) != std::string::npos) {
            return true;
        }
    }
    return false;
}

constexpr std::array one_to_one = {"two_hands_v10.bin", "hermite.bin",    "weights.bin",
                                   "steps.bin",         "camera_v10.bin", "flags_camera_hands_gaze.bin"};

}  // namespace

TEST_CASE("curves that nobody touched give the recording's bytes", "[mrtk-scene]") {
    for (const char* const file : one_to_one) {
        for (const double frames_per_second : {60.0, 30.0, 24.0 / 1.001}) {
            INFO(file << " at " << frames_per_second);
            const Scene scene(file, frames_per_second);
            std::vector<ab_curve> curves = scene.curves();
            REQUIRE(curves.size() >= 7);
            const auto bytes = bytes_of(scene.document.get());
            // Key by key, as after an edit elsewhere.
            CHECK(bytes_of(scene.back(curves, scene.document.get()).document.get()) == bytes);
            for (ab_curve& curve : curves) {
                curve.unchanged = 1;
            }
            const Exported kept = scene.back(curves, scene.document.get());
            CHECK(bytes_of(kept.document.get()) == bytes);
            // The scene's Bezier segments and Unity's formula are the same number up to the last bits.
            CHECK(kept.report["max_position_error_mm"].get<double>() < 1e-9);
        }
    }
}

TEST_CASE("an edited bone leaves the bits of the others", "[mrtk-scene]") {
    const Scene scene("two_hands_v10.bin");
    std::vector<ab_curve> curves = scene.curves();
    std::vector<float> moved;
    for (ab_curve& curve : curves) {
        curve.unchanged = 1;
        if (curve.bone == 1 && curve.channel == AB_CHANNEL_LOCATION) {
            curve.unchanged = 0;
            if (curve.component == 2) {
                moved.assign(curve.co, curve.co + std::size_t{2} * curve.key_count);
                moved[1] += 0.125F;
            }
        }
    }
    for (ab_curve& curve : curves) {
        if (curve.unchanged == 0 && curve.component == 2) {
            curve.co = moved.data();
        }
    }
    const Exported made = scene.back(curves, scene.document.get());
    auto before = bytes_of(scene.document.get());
    auto after = bytes_of(made.document.get());
    REQUIRE(before.size() == after.size());
    std::size_t differing = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        differing += before[i] != after[i] ? 1 : 0;
    }
    INFO(differing);
    // One float32 of one key.
    CHECK((differing >= 1 && differing <= 4));
    CHECK(made.report["max_position_error_mm"].get<double>() < 1e-3);
}

TEST_CASE("the version of an export, and what it loses", "[mrtk-scene]") {
    const Scene gaze("flags_camera_hands_gaze.bin");
    const Exported old = gaze.back(gaze.curves(), gaze.document.get(), "{\"version\": \"1.0\"}");
    CHECK(old.report["version"] == "1.0");
    CHECK(has_warning(old.report, "the gaze"));
    // A file without a template is new: 1.1 holds lines and the gaze.
    CHECK(gaze.back(gaze.curves(), nullptr).report["version"] == "1.1");

    const Scene curved("hermite.bin");
    CHECK(curved.back(curved.curves(), nullptr).report["version"] == "1.0");
    const Exported lines = curved.back(curved.curves(), nullptr, "{\"version\": \"1.1\"}");
    CHECK(lines.report["version"] == "1.1");
    CHECK(has_warning(lines.report, "Curves between keys"));
    // Lines of 1/120 s differ from a curve by at most a quarter of its acceleration times 1/240 s squared.
    CHECK(lines.report["max_position_error_mm"].get<double>() < 1.0);
    refused(AB_ERROR_BAD_VALUE, [&](ab_error* e) {
        const ab_armature armature = curved.bones.view();
        const std::vector<ab_curve> curves = curved.curves();
        ab_document* out = nullptr;
        return ab_document_from_curves("mrtk", &armature, &curved.timing, curves.data(), curves.size(),
                                       nullptr, "{\"version\": \"1.2\"}", nullptr, &out, nullptr, e);
    });
}

TEST_CASE("markers of an export have a name and a time each", "[mrtk-scene]") {
    const Scene scene("markers.bin");
    const Exported named =
        scene.back(scene.curves(), scene.document.get(),
                   R"({"marker_names": ["late", "early"], "marker_seconds": [1.5, 0.25]})");
    ab_buffer* buffer = nullptr;
    REQUIRE(ab_document_info(named.document.get(), &buffer, nullptr) == AB_OK);
    const json info = parsed(buffer);
    REQUIRE(info["markers"].size() == 2);
    CHECK(info["markers"][0]["name"] == "early");
    CHECK(info["markers"][1]["name"] == "late");
    const ab_armature armature = scene.bones.view();
    const std::vector<ab_curve> curves = scene.curves();
    ab_document* out = nullptr;
    for (const char* const options :
         {R"({"marker_names": ["a", "b"], "marker_seconds": [1]})", R"({"marker_names": ["a"]})"}) {
        INFO(options);
        refused(AB_ERROR_BAD_VALUE, [&](ab_error* e) {
            return ab_document_from_curves("mrtk", &armature, &scene.timing, curves.data(), curves.size(),
                                           scene.document.get(), options, nullptr, &out, nullptr, e);
        });
    }
    CHECK(out == nullptr);
}

TEST_CASE("bones without the joints' names, and bones that hang on others, are refused", "[mrtk-scene]") {
    const std::vector<float> co = {1, 0.5F};
    ab_curve curve{};
    curve.struct_size = sizeof(curve);
    curve.channel = AB_CHANNEL_LOCATION;
    curve.key_count = 1;
    curve.co = co.data();
    ab_document* out = nullptr;
    const auto draw = [&](const FreeBones& bones, ab_error* e) {
        const ab_armature armature = bones.view();
        return ab_document_from_curves("mrtk", &armature, &usual_timing, &curve, 1, nullptr, nullptr, nullptr,
                                       &out, nullptr, e);
    };
    const auto sample = [&](const FreeBones& bones, ab_error* e) {
        const ab_armature armature = bones.view();
        std::vector<float> matrices;
        for (std::size_t bone = 0; bone < bones.size(); ++bone) {
            put_matrix(matrices, {0, 0, 0});
        }
        const std::vector<double> frames = {1.0};
        const ab_samples samples = samples_of(frames, matrices);
        return ab_document_from_samples("mrtk", &armature, &usual_timing, &samples, nullptr, nullptr, nullptr,
                                        &out, nullptr, e);
    };
    const FreeBones other({"Hips", "l_wrist"});
    misuse([&](ab_error* e) { return draw(other, e); });
    misuse([&](ab_error* e) { return sample(other, e); });
    FreeBones hanging({"L_Wrist", "L_Palm"});
    hanging.hang(1, 0);
    curve.bone = 1;
    misuse([&](ab_error* e) { return draw(hanging, e); });
    ab_error error = empty_error();
    CHECK(draw(hanging, &error) == AB_ERROR_INVALID_ARGUMENT);
    CHECK(std::string(error.message).find("L_Palm") != std::string::npos);
    CHECK(out == nullptr);
    // When sampled, each bone's pose is in the world.
    CHECK(sample(hanging, nullptr) == AB_OK);
    ab_document_free(out);
}

TEST_CASE("calls to join without what they need are misuse", "[mrtk-scene]") {
    const DocumentHandle camera = recording("camera_v10.bin");
    const DocumentHandle gaze = recording("flags_camera_gaze.bin");
    const DocumentHandle anim = read_document(fixture("minimal.anim"));
    ab_document* out = nullptr;
    const auto join = [&](const std::vector<const ab_document*>& documents, const char* options,
                          ab_error* e) {
        return ab_document_join(documents.data(), documents.size(), options, &out, nullptr, e);
    };
    misuse([&](ab_error* e) { return ab_document_join(nullptr, 2, nullptr, &out, nullptr, e); });
    misuse([&](ab_error* e) { return join({}, nullptr, e); });
    misuse([&](ab_error* e) { return join({camera.get()}, nullptr, e); });
    misuse([&](ab_error* e) { return join({camera.get(), nullptr}, nullptr, e); });
    misuse([&](ab_error* e) { return join({camera.get(), anim.get()}, nullptr, e); });
    misuse([&](ab_error* e) { return join({anim.get(), camera.get()}, nullptr, e); });
    misuse([&](ab_error* e) { return join({anim.get(), anim.get()}, nullptr, e); });
    const std::array<const ab_document*, 2> both = {camera.get(), gaze.get()};
    misuse([&](ab_error* e) { return ab_document_join(both.data(), 2, nullptr, nullptr, nullptr, e); });
    for (const char* const options : {"", "[]", "{\"gap\": 1}", "{\"gap_seconds\": -1}",
                                      "{\"gap_seconds\": \"1\"}", "{\"gap_seconds\": 1e999}"}) {
        INFO(options);
        refused(AB_ERROR_BAD_VALUE, [&](ab_error* e) {
            return join({camera.get(), gaze.get()}, options, e);
        });
    }
    CHECK(out == nullptr);
    // A document may follow itself, and the report need not be asked for.
    CHECK(join({camera.get(), camera.get()}, nullptr, nullptr) == AB_OK);
    ab_document_free(out);
}
