// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace animbridge {

/// The longest file name that common file systems allow, in bytes.
inline constexpr std::size_t longest_file_name = 255;
/// Reserved for the suffix that a program adds while it writes, such as ".XXXXXX".
inline constexpr std::size_t neighbour_bytes = 7;
/// The longest ending, in bytes, that is considered: a longer one would leave no room for the name.
inline constexpr std::size_t longest_ending = 64;

/// Turns any text into a file name without its `ending` (a number, an extension, or both). Every output that
/// is named after text in a file gets its name here, so that no file can decide where it is written.
///
/// The result is UTF-8, not empty, a name rather than a path, and valid on Windows too: no control
/// characters, none of <>:"/\|?*, no device (CON, COM1.x), no dot or space at either end. "_" replaces each
/// character that is not allowed, and "animation" a name with nothing left. The name fits the file system
/// together with its ending and a temporary suffix; a longer one is cut between two characters. A valid name
/// stays unchanged.
[[nodiscard]] std::string file_stem(std::string_view words, std::string_view ending);

/// In lower case, with the dot; "" if the last part of the path has none.
[[nodiscard]] std::string extension_of(std::string_view path);

}  // namespace animbridge
