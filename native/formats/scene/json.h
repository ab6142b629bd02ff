// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/json.h"
#include "formats/scene/document.h"

namespace animbridge::scene {

/// Everything but Document::file, as docs/scenes.md describes it.
[[nodiscard]] Json to_json(const Document& document);

/// The memory that to_json and its text take at most for the numbers of the channels, which may share theirs.
[[nodiscard]] std::uint64_t json_bytes(const Document& document);

/// The same in reverse: a document without a file. ErrorCode::bad_value names the member at fault, and all
/// that wire.h's validate refuses.
[[nodiscard]] Result<Document> from_json(const Json& json);

}  // namespace animbridge::scene
