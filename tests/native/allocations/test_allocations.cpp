// SPDX-License-Identifier: MIT
// Running out of memory at every single allocation of every call, and how much memory a call takes.
#include <animbridge/animbridge.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <new>
#include <string>

#include "allocations.h"
#include "api/handles.h"
#include "base/json.h"
#include "build.h"
#include "bvh_texts.h"
#include "catch.h"
#include "formats/bvh/check.h"
#include "formats/bvh/write.h"
#include "formats/sl_anim/avatar_rig_map.h"
#include "formats/sl_anim/reducer.h"
#include "formats/sl_anim/skeleton.h"
#include "json_place.h"
#include "rig/samples.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

/// A call that frees what it got; returns its status.
using Call = std::function<ab_status(ab_error*)>;

struct Tally {
    std::size_t failures = 0;
    std::size_t allocations = 0;
};

/// Fails the first allocation, then the second, until the call succeeds.
Tally starve(const char* what, Then then, const Call& call) {
    Tally tally;
    call(nullptr);  // what is built once for the whole process is no leak of a call
    for (std::size_t n = 0; n < 1000000; ++n) {
        ab_error error{};
        error.struct_size = sizeof(error);
        ab_status status = AB_OK;
        std::ptrdiff_t live = 0;
        {
            const Allocations starving(n, then);
            status = call(&error);
            live = Allocations::live();
            tally.allocations = Allocations::count();
        }
        if (live != 0) {
            FAIL(what << " leaks " << live << " allocations when number " << n << " fails");
        }
        if (status == AB_OK) {
            return tally;
        }
        if (status != AB_ERROR_OUT_OF_MEMORY || error.code != AB_ERROR_OUT_OF_MEMORY ||
            std::strlen(error.message) == 0) {
            FAIL(what << " gives " << status << " (" << error.message << ") when allocation " << n
                      << " fails");
        }
        ++tally.failures;
    }
    FAIL(what << " never succeeds");
    return tally;
}

/// A small file with all there is: two joints, constraints, a name that is not UTF-8, findings.
std::vector<std::uint8_t> small_file() { return fixture("constraint_chain_1.anim"); }

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

/// What a call needs, made before the starving begins.
class Larder {
public:
    Larder()
        : bytes(small_file()),
          input((scratch.path() / "in.anim").string()),
          output((scratch.path() / "out.json").string()) {
        save(input, bytes);
        REQUIRE(ab_document_read(bytes.data(), bytes.size(), nullptr, nullptr, nullptr, &document, nullptr) ==
                AB_OK);
        // What is built once and kept is built here, so that it is no leak later.
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
        poses[16 + 14] = 3.0F;  // a torso that leaves its place
        poses[16 + 10] = 2.0F;  // and is scaled
        samples = {sizeof(ab_samples), 2, frames, poses.data(), objects.data(), nullptr};
    }
    ~Larder() {
        ab_curves_free(imported);
        ab_document_free(document);
    }
    Larder(const Larder&) = delete;
    Larder& operator=(const Larder&) = delete;
    Larder(Larder&&) = delete;
    Larder& operator=(Larder&&) = delete;

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

/// A call that makes a buffer or a document, which is freed again.
template <typename Made>
Call making(void (*give_back)(Made*), std::function<ab_status(Made**, ab_error*)> make) {
    return [give_back, make = std::move(make)](ab_error* error) {
        Made* made = nullptr;
        const ab_status status = make(&made, error);
        give_back(made);
        return status;
    };
}

Call buffer(std::function<ab_status(ab_buffer**, ab_error*)> make) {
    return making<ab_buffer>(ab_buffer_free, std::move(make));
}
Call document(std::function<ab_status(ab_document**, ab_error*)> make) {
    return making<ab_document>(ab_document_free, std::move(make));
}

using Calls = std::vector<std::pair<const char*, Call>>;

Calls calls_without_json(const Larder& l) {
    return {
        {"read", document([&](auto** out, auto* e) {
             return ab_document_read(l.bytes.data(), l.bytes.size(), nullptr,
                                     "a file name that is long enough to be allocated", nullptr, out, e);
         })},
        {"read of a broken file",
         [&](ab_error* e) {
             // A failure that must be described, with nothing to describe it with.
             ab_document* out = nullptr;
             const ab_status status = ab_document_read(l.bytes.data(), l.bytes.size() - 1, nullptr,
                                                       "a file name that is long enough", nullptr, &out, e);
             return status == AB_ERROR_TRUNCATED ? AB_OK : status;
         }},
        {"read_file", document([&](auto** out, auto* e) {
             return ab_document_read_file(l.input.c_str(), nullptr, nullptr, out, e);
         })},
        {"rig_map_json", buffer([](auto** out, auto* e) { return ab_rig_map_json(out, e); })},
        {"write", buffer([&](auto** out, auto* e) { return ab_document_write(l.document, out, e); })},
        {"write_file", [&](ab_error* e) { return ab_document_write_file(l.document, l.output.c_str(), e); }},
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

Calls calls_with_json(const Larder& l) {
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
                                     out, e);
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

Calls calls_that_reduce(const Larder& l) {
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

/// Work below the C interface, which says out of memory by the exception that the interface catches.
Call core(std::function<bool()> work) {
    return [work = std::move(work)](ab_error* error) -> ab_status {
        try {
            return work() ? AB_OK : AB_ERROR_INTERNAL;
        } catch (const std::bad_alloc&) {
            error->code = AB_ERROR_OUT_OF_MEMORY;
            std::strcpy(error->message, "out of memory");
            return AB_ERROR_OUT_OF_MEMORY;
        }
    };
}

/// What an export of samples and a reduction do besides their reports.
struct ReductionLarder {
    sl_anim::Document document = document_with_middle(1.0F);
    rig::Armature armature{{{"mPelvis"}, {"mTorso"}}, rig::Facing::x};
    std::vector<double> frames{1.0, 2.0};
    std::vector<float> matrices{};
    rig::BoneMap map =
        rig::map_bones(sl_anim::playing_skeleton(), armature, sl_anim::avatar_rig_map()).value();

    ReductionLarder() {
        for (int i = 0; i < 4; ++i) {
            matrices.insert(matrices.end(),
                            {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, static_cast<float>(i), 1});
        }
    }
    [[nodiscard]] Calls calls() const {
        return {{"reduction within a bound", core([&] {
                     const sl_anim::Reducer reducer({document});
                     return reducer.within({}, Job()).has_value();
                 })},
                {"reduction to a size", core([&] {
                     const sl_anim::Reducer reducer({document});
                     return reducer.fit({}, false, 90, sl_anim::file_bytes, Job()).has_value();
                 })},
                {"samples to a clip", core([&] {
                     const Skeleton skeleton = sl_anim::playing_skeleton();
                     return rig::clip_from_samples({frames, matrices, {}, {}}, skeleton, 0, armature, map,
                                                   {24, 1}, 1.0)
                         .has_value();
                 })}};
    }
};

void starve_all(const Calls& calls, Then then) {
    for (const auto& [what, call] : calls) {
        INFO(what);
        const Tally tally = starve(what, then, call);
        CHECK(tally.failures > 0);
    }
}

}  // namespace

TEST_CASE("out of memory at any place is a status and nothing else", "[allocations]") {
    const Larder larder;
    starve_all(calls_without_json(larder), Then::works);
    starve_all(calls_without_json(larder), Then::fails);
    // A starved write leaves no half of a file beside the whole one.
    CHECK(larder.scratch.names() == std::set<std::string>{"in.anim", "out.json"});
}

TEST_CASE("out of memory while keys are dropped or samples read", "[allocations]") {
    const ReductionLarder larder;
    starve_all(larder.calls(), Then::works);
    starve_all(larder.calls(), Then::fails);
}

TEST_CASE("out of memory while a BVH is read or written", "[allocations]") {
    const std::string tolerated = replaced(all_replaced(plain_bvh, "5.5", "5,5"), "Frames: 2", "Frames: 1");
    const std::string refused = replaced(plain_bvh, "0.125", "nan");
    const bvh::Document document = read_text(plain_bvh).value();
    const std::vector<std::pair<const char*, Call>> calls = {
        {"strict reading", core([&] { return bvh::read(view_of(plain_bvh), Reading::strict).has_value(); })},
        {"lenient reading",
         core([&] { return bvh::read(view_of(tolerated), Reading::lenient).has_value(); })},
        {"reading that fails",
         core([&] { return !bvh::read(view_of(refused), Reading::lenient).has_value(); })},
        {"writing", core([&] { return !bvh::write(document).empty(); })},
        {"checking", core([&] { return !bvh::check(document, CheckLevel::upload).empty(); })},
    };
    starve_all(calls, Then::works);
    starve_all(calls, Then::fails);
}

namespace {

/// A document of any format with all that can be said of it.
struct ReportLarder {
    explicit ReportLarder(std::vector<std::uint8_t> file) : bytes(std::move(file)) {
        REQUIRE(ab_document_read(bytes.data(), bytes.size(), nullptr, nullptr, nullptr, &document, nullptr) ==
                AB_OK);
        ab_buffer* buffer = nullptr;
        REQUIRE(ab_document_json(document, &buffer, nullptr) == AB_OK);
        json.assign(ab_buffer_data(buffer), ab_buffer_data(buffer) + ab_buffer_size(buffer));
        ab_buffer_free(buffer);
    }
    ~ReportLarder() { ab_document_free(document); }
    ReportLarder(const ReportLarder&) = delete;
    ReportLarder& operator=(const ReportLarder&) = delete;
    ReportLarder(ReportLarder&&) = delete;
    ReportLarder& operator=(ReportLarder&&) = delete;

    [[nodiscard]] Calls calls() const {
        const auto read = [](const std::vector<std::uint8_t>& file) {
            return ::document([&file](auto** out, auto* e) {
                return ab_document_read(file.data(), file.size(), nullptr, nullptr, nullptr, out, e);
            });
        };
        return {{"read", read(bytes)},
                {"read of JSON", read(json)},
                {"json", buffer([this](auto** out, auto* e) { return ab_document_json(document, out, e); })},
                {"info", buffer([this](auto** out, auto* e) { return ab_document_info(document, out, e); })},
                {"check", buffer([this](auto** out, auto* e) {
                     return ab_document_check(document, "strict", out, e);
                 })},
                {"pose", core([this] {
                     const double seconds = 0.25;
                     const auto pose = document->document->pose({&seconds, 1}, std::nullopt);
                     return !pose || !print_json(*pose).empty();  // a level has none
                 })}};
    }

    std::vector<std::uint8_t> bytes;
    std::vector<std::uint8_t> json{};
    ab_document* document = nullptr;
};

}  // namespace

TEST_CASE("out of memory while reports of any format are made", "[allocations]") {
    const std::string bvh(plain_bvh);
    const std::filesystem::path oban = fixture_folder().parent_path() / "oban";
    for (const std::vector<std::uint8_t>& file :
         {small_file(), std::vector<std::uint8_t>(bvh.begin(), bvh.end()), load(oban / "door.oban"),
          load(oban / "oni_created.oni"), load(oban / "published_camera.xml"), load(oban / "level_pc.dat")}) {
        const ReportLarder larder(file);
        starve_all(larder.calls(), Then::works);
        starve_all(larder.calls(), Then::fails);
    }
}

TEST_CASE("out of memory while JSON is parsed, printed, copied or refused", "[allocations]") {
    std::string many = "[0";  // more than few values
    for (int i = 0; i < 70; ++i) {
        many += ", {\"a key that is long enough\": [" + std::to_string(i) + "], \"b\": \"\\n\"}";
    }
    many += "]";
    const std::vector<std::pair<const char*, Call>> calls = {
        {"parsing", core([&] { return parse_json(many).has_value(); })},
        {"refusing", core([&] { return !parse_json(many + "]").has_value(); })},
        {"printing", core([&] {
             const Json copy = json_of_text(many);
             return Json(copy) == copy && !print_json(copy).empty() && !copy.dump().empty();
         })},
        {"keys that stand twice", core([] {
             return parse_json(R"({"a": [1], "b": {"c": 1, "c": [2]}, "a": "a text of more than 14 bytes"})")
                 .has_value();
         })},
    };
    starve_all(calls, Then::works);
    starve_all(calls, Then::fails);
}

TEST_CASE("out of memory while JSON is read or reports are made", "[allocations]") {
    const Larder larder;
    starve_all(calls_with_json(larder), Then::works);
    starve_all(calls_with_json(larder), Then::fails);
    starve_all(calls_that_reduce(larder), Then::works);
    starve_all(calls_that_reduce(larder), Then::fails);
    CHECK(larder.scratch.names() == std::set<std::string>{"in.anim", "out.json"});
}
