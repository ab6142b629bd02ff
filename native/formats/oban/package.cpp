// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <limits>

#include "formats/oban/level.h"
#include "formats/oban/oni.h"
#include "formats/oban/record.h"

namespace animbridge::oban {

namespace {

constexpr std::uint32_t template_checksum = 0x004e0c24;  // of OBAN's template; the upper half is 0
constexpr std::size_t empty_part_bytes = 32;
constexpr std::size_t number_at_character = 5;  // after "level"

using NamedRecord = std::pair<std::string, Record>;

tl::unexpected<Error> fail_package(std::string reason, ErrorCode code = ErrorCode::invalid_argument) {
    Error error{code, std::move(reason)};
    error.field = "name";
    return tl::unexpected<Error>(std::move(error));
}

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c > 0 && c <= '~'; });
}

/// Replaces names by their stored form, and sorts by them.
Result<void> put_in_order(std::vector<NamedRecord>& obans) {
    for (auto& [name, record] : obans) {
        TRY(auto stored, stored_name(name));
        name = std::move(stored);
        if (record.keys.size() > max_stored_keys) {
            return fail_package(name + " has " + std::to_string(record.keys.size()) + " keys; allowed are " +
                                    std::to_string(max_stored_keys),
                                ErrorCode::bad_value);
        }
    }
    const auto by_name = [](const NamedRecord& a, const NamedRecord& b) { return a.first < b.first; };
    std::sort(obans.begin(), obans.end(), by_name);
    const auto twice = std::adjacent_find(obans.begin(), obans.end(),
                                          [](const auto& a, const auto& b) { return a.first == b.first; });
    if (twice != obans.end()) {
        return fail_package("found " + twice->first + " twice; allowed is each name once");
    }
    return {};
}

/// The game's hash: each letter's number in the alphabet, ignoring case, times its position in the word.
std::uint32_t suffix_hash(std::string_view suffix) {
    if (suffix == "Final") {
        return 0;
    }
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < suffix.size(); ++i) {
        const char c = suffix[i];
        const int upper = c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
        sum += static_cast<std::uint32_t>(upper - 64) * static_cast<std::uint32_t>(i + 1);
    }
    return sum & 0xffffffU;
}

/// The parts to write; the name and data blocks grow with the instances.
struct Parts {
    ContainerTables tables{};
    Bytes data{};
    Bytes names{};
};

void add_instance(Parts& parts, const NamedRecord& oban, std::uint32_t lev_id) {
    const auto index = static_cast<std::uint32_t>(parts.tables.instances.size());
    const std::size_t start = parts.data.size();
    const Bytes written = write_record(oban.second);
    parts.data.insert(parts.data.end(), written.begin(), written.end());
    const std::uint32_t res_id = index << 8U | 1U;
    std::memcpy(parts.data.data() + start, &res_id, sizeof res_id);
    std::memcpy(parts.data.data() + start + sizeof res_id, &lev_id, sizeof lev_id);
    parts.tables.instances.push_back({oban_tag, static_cast<std::uint32_t>(start + pre_header_bytes),
                                      static_cast<std::uint32_t>(parts.names.size()),
                                      static_cast<std::uint32_t>(written.size()), 0});
    parts.tables.names.push_back({index, 0});
    parts.names.insert(parts.names.end(), oban.first.begin(), oban.first.end());
    parts.names.push_back(0);
}

Bytes file_of(Parts parts, Platform platform) {
    ContainerTables& tables = parts.tables;
    const auto count = static_cast<std::uint32_t>(tables.instances.size());
    if (count > 0) {
        tables.templates.push_back({template_checksum, 0, oban_tag, count});
    }
    const std::size_t tables_end = sizeof(ContainerHeader) + count * sizeof(Instance) +
                                   count * sizeof(NameDescriptor) +
                                   tables.templates.size() * sizeof(TemplateDescriptor);
    ContainerHeader& header = tables.header;
    header.checksum = platform == Platform::mac ? mac_checksum : pc_checksum;
    header.version = level_version;
    header.instance_count = header.name_count = count;
    header.template_count = static_cast<std::uint32_t>(tables.templates.size());
    header.data_offset = static_cast<std::uint32_t>(aligned(tables_end));
    header.data_size = static_cast<std::uint32_t>(parts.data.size());
    header.name_offset = static_cast<std::uint32_t>(aligned(header.data_offset + parts.data.size()));
    header.name_size = static_cast<std::uint32_t>(parts.names.size());
    Bytes file = write_tables(tables);
    file.resize(header.data_offset);
    file.insert(file.end(), parts.data.begin(), parts.data.end());
    file.resize(header.name_offset);
    file.insert(file.end(), parts.names.begin(), parts.names.end());
    return file;
}

}  // namespace

std::uint32_t level_id(std::string_view base_name) {
    if (base_name.size() <= number_at_character) {
        return 0;
    }
    const std::string_view rest = base_name.substr(number_at_character);
    const std::size_t underscore = rest.find('_');
    if (underscore == std::string_view::npos) {
        return 1;
    }
    std::uint32_t level = 0;  // the id has no room for its upper bits
    for (const char c : rest.substr(0, underscore)) {
        if (c < '0' || c > '9') {
            level = 0;
            break;
        }
        level = level * 10 + static_cast<std::uint32_t>(c - '0');
    }
    return (level << 24U | suffix_hash(rest.substr(underscore + 1))) << 1U | 1U;
}

Result<Package> new_package(std::vector<NamedRecord> obans, std::string_view base_name, Platform platform) {
    if (base_name.empty() || !is_ascii(base_name)) {
        return fail_package("found \"" + std::string(base_name) +
                            "\" for the level; allowed are ASCII characters, as in level7_Final");
    }
    TRY_VOID(put_in_order(obans));
    constexpr std::size_t per_oban = 256;  // more than enough for descriptors, name and alignment
    std::size_t bytes = 0;
    for (const NamedRecord& oban : obans) {
        bytes += record_bytes(oban.second) + per_oban;
    }
    if (bytes > std::numeric_limits<std::uint32_t>::max()) {
        return fail_package("the level would be larger than 4 GB");
    }
    Parts parts;
    parts.data.reserve(bytes);
    for (const NamedRecord& oban : obans) {
        add_instance(parts, oban, level_id(base_name));
    }
    Package package{file_of(std::move(parts), platform), Bytes(empty_part_bytes), std::nullopt};
    if (platform == Platform::mac) {
        package.sep = Bytes(empty_part_bytes);
    }
    return package;
}

}  // namespace animbridge::oban
