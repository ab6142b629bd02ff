// SPDX-License-Identifier: MIT
#pragma once

#include "convert/formats.h"
#include "formats/sl_anim/document.h"

namespace animbridge {

[[nodiscard]] DocumentPtr make_document(sl_anim::Document document);

/// The .anim inside, or nullptr when it is of another format.
[[nodiscard]] const sl_anim::Document* as_sl_anim(const AnyDocument& document);

}  // namespace animbridge
