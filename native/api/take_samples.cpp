// SPDX-License-Identifier: MIT
#include "api/take_samples.h"

#include <cmath>

namespace animbridge::api {

Result<TakenSamples> take_samples(const ab_sl_samples* pointer, std::size_t bones) {
    const auto given = take_struct(pointer, ab_sl_samples{}, "samples");
    if (!given) {
        return tl::unexpected<Error>(given.error());
    }
    const std::size_t count = given->sample_count;
    if (count > 0 && (given->frames == nullptr || (given->matrices == nullptr && bones > 0))) {
        return misuse("samples.frames or samples.matrices is NULL");
    }
    if (!std::isfinite(given->max_position_mm) || !std::isfinite(given->max_rotation_degrees)) {
        return misuse("samples.max_position_mm or samples.max_rotation_degrees is not a number");
    }
    TakenSamples taken;
    taken.view.frames = {given->frames, count};
    taken.view.matrices = {given->matrices, given->matrices == nullptr ? 0 : 16 * bones * count};
    if (given->object_matrices != nullptr) {
        taken.view.object_matrices = {given->object_matrices, 16 * count};
    }
    if (given->bones != nullptr) {
        taken.view.exported = {given->bones, bones};
    }
    if (given->max_position_mm > 0.0 && given->max_rotation_degrees > 0.0) {
        taken.bound = reduce::Bound{given->max_position_mm, given->max_rotation_degrees};
    }
    return taken;
}

}  // namespace animbridge::api
