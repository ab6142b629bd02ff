// SPDX-License-Identifier: MIT
#include "formats/sl_anim/scene/scene.h"

#include "formats/sl_anim/play/play.h"
#include "formats/sl_anim/reduce/reduce.h"
#include "formats/sl_anim/scene/export_report.h"

namespace animbridge::sl_anim {

namespace {

std::size_t key_count_of(const Document& document) {
    std::size_t keys = 0;
    for (const Joint& joint : document.joints) {
        keys += key_count(joint.rotation) + key_count(joint.position);
    }
    return keys;
}

constexpr auto reduce_rows = rows_of_reduction<ReduceOptions>();
constexpr auto reduce_table = options_of(reduce_rows);

/// The kept keys, and the bound; no bound: no key had to be dropped.
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

}  // namespace

std::span<const Option> reduce_options() { return reduce_table; }

Result<ReduceOptions> reduce_options_from(const Json& json) {
    ReduceOptions options{reduce::Bound()};
    TRY_VOID(read_options(json, reduce_rows, options));
    const bool has_bound = json.contains("max_position_mm") || json.contains("max_rotation_degrees");
    if (!has_bound) {
        options.bound.reset();
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
                   {"worst",
                    {{"joint", worst.joint},
                     {"rotation_at_seconds", worst.rotation_at_seconds},
                     {"position_at_seconds", worst.position_at_seconds}}},
                   {"bound", result.bound ? reduce::bound_json(*result.bound) : Json()}};
    return Reduced{std::move(result.document), std::move(report)};
}

}  // namespace animbridge::sl_anim
