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
#include "library/refusals.h"
#include "support.h"

using namespace animbridge::test;
using nlohmann::json;

namespace {

DocumentHandle recording(const std::string& file) {
    return read_document(load(fixture_folder().parent_path() / "mrtk" / file));
}

json parsed(ab_buffer* buffer) {
    const BufferHandle owner(buffer);
    return json::parse(text_of(buffer));
}

/// Bones that rest as no turned bone does: at the origin along +Y, so that their values are the world's.
class FreeBones {
public:
    explicit FreeBones(const std::vector<std::string>& names) {
        for (const std::string& name : names) {
            add(name, -1);
        }
    }
    /// The bones of "exact", by ab_skeleton_json.
    explicit FreeBones(const ab_document* document) {
        ab_buffer* buffer = nullptr;
        REQUIRE(ab_skeleton_json(nullptr, document, nullptr, &buffer, nullptr) == AB_OK);
        const json skeleton = parsed(buffer);
        for (const json& joint : skeleton["joints"]) {
            CHECK(joint["head"] == json::array({0.0, 0.0, 0.0}));
            CHECK(joint["rotation_wxyz"] == json::array({1.0, 0.0, 0.0, 0.0}));
            add(joint["name"].get<std::string>(), joint["parent"].get<std::int32_t>());
        }
    }

    void hang(std::size_t bone, std::int32_t parent) { parents_[bone] = parent; }
    [[nodiscard]] std::size_t size() const { return parents_.size(); }

    [[nodiscard]] ab_armature view() const {
        ab_armature armature{};
        armature.struct_size = sizeof(armature);
        armature.bone_count = static_cast<std::uint32_t>(parents_.size());
        armature.names = names_.data();
        armature.names_size = names_.size();
        armature.parents = parents_.data();
        armature.rest_matrices = matrices_.data();
        // Recordings are of the world: which way the character looks is not read.
        armature.facing = AB_FACING_NEGATIVE_Y;
        return armature;
    }

private:
    void add(const std::string& name, std::int32_t parent) {
        names_ += name + '\0';
        parents_.push_back(parent);
        matrices_.insert(matrices_.end(), {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
    }

    std::string names_;
    std::vector<std::int32_t> parents_;
    std::vector<float> matrices_;
};

struct Exported {
    DocumentHandle document;
    json report;
};

Exported exported(const ab_armature& armature, const ab_timing& timing, const std::vector<ab_curve>& curves,
                  const ab_document* base, const char* options = nullptr) {
    ab_document* out = nullptr;
    ab_buffer* report = nullptr;
    ab_error error = empty_error();
    const ab_status status = ab_document_from_curves("mrtk", &armature, &timing, curves.data(), curves.size(),
                                                     base, options, nullptr, &out, &report, &error);
    INFO(error.message);
    REQUIRE(status == AB_OK);
    return {DocumentHandle(out), parsed(report)};
}

/// A recording in a scene, with the curves that the library gave.
struct Scene {
    DocumentHandle document;
    FreeBones bones;
    ab_timing timing;
    CurvesHandle owner{};

    explicit Scene(const std::string& file, double frames_per_second = 60.0)
        : document(recording(file)),
          bones(document.get()),
          timing{sizeof(ab_timing), 0, frames_per_second, 1.0} {
        const ab_armature armature = bones.view();
        ab_curves* out = nullptr;
        ab_error error = empty_error();
        const ab_status status =
            ab_curves_from_document(document.get(), &armature, &timing, nullptr, nullptr, &out, &error);
        INFO(error.message);
        REQUIRE(status == AB_OK);
        owner.reset(out);
    }
    [[nodiscard]] std::vector<ab_curve> curves() const { return all_curves(owner.get()); }
    [[nodiscard]] Exported back(const std::vector<ab_curve>& curves, const ab_document* base,
                                const char* options = nullptr) const {
        return exported(bones.view(), timing, curves, base, options);
    }
};

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

/// A matrix of a bone whose axes are the world's turned by a half turn about +X, at a place.
void put_matrix(std::vector<float>& matrices, std::array<float, 3> place) {
    matrices.insert(matrices.end(), {1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0, place[0], place[1], place[2], 1});
}

ab_samples samples_of(const std::vector<double>& frames, const std::vector<float>& matrices) {
    ab_samples samples{};
    samples.struct_size = sizeof(samples);
    samples.sample_count = static_cast<std::uint32_t>(frames.size());
    samples.frames = frames.data();
    samples.matrices = matrices.data();
    return samples;
}

/// The curve's keys in the JSON of the document: time and value.
json poses_at(const ab_document* document, const std::vector<double>& times) {
    std::size_t joints = ab_document_joint_count(document);
    std::vector<double> rotations(times.size() * joints * 4);
    std::vector<double> positions(times.size() * joints * 3);
    ab_pose pose{};
    pose.struct_size = sizeof(pose);
    pose.joint_capacity = joints;
    pose.world_rotations = rotations.data();
    pose.world_positions = positions.data();
    ab_error error = empty_error();
    const ab_status status = ab_document_pose(document, times.data(), times.size(), -1.0, &pose, &error);
    INFO(error.message);
    REQUIRE(status == AB_OK);
    return {{"rotations", rotations}, {"positions", positions}};
}

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
    // A file without a template is written anew: 1.1 holds lines and the gaze.
    CHECK(gaze.back(gaze.curves(), nullptr).report["version"] == "1.1");

    const Scene curved("hermite.bin");
    CHECK(curved.back(curved.curves(), nullptr).report["version"] == "1.0");
    const Exported lines = curved.back(curved.curves(), nullptr, "{\"version\": \"1.1\"}");
    CHECK(lines.report["version"] == "1.1");
    CHECK(has_warning(lines.report, "curves between keys"));
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
    // Sampled, each bone's pose is of the world.
    CHECK(sample(hanging, nullptr) == AB_OK);
    ab_document_free(out);
}

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
        // What max_position_mm and max_rotation_degrees allow by default.
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
    matrices[4] = NAN;  // of the first bone; nobody reads those of a bone that is no joint
    refused(AB_ERROR_BAD_VALUE, [&](ab_error* e) {
        ab_document* out = nullptr;
        return ab_document_from_samples("mrtk", &armature, &usual_timing, &samples, nullptr, nullptr, nullptr,
                                        &out, nullptr, e);
    });
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
