// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "batch/plan.h"

namespace animbridge::batch {

/// The outputs of one run: each path inside the output folder, used once, and never an input's. One thread at
/// a time; a path takes about 100 bytes.
class Outputs {
public:
    Outputs(const Plan& plan, const Request& request);

    /// Reserves the path for the input with this index, and makes its folder. An error says what has the path
    /// already.
    [[nodiscard]] Result<void> claim(const std::string& output, std::size_t input);

private:
    struct Folder {
        std::string path;
        std::string real;
    };

    [[nodiscard]] std::string real_place(const std::string& output);
    [[nodiscard]] std::string owner_of(const std::string& place, const std::string& folder) const;
    [[nodiscard]] Result<void> make_folder(const std::string& folder);

    const Plan& plan_;
    std::string out_;
    std::string root_;
    std::string report_;
    Folder last_{};
    std::string made_{};
    PathMap<std::size_t> owners_{};
    PathMap<std::size_t> alike_owners_{};
};

/// Whether names in a folder that differ in case alone are one name. Tries it, with a file of its own.
[[nodiscard]] bool ignores_case(const std::string& folder);

}  // namespace animbridge::batch
