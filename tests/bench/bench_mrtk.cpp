// SPDX-License-Identifier: MIT
// Speed of the MRTK codec and of memcpy, in one run, for a recording of 20 seconds of one hand and for one of
// 100 MB. Medians of many rounds in processor time: what one core alone would take.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "formats/mrtk/curves/curves.h"
#include "formats/mrtk/file/file.h"
#include "timing.h"

namespace {

using namespace animbridge;
using bench::keep;
using bench::seconds_of;

constexpr double wanted_gigabytes_per_second = 1.0;

/// Every curve with keys at 60 frames a second.
mrtk::file::Document recording(std::size_t keys_of_each) {
    mrtk::curves::LooseCurves curves(mrtk::file::curve_count);
    for (std::size_t i = 0; i < mrtk::file::first_gaze_curve; ++i) {
        for (std::size_t key = 0; key < keys_of_each; ++key) {
            const float seconds = static_cast<float>(key) / 60.0F;
            curves[i].keys.push_back(mrtk::curves::full_key_of(
                {RawFloat(seconds), RawFloat(std::sin(seconds + static_cast<float>(i)))}));
        }
    }
    return mrtk::curves::put_together(mrtk::file::Document{}, curves);
}

bool measure(std::size_t keys_of_each) {
    const mrtk::file::Document document = recording(keys_of_each);
    const Bytes file = mrtk::file::write(document);
    if (mrtk::file::read(file, Reading::strict) != document) {
        std::fputs("bench_mrtk: the file reads back to another document\n", stderr);
        return false;
    }
    const double gigabytes = static_cast<double>(file.size()) / 1e9;
    std::printf("%zu keys, %.2f MB\n", document.full_keys.size() + document.simple_keys.size(),
                gigabytes * 1e3);
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
    row("read", seconds_of([&] { keep(mrtk::file::read(file, Reading::strict)); }));
    row("write", seconds_of([&] { keep(mrtk::file::write(document)); }));
    std::printf("  %s the %.0f GB/s that it must have\n", is_fast ? "reaches" : "MISSES",
                wanted_gigabytes_per_second);
    return is_fast;
}

}  // namespace

int main() {
    constexpr std::size_t usual = 303;   // 3.3 MB
    constexpr std::size_t large = 9300;  // 100 MB
    const bool is_usual_fast = measure(usual);
    return measure(large) && is_usual_fast ? 0 : 1;
}
