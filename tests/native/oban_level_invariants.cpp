// SPDX-License-Identifier: MIT
#include "oban_level_invariants.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/json/json.h"
#include "formats/oban/file/file.h"
#include "formats/oban/file/xml_numbers.h"
#include "formats/oban/level/level.h"

namespace animbridge::test {

namespace {

constexpr std::size_t most_looked_at = 16;  // of a level's animations; a hostile level has thousands

bool same_bytes(ByteView a, ByteView b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

ByteView data_of(const oban::level::Level& level, std::size_t instance) {
    return ByteView(level.file)
        .subspan(level.tables.start_of(instance), level.tables.instances[instance].data_size);
}

/// Checks that everything except the replaced instance is unchanged.
void check_others(const oban::level::Level& before, const oban::level::Level& after, std::size_t replaced) {
    require(before.tables.instances.size() == after.tables.instances.size(), "another number of instances");
    for (std::size_t i = 0; i < before.tables.instances.size(); ++i) {
        const oban::file::Instance& a = before.tables.instances[i];
        const oban::file::Instance& b = after.tables.instances[i];
        require(a.tag == b.tag && a.flags == b.flags && a.name_offset == b.name_offset,
                "a descriptor that changed");
        require(before.tables.name_of(before.file, i) == after.tables.name_of(after.file, i),
                "a name that changed");
        if (i != replaced && a.has_data()) {
            require(same_bytes(data_of(before, i), data_of(after, i)), "an instance that changed");
        }
    }
}

void check_replacing(const oban::level::Level& level, std::size_t index, const oban::file::Record& record) {
    const auto same = oban::level::replaced(level, index, record);
    if (!same) {
        require(same.error().code == ErrorCode::invalid_argument && same.error().field == "name",
                "a replacement is refused: " + same.error().message());
        return;
    }
    require(*same == level.file, "an animation in its own place changes the level");
    oban::file::Record longer = record;
    longer.res_id = 0xffffffffU;
    longer.lev_id = 0;
    longer.keys.resize(record.keys.size() == oban::file::max_stored_keys ? 0 : record.keys.size() + 1);
    const auto grown = oban::level::replaced(level, index, longer);
    require(grown.has_value(), "another number of keys is refused");
    const auto read = oban::level::read_level(*grown);
    require(read.has_value(),
            "a level with a replacement is refused: " + (read ? "" : read.error().message()));
    check_others(level, *read, level.obans[index].instance);
    const auto back = oban::level::replaced(*read, index, record);
    require(back && *back == level.file, "the way back is another");
}

void check_oban(const oban::level::Level& level, std::size_t index, Effort effort) {
    const oban::level::LevelOban& listed = level.obans[index];
    const auto document = oban::level::oban_in(level, index);
    require(document.has_value() == listed.has_data, "an animation that is listed cannot be read");
    if (!document) {
        return;
    }
    require(document->record.keys.size() == listed.keys && document->record.frame_count == listed.frames,
            "the list and the record disagree");
    require(same_bytes(oban::file::write_record(document->record), data_of(level, listed.instance)),
            "a record is written with other bytes");
    const auto found = oban::level::find_oban(level, "#" + std::to_string(listed.instance));
    require(found && *found == index, "an instance is not found by its number");
    if (effort == Effort::full) {
        check_replacing(level, index, document->record);
    }
}

void check_level_document(const oban::level::Level& level) {
    const Json json = oban::level::to_json(level);
    const auto back = oban::level::level_from_json(json);
    require(back.has_value(), "JSON is refused: " + (back ? "" : back.error().message()));
    require(back->file == level.file, "JSON reads back to another level");
    const DocumentPtr document = make_document(oban::level::read_level(level.file).value());
    require(document->write().value() == level.file, "a level is written with other bytes");
    require(is_utf8(print_json(document->info())), "info is not UTF-8");
    require(document->check(CheckLevel::strict, "").has_value(), "a level cannot be checked");
}

/// Compares with strtof, which accepts more forms.
void check_word(const std::string& word) {
    const auto parsed = oban::file::parse_float(word);
    if (!parsed || word == "NaN" || word.ends_with("INF")) {
        return;
    }
    char* end = nullptr;
    const float expected = std::strtof(word.c_str(), &end);
    require(end == word.c_str() + word.size(), "a number that strtof does not take: " + word);
    require(RawFloat(expected) == *parsed, "another value than strtof's: " + word);
    std::string text;
    oban::file::append_float(text, *parsed);
    const auto again = oban::file::parse_float(text);
    require(again && *again == *parsed, "a number is written as another: " + text);
}

}  // namespace

bool check_oban_level_bytes(ByteView bytes, Effort effort) {
    const auto level = oban::level::read_level(Bytes(bytes.begin(), bytes.end()));
    if (!level) {
        check_error(level.error(), bytes.size());
        return false;
    }
    require(same_bytes(level->file, bytes), "a level that is not as it was");
    for (std::size_t i = 0; i < std::min(level->obans.size(), most_looked_at); ++i) {
        check_oban(*level, i, effort);
    }
    const auto only = oban::level::find_oban(*level, std::nullopt);
    require(only ? level->obans.at(*only).has_data : is_utf8(only.error().message()), "the only one is none");
    if (effort == Effort::full) {
        check_level_document(*level);
    }
    return true;
}

bool check_oban_xml_bytes(ByteView bytes) {
    const std::string_view text = text_of(bytes);
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t end = std::min(text.find_first_of(" \n<>", i), text.size());
        check_word(std::string(text.substr(i, end - i)));
        i = end + 1;
    }
    const auto document = oban::file::read_xml(bytes);
    if (!document) {
        check_error(document.error(), bytes.size());
        require(document.error().line > 0 && document.error().column > 0, "an error without line or column");
        return false;
    }
    const Bytes written = oban::file::write_xml(document->record);
    const auto again = oban::file::read_xml(written);
    require(again.has_value(), "written XML is refused: " + (again ? "" : again.error().message()));
    require(again->record == document->record, "written XML reads back to another record");
    require(oban::file::write_xml(again->record) == written, "XML is no fixed point");
    require(oban::file::left_out_of_xml(document->record).empty(), "a record from XML has what XML has not");
    return true;
}

}  // namespace animbridge::test
