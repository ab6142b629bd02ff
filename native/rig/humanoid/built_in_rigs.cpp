// SPDX-License-Identifier: MIT
#include <array>
#include <span>
#include <string_view>

#include "rig/humanoid/rig_file.h"

namespace animbridge::rig {

namespace {

#include "rigs_data.inc"

}  // namespace

const std::vector<RigFile>& built_in_rigs() {
    static const std::vector<RigFile> rigs = [] {
        std::vector<RigFile> read;
        read.reserve(built_in_rigs_json.size());
        for (const std::string_view json : built_in_rigs_json) {
            read.push_back(read_rig_file(json).value());  // a test reads them all
        }
        return read;
    }();
    return rigs;
}

std::span<const std::string_view> built_in_rig_texts() { return built_in_rigs_json; }

}  // namespace animbridge::rig
