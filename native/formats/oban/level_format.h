// SPDX-License-Identifier: MIT
#pragma once

#include "formats/format.h"
#include "formats/oban/level.h"

namespace animbridge::oban {

/// A level is a separate format, because its file holds many documents.
extern const Format level_format;

[[nodiscard]] DocumentPtr make_document(Level level);

}  // namespace animbridge::oban

namespace animbridge {

/// The level inside, owned by `document`; null if the document is of another format.
[[nodiscard]] const oban::Level* as_oban_level(const AnyDocument& document);

}  // namespace animbridge
