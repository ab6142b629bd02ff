// SPDX-License-Identifier: MIT
#pragma once

#include "formats/bvh/document.h"
#include "formats/bvh/write.h"
#include "formats/format.h"

namespace animbridge::bvh {

extern const Format format;

/// A document and how to write it.
struct File {
    Document document{};
    WriteOptions options{};
};

[[nodiscard]] DocumentPtr make_document(Document document, WriteOptions options = {});

}  // namespace animbridge::bvh

namespace animbridge {

/// The BVH inside, owned by `document`; null if the document is of another format.
[[nodiscard]] const bvh::Document* as_bvh(const AnyDocument& document);

}  // namespace animbridge
