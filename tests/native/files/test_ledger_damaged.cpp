// SPDX-License-Identifier: MIT
// Ledgers of batches, cut and patched at every byte: each line is a row or is counted as none.
#include "catch.h"
#include "fuzz_inputs.h"
#include "support.h"

using namespace animbridge;

TEST_CASE("Ledgers that are cut or patched at every byte lose no other row", "[ledger][damaged]") {
    test::FileBytes bytes = test::load(test::fuzz_root() / "corpus" / "ledger" / "three_rows");
    for (std::size_t size = 0; size <= bytes.size(); ++size) {
        INFO("cut to " << size);
        REQUIRE_NOTHROW(test::try_ledger(ByteView(bytes).first(size)));
    }
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        const std::uint8_t own = bytes[at];
        INFO("byte " << at);
        for (const char patch : {'\0', '\xff', '9', '"', '\n'}) {
            bytes[at] = static_cast<std::uint8_t>(patch);
            REQUIRE_NOTHROW(test::try_ledger(bytes));
        }
        bytes[at] = own;
    }
}
