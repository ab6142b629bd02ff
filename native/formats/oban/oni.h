// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/oban/document.h"

/// Stand-alone .oni files (VR32) of one OBAN. docs/oban-format.md, "A stand-alone .oni".
namespace animbridge::oban {

inline constexpr std::string_view tag_name = "OBAN";
/// The most characters of a name, including its tag.
inline constexpr std::size_t max_name = 63;

/// The name as stored: with the tag "OBAN" (added if missing) and without NUL. ErrorCode::invalid_argument
/// ("name"): nothing but the tag, more than max_name characters, or characters that are not printable ASCII.
[[nodiscard]] Result<std::string> stored_name(std::string_view name);

/// The name without its tag, if it has one.
[[nodiscard]] std::string_view without_tag(std::string_view stored);

/// The OBAN's name in a file name, by OniSplit's rule: between the last slash and the last dot, with %XX
/// decoded, without tag.
[[nodiscard]] std::string name_of_file(std::string_view path);

/// Reads the first OBAN with data of a VR32 container; `before` and `after` get the other bytes.
[[nodiscard]] Result<Document> read_oni(ByteView file);

/// Makes a new file, byte for byte like OniSplit's -create: header, descriptor, names, data. The record gets
/// the ids of a stand-alone file (res_id 1, lev_id 0). Errors: those of stored_name, and more than
/// max_stored_keys keys.
[[nodiscard]] Result<Document> new_oni(Record record, std::string_view name);

/// Replaces the record of a .oni by one of another size and keeps every byte around it, except sizes and
/// offsets in the tables. Null if that is impossible: other instances share the record's bytes, the size
/// differs by other than whole keys, or there are more than max_stored_keys keys.
[[nodiscard]] std::optional<Document> resized(const Document& document, Record record);

}  // namespace animbridge::oban
