// SPDX-License-Identifier: MIT
#include <cmath>
#include <span>
#include <vector>

#include "api/handles.h"
#include "base/base.h"
#include "base/options/options.h"
#include "convert/rig_of.h"
#include "formats/registry.h"
#include "model/findings/findings.h"
#include "model/format/format.h"

using namespace animbridge;
using api::about;
using api::guarded;
using api::misuse;

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
    return format.skeleton(document == nullptr ? nullptr : document->document.get(), options)
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
        if (document == nullptr || out == nullptr) {
            return misuse("document or out is NULL");
        }
        auto stored = document->document->as_stored();
        if (!stored) {
            return about(document, std::move(stored.error()));
        }
        api::give_report(findings_json(stored->findings), findings, [&] {
            if (stored->document) {
                *out = api::new_document(std::move(*stored->document), document->name);
            }
        });
        return stored->document ? Result<void>() : about(document, std::move(stored->document.error()));
    });
}

ab_status ab_document_reduce(const ab_document* document, const char* options_json, const ab_job* job,
                             ab_document** out, ab_buffer** report, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (document == nullptr || out == nullptr) {
            return misuse("document or out is NULL");
        }
        TRY(const auto options, options_from(options_json));
        TRY(const auto work, api::take_job(job));
        auto made = document->document->reduced(options, work);
        if (!made) {
            return about(document, std::move(made.error()));
        }
        api::give_report(made->report, report,
                         [&] { *out = api::new_document(std::move(made->document), ""); });
        return {};
    });
}

ab_status ab_document_join(const ab_document* const* documents, size_t count, const char* options_json,
                           ab_document** out, ab_buffer** report, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (documents == nullptr || out == nullptr) {
            return misuse("documents or out is NULL");
        }
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
        if (format->skeleton == nullptr) {
            return misuse(std::string(format->noun) + " has no skeleton");
        }
        auto skeleton = options_from(options_json).and_then([&](const Json& options) {
            return skeleton_with_axes(*format, document, options);
        });
        if (!skeleton) {
            return document == nullptr ? fail(std::move(skeleton.error()))
                                       : about(document, std::move(skeleton.error()));
        }
        *out = api::new_json_buffer(*skeleton);
        return {};
    });
}

size_t ab_document_joint_count(const ab_document* document) {
    std::size_t count = 0;
    guarded(nullptr, [&]() -> Result<void> {
        if (document == nullptr) {
            return misuse("document is NULL");
        }
        TRY_VOID(document->document->require_player({}));
        TRY(const auto joints, document->document->format().played_joints(*document->document));
        count = joints.size();
        return {};
    });
    return count;
}

ab_status ab_document_pose(const ab_document* document, const double* times_seconds, size_t count,
                           double stop_time_seconds, const ab_pose* pose, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (document == nullptr) {
            return misuse("document is NULL");
        }
        TRY_VOID(document->document->require_player({}));
        TRY(const auto given, api::take_struct(pose, ab_pose{}, "pose"));
        TRY_VOID(require_times(times_seconds, count, stop_time_seconds));
        const auto stop = stop_time_seconds >= 0.0 ? std::optional(stop_time_seconds) : std::nullopt;
        TRY_VOID(document->document->require_player(stop));
        auto played = document->document->format().play(
            *document->document, {times_seconds, count}, stop,
            {given.joint_capacity, given.clip_seconds, given.ease_weights, given.local_rotations,
             given.local_positions, given.world_rotations, given.world_positions});
        return played ? Result<void>() : about(document, std::move(played.error()));
    });
}

ab_status ab_document_child(const ab_document* document, const char* name, ab_document** out,
                            ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (document == nullptr || out == nullptr) {
            return misuse("document or out is NULL");
        }
        const Format& format = document->document->format();
        if (format.child == nullptr) {
            return misuse(std::string(format.reasons.no_children));
        }
        auto child = format.child(*document->document, api::text_or_none(name));
        if (!child) {
            return about(document, std::move(child.error()));
        }
        std::string child_name = document->name + (name == nullptr ? "" : ": " + without_controls(name));
        *out = api::new_document(std::move(*child), std::move(child_name));
        return {};
    });
}

ab_status ab_document_with_child(const ab_document* document, const char* name, const ab_document* child,
                                 ab_document** out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (document == nullptr || child == nullptr || out == nullptr) {
            return misuse("document, child or out is NULL");
        }
        const Format& format = document->document->format();
        if (format.with_child == nullptr) {
            return misuse(std::string(format.reasons.no_children));
        }
        auto made = format.with_child(*document->document, api::text_or_none(name), *child->document);
        if (!made) {
            return about(document, std::move(made.error()));
        }
        *out = api::new_document(std::move(*made), document->name);
        return {};
    });
}

}  // extern "C"
