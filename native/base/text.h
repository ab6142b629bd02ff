// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace animbridge {

[[nodiscard]] bool is_utf8(std::string_view text);

/// For messages: every byte that is no part of UTF-8 becomes U+FFFD.
[[nodiscard]] std::string to_utf8(std::string_view text);

/// For people: the one function through which text of a file, or the name of one, reaches a terminal or a
/// message. Control characters become \xNN (below 0x20, and 0x7F) or \uNNNN (U+0080 to U+009F, line
/// separators, and what turns the direction of writing), and bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string without_controls(std::string_view text);

/// For messages: "a, b, c and 17 more", no more than `most` names and none longer than 60 bytes.
[[nodiscard]] std::string some_of(const std::vector<std::string>& names, std::size_t most = 6);

/// The longest beginning of at most `most_bytes` that cuts no character.
[[nodiscard]] std::string_view shortened(std::string_view text, std::size_t most_bytes);

}  // namespace animbridge
