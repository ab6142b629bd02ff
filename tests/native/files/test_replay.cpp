// SPDX-License-Identifier: MIT
// Damaged files: every fixture, cut at every byte and changed at every byte, and former findings of the
// fuzzer.
#include "catch.h"
#include "invariants.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

constexpr std::size_t sparse = 101;

/// Every byte of small files, and some bytes of large ones: at most 600 positions.
std::size_t step_for(std::size_t size) { return std::max<std::size_t>(1, size / 600); }

/// Most inputs are only read and written; every n-th goes through everything. The numbers are prime, so that
/// every kind of change is included.
class Turns {
public:
    Effort next() { return ++count_ % sparse == 0 ? Effort::full : Effort::quick; }
    [[nodiscard]] std::size_t count() const { return count_; }

private:
    std::size_t count_ = 0;
};

}  // namespace

TEST_CASE("every fixture keeps the invariants", "[replay]") {
    for (const Fixture& row : fixtures()) {
        INFO(row.file);
        CHECK_NOTHROW(check_bytes(row.bytes(), Effort::full));
    }
}

TEST_CASE("fixtures cut short are refused or read whole", "[replay][damaged]") {
    Turns turns;
    for (const Fixture& row : fixtures()) {
        const FileBytes bytes = row.bytes();
        for (std::size_t size = 0; size < bytes.size(); size += step_for(bytes.size())) {
            // A copy of exactly this size, so that a sanitizer detects a read past the end.
            const FileBytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
            try {
                const bool read = check_bytes(cut, turns.next());
                // If a cut file can still be read, the lost bytes were trailing bytes or the end of ignored
                // constraints.
                if (read && row.readable && sl_anim::file::read(bytes)->trailing.empty()) {
                    FAIL(row.file << " cut to " << size << " bytes is read, though nothing trails in it");
                }
            } catch (const BrokenInvariant& broken) {
                FAIL(row.file << " cut to " << size << " bytes: " << broken.what());
            }
        }
    }
    CHECK(turns.count() > 10000);
}

TEST_CASE("patched fixtures break nothing", "[replay][damaged]") {
    Turns turns;
    for (const Fixture& row : fixtures()) {
        FileBytes bytes = row.bytes();
        for (std::size_t place = 0; place < bytes.size(); place += step_for(bytes.size())) {
            const std::uint8_t original = bytes[place];
            for (const int patch : {0x00, 0xff, original + 1, original - 1, int{'9'}}) {
                bytes[place] = static_cast<std::uint8_t>(patch);
                try {
                    check_bytes(bytes, turns.next());
                } catch (const BrokenInvariant& broken) {
                    FAIL(row.file << " with " << patch << " at " << place << ": " << broken.what());
                }
            }
            bytes[place] = original;
        }
    }
    CHECK(turns.count() > 50000);
}
