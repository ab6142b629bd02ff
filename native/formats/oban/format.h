// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "formats/format.h"
#include "formats/oban/document.h"

namespace animbridge::oban {

extern const Format format;

/// A document, and what edits left behind, which is not written but reported with the file.
struct File {
    Document document{};
    std::vector<std::string_view> left_behind{};
};

[[nodiscard]] DocumentPtr make_document(Document document);

}  // namespace animbridge::oban

namespace animbridge {

/// The OBAN inside, owned by `document`; null if the document is of another format.
[[nodiscard]] const oban::Document* as_oban(const AnyDocument& document);

}  // namespace animbridge
