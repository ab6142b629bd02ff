// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/json_value.h"
#include "base/raw_float.h"
#include "base/result.h"
#include "base/text.h"

namespace animbridge {

/// Deeper nesting than this is no document of ours.
inline constexpr int max_json_depth = 32;

/// Parses UTF-8 JSON; an ErrorCode::bad_value with the byte offset otherwise. Of members with the same key
/// the last one counts. Time is linear (n log n in the keys of one object), memory at most 16 times the text.
/// `steps`, for tests: how often a value was put somewhere or a key compared.
[[nodiscard]] Result<Json> parse_json(std::string_view text, std::size_t* steps = nullptr);

/// Indented by two blanks; an array or object without containers inside stays on one line. Ends with a
/// newline. Bytes that are not UTF-8 become U+FFFD: lossless text goes through json_text.
[[nodiscard]] std::string print_json(const Json& value);

/// Text that may hold any bytes: a JSON string when it is UTF-8, else {"hex": "..."}.
[[nodiscard]] Json json_text(std::string_view text);
[[nodiscard]] Result<std::string> text_from_json(const Json& value, std::string_view field);

/// A float by value: the shortest decimal number that reads back to it, or {"bits": "7fc00000"} where it is
/// not finite.
[[nodiscard]] Json json_float(RawFloat value);
[[nodiscard]] Result<RawFloat> float_from_json(const Json& value, std::string_view field);

/// Bytes as lower-case hexadecimal digits.
[[nodiscard]] std::string hex_of(std::string_view bytes);
[[nodiscard]] Result<std::string> bytes_from_hex(std::string_view hex, std::string_view field);

/// An ErrorCode::bad_value about a field of a JSON document.
[[nodiscard]] tl::unexpected<Error> json_fail(std::string_view field, const Json& found,
                                              std::string_view allowed);

/// The member `key` of an object; an error when `object` is none or has no such member.
[[nodiscard]] Result<const Json*> json_member(const Json& object, const char* key);

/// An integer within [low, high].
[[nodiscard]] Result<std::int64_t> integer_from_json(const Json& value, std::int64_t low, std::int64_t high,
                                                     std::string_view field);

}  // namespace animbridge
