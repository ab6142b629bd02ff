// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "formats/format.h"

namespace animbridge {

/// What AnyDocument::check finds, and what the programs say that the document's format has a bridge to.
[[nodiscard]] Result<std::vector<Finding>> check_document(const AnyDocument& document, std::string_view level,
                                                          std::string_view asset_name);

}  // namespace animbridge
