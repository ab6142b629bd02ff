// SPDX-License-Identifier: MIT
// Calls with MRTK recordings, with each of their allocations failing in turn.
#include <animbridge/animbridge.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "allocations/starve.h"
#include "base/base.h"
#include "catch.h"
#include "mrtk_small.h"

using namespace animbridge::test;

namespace {

/// Two joints of a hand, in a recording and in a scene.
class RecordingInputs {
public:
    RecordingInputs() {
        namespace mrtk = animbridge::mrtk;
        mrtk::curves::LooseCurves curves = quarter_turn();
        curves[mrtk::file::first_switch].keys = {line_key(0.0, 1.0)};
        curves[0].keys = {line_key(0.0, 0.0), line_key(1.0, 1.0)};
        curves[0].post_wrap = mrtk::file::loop;
        mrtk::file::Document made = recording_of(curves);
        made.markers.push_back({animbridge::RawFloat(0.5F), 40, 1});
        made.marker_names = std::string(40, 'm');
        bytes_ = mrtk::file::write(made);
        REQUIRE(ab_document_read(bytes_.data(), bytes_.size(), nullptr, nullptr, nullptr, &document_,
                                 nullptr) == AB_OK);
        for (int i = 0; i < 3; ++i) {
            rests_.insert(rests_.end(), {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
        }
        armature_.struct_size = sizeof(armature_);
        armature_.bone_count = 3;
        armature_.names = names_.data();
        armature_.names_size = names_.size();
        armature_.parents = parents_.data();
        armature_.rest_matrices = rests_.data();
        REQUIRE(ab_curves_from_document(document_, &armature_, &timing_, nullptr, nullptr, &imported_,
                                        nullptr) == AB_OK);
        curves_.resize(ab_curves_count(imported_));
        for (std::size_t i = 0; i < curves_.size(); ++i) {
            curves_[i].struct_size = sizeof(ab_curve);
            REQUIRE(ab_curves_get(imported_, i, &curves_[i], nullptr) == AB_OK);
        }
        for (int i = 0; i < 3; ++i) {
            matrices_.insert(matrices_.end(), rests_.begin(), rests_.end());
            matrices_[matrices_.size() - 4] = static_cast<float>(i);
        }
        samples_ = {sizeof(ab_samples), 3, frames_.data(), matrices_.data(), nullptr, nullptr};
    }
    ~RecordingInputs() {
        ab_curves_free(imported_);
        ab_document_free(document_);
    }
    RecordingInputs(const RecordingInputs&) = delete;
    RecordingInputs& operator=(const RecordingInputs&) = delete;
    RecordingInputs(RecordingInputs&&) = delete;
    RecordingInputs& operator=(RecordingInputs&&) = delete;

    /// Calls that take and return files.
    [[nodiscard]] Calls calls_with_files() const {
        return {
            {"read", document([this](auto** out, auto* e) {
                 return ab_document_read(bytes_.data(), bytes_.size(), nullptr, nullptr, nullptr, out, e);
             })},
            {"write",
             buffer([this](auto** out, auto* e) { return ab_document_write(document_, nullptr, out, e); })},
            {"info", buffer([this](auto** out, auto* e) { return ab_document_info(document_, out, e); })},
            {"check",
             buffer([this](auto** out, auto* e) { return ab_document_check(document_, "strict", out, e); })},
            {"compare", buffer([this](auto** out, auto* e) {
                 return ab_document_compare(document_, document_, nullptr, out, e);
             })},
            {"edit", document([this](auto** out, auto* e) {
                 return ab_document_edit(document_,
                                         R"({"repair_rotation_w": true, "continue_signs": true,
                                             "speed": 2, "version": "1.0"})",
                                         out, nullptr, e);
             })},
            {"join", document([this](auto** out, auto* e) {
                 const std::array<const ab_document*, 2> both = {document_, document_};
                 return ab_document_join(both.data(), both.size(), nullptr, out, nullptr, e);
             })},
            {"skeleton", buffer([this](auto** out, auto* e) {
                 return ab_skeleton_json("mrtk", document_, R"({"rig": "hands"})", out, e);
             })},
        };
    }

    /// Calls that take and return the motion of a scene.
    [[nodiscard]] Calls calls_with_scenes() const {
        const auto curves = [this](const char* options) {
            return making<ab_curves>(ab_curves_free, [this, options](auto** out, auto* e) {
                return ab_curves_from_document(document_, &armature_, &timing_, options, nullptr, out, e);
            });
        };
        return {
            {"exact curves", curves(nullptr)},
            {"curves of hands", curves(R"({"rig": "hands"})")},
            {"curves_report",
             buffer([this](auto** out, auto* e) { return ab_curves_report(imported_, out, e); })},
            {"document_from_curves", document([this](auto** out, auto* e) {
                 return ab_document_from_curves("mrtk", &armature_, &timing_, curves_.data(), curves_.size(),
                                                document_, nullptr, nullptr, out, nullptr, e);
             })},
            {"document_from_samples", document([this](auto** out, auto* e) {
                 return ab_document_from_samples("mrtk", &armature_, &timing_, &samples_, document_,
                                                 R"({"pinch_left": [0.5]})", nullptr, out, nullptr, e);
             })},
        };
    }

private:
    animbridge::Bytes bytes_{};
    ab_document* document_ = nullptr;
    std::string names_{"Camera\0L_Wrist\0L_Palm\0", 22};
    std::vector<std::int32_t> parents_{-1, -1, -1};
    std::vector<float> rests_{};
    ab_armature armature_{};
    ab_timing timing_{sizeof(ab_timing), 0, 30.0, 1.0};
    ab_curves* imported_ = nullptr;
    std::vector<ab_curve> curves_{};
    std::vector<double> frames_{1.0, 2.0, 3.0};
    std::vector<float> matrices_{};
    ab_samples samples_{};
};

}  // namespace

TEST_CASE("out of memory while recordings are read, edited and reported", "[mrtk-allocations]") {
    const RecordingInputs inputs;
    starve_all(inputs.calls_with_files(), Then::works);
    starve_all(inputs.calls_with_files(), Then::fails);
}

TEST_CASE("out of memory while recordings go to a scene and back", "[mrtk-allocations]") {
    const RecordingInputs inputs;
    starve_all(inputs.calls_with_scenes(), Then::works);
    starve_all(inputs.calls_with_scenes(), Then::fails);
}
