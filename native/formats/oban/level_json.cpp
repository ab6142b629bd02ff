// SPDX-License-Identifier: MIT
#include "formats/oban/level_json.h"

#include <algorithm>
#include <array>

#include "base/object_reader.h"
#include "formats/oban/json.h"
#include "formats/oban/oni.h"
#include "formats/oban/record.h"

namespace animbridge::oban {

namespace {

/// The position of a record, and the first OBAN that has it (duplicates share it).
struct StoredRecord {
    std::size_t offset;
    std::size_t size;
    std::size_t oban;
};

/// In file order, each record once.
std::vector<StoredRecord> stored_records(const Level& level) {
    std::vector<StoredRecord> records;
    for (std::size_t i = 0; i < level.obans.size(); ++i) {
        if (level.obans[i].has_data) {
            records.push_back({level.obans[i].offset, level.obans[i].size, i});
        }
    }
    std::stable_sort(records.begin(), records.end(),
                     [](const StoredRecord& a, const StoredRecord& b) { return a.offset < b.offset; });
    const auto same_offset = [](const StoredRecord& a, const StoredRecord& b) {
        return a.offset == b.offset;
    };
    records.erase(std::unique(records.begin(), records.end(), same_offset), records.end());
    return records;
}

Json hex_between(const Level& level, std::size_t begin, std::size_t end) {
    return hex_of(animbridge::text_of(ByteView(level.file).subspan(begin, end - begin)));
}

Json platform_json(std::uint64_t checksum) {
    switch (checksum) {
        case pc_checksum:
            return "pc";
        case mac_checksum:
            return "mac";
        case ps2_checksum:
            return "ps2";
        default:
            return checksum;
    }
}

struct JsonOban {
    std::string name{};
    Record record{};
};

Result<JsonOban> oban_from_json(const Json& json, const std::string& place) {
    JsonOban oban;
    ObjectReader reader(json, place);
    reader.read("name", oban.name, text_from_json);
    reader.read("record", oban.record, record_from_json);
    if (auto failure = reader.finish()) {
        return tl::unexpected<Error>(std::move(*failure));
    }
    return oban;
}

/// Alternates the bytes around the records with the records.
Bytes put_together(const std::vector<JsonOban>& obans, const std::vector<Bytes>& around) {
    Bytes file = around.front();
    for (std::size_t i = 0; i < obans.size(); ++i) {
        const Bytes record = write_record(obans[i].record);
        file.insert(file.end(), record.begin(), record.end());
        file.insert(file.end(), around[i + 1].begin(), around[i + 1].end());
    }
    return file;
}

/// Checks that names and sizes agree with the bytes around the records.
Result<void> check_records(const Level& level, const Json& rows, const std::vector<JsonOban>& obans,
                           const std::vector<Bytes>& around) {
    const std::vector<StoredRecord> records = stored_records(level);
    if (records.size() != obans.size()) {
        return json_fail("obans", Json(obans.size()),
                         std::to_string(records.size()) + " rows: as many OBANs as the file's table has");
    }
    std::size_t offset = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
        offset += around[i].size();
        const std::size_t size = record_bytes(obans[i].record);
        if (records[i].offset != offset || records[i].size != size) {
            return json_fail(
                "obans[" + std::to_string(i) + "].record.keys", Json(obans[i].record.keys.size()),
                "as many keys as the instance has bytes for: `animbridge oban replace` changes sizes");
        }
        const std::string_view stored = level.obans[records[i].oban].name;
        if (obans[i].name != without_tag(stored)) {
            return json_fail("obans[" + std::to_string(i) + "].name", rows[i]["name"],
                             "the name in the file's table: " + std::string(without_tag(stored)));
        }
        offset += size;
    }
    return {};
}

}  // namespace

Json to_json(const Level& level) {
    Json obans = Json::array();
    Json around = Json::array();
    std::size_t end_before = 0;
    const std::vector<StoredRecord> records = stored_records(level);
    obans.reserve(records.size());
    around.reserve(records.size() + 1);
    for (const StoredRecord& stored : records) {
        const auto document = oban_in(level, stored.oban);
        if (!document) {  // cannot happen: read_level has checked every record
            continue;
        }
        obans.push_back({{"name", json_text(document->name)}, {"record", to_json(document->record)}});
        around.push_back(hex_between(level, end_before, stored.offset));
        end_before = stored.offset + stored.size;
    }
    around.push_back(hex_between(level, end_before, level.file.size()));
    return {{"format", "oban_level"}, {"obans", std::move(obans)}, {"around_hex", std::move(around)}};
}

Result<Level> level_from_json(const Json& json) {
    std::vector<JsonOban> obans;
    std::vector<Bytes> around;
    ObjectReader reader(json, "");
    reader.require("format", "oban_level");
    reader.read_array("obans", obans, oban_from_json);
    reader.read_array("around_hex", around, bytes_from_json);
    if (auto failure = reader.finish()) {
        return tl::unexpected<Error>(std::move(*failure));
    }
    if (around.size() != obans.size() + 1) {
        return json_fail("around_hex", Json(around.size()), std::to_string(obans.size() + 1) + " strings");
    }
    auto level = read_level(put_together(obans, around));
    if (!level) {
        Error error = std::move(level.error());
        // A record whose size differs from its descriptor moves everything after it, so the tables do not
        // fit.
        error.reason = "make no level with these records, whose sizes must stay: " + error.message();
        error.code = ErrorCode::bad_value;
        error.field = "around_hex";
        error.byte_offset = -1;
        return tl::unexpected<Error>(std::move(error));
    }
    TRY_VOID(check_records(*level, json["obans"], obans, around));
    return level;
}

Json info(const Level& level) {
    Json obans = Json::array();
    obans.reserve(level.obans.size());
    for (const LevelOban& oban : level.obans) {
        obans.push_back({{"name", json_text(without_tag(oban.name))},
                         {"instance", oban.instance},
                         {"placeholder", !oban.has_data},
                         {"keys", oban.keys},
                         {"frames", oban.frames},
                         {"bytes", oban.size},
                         {"offset", oban.offset},
                         {"flags", oban.flags}});
    }
    return {{"format", "oban_level"},
            {"title", "Oni level"},
            {"checksum", platform_json(level.tables.header.checksum)},
            {"bytes", level.file.size()},
            {"instances", level.tables.instances.size()},
            {"obans", std::move(obans)}};
}

}  // namespace animbridge::oban
