// SPDX-License-Identifier: MIT
#include "api/api.h"

#include <cmath>
#include <span>

#include "base/files/files.h"
#include "base/options/options.h"
#include "convert/convert.h"
#include "convert/retarget/retarget.h"
#include "editing/editing.h"
#include "formats/registry.h"
#include "model/findings/findings.h"

using namespace animbridge;
using api::about;
using api::guarded;
using api::misuse;

namespace {

std::string or_empty(const char* text) { return text == nullptr ? "" : text; }

/// Passes the value to `store`, or returns the error.
template <typename T, typename Store>
Result<void> deliver(Result<T> result, Store&& store) {
    TRY(auto value, std::move(result));
    std::forward<Store>(store)(std::move(value));
    return {};
}

/// No table: whether a member is allowed depends on the formats of the files, so the conversion checks them.
Result<ConvertOptions> convert_options_from(const char* text) {
    TRY(const auto json, options_from(text));
    ConvertOptions options;
    Json reading = Json::object();
    for (const auto& [key, value] : json.items()) {
        if (key == "as_stored" && value.is_boolean()) {
            options.as_stored = value.get<bool>();
        } else if (key == "certificate" && value.is_boolean()) {
            options.certifies = value.get<bool>();
        } else if (key == "input_format" && value.is_string()) {
            options.input_format = value.get<std::string>();
        } else if (key == "edits") {
            options.edits = value;
        } else if (has_option(reading_options(), key)) {
            reading[key] = value;
        } else if (key == "conversion" && value.is_object()) {
            options.bridge = value;
        } else if (key == "retarget" && (value.is_object() || value.is_null() || value == false)) {
            options.retarget = value;
        } else if (key == "onto" && value.is_string()) {
            options.onto = value.get<std::string>();
        } else if (key == "to" && value.is_string()) {
            options.to = value.get<std::string>();
        } else {
            return json_fail(
                key, value,
                "as_stored and certificate (true or false), input_format and to (a format's id), onto (a "
                "path), "
                "edits, conversion "
                "(an object), retarget (an object, or false: never), and the options of ab_document_read");
        }
    }
    TRY(options.reading, read_options_from(reading));
    return options;
}

Result<ReadOptions> reading_from(const char* options_json) {
    return options_from(options_json).and_then(read_options_from);
}

}  // namespace

extern "C" {

ab_status ab_document_read(const uint8_t* data, size_t size, const char* format, const char* name,
                           const char* options_json, ab_document** out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (out == nullptr || (data == nullptr && size > 0)) {
            return misuse("data or out is NULL");
        }
        TRY(const auto reading, reading_from(options_json));
        return deliver(
            read_document({data, size}, or_empty(format), or_empty(name), reading),
            [&](DocumentPtr document) { *out = api::new_document(std::move(document), or_empty(name)); });
    });
}

ab_status ab_document_read_file(const char* path, const char* format, const char* options_json,
                                ab_document** out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        TRY_VOID(api::require("path or out", path, out));
        TRY(const auto reading, reading_from(options_json));
        TRY(const auto bytes, read_input(path, or_empty(format)));
        return deliver(read_document(bytes, or_empty(format), path, reading),
                       [&](DocumentPtr document) { *out = api::new_document(std::move(document), path); });
    });
}

void ab_document_free(ab_document* document) { delete document; }

const char* ab_document_format(const ab_document* document) {
    return document == nullptr ? nullptr : document->document->format().id.data();
}

ab_status ab_document_write(const ab_document* document, const char* options_json, ab_buffer** out,
                            ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        TRY_VOID(api::require("document or out", document, out));
        TRY(const auto limits, reading_from(options_json));
        TRY(auto bytes, document->document->write(limits));
        *out = std::make_unique<ab_buffer>(ab_buffer{std::move(bytes)}).release();
        return {};
    });
}

ab_status ab_document_write_file(const ab_document* document, const char* path, const char* options_json,
                                 ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        TRY_VOID(api::require("document or path", document, path));
        TRY(const auto limits, reading_from(options_json));
        TRY(const auto bytes, document->document->write(limits));
        return write_file(path, bytes);
    });
}

ab_status ab_document_json(const ab_document* document, ab_buffer** out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        TRY_VOID(api::require("document or out", document, out));
        *out = api::new_buffer(json_of(*document->document));
        return {};
    });
}

ab_status ab_document_info(const ab_document* document, ab_buffer** out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        TRY_VOID(api::require("document or out", document, out));
        *out = api::new_json_buffer(document->document->info());
        return {};
    });
}

ab_status ab_document_check(const ab_document* document, const char* level, ab_buffer** out,
                            ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        TRY_VOID(api::require("document or out", document, out));
        return deliver(check_document(*document->document, api::text_or_none(level), document->name),
                       [&](const Checked& checked) {
                           Json report = {{"level", name_of(checked.level)}};
                           report.update(findings_json(checked.findings));
                           *out = api::new_json_buffer(report);
                       });
    });
}

ab_status ab_document_compare(const ab_document* a, const ab_document* b, const ab_job* job, ab_buffer** out,
                              ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        TRY_VOID(api::require("a, b or out", a, b, out));
        TRY(const auto work, api::take_job(job));
        TRY(const auto comparison,
            compare_documents(*a->document, *b->document, Json(), work).map_error(about(a)));
        *out = api::new_json_buffer(comparison);
        return {};
    });
}

ab_status ab_document_edit(const ab_document* document, const char* edits_json, ab_document** out,
                           ab_buffer** report, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        TRY_VOID(api::require("document, edits_json or out", document, edits_json, out));
        TRY(const auto edits, parse_json(edits_json));
        TRY(auto edited, editing::edited(*document->document, edits).map_error(about(document)));
        api::give_report(edited.report, report,
                         [&] { *out = api::new_document(std::move(edited.document), document->name); });
        return {};
    });
}

ab_status ab_document_quality(const ab_document* document, const ab_job* job, ab_buffer** out,
                              ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        TRY_VOID(api::require("document or out", document, out));
        TRY(const auto work, api::take_job(job));
        return deliver(quality(*document->document, work).map_error(about(document)),
                       [&](const Json& numbers) { *out = api::new_json_buffer(numbers); });
    });
}

ab_status ab_convert_file(const char* input_path, const char* output_path, const char* options_json,
                          const ab_job* job, ab_buffer** report, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        TRY_VOID(api::require("input_path or output_path", input_path, output_path));
        TRY(const auto options, convert_options_from(options_json));
        TRY(const auto work, api::take_job(job));
        return deliver(convert_file(input_path, output_path, options, work), [&](const Conversion& done) {
            if (report != nullptr) {
                *report = api::new_json_buffer(done.report);
            }
        });
    });
}

}  // extern "C"

namespace {

Result<void> require_times(const double* times_seconds, std::size_t count, double stop_seconds) {
    if (times_seconds == nullptr && count > 0) {
        return misuse("times_seconds is NULL");
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (!std::isfinite(times_seconds[i])) {
            return misuse("times_seconds[" + std::to_string(i) + "] is not a number");
        }
    }
    if (std::isnan(stop_seconds)) {
        return misuse("stop_time_seconds is not a number");
    }
    return {};
}

/// The skeleton; for a document with selectable axes, with those along which its body stands.
Result<Json> skeleton_with_axes(const Format& format, const ab_document* document, const Json& options) {
    return format.clip.skeleton(document == nullptr ? nullptr : document->document.get(), options)
        .map([&](Json made) {
            if (document != nullptr && takes_axes(format, options)) {
                made["standing_axes"] = standing_axes(*document->document, made).value_or(Json::object());
            }
            return made;
        });
}

}  // namespace

extern "C" {

ab_status ab_document_as_stored(const ab_document* document, ab_document** out, ab_buffer** findings,
                                ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        TRY_VOID(api::require("document or out", document, out));
        TRY(auto stored, document->document->as_stored().map_error(about(document)));
        api::give_report(findings_json(stored.findings), findings, [&] {
            if (stored.document) {
                *out = api::new_document(std::move(*stored.document), document->name);
            }
        });
        return stored.document.map([](const auto&) {}).map_error(about(document));
    });
}

ab_status ab_document_reduce(const ab_document* document, const char* options_json, const ab_job* job,
                             ab_document** out, ab_buffer** report, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        TRY_VOID(api::require("document or out", document, out));
        TRY(const auto options, options_from(options_json));
        TRY(const auto work, api::take_job(job));
        TRY(auto made, document->document->reduced(options, work).map_error(about(document)));
        api::give_report(made.report, report,
                         [&] { *out = api::new_document(std::move(made.document), ""); });
        return {};
    });
}

ab_status ab_document_fix(const ab_document* document, const char* options_json, ab_document** out,
                          ab_document** undeform, ab_buffer** report, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        TRY_VOID(api::require("document or out", document, out));
        TRY(const auto options, options_from(options_json));
        TRY(auto made, document->document->fixed(options, document->name).map_error(about(document)));
        DocumentPtr other =
            undeform == nullptr ? nullptr : document->document->format().edit.undeforming(*made.document);
        api::give_report(made.report, report, [&] {
            std::unique_ptr<ab_document> second(other == nullptr ? nullptr
                                                                 : api::new_document(std::move(other), ""));
            *out = api::new_document(std::move(made.document), document->name);
            if (undeform != nullptr) {
                *undeform = second.release();
            }
        });
        return {};
    });
}

ab_status ab_document_join(const ab_document* const* documents, size_t count, const char* options_json,
                           ab_document** out, ab_buffer** report, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        TRY_VOID(api::require("documents or out", documents, out));
        std::vector<const AnyDocument*> inside;
        for (const ab_document* const document : std::span(documents, count)) {
            if (document == nullptr) {
                return misuse("one of the documents is NULL");
            }
            inside.push_back(document->document.get());
        }
        TRY(const auto options, options_from(options_json));
        TRY(auto made, joined(inside, options));
        api::give_report(made.report, report,
                         [&] { *out = api::new_document(std::move(made.document), ""); });
        return {};
    });
}

ab_status ab_skeleton_json(const char* format_id, const ab_document* document, const char* options_json,
                           ab_buffer** out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (out == nullptr || (format_id == nullptr && document == nullptr)) {
            return misuse("out is NULL, or format and document both are");
        }
        const Format* format = document != nullptr ? &document->document->format() : find_format(format_id);
        if (format == nullptr || (format_id != nullptr && format->id != format_id)) {
            return misuse("format is \"" + std::string(format_id) + "\"" +
                          (format == nullptr ? ", which is unknown"
                                             : "; the document is " + std::string(format->noun)));
        }
        if (format->clip.skeleton == nullptr) {
            return misuse(std::string(format->noun) + " has no skeleton");
        }
        const auto with_axes = [&](const Json& options) {
            return skeleton_with_axes(*format, document, options);
        };
        TRY(const auto skeleton, options_from(options_json).and_then(with_axes).map_error(about(document)));
        *out = api::new_json_buffer(skeleton);
        return {};
    });
}

size_t ab_document_joint_count(const ab_document* document) {
    std::size_t count = 0;
    guarded(nullptr, [&]() -> Result<void> {
        TRY_VOID(api::require("document", document));
        TRY_VOID(document->document->require_player({}));
        TRY(const auto joints, document->document->format().play.joints(*document->document));
        count = joints.size();
        return {};
    });
    return count;
}

ab_status ab_document_pose(const ab_document* document, const double* times_seconds, size_t count,
                           double stop_time_seconds, const ab_pose* pose, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        TRY_VOID(api::require("document", document));
        TRY_VOID(document->document->require_player({}));
        TRY(const auto given, api::take_struct(pose, ab_pose{}, "pose"));
        TRY_VOID(require_times(times_seconds, count, stop_time_seconds));
        const auto stop = stop_time_seconds >= 0.0 ? std::optional(stop_time_seconds) : std::nullopt;
        TRY_VOID(document->document->require_player(stop));
        return document->document->format()
            .play
            .poses(*document->document, {times_seconds, count}, stop,
                   {given.joint_capacity, given.clip_seconds, given.ease_weights, given.local_rotations,
                    given.local_positions, given.world_rotations, given.world_positions})
            .map_error(about(document));
    });
}

ab_status ab_document_child(const ab_document* document, const char* name, ab_document** out,
                            ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        TRY_VOID(api::require("document or out", document, out));
        const Format& format = document->document->format();
        if (format.level.child == nullptr) {
            return misuse(std::string(format.reasons.no_children));
        }
        TRY(auto child,
            format.level.child(*document->document, api::text_or_none(name)).map_error(about(document)));
        std::string child_name = document->name + (name == nullptr ? "" : ": " + without_controls(name));
        *out = api::new_document(std::move(child), std::move(child_name));
        return {};
    });
}

ab_status ab_document_with_child(const ab_document* document, const char* name, const ab_document* child,
                                 ab_document** out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        TRY_VOID(api::require("document, child or out", document, child, out));
        const Format& format = document->document->format();
        if (format.level.with_child == nullptr) {
            return misuse(std::string(format.reasons.no_children));
        }
        TRY(auto made, format.level.with_child(*document->document, api::text_or_none(name), *child->document)
                           .map_error(about(document)));
        *out = api::new_document(std::move(made), document->name);
        return {};
    });
}

}  // extern "C"
