// SPDX-License-Identifier: MIT
#include "batch/plan/plan.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <span>

namespace animbridge::batch::plan {

namespace fs = std::filesystem;

namespace {

/// The dot before the suffix; npos: there is none.
std::size_t dot_in(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    return dot == 0 || dot == std::string_view::npos || dot + 1 == name.size() ? std::string_view::npos : dot;
}

std::string of_no_file(const std::string& path, std::error_code problem) {
    std::error_code ignored;
    if (!fs::is_symlink(path_of(path), ignored)) {
        return "unreadable (" + problem.message() + ")";
    }
    if (problem == std::errc::too_many_symbolic_link_levels) {
        return "a symbolic link that leads back to itself";
    }
    return "a symbolic link that leads nowhere (" + text_of_path(fs::read_symlink(path_of(path), ignored)) +
           ")";
}

}  // namespace

std::string tidy_path(std::string_view path) {
    const fs::path given = path_of(path);
    fs::path tidy = given.root_path();
    for (const fs::path& part : given.relative_path()) {
        if (!part.empty() && part != ".") {
            tidy /= part;
        }
    }
    return tidy.empty() ? "." : text_of_path(tidy.make_preferred());
}

std::string with_slashes(std::string path) {
    if constexpr (preferred_separator != '/') {
        std::ranges::replace(path, preferred_separator, '/');
    }
    return path;
}

std::string_view suffix_of(std::string_view name) {
    const std::size_t dot = dot_in(name);
    return dot == std::string_view::npos ? std::string_view() : name.substr(dot);
}

std::string_view stem_of(std::string_view name) { return name.substr(0, dot_in(name)); }

std::string real_path(const std::string& path) {
    std::error_code problem;
    const fs::path real = fs::weakly_canonical(fs::absolute(path_of(path), problem), problem);
    return text_of_path(problem ? fs::absolute(path_of(path), problem).lexically_normal() : real);
}

bool is_in_folder(std::string_view real, std::string_view folder) {
    return real.starts_with(folder) && (real.size() == folder.size() ||
                                        path_separators.find(real[folder.size()]) != std::string_view::npos ||
                                        path_separators.find(folder.back()) != std::string_view::npos);
}

std::string file_type_of(const std::string& path) {
    std::error_code problem;
    const fs::file_status status = fs::status(path_of(path), problem);
    switch (status.type()) {
        case fs::file_type::regular:
            return "";
        case fs::file_type::directory:
            return "a folder";
        case fs::file_type::fifo:
            return "a named pipe (FIFO)";
        case fs::file_type::socket:
            return "a socket";
        case fs::file_type::character:
        case fs::file_type::block:
            return "a device";
        default:
            return of_no_file(path,
                              problem ? problem : make_error_code(std::errc::no_such_file_or_directory));
    }
}

PathKey key_of(std::string_view path) {
    const Sha256 digest = sha256(view_of(path));
    PathKey key{};
    std::memcpy(key.data(), digest.data(), sizeof key);
    return key;
}

namespace {

using Parts = std::vector<std::string>;

Parts parts_of(const std::string& path) {
    Parts parts;
    for (const fs::path& part : path_of(path)) {
        parts.push_back(text_of_path(part));
    }
    return parts;
}

bool is_link_to_folder(const fs::directory_entry& entry) {
    std::error_code ignored;
    return entry.is_symlink(ignored) && entry.is_directory(ignored);
}

/// The bytes of the first character; one if it is not UTF-8.
std::size_t character_size(std::string_view text) {
    for (std::size_t size = 1; size <= std::min<std::size_t>(4, text.size()); ++size) {
        if (is_utf8(text.substr(0, size))) {
            return size;
        }
    }
    return 1;
}

/// A set at the beginning of a pattern: its size, and whether it has the character. Size 0: it has no "]".
struct Set {
    std::size_t size = 0;
    bool has = false;
};

Set set_at(std::string_view pattern, std::string_view character) {
    const bool is_negated = pattern.size() > 1 && pattern[1] == '!';
    const std::size_t first = is_negated ? 2 : 1;
    const std::size_t end = pattern.find(']', first + 1);
    if (end == std::string_view::npos) {
        return {};
    }
    bool has = false;
    for (std::string_view rest = pattern.substr(first, end - first); !rest.empty();) {
        const std::string_view low = rest.substr(0, character_size(rest));
        rest.remove_prefix(low.size());
        std::string_view high = low;
        if (rest.size() > 1 && rest.front() == '-') {
            high = rest.substr(1, character_size(rest.substr(1)));
            rest.remove_prefix(1 + high.size());
        }
        // UTF-8 sorts in the order of its characters.
        has = has || (low <= character && character <= high);
    }
    return {end + 1, has != is_negated};
}

/// How much of the pattern matches this character: 0 if its beginning does not match.
std::size_t match_one(std::string_view pattern, std::string_view character) {
    if (pattern.empty()) {
        return 0;
    }
    if (pattern.front() == '?') {
        return 1;
    }
    if (pattern.front() == '[') {
        if (const Set set = set_at(pattern, character); set.size != 0) {
            return set.has ? set.size : 0;
        }
    }
    return pattern.starts_with(character) ? character.size() : 0;
}

bool is_hidden_from(std::string_view name, std::string_view pattern) {
    return name.starts_with('.') && !pattern.starts_with('.');
}

/// Whether the parts of a path match those of a pattern with "**".
bool fits(std::span<const std::string> names, std::span<const std::string> pattern) {
    if (pattern.empty()) {
        return names.empty();
    }
    if (pattern.front() == "**") {
        return fits(names, pattern.subspan(1)) ||
               (!names.empty() && !names.front().starts_with('.') && fits(names.subspan(1), pattern));
    }
    return !names.empty() && !is_hidden_from(names.front(), pattern.front()) &&
           name_matches(names.front(), pattern.front()) && fits(names.subspan(1), pattern.subspan(1));
}

/// Adds what matches the rest of a pattern without "**" below a folder.
void add_matches(const std::string& folder, std::span<const std::string> pattern,
                 std::vector<std::string>& found) {
    std::error_code problem;
    if (pattern.empty()) {
        found.push_back(folder);
        return;
    }
    if (!has_wildcard(pattern.front())) {
        const std::string path = joined_path(folder, pattern.front());
        if (fs::exists(fs::symlink_status(path_of(path), problem))) {
            add_matches(path, pattern.subspan(1), found);
        }
        return;
    }
    fs::directory_iterator entries(path_of(folder.empty() ? "." : folder), problem);
    for (; !problem && entries != fs::directory_iterator(); entries.increment(problem)) {
        const std::string name = text_of_path(entries->path().filename());
        if (!is_hidden_from(name, pattern.front()) && name_matches(name, pattern.front())) {
            add_matches(joined_path(folder, name), pattern.subspan(1), found);
        }
    }
}

/// Everything below a folder, as the parts of its path from there. A linked folder is entered once, and not
/// at all if it is in this one or contains it, so that cycles of links end.
class Below {
public:
    explicit Below(const std::string& base) : base_(base), top_(real_path(base.empty() ? "." : base)) {}

    void add_fitting(std::span<const std::string> pattern, std::vector<std::string>& found) {
        pattern_ = pattern;
        found_ = &found;
        Parts parts;
        look_at(base_, parts);
        enter(base_, parts);
    }

private:
    void look_at(const std::string& path, const Parts& parts) {
        if (fits(parts, pattern_)) {
            found_->push_back(path);
        }
    }

    void enter(const std::string& folder, Parts& parts) {
        std::error_code problem;
        std::vector<std::string> folders;
        fs::directory_iterator entries(path_of(folder.empty() ? "." : folder), problem);
        for (; !problem && entries != fs::directory_iterator(); entries.increment(problem)) {
            const std::string name = text_of_path(entries->path().filename());
            const std::string path = joined_path(folder, name);
            parts.push_back(name);
            look_at(path, parts);
            parts.pop_back();
            std::error_code ignored;
            if (is_link_to_folder(*entries) ? is_new(path) : entries->is_directory(ignored)) {
                folders.push_back(name);
            }
        }
        std::ranges::sort(folders);
        for (const std::string& name : folders) {
            parts.push_back(name);
            enter(joined_path(folder, name), parts);
            parts.pop_back();
        }
    }

    bool is_new(const std::string& link) {
        const std::string real = real_path(link);
        return !is_in_folder(real, top_) && !is_in_folder(top_, real) && entered_.insert(real).second;
    }

    std::string base_;
    std::string top_;
    std::span<const std::string> pattern_{};
    std::vector<std::string>* found_ = nullptr;
    std::set<std::string> entered_{};
};

}  // namespace

bool has_wildcard(std::string_view text) { return text.find_first_of("*?[") != std::string_view::npos; }

bool name_matches(std::string_view name, std::string_view pattern) {
    // After a mismatch, the last * matches one more character.
    bool has_star = false;
    std::string_view name_after_star;
    std::string_view pattern_after_star;
    while (!name.empty()) {
        if (pattern.starts_with('*')) {
            pattern.remove_prefix(1);
            has_star = true;
            name_after_star = name;
            pattern_after_star = pattern;
            continue;
        }
        const std::string_view character = name.substr(0, character_size(name));
        if (const std::size_t used = match_one(pattern, character); used != 0) {
            pattern.remove_prefix(used);
            name.remove_prefix(character.size());
        } else if (has_star) {
            name_after_star.remove_prefix(character_size(name_after_star));
            name = name_after_star;
            pattern = pattern_after_star;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*') == std::string_view::npos;
}

Matches matches_of(const std::string& pattern) {
    const Parts parts = parts_of(pattern);
    const std::size_t last = parts.size() - 1;
    std::size_t fixed = 0;
    Matches matches;
    while (fixed < last && !has_wildcard(parts[fixed])) {
        matches.base = joined_path(matches.base, parts[fixed++]);
    }
    const std::span<const std::string> rest = std::span(parts).subspan(fixed);
    if (std::ranges::find(rest, "**") != rest.end()) {
        Below(matches.base).add_fitting(rest, matches.paths);
    } else {
        add_matches(matches.base, rest, matches.paths);
    }
    std::ranges::sort(matches.paths,
                      [](const std::string& a, const std::string& b) { return parts_of(a) < parts_of(b); });
    return matches;
}

}  // namespace animbridge::batch::plan
