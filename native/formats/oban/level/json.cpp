// SPDX-License-Identifier: MIT
#include "formats/oban/level/level.h"

#include <algorithm>
#include <map>

#include "base/options/options.h"
#include "formats/oban/edit/edit.h"
#include "formats/oban/play/play.h"

namespace animbridge::oban::level {

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
    std::ranges::stable_sort(
        records, [](const StoredRecord& a, const StoredRecord& b) { return a.offset < b.offset; });
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
        case file::pc_checksum:
            return "pc";
        case file::mac_checksum:
            return "mac";
        case file::ps2_checksum:
            return "ps2";
        default:
            return checksum;
    }
}

struct JsonOban {
    std::string name{};
    file::Record record{};
};

Result<JsonOban> oban_from_json(const Json& json, const std::string& place) {
    JsonOban oban;
    ObjectReader reader(json, place);
    reader.read("name", oban.name, text_from_json);
    reader.read("record", oban.record, file::record_from_json);
    return reader.finish(std::move(oban));
}

/// Alternates the bytes around the records with the records.
Bytes put_together(const std::vector<JsonOban>& obans, const std::vector<Bytes>& around) {
    Bytes file = around.front();
    for (std::size_t i = 0; i < obans.size(); ++i) {
        const Bytes record = file::write_record(obans[i].record);
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
        const std::size_t size = file::record_bytes(obans[i].record);
        if (records[i].offset != offset || records[i].size != size) {
            return json_fail(
                "obans[" + std::to_string(i) + "].record.keys", Json(obans[i].record.keys.size()),
                "as many keys as the instance has bytes for: `animbridge oban replace` changes sizes");
        }
        const std::string_view stored = level.obans[records[i].oban].name;
        if (obans[i].name != file::without_tag(stored)) {
            return json_fail("obans[" + std::to_string(i) + "].name", rows[i]["name"],
                             "the name in the file's table: " + std::string(file::without_tag(stored)));
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
        obans.push_back({{"name", json_text(document->name)}, {"record", file::to_json(document->record)}});
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
    TRY_VOID(reader.finish());
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
    Json obans = list_json(level.obans, [](const LevelOban& oban) -> Json {
        return {{"name", json_text(file::without_tag(oban.name))},
                {"instance", oban.instance},
                {"placeholder", !oban.has_data},
                {"keys", oban.keys},
                {"frames", oban.frames},
                {"bytes", oban.size},
                {"offset", oban.offset},
                {"flags", oban.flags}};
    });
    return {{"format", "oban_level"},
            {"title", "Oni level"},
            {"checksum", platform_json(level.tables.header.checksum)},
            {"bytes", level.file.size()},
            {"instances", level.tables.instances.size()},
            {"obans", std::move(obans)}};
}

namespace {

/// OBANs with data by name; unnamed ones by number.
std::map<std::string, std::size_t> obans_by_name(const Level& level) {
    std::map<std::string, std::size_t> by_name;
    for (std::size_t i = 0; i < level.obans.size(); ++i) {
        const LevelOban& oban = level.obans[i];
        if (oban.has_data) {
            by_name.emplace(
                oban.name.empty() ? "#" + std::to_string(oban.instance) : file::without_tag(oban.name), i);
        }
    }
    return by_name;
}

/// The records of a level, each read once. OBANs share all of their bytes or none, so the records together
/// are not longer than the file.
class Records {
public:
    explicit Records(const Level& level) : level_(level) {}

    [[nodiscard]] std::size_t offset_of(std::size_t index) const { return level_.obans[index].offset; }

    [[nodiscard]] Result<const file::Record*> at(std::size_t index) {
        const std::size_t offset = offset_of(index);
        if (const auto known = records_.find(offset); known != records_.end()) {
            return &known->second;
        }
        TRY(auto record, level_.tables.record(level_.file, level_.obans[index].instance));
        return &records_.emplace(offset, std::move(record)).first->second;
    }

private:
    const Level& level_;
    std::map<std::size_t, file::Record> records_{};
};

/// Plays the OBANs that both levels have, and adds the differences.
class LevelComparison {
public:
    LevelComparison(const Level& a, const Level& b)
        : in_a_(obans_by_name(a)), in_b_(obans_by_name(b)), records_a_(a), records_b_(b) {}

    [[nodiscard]] Result<LevelDifference> run(const Job& job) {
        std::size_t done = 0;
        for (const auto& [name, index] : in_a_) {
            const auto other = in_b_.find(name);
            if (other == in_b_.end()) {
                found_.total.only_in_a.push_back(name);
            } else if (auto added = add(name, index, other->second); !added) {
                return tl::unexpected<Error>(std::move(added.error()));
            }
            const double part = static_cast<double>(++done) / static_cast<double>(in_a_.size());
            TRY_VOID(job.report(part));
        }
        for (const auto& [name, index] : in_b_) {
            if (!in_a_.contains(name)) {
                found_.total.only_in_b.push_back(name);
            }
        }
        return std::move(found_);
    }

private:
    using Offsets = std::pair<std::size_t, std::size_t>;

    [[nodiscard]] Result<void> add(const std::string& name, std::size_t index, std::size_t other) {
        const Offsets offsets{records_a_.offset_of(index), records_b_.offset_of(other)};
        auto known = compared_.find(offsets);
        if (known == compared_.end()) {
            auto difference = difference_of(index, other);
            if (!difference) {
                difference.error().reason = name + ": " + difference.error().reason;
                return tl::unexpected<Error>(std::move(difference.error()));
            }
            known = compared_.emplace(offsets, std::move(*difference)).first;
        }
        if (const std::optional<play::Difference>& difference = known->second) {
            found_.total.joints.push_back(difference->pose);
            found_.total.joints.back().joint = name;
            found_.total.times += difference->times;
            for (const std::string_view field : difference->fields) {
                found_.differing_fields.push_back(name + ": " + std::string(field));
            }
        }
        return {};
    }

    /// Null if the records are equal.
    [[nodiscard]] Result<std::optional<play::Difference>> difference_of(std::size_t index,
                                                                        std::size_t other) {
        const auto first = records_a_.at(index);
        const auto second = records_b_.at(other);
        if (!first || !second) {
            return tl::unexpected<Error>(first ? second.error() : first.error());
        }
        if (**first == **second) {
            return std::optional<play::Difference>();
        }
        return play::compare(**first, **second, Job()).map([](play::Difference difference) {
            return std::optional(std::move(difference));
        });
    }

    std::map<std::string, std::size_t> in_a_;
    std::map<std::string, std::size_t> in_b_;
    Records records_a_;
    Records records_b_;
    std::map<Offsets, std::optional<play::Difference>> compared_{};
    LevelDifference found_{};
};

}  // namespace

Result<LevelDifference> compare(const Level& a, const Level& b, const Job& job) {
    return LevelComparison(a, b).run(job);
}

namespace {

std::string oban_label(const Json& oban) {
    const std::string name = plain_text(oban["name"]);
    return name.empty() ? "#" + oban["instance"].dump() : name;
}

}  // namespace

std::string describe_level(const std::string& file, const Json& info) {
    const Json& obans = info["obans"];
    std::size_t width = 4;
    for (const Json& oban : obans) {
        width = std::max(width, oban_label(oban).size());
    }
    std::string text = file + ": " + plain_text(info["title"]) + " (" + plain_text(info["checksum"]) + "), " +
                       info["instances"].dump() + " instances, " + std::to_string(obans.size()) +
                       " of them OBANs\n";
    text += obans.empty() ? ""
                          : "  " + left_aligned("name", width) + right_aligned("instance", 10) +
                                right_aligned("keys", 8) + right_aligned("frames", 8) + "\n";
    for (const Json& oban : obans) {
        text += "  " + left_aligned(oban_label(oban), width);
        text += right_aligned(oban["instance"].dump(), 10);
        if (oban["placeholder"].get<bool>()) {
            text += "  (placeholder: its data is in another level)\n";
        } else {
            text += right_aligned(oban["keys"].dump(), 8) + right_aligned(oban["frames"].dump(), 8) + "\n";
        }
    }
    return text;
}

}  // namespace animbridge::oban::level
