// SPDX-License-Identifier: MIT
#include "formats/oban/level.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <system_error>

#include "base/text.h"
#include "formats/oban/oni.h"
#include "formats/oban/record.h"

namespace animbridge::oban {

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
    const Instance& instance = level.tables.instances[index];
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
    if (oban.size >= head_bytes) {
        oban.keys = number_at(level.file, oban.offset + key_count_at);
        oban.frames = number_at(level.file, oban.offset + frames_number_at);
    }
    if (oban.size < head_bytes || oban.keys > (oban.size - head_bytes) / sizeof(Key)) {
        const auto why_not = level.tables.record(level.file, index);
        return tl::unexpected<Error>(why_not ? Error{} : why_not.error());
    }
    return oban;
}

tl::unexpected<Error> fail_to_choose(std::string reason) {
    Error error{ErrorCode::invalid_argument, std::move(reason)};
    error.field = "name";
    return tl::unexpected<Error>(std::move(error));
}

std::string shown(const LevelOban& oban) {
    return oban.name.empty() ? "#" + std::to_string(oban.instance) : without_controls(without_tag(oban.name));
}

Result<std::size_t> find_only(const Level& level) {
    const auto has_data = [](const LevelOban& oban) { return oban.has_data; };
    const auto count = std::count_if(level.obans.begin(), level.obans.end(), has_data);
    if (count == 0) {
        return fail(ErrorCode::bad_value, "the level has no OBAN with data");
    }
    if (count > 1) {
        return fail_to_choose(
            "the level has " + std::to_string(count) +
            " OBANs; choose one by its name (in a conversion: --oban NAME): " + names_in(level));
    }
    const auto only = std::find_if(level.obans.begin(), level.obans.end(), has_data);
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

bool is_level(ByteView file) { return version_of(file) == level_version; }

Result<Level> read_level(Bytes file) {
    TRY(auto tables, read_container(file));
    Level level;
    level.file = std::move(file);
    level.tables = std::move(tables);
    const auto& all = level.tables.instances;
    level.obans.reserve(static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [](const Instance& row) { return row.is_oban(); })));
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
        const std::string_view wanted = without_tag(*name);
        const auto matches = [&](const LevelOban& oban) {
            return !oban.name.empty() && without_tag(oban.name) == wanted;
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

Result<Document> oban_in(const Level& level, std::size_t index) {
    const LevelOban& oban = level.obans.at(index);
    if (!oban.has_data) {
        return fail_to_choose("\"" + shown(oban) +
                              "\" is a placeholder: its data is in another file of the game");
    }
    return level.tables.record(level.file, oban.instance).map([&](Record record) {
        return Document{Container::raw, std::string(without_tag(oban.name)), std::move(record), {}, {}};
    });
}

}  // namespace animbridge::oban
