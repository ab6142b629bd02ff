// SPDX-License-Identifier: MIT
#pragma once

#include "base/json.h"
#include "formats/bvh/document.h"

namespace animbridge::bvh {

/// {"format": "bvh", "joints": [{"name", "parent" (index or null), "offset", "channels", "end_sites":
/// [{"name", "offset"}]}], "frame_time_seconds", "frame_count", "motion": one row per frame, "notes":
/// [{"rule", "line", "found"}]}. from_json(to_json(d)) == d, including the sign of zeros.
[[nodiscard]] Json to_json(const Document& document);

/// Accepts members in any order. Errors: unknown members, numbers that are not finite, names that would not
/// read back, and parents that do not precede the joint.
[[nodiscard]] Result<Document> from_json(const Json& json);

/// A summary for people: times, roots, joints with their channels, rotation orders.
[[nodiscard]] Json info(const Document& document);

}  // namespace animbridge::bvh
