// SPDX-License-Identifier: MIT
#include "formats/oban/level/level.h"

#include <array>
#include <set>

#include "base/files/files.h"
#include "formats/oban/edit/edit.h"
#include "model/findings/findings.h"

namespace animbridge::oban::level {

namespace {

/// The limit for all files together: they are all in memory before any is written.
constexpr std::size_t most_bytes = 1'000'000'000;

constexpr std::array<std::string_view, 4> kind_names = {"oni", "xml", "raw", "json"};
constexpr std::array<std::string_view, 4> file_extensions = {".oni", ".xml", ".oban", ".json"};

Result<ExtractedFile> file_of(const Level& level, std::size_t index, FileKind kind) {
    TRY(auto document, oban_in(level, index));
    const std::string number = "#" + std::to_string(level.obans[index].instance);
    ExtractedFile file;
    file.name = document.name.empty() ? number : document.name;
    file.keys = document.record.keys.size();
    if (kind == FileKind::json) {
        const std::string json = print_json(file::to_json(document));
        file.bytes.assign(json.begin(), json.end());
        return file;
    }
    const auto container = kind == FileKind::oni   ? file::Container::oni
                           : kind == FileKind::xml ? file::Container::xml
                                                   : file::Container::raw;
    auto changed = edit::in_container(document, container, file.name);
    if (!changed) {
        // The level is at fault here, not the caller, so report this like a direct conversion.
        changed.error().code = ErrorCode::bad_value;
        changed.error().reason = "of " + without_controls(file.name) + ": " + changed.error().reason;
        return tl::unexpected<Error>(std::move(changed.error()));
    }
    file.left_behind = std::move(changed->left_behind);
    file.bytes = file::write(changed->document);
    return file;
}

/// The indices of the named OBANs, each once; those of all with data if no names are given.
Result<std::vector<std::size_t>> chosen(const Level& level, const std::vector<std::string>& names) {
    std::vector<std::size_t> indices;
    std::set<std::size_t> known;
    for (const std::string& name : names) {
        TRY(const auto index, find_oban(level, name));
        if (known.insert(index).second) {
            indices.push_back(index);
        }
    }
    for (std::size_t i = 0; names.empty() && i < level.obans.size(); ++i) {
        if (level.obans[i].has_data) {
            indices.push_back(i);
        }
    }
    return indices;
}

std::string_view extension_of(FileKind kind) { return file_extensions.at(static_cast<std::size_t>(kind)); }

/// Writes characters that no file name can hold, and those outside ASCII, as %XX.
std::string escaped(std::string_view name) {
    constexpr std::string_view hex = "0123456789ABCDEF";
    std::string text;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto byte = static_cast<std::uint8_t>(name[i]);
        const bool is_at_end = i == 0 || i + 1 == name.size();
        const std::string_view forbidden = is_at_end ? "%\"*/:<>?\\| ." : "%\"*/:<>?\\|";
        if (byte < ' ' || byte > '~' || forbidden.find(name[i]) != std::string_view::npos) {
            text += '%';
            text += hex[byte >> 4U];
            text += hex[byte & 15U];
        } else {
            text += name[i];
        }
    }
    return text;
}

/// The escaped name with its ending; does not cut a %XX in two.
std::string file_name_of(std::string_view name, const std::string& ending) {
    const std::string whole = escaped(name);
    std::string stem = file_stem(whole, ending);
    const std::size_t percent = stem.rfind('%');
    if (stem.size() < whole.size() && percent != std::string::npos && percent + 3 > stem.size()) {
        stem.resize(percent);
    }
    return stem + ending;
}

/// A file name that no other file has, even if case is ignored.
std::string free_file_name(const LevelOban& oban, FileKind kind, std::set<std::string>& taken) {
    const std::string extension(extension_of(kind));
    const std::string number = "#" + std::to_string(oban.instance);
    const std::string name =
        oban.name.empty() ? std::string(file::tag_name) + number : std::string(oban.name);
    std::string file_name = file_name_of(name, extension);
    for (std::size_t next = 1; !taken.insert(in_lower_case(file_name)).second; ++next) {
        const std::string again = next == 1 ? "" : "_" + std::to_string(next);
        file_name = file_name_of(name, std::string(number).append(again).append(extension));
    }
    return file_name;
}

}  // namespace

std::optional<FileKind> file_kind_named(std::string_view name) {
    return value_named<FileKind>(kind_names, name);
}

Result<std::vector<ExtractedFile>> extract_files(const Level& level, const std::vector<std::string>& names,
                                                 FileKind kind) {
    TRY(const auto indices, chosen(level, names));
    std::vector<ExtractedFile> files;
    std::set<std::string> taken;
    std::size_t bytes = 0;
    for (const std::size_t index : indices) {
        TRY(auto file, file_of(level, index, kind));
        file.file_name = free_file_name(level.obans[index], kind, taken);
        // Thousands of duplicates may share one record, so a small level could fill memory and disk.
        bytes += file.bytes.size();
        if (bytes > most_bytes) {
            return fail(ErrorCode::bad_value, "the OBANs' files take more than 1 GB; name some of them");
        }
        files.push_back(std::move(file));
    }
    return files;
}

}  // namespace animbridge::oban::level
