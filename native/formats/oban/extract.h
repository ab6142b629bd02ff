// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/json.h"
#include "formats/oban/level.h"

/// Extracts the OBANs of a level to files.
namespace animbridge::oban {

/// The format of an extracted OBAN.
enum class FileKind : std::uint8_t { oni, xml, raw, json };

[[nodiscard]] std::optional<FileKind> file_kind_named(std::string_view name);

struct ExtractedFile {
    std::string file_name{};
    std::string name{};  ///< the OBAN's name without its tag
    std::size_t keys = 0;
    std::vector<std::string_view> left_behind{};  ///< see Changed
    Bytes bytes{};
};

/// One file for each name, or for each OBAN with data if there are no names. A file's name reads back as the
/// stored name: characters that a Windows file name cannot hold, and those outside ASCII, become %XX, and a
/// name that is too long for a file system is cut. All file names differ even if
/// case is ignored; a later one gets "#" and its number. Fails as a whole if one file cannot be made, and
/// says which, or if all files together take more than 1 GB. ErrorCode::invalid_argument is about `names`;
/// problems in the level have other codes.
[[nodiscard]] Result<std::vector<ExtractedFile>> extract_files(const Level& level,
                                                               const std::vector<std::string>& names,
                                                               FileKind kind);

}  // namespace animbridge::oban
