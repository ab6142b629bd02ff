// SPDX-License-Identifier: MIT
#pragma once

#include "formats/scene/document.h"
#include "model/format/format.h"

namespace animbridge::scene {

extern const Format format;

[[nodiscard]] DocumentPtr make_document(Document document);

}  // namespace animbridge::scene

namespace animbridge {

/// The scene inside, owned by `document`; null if the document is of another format.
[[nodiscard]] const scene::Document* as_scene(const AnyDocument& document);

}  // namespace animbridge
