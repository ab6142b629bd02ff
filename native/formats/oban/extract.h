// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/json.h"
#include "formats/oban/level.h"

/// Files for every OBAN of a level, and a package out of files.
namespace animbridge::oban {

/// What an OBAN is extracted as.
enum class FileKind : std::uint8_t { oni, xml, raw, json };

[[nodiscard]] std::optional<FileKind> file_kind_named(std::string_view name);

struct ExtractedFile {
    std::string file_name{};
    std::string name{};  ///< the OBAN's, without tag
    std::size_t keys = 0;
    std::vector<std::string_view> left_behind{};  ///< as Changed has it
    Bytes bytes{};
};

/// The file name, without folder, that comes back as this stored name; what no Windows file name can hold,
/// and what is no ASCII, becomes %XX. A name that is too long for a file system is cut.
[[nodiscard]] std::string extracted_file_name(std::string_view stored_name, FileKind kind);

/// One file for each name, or for each OBAN with data when no name is given; no two have one file name, also
/// where capitals make no difference (the later's ends in "#" and its number). Fails for all when one cannot
/// be made, and says which, or when all files together take more than 1 GB. ErrorCode::invalid_argument is
/// about `names`; what is wrong with the level itself is another code.
[[nodiscard]] Result<std::vector<ExtractedFile>> extract_files(const Level& level,
                                                               const std::vector<std::string>& names,
                                                               FileKind kind);

}  // namespace animbridge::oban
