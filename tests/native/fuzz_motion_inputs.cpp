// SPDX-License-Identifier: MIT
#include <animbridge/animbridge.h>

#include "base/json/json.h"
#include "export_calls.h"
#include "formats/sl_anim/check/check.h"
#include "fuzz_inputs.h"
#include "fuzz_scene.h"
#include "invariants.h"

namespace animbridge::test {

namespace {

/// The result of an export.
struct Exported {
    ab_status status;
    DocumentHandle document;
    BufferHandle report;
};

void check_report(const Json& report, const sl_anim::file::Document& document, std::size_t bytes) {
    require(report.at("size_bytes") == bytes, "a report of another size");
    require(report.at("joints") == document.joints.size(), "a report of other joints");
    for (const char* const key : {"max_rotation_error_degrees", "max_position_error_mm"}) {
        require(report.at(key).is_number() && report.at(key).get<double>() >= 0.0,
                "a measured error that is no number");
    }
}

/// Checks that the document agrees with its report, and that the viewer would play it. The target
/// sl_anim_read checks the invariants of any document.
void check_export(const Exported& exported, const SlExport& options) {
    ab_buffer* written = nullptr;
    require(ab_document_write(exported.document.get(), nullptr, &written, nullptr) == AB_OK,
            "an exported document cannot be written");
    const BufferHandle owner(written);
    const ByteView bytes(ab_buffer_data(written), ab_buffer_size(written));
    require(check_bytes(bytes, Effort::quick), "an exported document does not read back");
    const auto document = sl_anim::file::read(bytes);
    const auto findings = sl_anim::check::check(*document, {CheckLevel::playback, {}});
    require(std::string_view(options.target) != "second_life" || !any_rejected(findings),
            "an export that the viewer refuses");
    const ByteView text(ab_buffer_data(exported.report.get()), ab_buffer_size(exported.report.get()));
    const auto report = parse_json(text_of(text));
    require(report.has_value(), "the report is no JSON");
    check_report(*report, *document, bytes.size());
}

void check_failure(const Exported& exported, const ab_error& error) {
    require(exported.document == nullptr && exported.report == nullptr,
            "a failed export that gives something");
    require(error.code == exported.status && error.message[0] != '\0' && is_utf8(error.message),
            "a failed export without its reason");
    require(exported.status != AB_ERROR_INTERNAL && exported.status != AB_ERROR_OUT_OF_MEMORY, error.message);
}

template <typename Call>
Exported exported_by(const SlExport& options, Call&& call) {
    ab_document* document = nullptr;
    ab_buffer* report = nullptr;
    ab_error error{};
    error.struct_size = sizeof(error);
    const ab_status status = call(&document, &report, &error);
    Exported exported{status, DocumentHandle(document), BufferHandle(report)};
    if (status == AB_OK) {
        check_export(exported, options);
    } else {
        check_failure(exported, error);
    }
    return exported;
}

void check_reduction(const ab_document* document) {
    ab_document* less = nullptr;
    ab_error error{};
    error.struct_size = sizeof(error);
    require(ab_document_reduce(document, nullptr, nullptr, &less, nullptr, &error) == AB_OK, error.message);
    const DocumentHandle owner(less);
    ab_buffer* written = nullptr;
    require(ab_document_write(less, nullptr, &written, nullptr) == AB_OK,
            "a reduced document cannot be written");
    const BufferHandle bytes(written);
    require(check_bytes({ab_buffer_data(written), ab_buffer_size(written)}, Effort::quick),
            "a reduced document does not read back");
}

}  // namespace

void try_curves(ByteView bytes) {
    Source source(bytes);
    const ab_timing timing = take_timing(source);
    const FuzzArmature armature(source);
    const DocumentHandle template_document = take_template(source);
    SlExport options = take_export(source, template_document.get());
    const SlHeader header = take_header(source);
    options.header = source.below(2) == 0 ? nullptr : &header;
    const FuzzCurves curves(source);
    // The rest of the input, which is mostly empty.
    options.joint_priorities_json = source.one_in(4) ? R"({"mHead": 3, "mTorso": -3})" : nullptr;
    exported_by(options, [&](ab_document** document, ab_buffer** report, ab_error* error) {
        return sl_from_curves(&armature.view, &timing, curves.views.data(), curves.views.size(), options,
                              nullptr, document, report, error);
    });
}

void try_samples(ByteView bytes) {
    Source source(bytes);
    const bool reduces = source.one_in(8);
    const ab_timing timing = take_timing(source);
    const FuzzArmature armature(source);
    const DocumentHandle template_document = take_template(source);
    SlExport options = take_export(source, template_document.get());
    const FuzzSamples samples(source, armature.view.bone_count, timing.frame_start);
    options.frame_end = samples.frames.empty() ? timing.frame_start : samples.frames.back();
    // Only for few samples, because fitting reduces dozens of times.
    options.fit_bytes = samples.matrices.size() > std::size_t{6} * 16 ? 0 : options.fit_bytes;
    const Exported exported =
        exported_by(options, [&](ab_document** document, ab_buffer** report, ab_error* error) {
            return sl_from_samples(&armature.view, &timing, samples.view, options, nullptr, document, report,
                                   error);
        });
    if (exported.status == AB_OK && reduces) {
        check_reduction(exported.document.get());
    }
}

}  // namespace animbridge::test
