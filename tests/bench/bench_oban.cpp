// SPDX-License-Identifier: MIT
// Speed of the OBAN codec and of memcpy, in one run, for a file with as many keys as the game accepts.
// Medians of many rounds in processor time: what one core alone would take, whatever else the machine does.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "formats/oban/file/file.h"
#include "timing.h"

namespace {

using namespace animbridge;
using bench::keep;
using bench::seconds_of;

constexpr double wanted_gigabytes_per_second = 1.0;

oban::file::Document every_frame() {
    oban::file::Record record;
    for (std::size_t i = 0; i < oban::file::max_keys; ++i) {
        const auto angle = static_cast<float>(i) * 0.01F;
        record.keys.push_back(
            {{RawFloat(0.0F), RawFloat(std::sin(angle)), RawFloat(0.0F), RawFloat(std::cos(angle))},
             {RawFloat(angle), RawFloat(0.0F), RawFloat(1.0F)},
             static_cast<std::int32_t>(i)});
    }
    record.frame_count = static_cast<std::uint16_t>(oban::file::max_frames);
    return oban::file::new_oni(std::move(record), "bench").value();
}

}  // namespace

int main() {
    const oban::file::Document document = every_frame();
    const Bytes file = oban::file::write(document);
    if (oban::file::read(file) != document) {
        std::fputs("bench_oban: the file reads back to another document\n", stderr);
        return 1;
    }
    const double gigabytes = static_cast<double>(file.size()) / 1e9;
    std::printf("%zu keys, %.2f MB\n", document.record.keys.size(), gigabytes * 1e3);
    // The least work of any reader: copying the bytes into its own memory.
    const double copy_seconds = seconds_of([&] {
        std::vector<std::uint8_t> copy(file.begin(), file.end());
        keep(copy);
    });
    bool is_fast = true;
    const auto row = [&](const char* name, double seconds) {
        std::printf("  %-24s %8.1f us %7.2f GB/s %6.2f x memcpy's time\n", name, seconds * 1e6,
                    gigabytes / seconds, seconds / copy_seconds);
        is_fast = is_fast && gigabytes / seconds >= wanted_gigabytes_per_second;
    };
    row("memcpy to new memory", copy_seconds);
    row("read", seconds_of([&] { keep(oban::file::read(file)); }));
    row("write", seconds_of([&] { keep(oban::file::write(document)); }));
    std::printf("  %s the %.0f GB/s that it must have\n", is_fast ? "reaches" : "MISSES",
                wanted_gigabytes_per_second);
    return is_fast ? 0 : 1;
}
