// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "base/option.h"
#include "formats/motion.h"
#include "formats/mrtk/document.h"

/// The row's ways through a clip, with their options.
namespace animbridge::mrtk {

/// The hands with bones that hang on each other, or each pose by itself.
[[nodiscard]] Result<ClipMade> document_to_clip(const Document& document, const Json& options);
[[nodiscard]] std::span<const Option> to_clip_options();

/// The nodes with a recording's names. Of a character (is_character()) the hands that found_hands() finds,
/// with what it says in the report's "hands" and "warnings". ErrorCode::invalid_argument: there are no hands,
/// nor names.
[[nodiscard]] Result<Made> document_from_clip(const ClipRequest& request);
[[nodiscard]] std::span<const Option> from_clip_options();

/// Whether the nodes are a recording's, and not a character's.
[[nodiscard]] bool takes(const Clip& clip);

}  // namespace animbridge::mrtk
