// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// The files that a pattern matches, by the rules of shells: for shells that leave that to programs.
namespace animbridge::batch {

/// Whether the text has *, ? or [.
[[nodiscard]] bool has_wildcard(std::string_view text);

/// Whether one name matches one part of a pattern: * is any text, ? one character, [a-c] one of several and
/// [!a-c] none of them.
[[nodiscard]] bool name_matches(std::string_view name, std::string_view pattern);

struct Matches {
    std::string base;  ///< the folder before the first part with a wildcard; "": the current one
    std::vector<std::string> paths;  ///< sorted by their parts
};

/// The pattern is tidy. "**" stands for any folders, and for none. A name that begins with a dot needs a part
/// that does. Links to folders are followed once.
[[nodiscard]] Matches matches_of(const std::string& pattern);

}  // namespace animbridge::batch
