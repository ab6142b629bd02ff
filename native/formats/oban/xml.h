// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "formats/oban/document.h"

/// OniSplit's XML, both ways (docs/oban-format.md, OniSplit's XML). It carries less than a record: no ids, no
/// padding, of a NaN not its bits.
namespace animbridge::oban {

/// Larger ones are refused before they are parsed; 32,767 keys take 10 MB.
inline constexpr std::size_t max_xml_bytes = std::size_t{32} << 20U;
/// More tags (and comments) than this neither.
inline constexpr std::size_t max_xml_tags = 1'000'000;
/// Nor so many that the parsed tree could be larger than this many times the text, and than this: a tag
/// counts 128 bytes, an equals sign 40. A key without a blank or a number to spare makes 10 times its text.
inline constexpr std::size_t max_xml_growth = 13;
inline constexpr std::size_t always_allowed_xml_tree = std::size_t{512} << 10U;

/// Whether it begins as XML does, behind a byte order mark and blanks.
[[nodiscard]] bool looks_like_xml(ByteView bytes);

/// A Document of Container::xml; the name only where the older form has one. Elements are read by position,
/// as OniSplit reads them; more keys than max_keys are refused. An error names the line and column (in bytes)
/// where the element begins, its byte, and the field as the XML does.
[[nodiscard]] Result<Document> read_xml(ByteView bytes);

/// With a byte order mark, four blanks a level, LF, and no newline at the end. Of a record with more keys
/// than max_keys neither OniSplit nor read_xml would take it.
[[nodiscard]] Bytes write_xml(const Record& record);

/// What of a record its XML does not carry: "res_id", "lev_id", "padding", "nan_payload", "tail".
[[nodiscard]] std::vector<std::string_view> left_out_of_xml(const Record& record);

}  // namespace animbridge::oban
