// SPDX-License-Identifier: MIT
// Hostile levels: the work grows with the size, and not faster.
#include <string>
#include <utility>

#include "catch.h"
#include "formats/oban/check/check.h"
#include "formats/oban/file/file.h"
#include "formats/oban/level/level.h"
#include "work/count.h"
#include "work/hostile_files.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

constexpr std::uint32_t first_record = oban::file::pre_header_bytes;

/// One half of the file is one record, the other half is instances that share it.
Bytes sharing_level(std::size_t n, float place) {
    LevelParts parts;
    const std::size_t keys = n / 2 / sizeof(oban::file::Key);
    parts.data = stored_record(keys, static_cast<std::uint16_t>(keys), place);
    const auto size = static_cast<std::uint32_t>(parts.data.size());
    for (std::size_t i = 0; i < n / 2 / 32; ++i) {
        parts.slots.push_back({first_record, size, static_cast<std::uint32_t>(parts.names.size())});
        parts.names += "OBANn" + std::to_string(i) + '\0';
    }
    return level_of(parts);
}

/// Instances whose names are the same text, each from a different byte on.
Bytes long_names(std::size_t n) {
    LevelParts parts;
    parts.data = stored_record(1, 1, 0.0F);
    parts.names = std::string(n / 2, 'x') + '\0';
    for (std::size_t i = 0; i < n / 2 / sizeof(oban::file::Instance); ++i) {
        parts.slots.push_back(
            {first_record, static_cast<std::uint32_t>(parts.data.size()), static_cast<std::uint32_t>(i)});
    }
    return level_of(parts);
}

/// Separate records, all with the same name.
Bytes one_name(std::size_t n) {
    LevelParts parts;
    const Bytes record = stored_record(1, 1, 0.0F);
    parts.names = "OBANsame";
    parts.names += '\0';
    for (std::size_t i = 0; i < n / (record.size() + sizeof(oban::file::Instance)); ++i) {
        parts.slots.push_back({static_cast<std::uint32_t>(parts.data.size()) + first_record,
                               static_cast<std::uint32_t>(record.size()), 0});
        parts.data.insert(parts.data.end(), record.begin(), record.end());
    }
    return level_of(parts);
}

Bytes placeholders(std::size_t n) {
    LevelParts parts;
    parts.data = stored_record(1, 1, 0.0F);
    parts.names = "OBANsame";
    parts.names += '\0';
    parts.slots.resize(n / sizeof(oban::file::Instance));
    return level_of(parts);
}

oban::level::Level read(const Bytes& bytes) {
    auto level = oban::level::read_level(bytes);
    REQUIRE(level);
    return std::move(*level);
}

}  // namespace

TEST_CASE("what is told of a level takes work as it is long", "[level-work]") {
    const std::pair<const char*, Bytes (*)(std::size_t)> levels[] = {
        {"instances that share a record", [](std::size_t n) { return sharing_level(n, 0.0F); }},
        {"names that share their bytes", long_names},
        {"records of one name", one_name},
        {"placeholders", placeholders}};
    for (const auto& [what, make] : levels) {
        INFO(what);
        check_linear(some_bytes, make, [](const Bytes& bytes) {
            const oban::level::Level level = read(bytes);
            CHECK(oban::level::compare(level, level, Job()));
            (void)oban::check::check_container(level.tables, level.file, CheckLevel::strict);
            (void)oban::level::info(level);
        });
    }
}

TEST_CASE("comparing levels whose instances share a record takes work as they are long", "[level-work]") {
    const auto make = [](std::size_t n) {
        return std::pair(read(sharing_level(n, 0.0F)), read(sharing_level(n, 1.0F)));
    };
    check_linear(some_bytes, make, [](const std::pair<oban::level::Level, oban::level::Level>& levels) {
        const auto found = oban::level::compare(levels.first, levels.second, Job());
        REQUIRE(found);
        CHECK(found->total.joints.size() == levels.first.obans.size());
    });
}
