// SPDX-License-Identifier: MIT
// Work below the C interface, with each of its allocations failing in turn: reduction, samples, BVH, JSON.
#include <string>
#include <utility>
#include <vector>

#include "allocations/starve.h"
#include "base/json/json.h"
#include "build.h"
#include "bvh_texts.h"
#include "catch.h"
#include "formats/bvh/check/check.h"
#include "formats/bvh/file/file.h"
#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/reduce/reduce.h"
#include "json_place.h"
#include "rig/curves/curves.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

/// An export of samples and a reduction, without their reports.
struct ReductionInputs {
    sl_anim::file::Document document = document_with_middle(1.0F);
    rig::armature::Armature armature{{{"mPelvis"}, {"mTorso"}}, rig::armature::Facing::x};
    std::vector<double> frames{1.0, 2.0};
    std::vector<float> matrices{};
    rig::armature::BoneMap map = rig::armature::map_bones(sl_anim::avatar::playing_skeleton(), armature,
                                                          sl_anim::avatar::avatar_rig_map())
                                     .value();

    ReductionInputs() {
        for (int i = 0; i < 4; ++i) {
            matrices.insert(matrices.end(),
                            {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, static_cast<float>(i), 1});
        }
    }
    [[nodiscard]] Calls calls() const {
        return {{"reduction within a bound", core([&] {
                     const sl_anim::reduce::Reducer reducer({document});
                     return reducer.within({}, Job()).has_value();
                 })},
                {"reduction to a size", core([&] {
                     const sl_anim::reduce::Reducer reducer({document});
                     return reducer.fit({}, false, 90, sl_anim::file::file_bytes, Job()).has_value();
                 })},
                {"samples to a clip", core([&] {
                     const Skeleton skeleton = sl_anim::avatar::playing_skeleton();
                     return rig::curves::clip_from_samples({frames, matrices, {}, {}}, skeleton, 0, armature,
                                                           map, {24, 1}, 1.0)
                         .has_value();
                 })}};
    }
};

}  // namespace

TEST_CASE("out of memory while keys are dropped or samples read", "[allocations]") {
    const ReductionInputs inputs;
    starve_all(inputs.calls(), Then::works);
    starve_all(inputs.calls(), Then::fails);
}

TEST_CASE("out of memory while a BVH is read or written", "[allocations]") {
    const std::string tolerated = replaced(all_replaced(plain_bvh, "5.5", "5,5"), "Frames: 2", "Frames: 1");
    const std::string refused = replaced(plain_bvh, "0.125", "nan");
    const bvh::file::Document document = read_text(plain_bvh).value();
    const std::vector<std::pair<const char*, Call>> calls = {
        {"strict reading",
         core([&] { return bvh::file::read(view_of(plain_bvh), Reading::strict).has_value(); })},
        {"lenient reading",
         core([&] { return bvh::file::read(view_of(tolerated), Reading::lenient).has_value(); })},
        {"reading that fails",
         core([&] { return !bvh::file::read(view_of(refused), Reading::lenient).has_value(); })},
        {"writing", core([&] { return !bvh::file::write(document).empty(); })},
        {"checking", core([&] { return !bvh::check::check(document, CheckLevel::upload).empty(); })},
    };
    starve_all(calls, Then::works);
    starve_all(calls, Then::fails);
}

TEST_CASE("out of memory while JSON is parsed, printed, copied or refused", "[allocations]") {
    std::string many = "[0";  // more than few_values in parse.cpp
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
