// SPDX-License-Identifier: MIT
#pragma once

#include "base/base.h"
#include "formats/scene/document.h"

/// The form in which animbridge-scene and the library exchange scenes through a pipe. Both come from one
/// build, so the form has no versions; its first bytes identify the build.
namespace animbridge::scene {

/// Everything except Document::file.
[[nodiscard]] Bytes to_wire(const Document& value);

/// Checks everything that Document guarantees: counts against the bytes, parents before children and depth,
/// indices, finite numbers, unit rotations, key times. ErrorCode::bad_value or truncated names the field and
/// the byte. Memory is at most four times the bytes, plus 1 MiB.
[[nodiscard]] Result<Document> from_wire(ByteView bytes);

/// Makes the same checks as from_wire; the error says what is wrong.
[[nodiscard]] Result<void> validate(const Document& document);

}  // namespace animbridge::scene
