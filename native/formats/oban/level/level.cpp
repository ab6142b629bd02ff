// SPDX-License-Identifier: MIT
#include "formats/oban/level/level.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <system_error>

namespace animbridge::oban::level {

namespace {

// Names may share bytes, so searching for the end of every name could take very long.
constexpr std::size_t longest_listed_name = 255;
constexpr std::size_t frames_number_at = 0x7a;

std::uint16_t number_at(ByteView file, std::size_t at) {
    std::uint16_t number = 0;
    std::memcpy(&number, file.data() + at, sizeof number);
    return number;
}

Result<LevelOban> listed(const Level& level, std::size_t index) {
    const file::Instance& instance = level.tables.instances[index];
    LevelOban oban;
    oban.instance = index;
    oban.name = level.tables.name_of(level.file, index, longest_listed_name).value_or("");
    oban.flags = instance.flags;
    oban.has_data = instance.has_data();
    if (!oban.has_data) {
        return oban;
    }
    oban.offset = level.tables.start_of(index);
    oban.size = instance.data_size;
    if (oban.size >= file::head_bytes) {
        oban.keys = number_at(level.file, oban.offset + file::key_count_at);
        oban.frames = number_at(level.file, oban.offset + frames_number_at);
    }
    if (oban.size < file::head_bytes || oban.keys > (oban.size - file::head_bytes) / sizeof(file::Key)) {
        const auto why_not = level.tables.record(level.file, index);
        return tl::unexpected<Error>(why_not ? Error{} : why_not.error());
    }
    return oban;
}

tl::unexpected<Error> fail_to_choose(std::string reason) {
    return fail(ErrorCode::invalid_argument, std::move(reason), "name");
}

std::string shown(const LevelOban& oban) {
    return oban.name.empty() ? "#" + std::to_string(oban.instance)
                             : without_controls(file::without_tag(oban.name));
}

Result<std::size_t> find_only(const Level& level) {
    const auto has_data = [](const LevelOban& oban) { return oban.has_data; };
    const auto count = std::ranges::count_if(level.obans, has_data);
    if (count == 0) {
        return fail(ErrorCode::bad_value, "the level has no OBAN with data");
    }
    if (count > 1) {
        return fail_to_choose(
            "the level has " + std::to_string(count) +
            " OBANs; choose one by its name (in a conversion: --oban NAME): " + names_in(level));
    }
    const auto only = std::ranges::find_if(level.obans, has_data);
    return static_cast<std::size_t>(only - level.obans.begin());
}

/// The number in a name such as "#12".
std::optional<std::size_t> instance_named(std::string_view name) {
    std::size_t instance = 0;
    if (name.size() < 2 || name[0] != '#') {
        return std::nullopt;
    }
    const auto read = std::from_chars(name.data() + 1, name.data() + name.size(), instance);
    const bool whole = read.ec == std::errc() && read.ptr == name.data() + name.size();
    return whole ? std::optional(instance) : std::nullopt;
}

}  // namespace

bool is_level(ByteView file) { return file::version_of(file) == file::level_version; }

Result<Level> read_level(Bytes file) {
    TRY(auto tables, file::read_container(file));
    Level level;
    level.file = std::move(file);
    level.tables = std::move(tables);
    const auto& all = level.tables.instances;
    level.obans.reserve(static_cast<std::size_t>(
        std::ranges::count_if(all, [](const file::Instance& row) { return row.is_oban(); })));
    for (std::size_t i = 0; i < level.tables.instances.size(); ++i) {
        if (!level.tables.instances[i].is_oban()) {
            continue;
        }
        TRY(auto oban, listed(level, i));
        level.obans.push_back(std::move(oban));
    }
    return level;
}

std::string names_in(const Level& level) {
    std::vector<std::string> names;
    for (const LevelOban& oban : level.obans) {
        if (oban.has_data) {
            names.push_back(shown(oban));
        }
    }
    return some_of(names);
}

Result<std::size_t> find_oban(const Level& level, std::optional<std::string_view> name) {
    if (!name) {
        return find_only(level);
    }
    const auto end = level.obans.end();
    auto found = end;
    if (const auto instance = instance_named(*name)) {
        found = std::lower_bound(
            level.obans.begin(), end, *instance,
            [](const LevelOban& oban, std::size_t wanted) { return oban.instance < wanted; });
        found = found != end && found->instance == *instance ? found : end;
    } else {
        const std::string_view wanted = file::without_tag(*name);
        const auto matches = [&](const LevelOban& oban) {
            return !oban.name.empty() && file::without_tag(oban.name) == wanted;
        };
        found = std::find_if(level.obans.begin(), end,
                             [&](const LevelOban& oban) { return oban.has_data && matches(oban); });
        found = found != end ? found : std::find_if(level.obans.begin(), end, matches);
    }
    if (found == end) {
        const std::string names = names_in(level);
        return fail_to_choose("found no OBAN \"" + without_controls(name->substr(0, longest_listed_name)) +
                              "\"; " +
                              (names.empty() ? "the level has none with data" : "allowed are " + names));
    }
    return static_cast<std::size_t>(found - level.obans.begin());
}

Result<file::Document> oban_in(const Level& level, std::size_t index) {
    const LevelOban& oban = level.obans.at(index);
    if (!oban.has_data) {
        return fail_to_choose("\"" + shown(oban) +
                              "\" is a placeholder: its data is in another file of the game");
    }
    return level.tables.record(level.file, oban.instance).map([&](file::Record record) {
        return file::Document{
            file::Container::raw, std::string(file::without_tag(oban.name)), std::move(record), {}, {}};
    });
}

namespace {

constexpr std::uint32_t template_checksum = 0x004e0c24;  // of OBAN's template; the upper half is 0
constexpr std::size_t empty_part_bytes = 32;
constexpr std::size_t number_at_character = 5;  // after "level"

using NamedRecord = std::pair<std::string, file::Record>;

tl::unexpected<Error> fail_package(std::string reason, ErrorCode code = ErrorCode::invalid_argument) {
    return fail(code, std::move(reason), "name");
}

bool is_ascii(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c > 0 && c <= '~'; });
}

/// Replaces names by their stored form, and sorts by them.
Result<void> put_in_order(std::vector<NamedRecord>& obans) {
    for (auto& [name, record] : obans) {
        TRY(auto stored, file::stored_name(name));
        name = std::move(stored);
        if (record.keys.size() > file::max_stored_keys) {
            return fail_package(name + " has " + std::to_string(record.keys.size()) + " keys; allowed are " +
                                    std::to_string(file::max_stored_keys),
                                ErrorCode::bad_value);
        }
    }
    const auto by_name = [](const NamedRecord& a, const NamedRecord& b) { return a.first < b.first; };
    std::ranges::sort(obans, by_name);
    const auto twice =
        std::ranges::adjacent_find(obans, [](const auto& a, const auto& b) { return a.first == b.first; });
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
    file::ContainerTables tables{};
    Bytes data{};
    Bytes names{};
};

void add_instance(Parts& parts, const NamedRecord& oban, std::uint32_t lev_id) {
    const auto index = static_cast<std::uint32_t>(parts.tables.instances.size());
    const std::size_t start = parts.data.size();
    const Bytes written = file::write_record(oban.second);
    parts.data.insert(parts.data.end(), written.begin(), written.end());
    const std::uint32_t res_id = index << 8U | 1U;
    std::memcpy(parts.data.data() + start, &res_id, sizeof res_id);
    std::memcpy(parts.data.data() + start + sizeof res_id, &lev_id, sizeof lev_id);
    parts.tables.instances.push_back(
        {file::oban_tag, static_cast<std::uint32_t>(start + file::pre_header_bytes),
         static_cast<std::uint32_t>(parts.names.size()), static_cast<std::uint32_t>(written.size()), 0});
    parts.tables.names.push_back({index, 0});
    parts.names.insert(parts.names.end(), oban.first.begin(), oban.first.end());
    parts.names.push_back(0);
}

Bytes file_of(Parts parts, Platform platform) {
    file::ContainerTables& tables = parts.tables;
    const auto count = static_cast<std::uint32_t>(tables.instances.size());
    if (count > 0) {
        tables.templates.push_back({template_checksum, 0, file::oban_tag, count});
    }
    const std::size_t tables_end = sizeof(file::ContainerHeader) + count * sizeof(file::Instance) +
                                   count * sizeof(file::NameDescriptor) +
                                   tables.templates.size() * sizeof(file::TemplateDescriptor);
    file::ContainerHeader& header = tables.header;
    header.checksum = platform == Platform::mac ? file::mac_checksum : file::pc_checksum;
    header.version = file::level_version;
    header.instance_count = header.name_count = count;
    header.template_count = static_cast<std::uint32_t>(tables.templates.size());
    header.data_offset = static_cast<std::uint32_t>(file::aligned(tables_end));
    header.data_size = static_cast<std::uint32_t>(parts.data.size());
    header.name_offset = static_cast<std::uint32_t>(file::aligned(header.data_offset + parts.data.size()));
    header.name_size = static_cast<std::uint32_t>(parts.names.size());
    Bytes file = file::write_tables(tables);
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
        bytes += file::record_bytes(oban.second) + per_oban;
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

namespace {

tl::unexpected<Error> fail_to_replace(const LevelOban& oban, const std::string& why) {
    const std::string name =
        oban.name.empty() ? "#" + std::to_string(oban.instance) : without_controls(oban.name);
    return fail(ErrorCode::invalid_argument, name + " cannot be replaced: " + why, "name");
}

Result<void> check_replaceable(const Level& level, const LevelOban& oban) {
    if (!oban.has_data) {
        return fail_to_replace(oban, "it is a placeholder and has no data in this file");
    }
    if ((oban.flags & file::duplicate) != 0) {
        return fail_to_replace(oban, "it is a duplicate, which has no data of its own");
    }
    if (const std::size_t sharers = file::count_sharing(level.tables, oban.instance); sharers > 0) {
        return fail_to_replace(oban, std::to_string(sharers) + " other instance" +
                                         (sharers == 1 ? " shares" : "s share") + " its data");
    }
    return {};
}

}  // namespace

Result<Bytes> replaced(const Level& level, std::size_t index, file::Record record) {
    const LevelOban& oban = level.obans.at(index);
    TRY_VOID(check_replaceable(level, oban));
    const std::size_t size = file::record_bytes(record);
    if ((size - oban.size) % file::block_alignment != 0) {
        return fail_to_replace(oban, "it has " + std::to_string(oban.size) + " bytes and the new one " +
                                         std::to_string(size) + "; allowed are whole keys of 32");
    }
    if (level.file.size() - oban.size + size > std::numeric_limits<std::uint32_t>::max()) {
        return fail_to_replace(oban, "the level would be larger than 4 GB");
    }
    std::memcpy(&record.res_id, level.file.data() + oban.offset, sizeof record.res_id);
    std::memcpy(&record.lev_id, level.file.data() + oban.offset + sizeof record.res_id, sizeof record.lev_id);
    const Bytes written = file::write_record(record);
    const Bytes tables = file::write_tables(
        file::with_growth(level.tables, oban.instance, static_cast<std::uint32_t>(size - oban.size)));
    const auto begin = level.file.begin();
    const auto start = static_cast<std::ptrdiff_t>(oban.offset);
    Bytes file;
    file.reserve(level.file.size() - oban.size + size);
    file.insert(file.end(), begin, begin + start);
    file.insert(file.end(), written.begin(), written.end());
    file.insert(file.end(), begin + start + static_cast<std::ptrdiff_t>(oban.size), level.file.end());
    // Data never overlaps the tables, so the tables do not move.
    std::ranges::copy(tables, file.begin());
    return file;
}

}  // namespace animbridge::oban::level
