// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/json/json.h"
#include "formats/scene/document.h"

namespace animbridge::scene {

/// Everything except Document::file, in the form of docs/scenes.md.
[[nodiscard]] Json to_json(const Document& document);

/// The most memory that to_json and its text take for the numbers of the channels, which may share theirs.
[[nodiscard]] std::uint64_t json_bytes(const Document& document);

/// The inverse of to_json: a document without a file. ErrorCode::bad_value names the member at fault, and
/// everything that wire.h's validate refuses.
[[nodiscard]] Result<Document> from_json(const Json& json);

}  // namespace animbridge::scene
