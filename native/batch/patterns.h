// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// The files that a pattern matches by the rules of shells, for shells that leave that to programs.
namespace animbridge::batch {

/// Whether the text contains *, ? or [.
[[nodiscard]] bool has_wildcard(std::string_view text);

/// Whether one name matches one part of a pattern: * is any text, ? one character, [a-c] one of several and
/// [!a-c] none of them.
[[nodiscard]] bool name_matches(std::string_view name, std::string_view pattern);

struct Matches {
    std::string base;  ///< the folder before the first part with a wildcard; "": the current one
    std::vector<std::string> paths;  ///< sorted by their parts
};

/// The pattern must be tidy. "**" matches any number of folders, including none. A name that begins with a
/// dot needs a part that does too. Links to folders are followed once.
[[nodiscard]] Matches matches_of(const std::string& pattern);

}  // namespace animbridge::batch
