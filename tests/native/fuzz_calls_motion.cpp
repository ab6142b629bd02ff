// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>

#include "export_calls.h"
#include "fuzz_calls.h"

namespace animbridge::test {

namespace {

bool is_sl_anim(const ab_document* document) {
    return document != nullptr && std::string_view(ab_document_format(document)) == "sl_anim";
}

/// Checks that the document has the reported size, and that its errors are numbers.
void check_sl_report(const ab_document* document, const BufferHandle& report, const char* size) {
    const Json json = json_in(report);
    require(json.at(size) == written_by(document).size(), "a report of another size");
    for (const char* const key : {"max_rotation_error_degrees", "max_position_error_mm"}) {
        require(json.at(key).is_number() && json.at(key).get<double>() >= 0.0, "an error that is no number");
    }
}

std::vector<ab_curve> unchanged_curves(const ab_curves* import) {
    std::vector<ab_curve> views(ab_curves_count(import));
    for (std::size_t i = 0; i < views.size(); ++i) {
        views[i].struct_size = sizeof(ab_curve);
        require(ab_curves_get(import, i, &views[i], nullptr) == AB_OK, "a curve that is not there");
        views[i].unchanged = 1;
        views[i].key_count = 0;
        views[i].co = nullptr;
        views[i].inserted = nullptr;
    }
    return views;
}

/// Checks that curves are in order and have the announced number of keys.
void check_curves(const ab_curves* curves) {
    const std::size_t count = ab_curves_count(curves);
    ab_curve view{};
    view.struct_size = sizeof(view);
    require(ab_curves_get(curves, count, &view, nullptr) == AB_ERROR_INVALID_ARGUMENT && view.co == nullptr,
            "a curve behind the last one");
    for (std::size_t i = 0; i < count; ++i) {
        require(ab_curves_get(curves, i, &view, nullptr) == AB_OK, "a curve that is not there");
        require(view.key_count > 0 && view.co != nullptr, "a curve without keys");
        for (std::size_t key = 0; key < view.key_count; ++key) {
            require(std::isfinite(view.co[2 * key]) && std::isfinite(view.co[2 * key + 1]),
                    "a key that is no number");
            require(key == 0 || view.co[2 * key - 2] <= view.co[2 * key], "keys that are not in order");
        }
    }
}

}  // namespace

void Calls::pose() {
    const ab_document* const given = document();
    const std::size_t joints = ab_document_joint_count(given);
    const std::size_t capacity = source_.one_in(16) ? source_.below(4) : joints;
    const std::array<double, 2> times = {source_.pick<double>({0.0, 0.2, 1000.0, -1.0}),
                                         source_.pick<double>({0.5, 1e-9, 3.25})};
    const auto stop = source_.pick<double>({-1.0, 0.0, 0.25});
    std::vector<double> clip(times.size());
    std::vector<double> weights(times.size());
    std::vector<double> rotations(times.size() * capacity * 4);
    std::vector<double> positions(times.size() * capacity * 3);
    std::vector<double> world(times.size() * capacity * 4);
    ab_pose arrays{};
    arrays.struct_size = sizeof(arrays);
    arrays.joint_capacity = capacity;
    arrays.clip_seconds = clip.data();
    arrays.ease_weights = weights.data();
    arrays.local_rotations = rotations.data();
    arrays.local_positions = positions.data();
    arrays.world_rotations = world.data();
    const ab_status status = made(
        [&](ab_error* e) { return ab_document_pose(given, times.data(), times.size(), stop, &arrays, e); });
    for (std::size_t i = 0; status == AB_OK && i < times.size(); ++i) {
        require(std::isfinite(clip[i]) && weights[i] >= 0.0 && weights[i] <= 1.0, "a pose at no time");
    }
}

void Calls::reduce() {
    const std::string options = take_object(source_, {{"max_position_mm", {"0.5", "0", "100", "-1"}},
                                                      {"max_rotation_degrees", {"0.05", "10", "\"x\""}},
                                                      {"fit_bytes", {"250000", "200", "0", "1e3"}}});
    const ab_document* const given = document();
    const char* const text = source_.below(2) == 0 ? nullptr : options.c_str();
    Out<ab_document> out;
    Out<ab_buffer> told;
    const ab_status status = made(
        [&](ab_error* e) { return ab_document_reduce(given, text, nullptr, out.place(), told.place(), e); });
    DocumentHandle document = out.taken(status);
    const BufferHandle report = told.taken(status);
    if (document != nullptr) {
        check_sl_report(document.get(), report, "bytes_after");
        const Json json = json_in(report);
        require(json.at("keys_after").get<std::size_t>() <= json.at("keys_before").get<std::size_t>(),
                "a reduction that adds keys");
    }
    keep(std::move(document));
}

void Calls::predict_upload() {
    const ab_document* const given = document();
    ab_buffer* findings = nullptr;
    Out<ab_document> out;
    const ab_status status =
        made([&](ab_error* e) { return ab_document_as_stored(given, out.place(), &findings, e); });
    const BufferHandle told(findings);
    // A refused call has findings too.
    require((told != nullptr) == (status == AB_OK || status == AB_ERROR_REJECTED), "findings of no upload");
    if (told != nullptr) {
        require(json_in(told).at("findings").is_array(), "findings that are no list");
    }
    keep(out.taken(status));
}

void Calls::match_rig() {
    if (source_.below(2) == 0) {
        armature_.emplace(source_);
    }
    const ab_armature* const rig = armature();
    Out<ab_buffer> out;
    const BufferHandle match =
        out.taken(made([&](ab_error* e) { return ab_rig_match_json(rig, out.place(), e); }));
    if (match != nullptr) {
        const Json json = json_in(match);
        require(json.at("matched").size() + json.at("unmatched_bones").size() == armature_->view.bone_count,
                "a bone that is neither matched nor not");
    }
}

void Calls::import_curves() {
    std::string options =
        take_object(source_, {{"axes", {"\"file\"", "\"blender\"", "1"}},
                              {"origin", {"null", "[1,0,0,0,0,1,0,0,0,0,1,0,2,3,4,1]", "[2]"}},
                              {"forward", {"\"-Z\"", "\"X\"", "\"Y\""}},
                              {"up", {"\"Y\"", "\"Z\""}},
                              {"scale", {"0.01", "1e30", "0"}},
                              {"match", {"\"names\"", "\"rig_map\"", "\"\""}},
                              {"fit_height", {"true", "1"}}});
    const ab_document* const given = document();
    const ab_armature* const rig = armature();
    const ab_timing* const times = timing();
    const std::string_view format = given == nullptr ? "" : ab_document_format(given);
    if (format == "sl_anim" && !source_.one_in(8)) {
        options = "{}";
    }
    // Usually what the format needs: an object for an OBAN, else an armature.
    const bool of_object = source_.below(16) == 15 || format == "oban";
    Out<ab_curves> out;
    const ab_status status = made([&](ab_error* e) {
        return ab_curves_from_document(given, of_object ? nullptr : rig, times, options.c_str(), nullptr,
                                       out.place(), e);
    });
    CurvesHandle curves = out.taken(status);
    if (curves == nullptr) {
        return;
    }
    check_curves(curves.get());
    Out<ab_buffer> told;
    const BufferHandle report =
        told.taken(made([&](ab_error* e) { return ab_curves_report(curves.get(), told.place(), e); }));
    require(json_in(report).at("frame_end").is_number(), "curves that never end");
    imports_.push_back(std::move(curves));
}

void Calls::export_curves() {
    const ab_document* const template_document = rare_document();
    SlExport options = take_export(source_, template_document);
    const SlHeader header = take_header(source_);
    options.header = source_.below(2) == 0 ? nullptr : &header;
    const std::vector<ab_curve> given = curves();
    const ab_armature* const rig = armature();
    const ab_timing* const times = timing();
    Out<ab_document> out;
    Out<ab_buffer> told;
    const ab_status status = made([&](ab_error* e) {
        return sl_from_curves(rig, times, given.data(), given.size(), options, nullptr, out.place(),
                              told.place(), e);
    });
    DocumentHandle document = out.taken(status);
    const BufferHandle report = told.taken(status);
    if (document != nullptr) {
        check_sl_report(document.get(), report, "size_bytes");
    }
    keep(std::move(document));
}

void Calls::export_samples() {
    const ab_document* const template_document = rare_document();
    SlExport options = take_export(source_, template_document);
    const FuzzSamples samples(source_, armature_->view.bone_count, timing_.frame_start);
    options.frame_end = samples.frames.empty() ? timing_.frame_start : samples.frames.back();
    const ab_armature* const rig = armature();
    Out<ab_document> out;
    Out<ab_buffer> told;
    const ab_status status = made([&](ab_error* e) {
        return sl_from_samples(rig, &timing_, samples.view, options, nullptr, out.place(), told.place(), e);
    });
    DocumentHandle document = out.taken(status);
    const BufferHandle report = told.taken(status);
    if (document != nullptr) {
        check_sl_report(document.get(), report, "size_bytes");
    }
    keep(std::move(document));
}

/// Checks that an unchanged import exports to the same file, bit for bit.
void Calls::export_untouched() {
    const ab_document* const given = document();
    if (!is_sl_anim(given)) {
        return;
    }
    Out<ab_curves> import;
    const CurvesHandle curves = import.taken(made([&](ab_error* e) {
        return ab_curves_from_document(given, &armature_->view, &timing_, nullptr, nullptr, import.place(),
                                       e);
    }));
    if (curves == nullptr) {
        return;
    }
    const std::vector<ab_curve> unchanged = unchanged_curves(curves.get());
    SlExport options{};
    options.template_document = given;
    options.keep_duration = true;
    options.target = "opensim";
    Out<ab_document> out;
    Out<ab_buffer> told;
    const ab_status status = made([&](ab_error* e) {
        return sl_from_curves(&armature_->view, &timing_, unchanged.data(), unchanged.size(), options,
                              nullptr, out.place(), told.place(), e);
    });
    const DocumentHandle document = out.taken(status);
    const BufferHandle report = told.taken(status);
    if (document != nullptr) {
        require(written_by(document.get()) == written_by(given), "an untouched import is exported otherwise");
    }
}

/// Retargets an armature to itself, by its samples or by curves.
void Calls::retarget() {
    const std::size_t bones = armature_->view.bone_count;
    const FuzzSamples samples(source_, bones, timing_.frame_start);
    const std::vector<ab_curve> given = curves();
    ab_samples poses{};
    poses.struct_size = sizeof(poses);
    poses.sample_count = static_cast<std::uint32_t>(samples.frames.size());
    poses.frames = samples.frames.data();
    poses.matrices = samples.matrices.data();
    ab_retarget request{};
    request.struct_size = sizeof(request);
    request.source = armature();
    request.samples = source_.one_in(4) ? &poses : nullptr;
    request.target = armature();
    request.curves = or_null(given.data());
    request.curve_count = given.size();
    request.frames = or_null(samples.frames.data());
    request.frame_count = samples.frames.size();
    const ab_timing* const times = timing();
    Out<ab_curves> out;
    const CurvesHandle made_curves = out.taken(made([&](ab_error* e) {
        return ab_curves_from_retargeting(&request, times, "{}", nullptr, out.place(), e);
    }));
    if (made_curves != nullptr) {
        check_curves(made_curves.get());
    }
}

}  // namespace animbridge::test
