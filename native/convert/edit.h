// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/options/options.h"
#include "model/format/format.h"

namespace animbridge {

struct EditOptions {
    std::string input_format{};  ///< format id; "": from the content
    ReadOptions reading{};
    Json edits = Json::object();  ///< for AnyDocument::edited
};

/// Changes values of a file; the output is of the same format. The report: {"input", "output", "format",
/// "bytes_in", "bytes_out", "edits": the report of AnyDocument::edited}, and "left_behind", "tolerated" and
/// "refused" as in convert_file. On failure the output is untouched.
[[nodiscard]] Result<Json> edit_file(const std::string& input, const std::string& output,
                                     const EditOptions& options);

}  // namespace animbridge
