// SPDX-License-Identifier: MIT
#include "formats/sl_anim/reduce.h"

#include <cmath>

#include "formats/sl_anim/compare.h"
#include "formats/sl_anim/export_report.h"
#include "formats/sl_anim/reducer.h"

namespace animbridge::sl_anim {

namespace {

std::size_t key_count_of(const Document& document) {
    std::size_t keys = 0;
    for (const Joint& joint : document.joints) {
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

/// What is left, and under which bound; null if nothing had to go.
struct Reduction {
    Document document;
    std::optional<reduce::Bound> bound{};
};

Result<Reduction> reduced(const Document& document, const ReduceOptions& options, const Job& job) {
    const bool too_large = options.fit_bytes > 0 && counted_bytes(document) > options.fit_bytes;
    if (options.fit_bytes > 0 && !too_large && !options.bound) {
        return Reduction{document};
    }
    const reduce::Bound bound = options.bound.value_or(reduce::Bound());
    const Reducer reducer({document});
    if (!too_large) {
        TRY(auto result, reducer.within(bound, job));
        return Reduction{std::move(result.document), bound};
    }
    TRY(auto result, reducer.fit(bound, options.bound.has_value(),
                                 static_cast<std::size_t>(options.fit_bytes), counted_bytes, job));
    return Reduction{std::move(result.reduced.document), result.bound};
}

Json worst_json(const JointDifference& worst) {
    return {{"joint", worst.joint},
            {"rotation_at_seconds", worst.rotation_at_seconds},
            {"position_at_seconds", worst.position_at_seconds}};
}

}  // namespace

Result<ReduceOptions> reduce_options_from(const Json& json) {
    ReduceOptions options;
    if (!json.is_object()) {
        return json_fail("options_json", json, "an object");
    }
    for (const auto& [key, value] : json.items()) {
        if (key == "fit_bytes") {
            TRY(const auto bytes, integer_from_json(value, 1, std::int64_t{1} << 53, key));
            options.fit_bytes = static_cast<std::uint64_t>(bytes);
            continue;
        }
        if (key != "max_position_mm" && key != "max_rotation_degrees") {
            return json_fail(key, value, "max_position_mm, max_rotation_degrees and fit_bytes");
        }
        TRY(const auto number, positive(key, value));
        options.bound = options.bound.value_or(reduce::Bound());
        (key == "max_position_mm" ? options.bound->position_mm : options.bound->rotation_degrees) = number;
    }
    return options;
}

Result<Reduced> reduce_keys(const Document& document, const ReduceOptions& options, const Job& job) {
    // A file that is too long for Second Life may be meant for another grid.
    if (auto playable = require_accepted(document, Target::opensim); !playable) {
        playable.error().reason = "the file cannot be played: " + playable.error().reason;
        return tl::unexpected<Error>(std::move(playable.error()));
    }
    TRY(auto result, reduced(document, options, job.part(0.0, 0.9)));
    TRY(const auto difference, compare(document, result.document, job.part(0.9, 1.0)));
    const auto worst = difference.worst();
    Json report = {{"bytes_before", file_bytes(document)},
                   {"bytes_after", file_bytes(result.document)},
                   {"keys_before", key_count_of(document)},
                   {"keys_after", key_count_of(result.document)},
                   {"max_position_error_mm", worst.position_mm},
                   {"max_rotation_error_degrees", worst.rotation_degrees},
                   {"worst", worst_json(worst)},
                   {"bound", result.bound ? reduce::bound_json(*result.bound) : Json()}};
    return Reduced{std::move(result.document), std::move(report)};
}

}  // namespace animbridge::sl_anim
