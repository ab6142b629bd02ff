// SPDX-License-Identifier: MIT
#pragma once

#include "base/json.h"
#include "formats/sl_anim/document.h"

namespace animbridge::sl_anim {

/// A copy with other header values. Keys, constraints and all values that `edits` does not name stay bit for
/// bit. `edits` is an object with any of these members of the document's JSON: "base_priority", "emote_name",
/// "loop" (true or false), "loop_in_point", "loop_out_point", "ease_in_duration", "ease_out_duration",
/// "hand_pose", and "joint_priorities": {joint: priority}. A joint is named as in the file, or by any name
/// that the viewer accepts for it. ErrorCode::bad_value names the member, what was found and what is allowed.
[[nodiscard]] Result<Document> edit(Document document, const Json& edits);

}  // namespace animbridge::sl_anim
