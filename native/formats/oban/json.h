// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/json.h"
#include "base/result.h"
#include "formats/oban/document.h"

namespace animbridge::oban {

/// Every bit of a record: flags by their names, those without one as a number; a key is a row [time, rotation
/// x, y, z, w, position x, y, z].
[[nodiscard]] Json to_json(const Record& record);

/// `place` stands in front of the fields in errors ("record").
[[nodiscard]] Result<Record> record_from_json(const Json& json, const std::string& place);

/// docs/schemas/oban.schema.json. from_json(to_json(x)) == x. "layout" is what is around the record of a
/// .oni: "new" where it is as new_oni makes it, else the bytes.
[[nodiscard]] Json to_json(const Document& document);

/// ErrorCode::bad_value with the member's place, also for a .oni whose layout does not hold the record.
[[nodiscard]] Result<Document> from_json(const Json& json);

/// The names of the flags that are set and have one, in the order of the bits.
[[nodiscard]] Json flag_names_json(std::uint32_t flags);
/// The bits of an array of names.
[[nodiscard]] Result<std::uint32_t> flags_from_json(const Json& json, const std::string& place);

[[nodiscard]] std::string_view name_of(Container container);
[[nodiscard]] Result<Container> container_from_json(const Json& json, const std::string& place);

/// What `info` tells of a file: see docs/oban-format.md.
[[nodiscard]] Json info(const Document& document);

}  // namespace animbridge::oban
