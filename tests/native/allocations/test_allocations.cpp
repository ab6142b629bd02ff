// SPDX-License-Identifier: MIT
// Every call of the C interface, with each of its allocations failing in turn.
#include <animbridge/animbridge.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "allocations/starve.h"
#include "catch.h"
#include "support.h"

using namespace animbridge::test;

namespace {

struct Scene {
    std::string names{"mPelvis\0mTorso\0mWristLeft\0mElbowLeft\0", 37};
    std::vector<std::int32_t> parents{-1, 0, 3, 1};
    std::vector<float> matrices;
    ab_timing timing{sizeof(ab_timing), 0, 30.0, 1.0};
    ab_armature armature{};

    Scene() {
        for (int i = 0; i < 4; ++i) {
            matrices.insert(matrices.end(),
                            {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, static_cast<float>(i), 1});
        }
        armature.struct_size = sizeof(armature);
        armature.bone_count = 4;
        armature.names = names.data();
        armature.names_size = names.size();
        armature.parents = parents.data();
        armature.rest_matrices = matrices.data();
        armature.facing = AB_FACING_AUTO;
    }
};

/// The arguments of all calls, made before any allocation fails.
class CallInputs {
public:
    CallInputs()
        : bytes(small_file()),
          input((scratch.path() / "in.anim").string()),
          output((scratch.path() / "out.json").string()) {
        save(input, bytes);
        REQUIRE(ab_document_read(bytes.data(), bytes.size(), nullptr, nullptr, nullptr, &document, nullptr) ==
                AB_OK);
        // These build permanent tables, so that they do not count as a leak.
        ab_buffer* buffer = nullptr;
        REQUIRE(ab_skeleton_json("sl_anim", nullptr, nullptr, &buffer, nullptr) == AB_OK);
        ab_buffer_free(buffer);
        REQUIRE(ab_document_check(document, "strict", &buffer, nullptr) == AB_OK);
        ab_buffer_free(buffer);
        REQUIRE(ab_document_json(document, &buffer, nullptr) == AB_OK);
        json.assign(reinterpret_cast<const char*>(ab_buffer_data(buffer)), ab_buffer_size(buffer));
        ab_buffer_free(buffer);
        REQUIRE(ab_curves_from_document(document, &scene.armature, &scene.timing, nullptr, nullptr, &imported,
                                        nullptr) == AB_OK);
        curves.resize(ab_curves_count(imported));
        for (std::size_t i = 0; i < curves.size(); ++i) {
            curves[i].struct_size = sizeof(ab_curve);
            REQUIRE(ab_curves_get(imported, i, &curves[i], nullptr) == AB_OK);
        }
        REQUIRE(!curves.empty());
        for (int i = 0; i < 2; ++i) {
            poses.insert(poses.end(), scene.matrices.begin(), scene.matrices.end());
            objects.insert(objects.end(), scene.matrices.begin(), scene.matrices.begin() + 16);
        }
        poses[16 + 14] = 3.0F;  // moves the torso
        poses[16 + 10] = 2.0F;  // and scales it
        samples = {sizeof(ab_samples), 2, frames, poses.data(), objects.data(), nullptr};
    }
    ~CallInputs() {
        ab_curves_free(imported);
        ab_document_free(document);
    }
    CallInputs(const CallInputs&) = delete;
    CallInputs& operator=(const CallInputs&) = delete;
    CallInputs(CallInputs&&) = delete;
    CallInputs& operator=(CallInputs&&) = delete;

    const ScratchFolder scratch{};
    std::vector<std::uint8_t> bytes;
    std::string input;
    std::string output;
    std::string json{};
    Scene scene{};
    std::vector<std::uint8_t> angles{3, 4, 5, 6};
    ab_document* document = nullptr;
    ab_curves* imported = nullptr;
    std::vector<ab_curve> curves{};
    const char* const options = R"({"keep_duration": true})";
    const double frames[2] = {1.0, 2.0};
    std::vector<float> poses{};
    std::vector<float> objects{};
    ab_samples samples{};
};

Calls calls_without_json(const CallInputs& l) {
    return {
        {"read", document([&](auto** out, auto* e) {
             return ab_document_read(l.bytes.data(), l.bytes.size(), nullptr,
                                     "a file name that is long enough to be allocated", nullptr, out, e);
         })},
        {"read of a broken file",
         [&](ab_error* e) {
             // An error whose message needs memory that is not available.
             ab_document* out = nullptr;
             const ab_status status = ab_document_read(l.bytes.data(), l.bytes.size() - 1, nullptr,
                                                       "a file name that is long enough", nullptr, &out, e);
             return status == AB_ERROR_TRUNCATED ? AB_OK : status;
         }},
        {"read_file", document([&](auto** out, auto* e) {
             return ab_document_read_file(l.input.c_str(), nullptr, nullptr, out, e);
         })},
        {"rig_map_json", buffer([](auto** out, auto* e) { return ab_rig_map_json(out, e); })},
        {"rigs_json", buffer([](auto** out, auto* e) { return ab_rigs_json(out, e); })},
        {"write",
         buffer([&](auto** out, auto* e) { return ab_document_write(l.document, nullptr, out, e); })},
        {"write_file",
         [&](ab_error* e) { return ab_document_write_file(l.document, l.output.c_str(), nullptr, e); }},
        {"predict_upload without findings",
         document([&](auto** out, auto* e) { return ab_document_as_stored(l.document, out, nullptr, e); })},
        {"pose",
         [&](ab_error* e) {
             const double times[2] = {0.0, 0.5};
             double places[2 * 8 * 3];
             ab_pose arrays{};
             arrays.struct_size = sizeof(arrays);
             arrays.joint_capacity = 8;
             arrays.world_positions = places;
             return ab_document_pose(l.document, times, 2, -1.0, &arrays, e);
         }},
    };
}

Calls calls_with_json(const CallInputs& l) {
    return {
        {"read of JSON", document([&](auto** out, auto* e) {
             return ab_document_read(reinterpret_cast<const std::uint8_t*>(l.json.data()), l.json.size(),
                                     nullptr, nullptr, nullptr, out, e);
         })},
        {"json", buffer([&](auto** out, auto* e) { return ab_document_json(l.document, out, e); })},
        {"info", buffer([&](auto** out, auto* e) { return ab_document_info(l.document, out, e); })},
        {"check",
         buffer([&](auto** out, auto* e) { return ab_document_check(l.document, "strict", out, e); })},
        {"compare", buffer([&](auto** out, auto* e) {
             return ab_document_compare(l.document, l.document, nullptr, out, e);
         })},
        {"edit", document([&](auto** out, auto* e) {
             return ab_document_edit(l.document, R"({"joint_priorities": {}, "emote_name": "express_smile"})",
                                     out, nullptr, e);
         })},
        {"edit report", buffer([&](auto** out, auto* e) {
             ab_document* edited = nullptr;
             const ab_status status =
                 ab_document_edit(l.document, R"({"base_priority": 9})", &edited, out, e);
             ab_document_free(edited);
             return status;
         })},
        {"fix", document([&](auto** out, auto* e) {
             return ab_document_fix(l.document, R"({"only": ["ease_zero", "stop_is_late"]})", out, nullptr,
                                    nullptr, e);
         })},
        {"fix report", buffer([&](auto** out, auto* e) {
             ab_document* fixed = nullptr;
             ab_document* undeform = nullptr;
             const ab_status status = ab_document_fix(l.document, nullptr, &fixed, &undeform, out, e);
             ab_document_free(fixed);
             ab_document_free(undeform);
             return status;
         })},
        {"convert_file", buffer([&](auto** out, auto* e) {
             return ab_convert_file(l.input.c_str(), l.output.c_str(), "{\"as_stored\": true}", nullptr, out,
                                    e);
         })},
        {"formats_json", buffer([](auto** out, auto* e) { return ab_formats_json(out, e); })},
        {"file_stem", buffer([](auto** out, auto* e) {
             return ab_file_stem("../a name that is longer than a short string", 44, ".anim", out, e);
         })},
        {"skeleton_json",
         buffer([](auto** out, auto* e) { return ab_skeleton_json("sl_anim", nullptr, nullptr, out, e); })},
        {"rig_match_json",
         buffer([&](auto** out, auto* e) { return ab_rig_match_json(&l.scene.armature, out, e); })},
        {"rig_match_json with a map of one's own", buffer([&](auto** out, auto* e) {
             ab_armature armature = l.scene.armature;
             armature.rig_map = R"({"animbridge_rig_map": 1, "name": "a name that is long enough",
                                    "names": {"mHead": "mTorso"}, "sides": [["*.L", "*.R"]],
                                    "aliases": [{"from": "me", "joints": {"mWrist*": ["Hand"]}}]})";
             return ab_rig_match_json(&armature, out, e);
         })},
        {"predict_upload",
         [&](ab_error* e) {
             ab_document* made = nullptr;
             ab_buffer* findings = nullptr;
             const ab_status status = ab_document_as_stored(l.document, &made, &findings, e);
             ab_document_free(made);
             ab_buffer_free(findings);
             return status;
         }},
        {"curves_from_document", making<ab_curves>(ab_curves_free,
                                                   [&](auto** out, auto* e) {
                                                       return ab_curves_from_document(
                                                           l.document, &l.scene.armature, &l.scene.timing,
                                                           nullptr, nullptr, out, e);
                                                   })},
        {"curves_from_document in angles", making<ab_curves>(ab_curves_free,
                                                             [&](auto** out, auto* e) {
                                                                 ab_armature armature = l.scene.armature;
                                                                 armature.rotation_channels = l.angles.data();
                                                                 return ab_curves_from_document(
                                                                     l.document, &armature, &l.scene.timing,
                                                                     nullptr, nullptr, out, e);
                                                             })},
        {"curves_report", buffer([&](auto** out, auto* e) { return ab_curves_report(l.imported, out, e); })},
        {"document_from_curves",
         [&](ab_error* e) {
             ab_document* made = nullptr;
             ab_buffer* report = nullptr;
             const ab_status status =
                 ab_document_from_curves("sl_anim", &l.scene.armature, &l.scene.timing, l.curves.data(),
                                         l.curves.size(), l.document, l.options, nullptr, &made, &report, e);
             ab_document_free(made);
             ab_buffer_free(report);
             return status;
         }},
    };
}

Calls calls_that_reduce(const CallInputs& l) {
    return {
        {"document_from_samples",
         [&](ab_error* e) {
             ab_document* made = nullptr;
             ab_buffer* report = nullptr;
             const ab_status status =
                 ab_document_from_samples("sl_anim", &l.scene.armature, &l.scene.timing, &l.samples,
                                          l.document, l.options, nullptr, &made, &report, e);
             ab_document_free(made);
             ab_buffer_free(report);
             return status;
         }},
        {"reduce",
         [&](ab_error* e) {
             ab_document* made = nullptr;
             ab_buffer* report = nullptr;
             const ab_status status =
                 ab_document_reduce(l.document, "{\"max_position_mm\": 1}", nullptr, &made, &report, e);
             ab_document_free(made);
             ab_buffer_free(report);
             return status;
         }},
        {"reduce that cannot fit",
         [&](ab_error* e) {
             ab_document* made = nullptr;
             const ab_status status =
                 ab_document_reduce(l.document, "{\"fit_bytes\": 50}", nullptr, &made, nullptr, e);
             ab_document_free(made);
             return status == AB_ERROR_REJECTED ? AB_OK : status;
         }},
    };
}

}  // namespace

TEST_CASE("out of memory at any place is a status and nothing else", "[allocations]") {
    const CallInputs inputs;
    starve_all(calls_without_json(inputs), Then::works);
    starve_all(calls_without_json(inputs), Then::fails);
    // A failed write leaves no temporary file behind.
    CHECK(inputs.scratch.names() == std::set<std::string>{"in.anim", "out.json"});
}

TEST_CASE("out of memory while JSON is read or reports are made", "[allocations]") {
    const CallInputs inputs;
    starve_all(calls_with_json(inputs), Then::works);
    starve_all(calls_with_json(inputs), Then::fails);
    starve_all(calls_that_reduce(inputs), Then::works);
    starve_all(calls_that_reduce(inputs), Then::fails);
    CHECK(inputs.scratch.names() == std::set<std::string>{"in.anim", "out.json"});
}
