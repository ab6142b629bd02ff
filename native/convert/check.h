// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "formats/format.h"

namespace animbridge {

struct Checked {
    CheckLevel level;
    std::vector<Finding> findings;
};

/// What AnyDocument::check finds, and what the programs say that the document's format has a bridge to.
/// `level`: a level's name; none: the format's default.
[[nodiscard]] Result<Checked> check_document(const AnyDocument& document,
                                             std::optional<std::string_view> level,
                                             std::string_view asset_name);

}  // namespace animbridge
