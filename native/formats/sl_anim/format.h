// SPDX-License-Identifier: MIT
#pragma once

#include "formats/format.h"
#include "formats/sl_anim/document.h"

namespace animbridge::sl_anim {

extern const Format format;

[[nodiscard]] DocumentPtr make_document(Document document);

}  // namespace animbridge::sl_anim

namespace animbridge {

/// The .anim inside, owned by `document`; null if the document is of another format.
[[nodiscard]] const sl_anim::Document* as_sl_anim(const AnyDocument& document);

}  // namespace animbridge
