// SPDX-License-Identifier: MIT
#include "convert/oban_files.h"

#include <array>
#include <set>

#include "base/text.h"
#include "convert/convert.h"
#include "convert/oban_document.h"
#include "formats/oban/change.h"
#include "formats/oban/oni.h"
#include "formats/oban/write.h"

namespace animbridge {

namespace {

/// Of all files together: they are made before any is written.
constexpr std::size_t most_bytes = 1'000'000'000;
/// File systems take no longer one.
constexpr std::size_t longest_file_name = 255;

constexpr std::array<std::string_view, 4> kind_names = {"oni", "xml", "raw", "json"};
constexpr std::array<std::string_view, 4> extensions = {".oni", ".xml", ".oban", ".json"};

Result<ObanFile> file_of(const oban::Level& level, std::size_t index, ObanFileKind kind) {
    auto document = oban::oban_in(level, index);
    if (!document) {
        return tl::unexpected<Error>(std::move(document.error()));
    }
    const std::string number = "#" + std::to_string(level.obans[index].instance);
    ObanFile file;
    file.name = document->name.empty() ? number : document->name;
    file.keys = document->record.keys.size();
    const std::string_view stored = level.obans[index].name;
    file.file_name =
        oban_file_name(stored.empty() ? std::string(oban::tag_name) + number : std::string(stored), kind);
    if (kind == ObanFileKind::json) {
        const std::string json = json_of(*make_document(std::move(*document)));
        file.bytes.assign(json.begin(), json.end());
        return file;
    }
    const auto container = kind == ObanFileKind::oni   ? oban::Container::oni
                           : kind == ObanFileKind::xml ? oban::Container::xml
                                                       : oban::Container::raw;
    auto changed = oban::in_container(*document, container, file.name);
    if (!changed) {
        changed.error().reason = "of " + without_controls(file.name) + ": " + changed.error().reason;
        return tl::unexpected<Error>(std::move(changed.error()));
    }
    file.left_behind = std::move(changed->left_behind);
    file.bytes = oban::write(changed->document);
    return file;
}

/// Which of the level's.
Result<std::vector<std::size_t>> chosen(const oban::Level& level, const std::vector<std::string>& names) {
    std::vector<std::size_t> indices;
    for (const std::string& name : names) {
        const auto index = oban::find_oban(level, name);
        if (!index) {
            return tl::unexpected<Error>(index.error());
        }
        indices.push_back(*index);
    }
    for (std::size_t i = 0; names.empty() && i < level.obans.size(); ++i) {
        if (level.obans[i].has_data) {
            indices.push_back(i);
        }
    }
    return indices;
}

Result<void> check_file(const ObanFile& file) {
    if (file.file_name.size() <= longest_file_name) {
        return {};
    }
    constexpr std::size_t longest_shown = 80;
    Error error{ErrorCode::invalid_argument,
                "found " + std::string(shortened(file.file_name, longest_shown)) + "..., a file name of " +
                    std::to_string(file.file_name.size()) + " bytes; allowed are " +
                    std::to_string(longest_file_name) + ": name the others"};
    error.field = "name";
    return tl::unexpected<Error>(std::move(error));
}

/// As a file system that knows no capitals sees it.
std::string in_lower_case(std::string text) {
    for (char& c : text) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return text;
}

}  // namespace

std::optional<ObanFileKind> oban_file_kind_named(std::string_view name) {
    for (std::size_t i = 0; i < kind_names.size(); ++i) {
        if (kind_names.at(i) == name) {
            return static_cast<ObanFileKind>(i);
        }
    }
    return std::nullopt;
}

std::string oban_file_name(std::string_view stored_name, ObanFileKind kind) {
    constexpr std::string_view hex = "0123456789ABCDEF";
    std::string file;
    for (const char c : stored_name) {
        const auto byte = static_cast<std::uint8_t>(c);
        if (byte < ' ' || byte > '~' || std::string_view("%\"*/:<>?\\|").find(c) != std::string_view::npos) {
            file += '%';
            file += hex[byte >> 4U];
            file += hex[byte & 15U];
        } else {
            file += c;
        }
    }
    return file.append(extensions.at(static_cast<std::size_t>(kind)));
}

Result<std::vector<ObanFile>> oban_files(const oban::Level& level, const std::vector<std::string>& names,
                                         ObanFileKind kind) {
    const auto indices = chosen(level, names);
    if (!indices) {
        return tl::unexpected<Error>(indices.error());
    }
    std::vector<ObanFile> files;
    std::set<std::string> taken;
    std::size_t bytes = 0;
    for (const std::size_t index : *indices) {
        auto file = file_of(level, index, kind);
        if (!file) {
            return tl::unexpected<Error>(std::move(file.error()));
        }
        if (!taken.insert(in_lower_case(file->file_name)).second) {
            const std::string numbered =
                std::string(level.obans[index].name) + "#" + std::to_string(level.obans[index].instance);
            file->file_name = oban_file_name(numbered, kind);
            if (!taken.insert(in_lower_case(file->file_name)).second) {
                continue;  // named twice by the caller
            }
        }
        if (auto may = check_file(*file); !may) {
            return tl::unexpected<Error>(std::move(may.error()));
        }
        // Thousands of duplicates may share one record: a small level could fill memory and disk.
        bytes += file->bytes.size();
        if (bytes > most_bytes) {
            return fail(ErrorCode::bad_value, "the OBANs' files take more than 1 GB; name some of them");
        }
        files.push_back(std::move(*file));
    }
    return files;
}

}  // namespace animbridge
