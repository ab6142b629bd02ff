// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "formats/oban/file/file.h"
#include "json_place.h"
#include "support.h"

/// OBAN fixtures, and their rows in the manifest from the witness.
namespace animbridge::test {

[[nodiscard]] inline std::filesystem::path oban_folder() { return fixture_folder().parent_path() / "oban"; }

[[nodiscard]] inline FileBytes oban_fixture(const std::string& file) { return load(oban_folder() / file); }
/// The file in a row of the manifest.
template <std::same_as<Json> Name>
[[nodiscard]] FileBytes oban_fixture(const Name& file) {
    const Json& name = file;
    return oban_fixture(name.get<std::string>());
}

[[nodiscard]] inline const Json& oban_manifest() {
    static const Json manifest = [] {
        const FileBytes text = load(oban_folder() / "manifest.json");
        return json_of_text({reinterpret_cast<const char*>(text.data()), text.size()});
    }();
    return manifest;
}

/// The manifest's rows for files with one animation and for refused files; no levels.
[[nodiscard]] inline std::vector<Json> oban_rows() {
    std::vector<Json> rows;
    for (const Json& row : oban_manifest()["files"]) {
        if (row["file"].get<std::string>().find(".dat") == std::string::npos) {
            rows.push_back(row);
        }
    }
    return rows;
}

/// A small animation with everything that only a record can hold.
[[nodiscard]] inline oban::file::Record odd_record() {
    oban::file::Record record;
    record.padding = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255};
    record.flags = oban::file::normal_loop | 0x80000040U;
    record.frame_length = 80;
    record.frame_count = 11;
    record.half_stop_frame = 5;
    record.initial[0].bits = 0x7fa00001;  // a signalling NaN
    record.initial[1] = RawFloat(-0.0F);
    record.initial[2].bits = 0xff800000;
    record.initial[3].bits = 1;  // the smallest positive number
    record.keys = {{{RawFloat(0.0F), RawFloat(-0.0F), RawFloat(0.6F), RawFloat(-0.8F)},
                    {RawFloat(1.5F), RawFloat(-2.25F), RawFloat(3e30F)},
                    0},
                   {{RawFloat(0.0F), RawFloat(1.0F), RawFloat(0.0F), RawFloat(0.0F)},
                    {RawFloat(0.1F), RawFloat(0.2F), RawFloat(0.3F)},
                    10}};
    return record;
}

}  // namespace animbridge::test
