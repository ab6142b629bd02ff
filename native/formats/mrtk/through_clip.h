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

/// ErrorCode::invalid_argument if no node of the clip is one of a recording's.
[[nodiscard]] Result<Made> document_from_clip(const ClipRequest& request);
[[nodiscard]] std::span<const Option> from_clip_options();

/// Two flat hands.
[[nodiscard]] Skeleton own_skeleton();

/// Whether a node has a name of a recording's.
[[nodiscard]] bool takes(const Clip& clip);

}  // namespace animbridge::mrtk
