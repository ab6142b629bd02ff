// SPDX-License-Identifier: MIT
// Speed of JSON: reads and prints a document of ten megabytes. Medians in processor time.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/json/json.h"
#include "formats/sl_anim/file/file.h"
#include "timing.h"

using namespace animbridge;
using bench::keep;
using bench::seconds_of;

namespace {

constexpr std::size_t joint_count = 130;
constexpr std::size_t keys_each = 2400;

/// Codes with as many digits as those of a motion capture.
sl_anim::file::Document swinging() {
    sl_anim::file::Document document;
    document.duration = RawFloat(60.0F);
    for (std::size_t i = 0; i < joint_count; ++i) {
        sl_anim::file::Joint joint;
        joint.name = "mJoint" + std::to_string(i);
        for (std::size_t key = 0; key < keys_each; ++key) {
            const double phase = static_cast<double>(key + i) * 0.01;
            const auto code = [&](double turn) {
                return static_cast<std::uint16_t>(32767.0 + 30000.0 * std::sin(phase * turn));
            };
            const auto time = static_cast<std::uint16_t>(key * 65535 / keys_each);
            joint.rotation.coded.push_back({time, {code(1.0), code(1.7), code(2.3)}});
        }
        document.joints.push_back(std::move(joint));
    }
    return document;
}

void report(const char* what, double seconds, std::size_t bytes) {
    std::printf("%-10s %8.1f ms %8.1f MB/s\n", what, seconds * 1e3,
                static_cast<double>(bytes) / seconds / 1e6);
}

}  // namespace

int main() {
    const sl_anim::file::Document document = swinging();
    const std::string text = print_json(sl_anim::file::to_json(document));
    const auto parsed = parse_json(text);
    if (!parsed) {
        std::fprintf(stderr, "bench_json: %s\n", parsed.error().message().c_str());
        return EXIT_FAILURE;
    }
    std::printf("%.1f MB\n", static_cast<double>(text.size()) / 1e6);
    report("parse", seconds_of([&] { keep(parse_json(text)); }), text.size());
    report("print", seconds_of([&] { keep(print_json(*parsed)); }), text.size());
    report("to JSON", seconds_of([&] { keep(sl_anim::file::to_json(document)); }), text.size());
    report("from JSON", seconds_of([&] { keep(sl_anim::file::from_json(*parsed)); }), text.size());
    return EXIT_SUCCESS;
}
