// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "batch/request.h"

namespace animbridge::batch {

/// Where the outputs go, relative to a folder that is searched, so that they are not taken for inputs.
class Destination {
public:
    Destination(const Request& request, const std::string& base);

    /// Whether a file below the folder is an output of this run, or of an earlier one with the same
    /// arguments. If the output folder is below the searched one, this is true for every file in it; if both
    /// are the same, for files with the target's ending.
    [[nodiscard]] bool holds(const std::string& real, const std::string& name) const;
    /// Whether a folder below the searched one is the output folder, or holds ledgers.
    [[nodiscard]] bool holds_folder(const std::string& real) const;
    [[nodiscard]] bool is_same() const { return is_same_; }

private:
    std::string ending_;
    std::string out_;
    std::string report_;
    bool is_same_ = false;
    bool is_below_ = false;
};

}  // namespace animbridge::batch
