// SPDX-License-Identifier: MIT
// Damaged BVH files for Second Life's loader, cut and patched at every byte; and how much memory it takes.
#include <new>

#include "allocations.h"
#include "bvh_text.h"
#include "catch.h"
#include "formats/bvh/scene/scene.h"
#include "formats/sl_anim/avatar/avatar.h"
#include "fuzz_bvh_loader_input.h"
#include "invariants.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

std::vector<std::filesystem::path> files() {
    std::vector<std::filesystem::path> found;
    for (const char* const folder : {"loader", "dialects", "hostile"}) {
        for (const auto& entry : std::filesystem::directory_iterator(fixtures_root() / "bvh" / folder)) {
            if (entry.path().extension() == ".bvh") {
                found.push_back(entry.path());
            }
        }
    }
    return found;
}

/// Every byte of small files, at most about 300 positions of large ones.
std::size_t step_for(std::size_t size) { return std::max<std::size_t>(1, size / 300); }

/// A file with everything that the loader knows.
std::string rich_file() {
    return two_joints({"0 0 0 0 0 0 1 2 3 0 0 0", "1 0 0 0 5 0 1 2 3 60 0 0", "2 0 0 9 0 0 1 2 3 9 0 0",
                       "1 0 0 0 5 0 1 2 3 60 0 0"},
                      "a_name_that_is_longer_than_a_short_string", six);
}

}  // namespace

TEST_CASE("damaged files are refused by the loader or loaded whole", "[bvh-loader][damaged]") {
    std::size_t taken = 0;
    std::size_t refused = 0;
    const sl_anim::loader::BvhLoad options;
    const auto attempt = [&](ByteView bytes, const std::string& what) {
        try {
            (try_bvh_loader(bytes, options) ? taken : refused) += 1;
        } catch (const BrokenInvariant& broken) {
            FAIL(what << ": " << broken.what());
        }
    };
    for (const auto& file : files()) {
        FileBytes bytes = load(file);
        const std::string name = file.filename().string();
        attempt(bytes, name);
        for (std::size_t place = 0; place < bytes.size(); place += step_for(bytes.size())) {
            // A copy of exactly this size lets a sanitizer see a read past its end.
            attempt(FileBytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(place)),
                    name + " cut to " + std::to_string(place));
            const std::uint8_t original = bytes[place];
            for (const int patch : {0x00, 0xff, int{'\n'}, int{' '}, int{'9'}, int{'-'}}) {
                bytes[place] = static_cast<std::uint8_t>(patch);
                attempt(bytes, name + " patched at " + std::to_string(place));
            }
            bytes[place] = original;
        }
    }
    CHECK(taken > 10000);
    CHECK(refused > 10000);
}

TEST_CASE("the loader takes a stated multiple of its input", "[bvh-loader]") {
    std::vector<std::string> worst = {rich_file()};
    std::string joints = "HIERARCHY\n" + bvh_joint("ROOT hip", three);
    for (int i = 0; i < 20000; ++i) {
        joints += bvh_joint("JOINT j", "XrotationXrotationXrotation");
    }
    worst.push_back(joints + bvh_motion({}));
    worst.push_back("HIERARCHY\n" + bvh_joint("ROOT hip", three) +
                    "MOTION\nFrames: 2000000000\nFrame Time: 1\n");
    for (int i = 0; i < 50000; ++i) {
        worst.back() += "0 0 0\n";
    }
    (void)sl_anim::avatar::find_joint("hip");  // builds its table
    for (const std::string& text : worst) {
        std::size_t peak = 0;
        {
            const Allocations counting;
            const auto motion = sl_anim::loader::read_bvh_as_viewer(bytes_of(text));
            peak = Allocations::peak_bytes();
        }
        INFO(peak << " bytes for " << text.size());
        CHECK(peak <= 10 * text.size() + 4096);
    }
}

TEST_CASE("out of memory anywhere in the loader is an exception and no leak", "[bvh-loader]") {
    const std::string text = rich_file();
    const std::string ini =
        "[GLOBALS]\nemote = a_name_that_is_longer_than_a_short_string\n"
        "constraint = 1 0 0 0 0 L_HAND 0 0 0 CHEST 0 0 0\n[hip]\n";
    sl_anim::loader::BvhLoad options;
    options.priority = 6;
    options.joint_priorities = {{"hip", 3}};
    (void)sl_anim::avatar::find_joint("hip");  // builds its table
    for (const Then then : {Then::works, Then::fails}) {
        bool done = false;
        std::size_t failures = 0;
        for (std::size_t n = 0; !done; ++n) {
            std::ptrdiff_t live = 0;
            {
                const Allocations starving(n, then);
                try {
                    const auto read_ini = sl_anim::loader::read_anim_ini(ini);
                    const auto motion = sl_anim::loader::read_bvh_as_viewer(bytes_of(text));
                    done = read_ini && motion && sl_anim::loader::load_bvh(*motion, options).has_value();
                } catch (const std::bad_alloc&) {
                    ++failures;
                }
                live = Allocations::live();
            }
            REQUIRE(live == 0);
        }
        CHECK(failures > 20);
    }
}
