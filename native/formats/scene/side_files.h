// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace animbridge::scene {

/// The name with slashes, and without a "./" at its front. Assimp puts a slash in front of a side file's name
/// where the scene's own name has no folder.
[[nodiscard]] std::string with_slashes(std::string_view path);

/// Files beside a scene: those inside one folder. Links lead nowhere else.
class SideFiles {
public:
    /// Empty: there are none.
    explicit SideFiles(const std::string& folder);

    [[nodiscard]] bool exists(std::string_view name) const { return !find(name).empty(); }
    /// None: there is none of this name.
    [[nodiscard]] std::optional<std::uintmax_t> size_of(std::string_view name) const;
    /// None: there is none of this name, or it cannot be read.
    [[nodiscard]] std::optional<Bytes> read(std::string_view name) const;

private:
    /// Where the file is; empty: outside the folder, or nowhere.
    [[nodiscard]] std::filesystem::path find(std::string_view path) const;

    std::filesystem::path folder_;  ///< canonical, or empty
};

}  // namespace animbridge::scene
