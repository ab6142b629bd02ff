// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "base/option.h"
#include "formats/motion.h"
#include "formats/mrtk/document.h"

/// The functions of the format's row that convert through a clip, with their options.
namespace animbridge::mrtk {

/// The hands with a hierarchy of bones, or each pose separately.
[[nodiscard]] Result<ClipMade> document_to_clip(const Document& document, const Json& options);
[[nodiscard]] std::span<const Option> to_clip_options();

/// Uses the nodes with a recording's names. For a character (is_character()), uses the hands that
/// found_hands() finds, and puts its findings into the report's "hands" and "warnings".
/// ErrorCode::invalid_argument: there are neither hands nor such names.
[[nodiscard]] Result<Made> document_from_clip(const ClipRequest& request);
[[nodiscard]] std::span<const Option> from_clip_options();

/// Whether the nodes are a recording's rather than a character's.
[[nodiscard]] bool takes(const Clip& clip);

}  // namespace animbridge::mrtk
