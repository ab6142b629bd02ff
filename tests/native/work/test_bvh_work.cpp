// SPDX-License-Identifier: MIT
// Hostile BVH: the work grows with the size, and not faster.
#include <string>
#include <vector>

#include "bvh_text.h"
#include "catch.h"
#include "formats/bvh/check/check.h"
#include "formats/bvh/clip/clip.h"
#include "formats/bvh/file/file.h"
#include "formats/sl_anim/loader/loader.h"
#include "work/count.h"
#include "work/hostile_bvh.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

/// Each hostile text as a document, in a small and a large size.
template <typename Run>
void check_linear_for_documents(Run&& run) {
    std::size_t documents = 0;
    for (const HostileBvh& hostile : hostile_bvhs()) {
        INFO(hostile.what);
        const auto read = [&](std::size_t n) {
            return bvh::file::read(bytes_of(hostile.make(n)), Reading::lenient);
        };
        if (!read(some_bytes)) {
            continue;
        }
        ++documents;
        check_linear(some_bytes, read, [&](const Result<bvh::file::Document>& document) {
            REQUIRE(document);
            run(*document);
        });
    }
    CHECK(documents > 15);
}

/// A file that the viewer's loader accepts: joints of three channels, each on its own line, and two frames.
std::string for_the_viewer(std::size_t n, bool nested, bool one_name) {
    std::string joints;
    std::size_t count = 0;
    for (; joints.size() < n; ++count) {
        joints += bvh_joint(
            (count == 0 ? "ROOT hip" : "JOINT a") + (one_name || count == 0 ? "" : std::to_string(count)),
            three);
        joints += nested ? "" : "}\n";
    }
    std::string frame;
    for (std::size_t i = 0; i < count; ++i) {
        frame += "1 2 3 ";
    }
    return "HIERARCHY\n" + joints + bvh_motion({frame, frame + "4"});
}

std::string many_frames(std::size_t n) {
    return "HIERARCHY\n" + bvh_joint("ROOT hip", three) + "}\n" +
           bvh_motion(std::vector<std::string>(n / 16, "1 2 3 4 5 6 7 89"));
}

}  // namespace

TEST_CASE("reading a BVH takes work as it is long", "[bvh-work]") {
    for (const HostileBvh& hostile : hostile_bvhs()) {
        for (const Reading reading : {Reading::strict, Reading::lenient}) {
            INFO(hostile.what << (reading == Reading::strict ? ", strictly" : ", leniently"));
            check_linear(some_bytes, hostile.make,
                         [&](const std::string& text) { (void)bvh::file::read(bytes_of(text), reading); });
        }
    }
}

TEST_CASE("notes that come from the end of a text to its front count the lines between once", "[bvh-work]") {
    // A hundred blocks with notes at their end; each byte between is read a few times only.
    constexpr std::size_t blocks = 100;
    std::string text = "HIERARCHY\nROOT hip\n{\n";
    for (std::size_t i = 0; i < blocks; ++i) {
        text += "JOINT a\n{\n" + std::string(1000, '\n');
    }
    for (std::size_t i = 0; i <= blocks; ++i) {
        text += "}\n";
    }
    text += "MOTION\nFrames: 0\nFrame Time: 0.1\n";
    const std::uint64_t work = work_of([&] {
        const auto document = bvh::file::read(bytes_of(text), Reading::lenient);
        REQUIRE(document);
        CHECK(document->notes.size() == 200);
    });
    CHECK(work <= 20 * text.size());
}

TEST_CASE("what is told of a BVH takes work as it is long", "[bvh-work]") {
    check_linear_for_documents([](const bvh::file::Document& document) {
        (void)bvh::check::check(document, CheckLevel::upload);
        (void)bvh::check::info(document);
        (void)bvh::file::write(document);
    });
}

TEST_CASE("comparing BVHs takes work as they are long", "[bvh-work]") {
    check_linear_for_documents(
        [](const bvh::file::Document& document) { (void)bvh::clip::compare(document, document, Job()); });
}

TEST_CASE("loading a BVH as the viewer does takes work as it is long", "[bvh-work]") {
    const auto load = [](const std::string& text) {
        const auto motion = sl_anim::loader::read_bvh_as_viewer(bytes_of(text));
        REQUIRE(motion);
        (void)sl_anim::loader::load_bvh(*motion, {});
    };
    for (const bool nested : {false, true}) {
        for (const bool one_name : {false, true}) {
            INFO((nested ? "nested" : "in a row") << (one_name ? ", of one name" : ", of different names"));
            check_linear(
                some_bytes, [&](std::size_t n) { return for_the_viewer(n, nested, one_name); }, load);
        }
    }
    check_linear(some_bytes, many_frames, load);
    for (const HostileBvh& hostile : hostile_bvhs()) {
        INFO(hostile.what);
        check_linear(some_bytes, hostile.make, [](const std::string& text) {
            (void)sl_anim::loader::read_bvh_as_viewer(bytes_of(text));
        });
    }
}
