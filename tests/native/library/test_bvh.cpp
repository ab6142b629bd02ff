// SPDX-License-Identifier: MIT
// Wrong calls for BVH.
#include <cstring>

#include "catch.h"
#include "library/armature.h"
#include "library/refusals.h"
#include "support.h"

using namespace animbridge::test;

namespace {

constexpr const char* small_bvh =
    "HIERARCHY\nROOT mPelvis\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
    "Yrotation\n"
    "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0 0 0 0\n1 2 3 10 20 30\n";

struct BvhSample {
    DocumentHandle document = read_document({small_bvh, small_bvh + std::strlen(small_bvh)});
    TestArmature rig{{"mPelvis", "mTorso"}};
    ab_armature armature = rig.view();
    ab_timing timing = usual_timing;
    ab_buffer* out_buffer = nullptr;
    ab_curves* out_curves = nullptr;
};

}  // namespace

TEST_CASE("BVH calls without what they need are misuse", "[bvh]") {
    BvhSample s;
    misuse([&](ab_error* e) { return ab_skeleton_json(nullptr, nullptr, nullptr, &s.out_buffer, e); });
    misuse([&](ab_error* e) { return ab_skeleton_json(nullptr, s.document.get(), nullptr, nullptr, e); });
    const auto import = [&](const ab_document* document, const ab_armature* armature, const ab_timing* timing,
                            ab_curves** out) {
        misuse([&](ab_error* e) {
            return ab_curves_from_document(document, armature, timing, nullptr, nullptr, out, e);
        });
    };
    import(nullptr, &s.armature, &s.timing, &s.out_curves);
    import(s.document.get(), nullptr, &s.timing, &s.out_curves);
    import(s.document.get(), &s.armature, nullptr, &s.out_curves);
    import(s.document.get(), &s.armature, &s.timing, nullptr);
    s.armature.struct_size = 0;
    import(s.document.get(), &s.armature, &s.timing, &s.out_curves);
    CHECK(s.out_buffer == nullptr);
    CHECK(s.out_curves == nullptr);
}

TEST_CASE("options of BVH calls that cannot be", "[bvh]") {
    BvhSample s;
    for (const char* options : {"", "[]", "{\"forward\": \"Q\"}", "{\"scale\": -1}", "{\"scale\": \"1\"}",
                                "{\"nothing\": 1}", "{\"up\": \"Z\"}", "{\"scale\": 1e999}"}) {
        INFO(options);
        refused(AB_ERROR_BAD_VALUE, [&](ab_error* e) {
            return ab_skeleton_json(nullptr, s.document.get(), options, &s.out_buffer, e);
        });
        refused(AB_ERROR_BAD_VALUE, [&](ab_error* e) {
            return ab_curves_from_document(s.document.get(), &s.armature, &s.timing, options, nullptr,
                                           &s.out_curves, e);
        });
    }
    CHECK(s.out_buffer == nullptr);
    CHECK(s.out_curves == nullptr);
}

TEST_CASE("two bones that fit one joint do not stop a BVH", "[bvh]") {
    BvhSample s;
    const TestArmature rig({"mPelvis", "hip", "Pelvis", "hip"});
    const ab_armature armature = rig.view();
    REQUIRE(ab_curves_from_document(s.document.get(), &armature, &s.timing, nullptr, nullptr, &s.out_curves,
                                    nullptr) == AB_OK);
    const CurvesHandle owner(s.out_curves);
    const auto curves = all_curves(s.out_curves);
    REQUIRE(curves.size() == 7);
    for (const ab_curve& curve : curves) {
        CHECK(curve.bone == 0);
        CHECK(curve.key_count == 2);
    }
}

TEST_CASE("an export by names cannot mean one of two bones of one name", "[bvh]") {
    BvhSample s;
    const TestArmature rig({"mPelvis", "twin", "twin"});
    const ab_armature armature = rig.view();
    ab_document* out = nullptr;
    const auto export_of = [&](const char* options) {
        return [&, options](ab_error* e) {
            return ab_document_from_curves("bvh", &armature, &s.timing, nullptr, 0, nullptr, options, nullptr,
                                           &out, nullptr, e);
        };
    };
    refused(AB_ERROR_BAD_VALUE, export_of(R"({"frame_count": 2, "bones": ["mPelvis", "twin"]})"));
    CHECK(out == nullptr);
    REQUIRE(export_of(R"({"frame_count": 2, "bones": ["mPelvis"]})")(nullptr) == AB_OK);
    const DocumentHandle owner(out);
}

TEST_CASE("a BVH that is far off is not made", "[bvh]") {
    // Only the root has positions, and frame 2 moves mTorso by 50 mm.
    BvhSample s;
    const std::vector<float> co = {1, 0, 2, 0.05F};
    ab_curve curve{};
    curve.struct_size = sizeof(curve);
    curve.bone = 1;
    curve.channel = AB_CHANNEL_LOCATION;
    curve.key_count = 2;
    curve.co = co.data();
    ab_document* out = nullptr;
    ab_error error = empty_error();
    const auto export_of = [&](const char* options) {
        return ab_document_from_curves("bvh", &s.armature, &s.timing, &curve, 1, nullptr, options, nullptr,
                                       &out, nullptr, &error);
    };
    CHECK(export_of(R"({"frame_count": 2, "positions": "root"})") == AB_ERROR_REJECTED);
    CHECK(out == nullptr);
    INFO(error.message);
    CHECK(std::string(error.message).find("mTorso is 50.00 mm from where the scene shows it") !=
          std::string::npos);
    CHECK(std::string(error.message).find("(frame 2)") != std::string::npos);
    REQUIRE(export_of(R"({"frame_count": 2, "positions": "root", "stop_above_mm": 0})") == AB_OK);
    const DocumentHandle owner(out);
}
