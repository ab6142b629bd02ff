// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <limits>

#include "base/text.h"
#include "formats/oban/level.h"
#include "formats/oban/record.h"

namespace animbridge::oban {

namespace {

tl::unexpected<Error> fail_to_replace(const LevelOban& oban, const std::string& why) {
    const std::string name =
        oban.name.empty() ? "#" + std::to_string(oban.instance) : without_controls(oban.name);
    Error error{ErrorCode::invalid_argument, name + " cannot be replaced: " + why};
    error.field = "name";
    return tl::unexpected<Error>(std::move(error));
}

Result<void> check_replaceable(const Level& level, const LevelOban& oban) {
    if (!oban.has_data) {
        return fail_to_replace(oban, "it is a placeholder and has no data in this file");
    }
    if ((oban.flags & duplicate) != 0) {
        return fail_to_replace(oban, "it is a duplicate, which has no data of its own");
    }
    if (const std::size_t sharers = count_sharing(level.tables, oban.instance); sharers > 0) {
        return fail_to_replace(oban, std::to_string(sharers) + " other instance" +
                                         (sharers == 1 ? " shares" : "s share") + " its data");
    }
    return {};
}

}  // namespace

Result<Bytes> replaced(const Level& level, std::size_t index, Record record) {
    const LevelOban& oban = level.obans.at(index);
    TRY_VOID(check_replaceable(level, oban));
    const std::size_t size = record_bytes(record);
    if ((size - oban.size) % block_alignment != 0) {
        return fail_to_replace(oban, "it has " + std::to_string(oban.size) + " bytes and the new one " +
                                         std::to_string(size) + "; allowed are whole keys of 32");
    }
    if (level.file.size() - oban.size + size > std::numeric_limits<std::uint32_t>::max()) {
        return fail_to_replace(oban, "the level would be larger than 4 GB");
    }
    std::memcpy(&record.res_id, level.file.data() + oban.offset, sizeof record.res_id);
    std::memcpy(&record.lev_id, level.file.data() + oban.offset + sizeof record.res_id, sizeof record.lev_id);
    const Bytes written = write_record(record);
    const Bytes tables =
        write_tables(with_growth(level.tables, oban.instance, static_cast<std::uint32_t>(size - oban.size)));
    const auto begin = level.file.begin();
    const auto start = static_cast<std::ptrdiff_t>(oban.offset);
    Bytes file;
    file.reserve(level.file.size() - oban.size + size);
    file.insert(file.end(), begin, begin + start);
    file.insert(file.end(), written.begin(), written.end());
    file.insert(file.end(), begin + start + static_cast<std::ptrdiff_t>(oban.size), level.file.end());
    // Data never overlaps the tables, so the tables do not move.
    std::copy(tables.begin(), tables.end(), file.begin());
    return file;
}

}  // namespace animbridge::oban
