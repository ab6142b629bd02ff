// SPDX-License-Identifier: MIT
// Rig files that are cut or changed: each is read or refused with a reason, and what is read finds a rig.
#include <filesystem>

#include "base/files/files.h"
#include "catch.h"
#include "fuzz_inputs.h"
#include "invariants.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

/// Two files of the library: one with many names, and one with equal names that parents distinguish.
std::vector<std::string> rig_texts() {
    std::vector<std::string> texts;
    for (const char* const name : {"mixamo.json", "cmu_motionbuilder.json"}) {
        const auto bytes = read_file((rigs_root() / name).string());
        REQUIRE(bytes.has_value());
        texts.emplace_back(bytes->begin(), bytes->end());
    }
    return texts;
}

void try_text(const std::string& text) {
    try {
        try_rig_file({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    } catch (const BrokenInvariant& broken) {
        FAIL(broken.what());
    }
}

}  // namespace

TEST_CASE("rig files cut at every byte break nothing", "[rig-file][damaged]") {
    for (const std::string& text : rig_texts()) {
        for (std::size_t size = 1; size < text.size(); ++size) {
            try_text(text.substr(0, size));
        }
    }
}

TEST_CASE("rig files changed at every byte break nothing", "[rig-file][damaged]") {
    for (const std::string& text : rig_texts()) {
        std::string changed = text;
        for (std::size_t place = 1; place < text.size(); ++place) {
            for (const char patch : {'\0', '\xff', '9', '"', '}'}) {
                changed[place] = patch;
                try_text(changed);
            }
            changed[place] = text[place];
        }
    }
}
