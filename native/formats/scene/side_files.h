// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/base.h"

namespace animbridge::scene {

/// The name with slashes, and without a leading "./". Assimp puts a slash before a side file's name if the
/// scene's own name has no folder.
[[nodiscard]] std::string with_slashes(std::string_view path);

/// Files beside a scene, all inside one folder. Links do not lead out of it.
class SideFiles {
public:
    /// Empty: there are no side files.
    explicit SideFiles(const std::string& folder);

    [[nodiscard]] bool exists(std::string_view name) const { return !find(name).empty(); }
    /// nullopt: no file has this name.
    [[nodiscard]] std::optional<std::uintmax_t> size_of(std::string_view name) const;
    /// nullopt: no file has this name, or it cannot be read.
    [[nodiscard]] std::optional<Bytes> read(std::string_view name) const;

private:
    /// The file's path; empty if it is outside the folder or does not exist.
    [[nodiscard]] std::filesystem::path find(std::string_view path) const;

    std::filesystem::path folder_;  ///< canonical, or empty
};

}  // namespace animbridge::scene
