// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/json.h"
#include "base/result.h"
#include "formats/oban/document.h"

namespace animbridge::oban {

/// Every bit of a record. Flags are listed by name, bits without a name as a number. A key is a row [time,
/// rotation x, y, z, w, position x, y, z].
[[nodiscard]] Json to_json(const Record& record);

/// `place`: path of the record in the document, for errors.
[[nodiscard]] Result<Record> record_from_json(const Json& json, const std::string& place);

/// The document in the form of docs/schemas/oban.schema.json; from_json(to_json(x)) == x. "layout" holds the
/// bytes around the record of a .oni, or "new" if new_oni would write the same.
[[nodiscard]] Json to_json(const Document& document);

/// ErrorCode::bad_value with the member's path, also if the layout of a .oni does not fit the record.
[[nodiscard]] Result<Document> from_json(const Json& json);

/// The names of the flags that are set, in the order of the bits.
[[nodiscard]] Json flag_names_json(std::uint32_t flags);
/// The bits for an array of names.
[[nodiscard]] Result<std::uint32_t> flags_from_json(const Json& json, const std::string& place);

[[nodiscard]] std::string_view name_of(Container container);
[[nodiscard]] Result<Container> container_from_json(const Json& json, const std::string& place);

/// The report of `info` on a file (docs/oban-format.md).
[[nodiscard]] Json info(const Document& document);

}  // namespace animbridge::oban
