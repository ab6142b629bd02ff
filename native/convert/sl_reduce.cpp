// SPDX-License-Identifier: MIT
#include "convert/sl_reduce.h"

#include <cmath>

#include "base/file.h"
#include "convert/convert.h"
#include "convert/sl_document.h"
#include "convert/sl_export_report.h"
#include "formats/sl_anim/compare.h"
#include "reduce/fit.h"

namespace animbridge {

namespace {

std::size_t key_count_of(const sl_anim::Document& document) {
    std::size_t keys = 0;
    for (const sl_anim::Joint& joint : document.joints) {
        keys += key_count(joint.rotation) + key_count(joint.position);
    }
    return keys;
}

Result<double> positive(const std::string& field, const Json& value) {
    if (!value.is_number() || !(value.get<double>() > 0.0) || !std::isfinite(value.get<double>())) {
        return json_fail(field, value, "a number above 0");
    }
    return value.get<double>();
}

/// What stays, and under which bound; no bound: nothing had to go.
struct Reduction {
    sl_anim::Document document;
    std::optional<reduce::Bound> bound{};
};

Result<Reduction> reduced(const sl_anim::Document& document, const ReduceOptions& options, const Job& job) {
    const bool too_large = options.fit_bytes > 0 && counted_bytes(document) > options.fit_bytes;
    if (options.fit_bytes > 0 && !too_large && !options.bound) {
        return Reduction{document};
    }
    const reduce::Bound bound = options.bound.value_or(reduce::Bound());
    const reduce::Reducer reducer({document});
    if (!too_large) {
        auto result = reducer.within(bound, job);
        if (!result) {
            return tl::unexpected<Error>(std::move(result.error()));
        }
        return Reduction{std::move(result->document), bound};
    }
    auto result = reduce::fit(reducer, bound, options.bound.has_value(),
                              static_cast<std::size_t>(options.fit_bytes), counted_bytes, job);
    if (!result) {
        return tl::unexpected<Error>(std::move(result.error()));
    }
    return Reduction{std::move(result->reduced.document), result->bound};
}

Json worst_json(const JointDifference& worst) {
    return {{"joint", worst.joint},
            {"rotation_at_seconds", worst.rotation_at_seconds},
            {"position_at_seconds", worst.position_at_seconds}};
}

}  // namespace

Result<ReduceOptions> reduce_options_from(const char* json_text_or_null) {
    ReduceOptions options;
    if (json_text_or_null == nullptr) {
        return options;
    }
    const auto json = parse_json(json_text_or_null);
    if (!json) {
        return tl::unexpected<Error>(json.error());
    }
    if (!json->is_object()) {
        return json_fail("options_json", *json, "an object");
    }
    for (const auto& [key, value] : json->items()) {
        if (key == "fit_bytes") {
            const auto bytes = integer_from_json(value, 1, std::int64_t{1} << 53, key);
            if (!bytes) {
                return tl::unexpected<Error>(bytes.error());
            }
            options.fit_bytes = static_cast<std::uint64_t>(*bytes);
            continue;
        }
        if (key != "max_position_mm" && key != "max_rotation_degrees") {
            return json_fail(key, value, "max_position_mm, max_rotation_degrees and fit_bytes");
        }
        const auto number = positive(key, value);
        if (!number) {
            return tl::unexpected<Error>(number.error());
        }
        options.bound = options.bound.value_or(reduce::Bound());
        (key == "max_position_mm" ? options.bound->position_mm : options.bound->rotation_degrees) = *number;
    }
    return options;
}

Result<SlReduced> reduce_sl_anim(const sl_anim::Document& document, const ReduceOptions& options,
                                 const Job& job) {
    // A file that is too long for Second Life may be for another grid.
    if (auto playable = require_accepted(document, SlTarget::opensim); !playable) {
        playable.error().reason = "the file cannot be played: " + playable.error().reason;
        return tl::unexpected<Error>(std::move(playable.error()));
    }
    auto result = reduced(document, options, job.part(0.0, 0.9));
    if (!result) {
        return tl::unexpected<Error>(std::move(result.error()));
    }
    const auto difference = sl_anim::compare(document, result->document, job.part(0.9, 1.0));
    if (!difference) {
        return tl::unexpected<Error>(difference.error());
    }
    const auto worst = difference->worst();
    Json report = {{"bytes_before", file_bytes(document)},
                   {"bytes_after", file_bytes(result->document)},
                   {"keys_before", key_count_of(document)},
                   {"keys_after", key_count_of(result->document)},
                   {"max_position_error_mm", worst.position_mm},
                   {"max_rotation_error_degrees", worst.rotation_degrees},
                   {"worst", worst_json(worst)},
                   {"bound", result->bound ? bound_json(*result->bound) : Json()}};
    return SlReduced{std::move(result->document), std::move(report)};
}

Result<Json> reduce_file(const std::string& input, const std::string& output, const ReduceOptions& options,
                         const Job& job) {
    const auto bytes = read_file(input);
    if (!bytes) {
        return tl::unexpected<Error>(bytes.error());
    }
    const auto document = read_document(*bytes, "", input);
    if (!document) {
        return tl::unexpected<Error>(document.error());
    }
    const sl_anim::Document* given = as_sl_anim(**document);
    if (given == nullptr) {
        return fail(ErrorCode::invalid_argument,
                    input + ": only Second Life animations have keys that can be reduced");
    }
    auto result = reduce_sl_anim(*given, options, job);
    if (!result) {
        return tl::unexpected<Error>(in_file(std::move(result.error()), input));
    }
    if (auto written = write_file(output, sl_anim::write(result->document)); !written) {
        return tl::unexpected<Error>(std::move(written.error()));
    }
    Json report = {{"input", json_text(input)}, {"output", json_text(output)}};
    report.update(result->report);
    return report;
}

}  // namespace animbridge
