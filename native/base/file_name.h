// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace animbridge {

/// What a file system takes for one name, in bytes.
inline constexpr std::size_t longest_file_name = 255;
/// Kept free for what a program puts after a name while it writes, such as ".XXXXXX".
inline constexpr std::size_t neighbour_bytes = 7;
/// Longer endings than these leave no room for a name.
inline constexpr std::size_t longest_ending = 64;

/// Any words as a file name without its `ending` (a number, an extension, or both). Every output that is
/// named after what stands in a file gets its name here, so that no file decides where it is written.
///
/// The result is UTF-8, never empty, one name and no path, and a name on Windows too: no control character,
/// none of <>:"/\|?*, no device (CON, COM1.x), no dot or blank at either end. What cannot stay becomes "_",
/// and a name with nothing left is "animation". With the ending and a neighbour's suffix it fits a file
/// system; a longer name is cut between two characters. A name that is fine stays as it is.
[[nodiscard]] std::string file_stem(std::string_view words, std::string_view ending);

}  // namespace animbridge
