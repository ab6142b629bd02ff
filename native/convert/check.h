// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "base/options/options.h"
#include "model/format/format.h"

namespace animbridge {

struct Checked {
    CheckLevel level;
    std::vector<Finding> findings;
};

/// The findings of AnyDocument::check, and those of the programs that the document's format has a bridge to.
/// `level`: a level's name; nullopt: the format's default. `text`: the file that the document was read from,
/// if it is known: a program may refuse its text although it accepts the same values in another layout.
[[nodiscard]] Result<Checked> check_document(const AnyDocument& document,
                                             std::optional<std::string_view> level,
                                             std::string_view asset_name, ByteView text = {});

/// Reads a file and checks it. Errors and `format_id`: as in read_document.
[[nodiscard]] Result<Checked> check_file(const std::string& path, std::string_view format_id,
                                         const ReadOptions& reading, std::optional<std::string_view> level);

}  // namespace animbridge
