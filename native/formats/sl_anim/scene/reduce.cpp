// SPDX-License-Identifier: MIT
#include "formats/sl_anim/scene/scene.h"

#include "formats/sl_anim/play/play.h"
#include "formats/sl_anim/reduce/reduce.h"

namespace animbridge::sl_anim::scene {

namespace {

constexpr auto reduce_rows = rows_of_reduction<ReduceOptions>();
constexpr auto reduce_table = options_of(reduce_rows);

}  // namespace

std::span<const Option> reduce_options() { return reduce_table; }

bool has_bound(const Json& options) {
    return options.contains("max_position_mm") || options.contains("max_rotation_degrees");
}

Result<ReduceOptions> reduce_options_from(const Json& json) {
    ReduceOptions options;
    TRY_VOID(read_options(json, reduce_rows, options));
    if (!has_bound(json)) {
        options.bound.reset();
    }
    return options;
}

Result<Reduced> reduce_keys(const file::Document& document, const ReduceOptions& options, const Job& job) {
    // A file that is too long for Second Life may be meant for another grid.
    if (auto playable = check::require_accepted(document, check::Grid::opensim); !playable) {
        playable.error().reason = "the file cannot be played: " + playable.error().reason;
        return tl::unexpected<Error>(std::move(playable.error()));
    }
    const bool is_bounded = options.bound || options.fit_bytes == 0;
    const animbridge::reduce::Bound bound = options.bound.value_or(animbridge::reduce::Bound());
    TRY(auto result,
        reduce::thinned({document}, is_bounded ? &bound : nullptr, options.fit_bytes, job.part(0.0, 0.9)));
    TRY(const auto difference, play::compare(document, result.document, job.part(0.9, 1.0)));
    const std::size_t keys_after = file::key_count(result.document);
    return Reduced{std::move(result.document),
                   file::file_bytes(document),
                   file::key_count(document),
                   keys_after,
                   difference.worst(),
                   *difference.spread,
                   result.bound};
}

Json Reduced::report() const {
    return {{"bytes_before", bytes_before},
            {"bytes_after", file::file_bytes(document)},
            {"keys_before", keys_before},
            {"keys_after", keys_after},
            {"max_position_error_mm", worst.position_mm},
            {"max_rotation_error_degrees", worst.rotation_degrees},
            {"worst",
             {{"joint", worst.joint},
              {"rotation_at_seconds", worst.rotation_at_seconds},
              {"position_at_seconds", worst.position_at_seconds}}},
            {"errors", spread.to_json()},
            {"bound", bound ? animbridge::reduce::bound_json(*bound) : Json()}};
}

}  // namespace animbridge::sl_anim::scene
