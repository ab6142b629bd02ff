// SPDX-License-Identifier: MIT
#pragma once

#include <fstream>
#include <string>

#include "batch/run/ledger.h"
#include "support.h"

namespace animbridge::test {

[[nodiscard]] inline batch::run::LedgerRow some_row(const std::string& path) {
    batch::run::LedgerRow row{
        path, 0, "in/" + path, {1234, 1'700'000'000'123'456'789, ""}, "0123456789abcdef", "0.2.0"};
    row.status = batch::plan::Status::ok;
    row.outputs = {{path + ".bvh", 99, std::string(64, 'a')}, {"other", 0, std::string(64, 'b')}};
    return row;
}

[[nodiscard]] inline std::string text_of_file(const std::string& path) {
    const auto bytes = load(path);
    return {bytes.begin(), bytes.end()};
}

inline void write_text(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

}  // namespace animbridge::test
