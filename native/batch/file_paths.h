// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

/// Paths of inputs and outputs: UTF-8, with the separators of the system.
namespace animbridge::batch {

/// Removes parts that are empty or "."; keeps "..". Returns "." if nothing is left.
[[nodiscard]] std::string tidy_path(std::string_view path);

/// The path of an input or output below its folder in the form of ledgers: with "/" on every system.
[[nodiscard]] std::string with_slashes(std::string path);

/// The text from the last dot of a name, unless the name begins or ends with that dot; else "".
[[nodiscard]] std::string_view suffix_of(std::string_view name);
/// The name without its suffix.
[[nodiscard]] std::string_view stem_of(std::string_view name);

/// The absolute path with all links followed, as far as it exists. It is equal for all paths to the same
/// file.
[[nodiscard]] std::string real_path(const std::string& path);

/// Whether a real path is the folder, or below it.
[[nodiscard]] bool is_in_folder(std::string_view real, std::string_view folder);

/// What a path leads to if it is not a file, such as "a folder"; "" for a file.
[[nodiscard]] std::string file_type_of(const std::string& path);

/// Stands for a path where millions are remembered: the first half of its SHA-256.
using PathKey = std::array<std::uint64_t, 2>;
[[nodiscard]] PathKey key_of(std::string_view path);

struct PathKeyHash {
    std::size_t operator()(const PathKey& key) const { return static_cast<std::size_t>(key[0]); }
};
using PathKeys = std::unordered_set<PathKey, PathKeyHash>;
template <typename Value>
using PathMap = std::unordered_map<PathKey, Value, PathKeyHash>;

}  // namespace animbridge::batch
