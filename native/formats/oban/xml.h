// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "formats/oban/document.h"

/// Reads and writes OniSplit's XML (docs/oban-format.md, OniSplit's XML). It holds less than a record: no
/// ids, no padding, and not the bits of NaNs.
namespace animbridge::oban {

/// Larger files are refused before parsing; 32,767 keys take 10 MB.
inline constexpr std::size_t max_xml_bytes = std::size_t{32} << 20U;
/// Texts with more tags (and comments) are refused too.
inline constexpr std::size_t max_xml_tags = 1'000'000;
/// So are texts whose parsed tree could be larger than this multiple of the text and than
/// always_allowed_xml_tree. A tag counts 128 bytes, an equals sign 40. Keys written as tightly as possible
/// make 10 times their text.
inline constexpr std::size_t max_xml_growth = 13;
inline constexpr std::size_t always_allowed_xml_tree = std::size_t{512} << 10U;

/// Whether the bytes begin like XML, after a byte order mark and blanks.
[[nodiscard]] bool looks_like_xml(ByteView bytes);

/// A Document of Container::xml; only the older form has a name. Elements are read by position, as in
/// OniSplit. More than max_keys keys are refused. An error gives the line and column (in bytes) and the byte
/// where the element begins, and the field's name in the XML.
[[nodiscard]] Result<Document> read_xml(ByteView bytes);

/// With a byte order mark, four spaces per level, LF, and no newline at the end. OniSplit and read_xml refuse
/// the result if the record has more than max_keys keys.
[[nodiscard]] Bytes write_xml(const Record& record);

/// The parts of a record that XML cannot hold: "res_id", "lev_id", "padding", "nan_payload", "tail".
[[nodiscard]] std::vector<std::string_view> left_out_of_xml(const Record& record);

}  // namespace animbridge::oban
