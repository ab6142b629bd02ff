// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "base/options/options.h"
#include "formats/scene/document.h"
#include "rig/exchange/exchange.h"

/// Converts a scene to the neutral clip and back.
namespace animbridge::scene {

/// ErrorCode::bad_value: no animation has the name or number of the option "animation"; the message lists
/// those that there are.
[[nodiscard]] Result<ClipMade> document_to_clip(const Document& document, const Json& options);

/// A scene without a file: writing it under a name makes one.
[[nodiscard]] Result<Made> document_from_clip(const ClipRequest& request);

/// The document for a file with this name: itself if it was read from such a file, else its motion in a new
/// one (encode.h). ErrorCode::invalid_argument: files with this extension cannot be written.
[[nodiscard]] Result<NamedDocument> as_file_named(const Document& document, std::string_view path,
                                                  const ReadOptions& limits);

/// ErrorCode::bad_value: no animation has this name or number.
[[nodiscard]] Result<Document> with_animation(const Document& document, const std::string& animation);

/// The document, of which only a part of the animation is shown and converted; see Format::trimmed.
[[nodiscard]] Result<Document> with_part(const Document& document, const Trim& trim);

/// The file's bytes; a GLB if there is no file yet.
[[nodiscard]] Result<Bytes> write(const Document& document, const ReadOptions& limits);

/// The clip that `pose`, `compare` and `info` show: the main animation.
[[nodiscard]] Clip main_clip(const Document& document);

[[nodiscard]] std::span<const Option> to_clip_options();
[[nodiscard]] std::span<const Option> from_clip_options();

}  // namespace animbridge::scene
