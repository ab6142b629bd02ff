// SPDX-License-Identifier: MIT
#pragma once

#include "convert/formats.h"
#include "formats/oban/document.h"

namespace animbridge {

[[nodiscard]] DocumentPtr make_document(oban::Document document);

/// The OBAN inside, or nullptr when it is of another format.
[[nodiscard]] const oban::Document* as_oban(const AnyDocument& document);

}  // namespace animbridge
