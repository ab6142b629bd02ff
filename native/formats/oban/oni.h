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
/// Characters of a name with its tag.
inline constexpr std::size_t max_name = 63;

/// The name as it is stored, with its tag ("OBAN" in front, where it is missing) and without NUL.
/// ErrorCode::invalid_argument ("name"): nothing but the tag, more than max_name characters, or one that is
/// no printable ASCII.
[[nodiscard]] Result<std::string> stored_name(std::string_view name);

/// The other way: without the tag, if it is there.
[[nodiscard]] std::string_view without_tag(std::string_view stored);

/// The name that OniSplit takes from a file's name: what is behind the last slash and before the last dot,
/// with %XX decoded; without tag.
[[nodiscard]] std::string name_of_file(std::string_view path);

/// The first OBAN with data of a VR32 container; every byte around its record goes to before and after.
[[nodiscard]] Result<Document> read_oni(ByteView file);

/// A new file: header, descriptor, names, data, byte for byte as OniSplit's -create writes it. The record
/// gets the ids of a stand-alone file (res_id 1, lev_id 0). Errors: those of stored_name; more than
/// max_stored_keys keys.
[[nodiscard]] Result<Document> new_oni(Record record, std::string_view name);

/// A .oni with a record of another size: every byte around it stays, but for the numbers of the tables that
/// tell sizes and places. nullopt where that cannot be: other instances have the record's bytes too, it grows
/// by other than whole keys, or it has more than max_stored_keys.
[[nodiscard]] std::optional<Document> resized(const Document& document, Record record);

}  // namespace animbridge::oban
