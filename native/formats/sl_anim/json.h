// SPDX-License-Identifier: MIT
#pragma once

#include "base/json.h"
#include "formats/sl_anim/document.h"

namespace animbridge::sl_anim {

/// The document in the form of docs/schemas/sl_anim.schema.json; from_json(to_json(d)) == d.
[[nodiscard]] Json to_json(const Document& document);

/// Accepts members in any order. Unknown members are errors, so that typing errors are found.
[[nodiscard]] Result<Document> from_json(const Json& json);

/// A summary for people: times, priorities, loop, hand pose by name, joints with their keys, constraints.
[[nodiscard]] Json info(const Document& document);

}  // namespace animbridge::sl_anim
