// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace animbridge {

[[nodiscard]] bool is_utf8(std::string_view text);

/// For messages: every byte that is not part of valid UTF-8 becomes U+FFFD.
[[nodiscard]] std::string to_utf8(std::string_view text);

/// For people: all text from a file, and every file name, goes through this function on its way to a terminal
/// or a message. Control characters become \xNN (below 0x20, and 0x7F) or \uNNNN (U+0080 to U+009F, line
/// separators, and characters that change the writing direction). Bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string without_controls(std::string_view text);

/// For messages: "a, b, c and 17 more", with at most `most` names of at most 60 bytes each.
[[nodiscard]] std::string some_of(const std::vector<std::string>& names, std::size_t most = 6);

/// A to Z as a to z, and no other byte: as many file systems compare names.
[[nodiscard]] constexpr char in_lower_case(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
[[nodiscard]] std::string in_lower_case(std::string text);
/// Whether they are the same in lower case.
[[nodiscard]] bool same_letters(std::string_view a, std::string_view b);

/// "1 joint", "2 joints".
[[nodiscard]] std::string counted(std::uint64_t number, std::string_view noun);

/// The longest prefix of at most `most_bytes` that does not split a character.
[[nodiscard]] std::string_view shortened(std::string_view text, std::size_t most_bytes);

/// The text as a finite decimal number, or as a whole one; nullopt if it is not one. A sign may be a plus.
[[nodiscard]] std::optional<double> decimal_number(std::string_view text);
[[nodiscard]] std::optional<std::int64_t> whole_number(std::string_view text);

}  // namespace animbridge
