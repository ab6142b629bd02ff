// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "formats/format.h"

namespace animbridge {

/// The findings of AnyDocument::check, and those of the bridges whose check has this level.
[[nodiscard]] Result<std::vector<Finding>> check_document(const AnyDocument& document, std::string_view level,
                                                          std::string_view asset_name);

}  // namespace animbridge
