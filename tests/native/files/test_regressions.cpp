// SPDX-License-Identifier: MIT
// Former bugs, each with its history.
#include "build.h"
#include "catch.h"
#include "fuzz_bvh_loader_input.h"
#include "fuzz_inputs.h"
#include "model/clip/clip.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::test;

TEST_CASE("equal rotations are no angle apart, not even by rounding", "[regressions]") {
    // Comparing a file with itself gave 1e-16 degrees, which is a difference at a tolerance of 0.
    for (int i = 1; i < 2000; ++i) {
        const glm::dquat q(std::cos(i), std::sin(i) * 0.3, std::sin(i) * 0.7, std::cos(i * 3.0));
        CHECK(angle_between_degrees(q, q) == 0.0);
        CHECK(angle_between_degrees(q, -q) == 0.0);
    }
    CHECK(angle_between_degrees({0, 0, 0, 0}, {0, 0, 0, 0}) == 0.0);
    CHECK(angle_between_degrees({1, 0, 0, 0}, {0, 1, 0, 0}) == Approx(180.0));
    CHECK(angle_between_degrees({1, 0, 0, 0}, {2, 0, 0, 2}) == Approx(90.0));
}

TEST_CASE("inputs that broke a fuzz target once", "[regressions]") {
    using Try = void (*)(ByteView);
    for (const auto& [name, attempt] : {std::pair<const char*, Try>("sl_anim_read", try_sl_anim_read),
                                        {"bvh_read", try_bvh_read},
                                        {"numbers", try_numbers},
                                        {"json", try_json},
                                        {"curves", try_curves},
                                        {"mrtk_read", try_mrtk_read},
                                        {"oban_level", try_oban_level},
                                        {"oban_read", try_oban_read},
                                        {"oban_xml", try_oban_xml},
                                        {"ledger", try_ledger},
                                        {"rig", try_rig},
                                        {"rig_file", try_rig_file},
                                        {"samples", try_samples},
                                        {"scene_wire", try_scene_wire},
                                        {"sl_pose_read", try_sl_pose_read},
                                        {"gltf_read", try_gltf_read},
                                        {"calls", try_calls},
                                        {"bvh_loader", try_bvh_loader}}) {
        for (const char* const kind : {"regressions", "corpus"}) {
            const std::filesystem::path folder = fuzz_root() / kind / name;
            if (!std::filesystem::is_directory(folder)) {
                continue;
            }
            for (const auto& entry : std::filesystem::directory_iterator(folder)) {
                INFO(name << ": " << entry.path().filename());
                const FileBytes bytes = load(entry.path());
                CHECK_NOTHROW(attempt(bytes));
            }
        }
    }
}
