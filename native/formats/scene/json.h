// SPDX-License-Identifier: MIT
#pragma once

#include "base/json.h"
#include "formats/scene/document.h"

namespace animbridge::scene {

/// Everything but Document::file, as docs/scenes.md describes it.
[[nodiscard]] Json to_json(const Document& document);

/// The same in reverse: a document without a file. ErrorCode::bad_value names the member at fault, and all
/// that wire.h's validate refuses.
[[nodiscard]] Result<Document> from_json(const Json& json);

}  // namespace animbridge::scene
