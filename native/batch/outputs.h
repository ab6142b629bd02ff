// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "base/files/files.h"
#include "batch/plan.h"

namespace animbridge::batch {

/// The outputs of one run: each path inside the output folder is used once, and is never an input. For one
/// thread at a time; a path takes about 100 bytes.
class Outputs {
public:
    Outputs(const Plan& plan, const Request& request, const Folder& out);

    /// Reserves the path for the input with this index, makes its folder, and returns the path below the
    /// output folder, without links. The error says what already has the path.
    [[nodiscard]] Result<std::string> claim(const std::string& output, std::size_t input);

private:
    struct RealFolder {
        std::string path;
        std::string real;
    };

    [[nodiscard]] std::string real_place(const std::string& output);
    [[nodiscard]] std::string owner_of(const std::string& place, const std::string& below) const;

    const Plan& plan_;
    const Folder& out_;
    std::string root_;
    std::string report_;
    RealFolder last_{};
    PathMap<std::size_t> owners_{};
    PathMap<std::size_t> alike_owners_{};
};

/// Whether the folder's file system ignores case in names. Tries it with a file.
[[nodiscard]] bool ignores_case(const Folder& folder);

}  // namespace animbridge::batch
