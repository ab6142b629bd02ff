// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/reading.h"
#include "formats/format.h"

namespace animbridge {

struct Checked {
    CheckLevel level;
    std::vector<Finding> findings;
};

/// What AnyDocument::check finds, and what the programs say that the document's format has a bridge to.
/// `level`: a level's name; none: the format's default. `text`: the file that the document was read from, if
/// it is known: a program may refuse its text although it takes the same values in another layout.
[[nodiscard]] Result<Checked> check_document(const AnyDocument& document,
                                             std::optional<std::string_view> level,
                                             std::string_view asset_name, ByteView text = {});

/// Reads and checks a file as it is. Errors and `format_id`: those of read_document.
[[nodiscard]] Result<Checked> check_file(const std::string& path, std::string_view format_id,
                                         const ReadOptions& reading, std::optional<std::string_view> level);

}  // namespace animbridge
