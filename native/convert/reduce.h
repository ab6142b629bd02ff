// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/base.h"
#include "base/json/json.h"
#include "base/options/options.h"

namespace animbridge {

struct FileReduction {
    std::string input_format{};  ///< format id; "": from the content
    ReadOptions reading{};
    Json reduction = Json::object();  ///< for AnyDocument::reduced
};

/// Reduces a file like `animbridge reduce`. Returns the report of AnyDocument::reduced, with "input" and
/// "output". On failure the output is untouched.
[[nodiscard]] Result<Json> reduce_file(const std::string& input, const std::string& output,
                                       const FileReduction& options, const Job& job);

}  // namespace animbridge
