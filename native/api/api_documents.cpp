// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "api/handles.h"
#include "base/files/files.h"
#include "base/options/options.h"
#include "convert/check.h"
#include "convert/convert.h"
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
        } else {
            return json_fail(
                key, value,
                "as_stored (true or false), input_format (a format's id), onto (a path), edits, conversion "
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
        if (path == nullptr || out == nullptr) {
            return misuse("path or out is NULL");
        }
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
        if (document == nullptr || out == nullptr) {
            return misuse("document or out is NULL");
        }
        TRY(const auto limits, reading_from(options_json));
        TRY(auto bytes, document->document->write(limits));
        *out = std::make_unique<ab_buffer>(ab_buffer{std::move(bytes)}).release();
        return {};
    });
}

ab_status ab_document_write_file(const ab_document* document, const char* path, const char* options_json,
                                 ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (document == nullptr || path == nullptr) {
            return misuse("document or path is NULL");
        }
        TRY(const auto limits, reading_from(options_json));
        TRY(const auto bytes, document->document->write(limits));
        return write_file(path, bytes);
    });
}

ab_status ab_document_json(const ab_document* document, ab_buffer** out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (document == nullptr || out == nullptr) {
            return misuse("document or out is NULL");
        }
        *out = api::new_buffer(json_of(*document->document));
        return {};
    });
}

ab_status ab_document_info(const ab_document* document, ab_buffer** out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (document == nullptr || out == nullptr) {
            return misuse("document or out is NULL");
        }
        *out = api::new_json_buffer(document->document->info());
        return {};
    });
}

ab_status ab_document_check(const ab_document* document, const char* level, ab_buffer** out,
                            ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (document == nullptr || out == nullptr) {
            return misuse("document or out is NULL");
        }
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
        if (a == nullptr || b == nullptr || out == nullptr) {
            return misuse("a, b or out is NULL");
        }
        TRY(const auto work, api::take_job(job));
        auto comparison = a->document->compare(*b->document, work);
        if (!comparison) {
            return about(a, std::move(comparison.error()));
        }
        *out = api::new_json_buffer(*comparison);
        return {};
    });
}

ab_status ab_document_edit(const ab_document* document, const char* edits_json, ab_document** out,
                           ab_buffer** report, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (document == nullptr || edits_json == nullptr || out == nullptr) {
            return misuse("document, edits_json or out is NULL");
        }
        TRY(const auto edits, parse_json(edits_json));
        auto edited = document->document->edited(edits);
        if (!edited) {
            return about(document, std::move(edited.error()));
        }
        api::give_report(edited->report, report,
                         [&] { *out = api::new_document(std::move(edited->document), document->name); });
        return {};
    });
}

ab_status ab_convert_file(const char* input_path, const char* output_path, const char* options_json,
                          const ab_job* job, ab_buffer** report, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (input_path == nullptr || output_path == nullptr) {
            return misuse("input_path or output_path is NULL");
        }
        TRY(const auto options, convert_options_from(options_json));
        TRY(const auto work, api::take_job(job));
        return deliver(convert_file(input_path, output_path, options, work), [&](const Json& result) {
            if (report != nullptr) {
                *report = api::new_json_buffer(result);
            }
        });
    });
}

}  // extern "C"
