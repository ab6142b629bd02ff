// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_value.h"
#include "base/raw_float.h"
#include "base/result.h"
#include "base/text.h"

namespace animbridge {

/// The deepest nesting that is parsed; none of our documents comes near it.
inline constexpr int max_json_depth = 32;

/// Parses UTF-8 JSON. ErrorCode::bad_value with the byte offset if it is not JSON. If a key occurs more than
/// once, the last value wins. Time is linear (n log n in the keys of one object); memory is at most 16 times
/// the text. `steps`, for tests, counts stored values and compared keys.
[[nodiscard]] Result<Json> parse_json(std::string_view text, std::size_t* steps = nullptr);

/// Prints with an indent of two, ending in a newline. An array or object without nested containers stays on
/// one line. Bytes that are not UTF-8 become U+FFFD; use json_text to keep them.
[[nodiscard]] std::string print_json(const Json& value);

/// Arbitrary bytes as JSON, and back: a JSON string if they are UTF-8, else {"hex": "..."}.
[[nodiscard]] Json json_text(std::string_view text);
[[nodiscard]] Result<std::string> text_from_json(const Json& value, std::string_view field);

/// Texts as a JSON array.
[[nodiscard]] Json texts_json(const std::vector<std::string>& texts);

/// A float: the shortest decimal that reads back to it, or {"bits": "7fc00000"} if it is not finite.
[[nodiscard]] Json json_float(RawFloat value);
[[nodiscard]] Result<RawFloat> float_from_json(const Json& value, std::string_view field);

/// Bytes as lower-case hexadecimal digits, and back.
[[nodiscard]] std::string hex_of(std::string_view bytes);
[[nodiscard]] Result<std::string> bytes_from_hex(std::string_view hex, std::string_view field);

/// ErrorCode::bad_value about `field`, with the value found and what is allowed.
[[nodiscard]] tl::unexpected<Error> json_fail(std::string_view field, const Json& found,
                                              std::string_view allowed);

/// The member `key` of an object. ErrorCode::bad_value if `object` is not an object or lacks the member.
[[nodiscard]] Result<const Json*> json_member(const Json& object, const char* key);

/// A finite number; ErrorCode::bad_value otherwise.
[[nodiscard]] Result<double> number_from_json(const Json& value, std::string_view field);

/// An integer within [low, high]; ErrorCode::bad_value otherwise.
[[nodiscard]] Result<std::int64_t> integer_from_json(const Json& value, std::int64_t low, std::int64_t high,
                                                     std::string_view field);

}  // namespace animbridge
