// SPDX-License-Identifier: MIT
#pragma once

#include "convert/formats.h"
#include "formats/bvh/document.h"
#include "formats/bvh/write.h"

namespace animbridge {

[[nodiscard]] DocumentPtr make_document(bvh::Document document, bvh::WriteOptions options = {});

/// The BVH inside, or nullptr when it is of another format.
[[nodiscard]] const bvh::Document* as_bvh(const AnyDocument& document);

}  // namespace animbridge
