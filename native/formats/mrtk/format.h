// SPDX-License-Identifier: MIT
#pragma once

#include "formats/format.h"
#include "formats/mrtk/document.h"

namespace animbridge::mrtk {

extern const Format format;

[[nodiscard]] DocumentPtr make_document(Document document);

}  // namespace animbridge::mrtk

namespace animbridge {

/// The recording inside, owned by `document`; null if the document is of another format.
[[nodiscard]] const mrtk::Document* as_mrtk(const AnyDocument& document);

}  // namespace animbridge
