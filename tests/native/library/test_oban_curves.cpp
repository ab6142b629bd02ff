// SPDX-License-Identifier: MIT
// Wrong calls for OBAN, and a round trip through the shared library.
#include <cstring>
#include <string>
#include <vector>

#include "catch.h"
#include "export_calls.h"
#include "library/armature.h"
#include "library/refusals.h"
#include "support.h"

using namespace animbridge::test;

namespace {

constexpr const char* oban_xml =
    "<Oni><OBAN id=\"0\"><Flags></Flags><InitialTransform>1 0 0 0 1 0 0 0 1 0 0 0</InitialTransform>"
    "<BaseTransform>1 0 0 0 1 0 0 0 1 0 0 0</BaseTransform><FrameLength>1</FrameLength>"
    "<FrameCount>31</FrameCount><HalfStopFrame>0</HalfStopFrame><KeyFrames>"
    "<OBANKeyFrame><Rotation>0 0 0 -1</Rotation><Translation>1 2 3</Translation><Time>0</Time></OBANKeyFrame>"
    "<OBANKeyFrame><Rotation>0 0 0 -1</Rotation><Translation>4 5 "
    "6</Translation><Time>30</Time></OBANKeyFrame>"
    "</KeyFrames></OBAN></Oni>";

struct ObanSample {
    DocumentHandle document = read_document({oban_xml, oban_xml + std::strlen(oban_xml)});
    DocumentHandle anim = read_document(fixture("minimal.anim"));
    ab_timing timing = usual_timing;
    std::vector<float> matrices = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    ab_curves* curves = nullptr;
    ab_document* made = nullptr;
};

}  // namespace

TEST_CASE("OBAN calls without what they need are misuse", "[oban-curves]") {
    ObanSample s;
    const auto import = [&](const ab_document* document, const ab_timing* timing, ab_curves** out) {
        misuse([&](ab_error* e) {
            return ab_curves_from_document(document, nullptr, timing, nullptr, nullptr, out, e);
        });
    };
    import(nullptr, &s.timing, &s.curves);
    import(s.anim.get(), &s.timing, &s.curves);
    import(s.document.get(), nullptr, &s.curves);
    import(s.document.get(), &s.timing, nullptr);
    const auto sample = [&](const float* matrices, const ab_document* base, ab_document** out) {
        misuse([&](ab_error* e) {
            return oban_from_samples(matrices, 1, "{\"name\": \"x\"}", base, nullptr, out, nullptr, e);
        });
    };
    sample(nullptr, nullptr, &s.made);
    sample(s.matrices.data(), s.anim.get(), &s.made);
    sample(s.matrices.data(), nullptr, nullptr);
    const auto draw = [&](const ab_timing* timing, const ab_curve* curves, const ab_document* base) {
        misuse([&](ab_error* e) {
            return ab_document_from_curves("oban", nullptr, timing, curves, 1, base, nullptr, nullptr,
                                           &s.made, nullptr, e);
        });
    };
    const std::vector<float> co = {0, 0};
    ab_curve curve{};
    curve.struct_size = sizeof(curve);
    curve.bone = -1;
    curve.key_count = 1;
    curve.co = co.data();
    draw(nullptr, &curve, nullptr);
    draw(&s.timing, nullptr, nullptr);
    draw(&s.timing, &curve, nullptr);  // one of seven
    draw(&s.timing, &curve, s.anim.get());
    curve.bone = 0;
    draw(&s.timing, &curve, nullptr);
    curve.bone = -1;
    curve.component = 3;
    draw(&s.timing, &curve, nullptr);
    curve.component = 0;
    curve.unchanged = 1;  // and no template
    draw(&s.timing, &curve, nullptr);
    CHECK(s.curves == nullptr);
    CHECK(s.made == nullptr);
}

TEST_CASE("options of OBAN calls that cannot be", "[oban-curves]") {
    ObanSample s;
    for (const char* options : {"", "[]", "{\"axes\": \"Z\"}", "{\"origin\": [1]}", "{\"nothing\": 1}",
                                "{\"origin\": [2,0,0,0, 0,2,0,0, 0,0,2,0, 0,0,0,1]}",
                                "{\"origin\": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,2]}"}) {
        INFO(options);
        refused(AB_ERROR_BAD_VALUE, [&](ab_error* e) {
            return ab_curves_from_document(s.document.get(), nullptr, &s.timing, options, nullptr, &s.curves,
                                           e);
        });
    }
    for (const char* options :
         {"{\"flags\": -1}", "{\"flags\": 4294967296}", "{\"half_stop_frame\": 65536}",
          "{\"container\": \"dat\"}", "{\"max_position_mm\": -1}", "{\"max_rotation_degrees\": \"1\"}",
          "{\"door\": true}", "{\"name\": 1}", "{\"door\": {\"mirror\": 1}}", "{\"camera\": 1}",
          "{\"base_matrix\": null}", "{\"frame_length\": 1.5}"}) {
        INFO(options);
        refused(AB_ERROR_BAD_VALUE, [&](ab_error* e) {
            return oban_from_samples(s.matrices.data(), 1, options, nullptr, nullptr, &s.made, nullptr, e);
        });
    }
    // A .oni has a name.
    refused(AB_ERROR_INVALID_ARGUMENT, [&](ab_error* e) {
        return oban_from_samples(s.matrices.data(), 1, nullptr, nullptr, nullptr, &s.made, nullptr, e);
    });
    CHECK(s.curves == nullptr);
    CHECK(s.made == nullptr);
}

TEST_CASE("an OBAN goes through the curves of an object and back", "[oban-curves]") {
    ObanSample s;
    REQUIRE(ab_curves_from_document(s.document.get(), nullptr, &s.timing, nullptr, nullptr, &s.curves,
                                    nullptr) == AB_OK);
    REQUIRE(ab_curves_count(s.curves) == 7);
    std::vector<ab_curve> curves(7);
    for (std::size_t i = 0; i < curves.size(); ++i) {
        curves[i].struct_size = sizeof(ab_curve);
        REQUIRE(ab_curves_get(s.curves, i, &curves[i], nullptr) == AB_OK);
        CHECK(curves[i].bone == -1);
        CHECK(curves[i].key_count == 2);
    }
    CHECK(curves[1].co[1] == -0.3F);  // Y of Blender is -Z of the file, a tenth of it
    ab_buffer* report = nullptr;
    REQUIRE(ab_document_from_curves("oban", nullptr, &s.timing, curves.data(), 7, s.document.get(), nullptr,
                                    nullptr, &s.made, &report, nullptr) == AB_OK);
    CHECK(std::string(reinterpret_cast<const char*>(ab_buffer_data(report)), ab_buffer_size(report))
              .find("\"script\"") != std::string::npos);
    ab_buffer_free(report);
    ab_document_free(s.made);
    ab_curves_free(s.curves);
}

TEST_CASE("frames that no F-curve could hold are refused", "[oban-curves]") {
    ObanSample s;
    s.timing.frames_per_second = 1e300;
    refused(AB_ERROR_BAD_VALUE, [&](ab_error* e) {
        return ab_curves_from_document(s.document.get(), nullptr, &s.timing, nullptr, nullptr, &s.curves, e);
    });
    CHECK(s.curves == nullptr);
}

TEST_CASE("an OBAN that is far off is not made", "[oban-curves]") {
    // So far out, the file's numbers have steps of one unit (100 mm), and this place is 3/8 between two.
    std::vector<float> matrices = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1000000.0625F, 0, 0, 1};
    ab_document* out = nullptr;
    ab_error error = empty_error();
    const auto export_of = [&](const char* options) {
        return oban_from_samples(matrices.data(), 1, options, nullptr, nullptr, &out, nullptr, &error);
    };
    CHECK(export_of(R"({"name": "x"})") == AB_ERROR_REJECTED);
    CHECK(out == nullptr);
    INFO(error.message);
    CHECK(std::string(error.message).find("the object is 37.50 mm from where the scene shows it, at 0 s") !=
          std::string::npos);
    for (const char* const options :
         {R"({"name": "x", "stop_above_mm": 0})", R"({"name": "x", "stop_above_mm": 40})",
          R"({"name": "x", "max_position_mm": 40})"}) {
        REQUIRE(export_of(options) == AB_OK);
        const DocumentHandle owner(out);
        out = nullptr;
    }
}
