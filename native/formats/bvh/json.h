// SPDX-License-Identifier: MIT
#pragma once

#include "base/json.h"
#include "formats/bvh/document.h"

namespace animbridge::bvh {

/// {"format": "bvh", "joints": [{"name", "parent" (index or null), "offset", "channels", "end_sites":
/// [{"name", "offset"}]}], "frame_time_seconds", "frame_count", "motion": a row a frame, "notes": [{"rule",
/// "line", "found"}]}; from_json(to_json(d)) == d, down to the sign of zeros.
[[nodiscard]] Json to_json(const Document& document);

/// Members may come in any order; unknown ones are errors, and so is what no BVH could hold: numbers that are
/// not finite, names that would not read back, a parent that is no joint before.
[[nodiscard]] Result<Document> from_json(const Json& json);

/// What a person wants to know: times, roots, joints with their channels, rotation orders.
[[nodiscard]] Json info(const Document& document);

}  // namespace animbridge::bvh
