// SPDX-License-Identifier: MIT
#include "batch/plan/plan.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "formats/registry.h"

namespace animbridge::batch::plan {

namespace fs = std::filesystem;

namespace {

/// In addition to the extensions of formats: AnimBridge's documents, the viewer's cache, and Blender's files.
constexpr std::array<std::string_view, 3> more_extensions = {".json", ".animatn", ".blend"};

bool has_known_extension(const std::string& name) {
    const std::string lower = in_lower_case(name);
    const auto ends = [&](std::string_view extension) { return lower.ends_with(extension); };
    const auto rows = formats();
    return std::ranges::any_of(more_extensions, ends) || std::ranges::any_of(rows, [&](const Format& format) {
               return std::ranges::any_of(format.file.extensions, ends);
           });
}

/// Whether a file begins like those of a format that may have no extension.
bool begins_as_animation(const std::string& path) {
    std::array<char, 64> begin{};
    std::ifstream file(path_of(path), std::ios::binary);
    file.read(begin.data(), begin.size());
    const ByteView bytes = view_of({begin.data(), static_cast<std::size_t>(file.gcount())});
    const auto rows = formats();
    return std::ranges::any_of(
        rows, [&](const Format& format) { return format.file.has_bare_names && format.file.sniff(bytes); });
}

/// Whether a file in a folder is an input: by its extension or, if it has none, by its first bytes.
bool is_animation(const std::string& path, const std::string& name) {
    return suffix_of(name).empty() ? file_type_of(path).empty() && begins_as_animation(path)
                                   : has_known_extension(name);
}

/// Finds the inputs of one run.
class Finder {
public:
    explicit Finder(const Request& request) : request_(request), plan_(request.shard) {}

    void add_argument(const std::string& argument);
    void add_listed(const std::string& line);
    Plan take() { return std::move(plan_); }

private:
    void add(Input input);
    void add_once(Input input, const std::string& real);
    [[nodiscard]] bool add_named(const std::string& given, const std::string& folder);
    void add_all_in(const std::string& folder);
    void add_matches(const std::string& pattern);
    bool walk(const std::string& folder, const std::string& below, const Destination& destination);

    const Request& request_;
    Plan plan_;
    PathKeys only_named_;  ///< files of which only animations are inputs
    PathKeys named_;       ///< those animations
};

/// The entries of a folder, by name.
struct Entries {
    std::vector<fs::directory_entry> files;
    std::vector<std::string> folders;
    std::error_code problem;
};

Entries entries_of(const std::string& folder) {
    Entries found;
    fs::directory_iterator each(path_of(folder), found.problem);
    for (; !found.problem && each != fs::directory_iterator(); each.increment(found.problem)) {
        std::error_code ignored;
        if (!each->is_directory(ignored)) {
            found.files.push_back(*each);
        } else if (!each->is_symlink(ignored)) {
            found.folders.push_back(text_of_path(each->path().filename()));
        }
    }
    const auto by_path = [](const fs::directory_entry& a, const fs::directory_entry& b) {
        return a.path().native() < b.path().native();
    };
    std::ranges::sort(found.files, by_path);
    std::ranges::sort(found.folders);
    return found;
}

void Finder::add_once(Input input, const std::string& real) {
    const PathKey key = key_of(real);
    if (plan_.add_file(key) || only_named_.erase(key) > 0) {
        plan_.add(std::move(input));
    }
}

/// Adds one animation of a file: "walk.fbx#Run". Returns whether there is such a file.
bool Finder::add_named(const std::string& given, const std::string& folder) {
    NamedInput named = input_of(given);
    std::error_code problem;
    if (!named.animation || !fs::is_regular_file(path_of(named.path), problem)) {
        return false;
    }
    Input input{tidy_path(named.path), folder};
    input.animation = std::move(*named.animation);
    if (input.is_blend() || request_.target == blend_target) {
        input.fault =
            "a .blend file is converted with all its Actions, and gets all animations of a file: "
            "leave out the # and the name";
    }
    const std::string real = real_path(input.path);
    if (plan_.add_file(key_of(real))) {
        only_named_.insert(key_of(real));
    }
    // No path contains a NUL.
    if (named_.insert(key_of(real + '\0' + input.animation)).second) {
        plan_.add(std::move(input));
    }
    return true;
}

void Finder::add(Input input) {
    const std::string real = real_path(input.path);
    add_once(std::move(input), real);
}

std::string fault_of(const std::string& path) {
    const std::string type = file_type_of(path);
    return type.empty() ? "" : "it is " + type + ", and not a file";
}

/// Adds the animation files below a folder, without outputs. Links to folders are not followed. Returns
/// whether there were any.
bool Finder::walk(const std::string& folder, const std::string& below, const Destination& destination) {
    const std::string real_folder = real_path(folder);
    const Entries entries = entries_of(folder);
    bool has_any = false;
    for (const fs::directory_entry& entry : entries.files) {
        const std::string name = text_of_path(entry.path().filename());
        const std::string path = joined_path(folder, name);
        std::error_code ignored;
        const bool is_link = entry.is_symlink(ignored);
        if (!is_animation(path, name)) {
            continue;
        }
        const std::string real = is_link ? real_path(path) : joined_path(real_folder, name);
        if (!destination.holds(real, name)) {
            const bool is_file = !is_link && entry.is_regular_file(ignored);
            add_once({path, below, is_file ? "" : fault_of(path)}, real);
            has_any = true;
        }
    }
    for (const std::string& name : entries.folders) {
        if (!destination.holds_folder(joined_path(real_folder, name))) {
            has_any |= walk(joined_path(folder, name), joined_path(below, name), destination);
        }
    }
    if (entries.problem) {
        add({folder, below, "the folder cannot be read (" + entries.problem.message() + ")"});
        has_any = true;
    }
    return has_any;
}

void Finder::add_all_in(const std::string& folder) {
    const Destination destination(request_, folder);
    if (walk(folder, "", destination)) {
        return;
    }
    add({folder, "",
         destination.is_same()
             ? "the folder is also the output folder, so its ." + request_.target +
                   " files count as outputs; it has no other animation, .json or .blend file"
             : "the folder contains no animation, .json or .blend file"});
}

void Finder::add_matches(const std::string& pattern) {
    const Matches matches = matches_of(pattern);
    const Destination destination(request_, matches.base);
    const std::size_t base_size = matches.base.empty() ? 0 : joined_path(matches.base, "x").size() - 1;
    bool has_any = false;
    for (const std::string& match : matches.paths) {
        const std::string below = match.size() > base_size ? match.substr(base_size) : "";
        std::error_code ignored;
        if (fs::is_directory(path_of(match), ignored)) {
            has_any |= walk(match.empty() ? "." : match, below, destination);
        } else if (!destination.holds(real_path(match), std::string(name_in_path(match)))) {
            const std::size_t name = name_begin(below);
            add({match, below.substr(0, name == 0 ? 0 : name - 1), fault_of(match)});
            has_any = true;
        }
    }
    if (!has_any) {
        add({pattern, "",
             matches.paths.empty() ? "no file matches the pattern"
                                   : "the pattern matches nothing but outputs in " + request_.out +
                                         ", which are not converted again"});
    }
}

void Finder::add_argument(const std::string& argument) {
    const std::string path = tidy_path(argument);
    std::error_code problem;
    if (fs::is_directory(path_of(path), problem)) {
        add_all_in(path);
    } else if (fs::exists(fs::symlink_status(path_of(path), problem))) {
        add({path, "", fault_of(path)});
    } else if (add_named(argument, "")) {
        return;
    } else if (has_wildcard(argument)) {
        add_matches(path);
    } else {
        add({path, "", "there is no such file"});
    }
}

/// The folders before the file in a line of a list are kept, unless they lead elsewhere.
std::string listed_folder(const std::string& path) {
    const fs::path folder = path_of(path).parent_path();
    const bool leads_elsewhere = folder.has_root_path() || std::ranges::find(folder, "..") != folder.end();
    return leads_elsewhere ? "" : text_of_path(folder);
}

void Finder::add_listed(const std::string& line) {
    const std::string path = tidy_path(line);
    std::error_code problem;
    if (fs::is_directory(path_of(path), problem)) {
        add_all_in(path);
        return;
    }
    const bool exists = fs::exists(fs::symlink_status(path_of(path), problem));
    if (!exists && add_named(line, listed_folder(path))) {
        return;
    }
    add({path, listed_folder(path), exists ? fault_of(path) : "there is no such file"});
}

/// The paths in a list: separated by NULs if there is one, else one per line.
Result<void> add_list(const std::string& list, Finder& finder) {
    TRY(const Bytes bytes, list == "-" ? read_input_stream() : read_file(list));
    const std::string_view text = text_of(bytes);
    const char end = text.find('\0') == std::string_view::npos ? '\n' : '\0';
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t stop = std::min(text.find(end, at), text.size());
        std::string_view line = text.substr(at, stop - at);
        if (end == '\n' && line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        if (!line.empty()) {
            finder.add_listed(std::string(line));
        }
        at = stop + 1;
    }
    return {};
}

}  // namespace

Result<Plan> planned(const Request& request) {
    Finder finder(request);
    for (const std::string& argument : request.inputs) {
        finder.add_argument(argument);
    }
    for (const std::string& list : request.lists) {
        TRY_VOID(add_list(list, finder));
    }
    return finder.take();
}

Result<std::vector<Input>> files_in(const std::string& folder, const std::string& out) {
    if (!out.empty() && real_path(folder) == real_path(out)) {
        return fail(in_file({ErrorCode::invalid_argument,
                             "the outputs would replace the files that are read: choose another folder"},
                            out));
    }
    TRY(const Plan plan, planned({.inputs = {folder}, .out = out}));
    std::vector<Input> files;
    for (std::size_t i = 0; i < plan.size(); ++i) {
        Input input = plan.at(i);
        if (input.fault.empty() && !std::ranges::any_of(more_extensions, [&](std::string_view extension) {
                return in_lower_case(input.path).ends_with(extension);
            })) {
            files.push_back(std::move(input));
        }
    }
    if (files.empty()) {
        return fail(in_file(
            {ErrorCode::invalid_argument, "the folder contains no animation that can be read"}, folder));
    }
    return files;
}

}  // namespace animbridge::batch::plan
