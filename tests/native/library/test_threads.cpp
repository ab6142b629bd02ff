// SPDX-License-Identifier: MIT
// Several threads on the same handles, for ThreadSanitizer's build.
#include <atomic>
#include <thread>

#include "catch.h"
#include "export_calls.h"
#include "library/armature.h"
#include "support.h"

using namespace animbridge::test;

namespace {

/// Runs everything that reads a document. Returns whether each result is the same as before.
bool work(const ab_document* document, const ab_curves* curves, const ab_armature& armature,
          const std::vector<std::uint8_t>& expected) {
    bool good = true;
    ab_buffer* buffer = nullptr;
    const auto took = [&](ab_status status) {
        const BufferHandle owner(buffer);
        good = good && status == AB_OK && ab_buffer_size(buffer) > 0;
        buffer = nullptr;
    };
    took(ab_document_json(document, &buffer, nullptr));
    took(ab_document_info(document, &buffer, nullptr));
    took(ab_document_check(document, "strict", &buffer, nullptr));
    took(ab_document_compare(document, document, nullptr, &buffer, nullptr));
    took(ab_curves_report(curves, &buffer, nullptr));
    took(ab_formats_json(&buffer, nullptr));
    took(ab_skeleton_json("sl_anim", nullptr, nullptr, &buffer, nullptr));
    good = good && bytes_of(document) == expected && ab_document_joint_count(document) > 0;
    ab_document* stored = nullptr;
    good = good && ab_document_as_stored(document, &stored, nullptr, nullptr) == AB_OK;
    ab_document_free(stored);
    ab_curves* again = nullptr;
    good = good && ab_curves_from_document(document, &armature, &usual_timing, nullptr, nullptr, &again,
                                           nullptr) == AB_OK;
    const CurvesHandle owner(again);
    auto all = all_curves(curves);
    SlExport options{};
    options.template_document = document;
    options.keep_duration = true;
    ab_document* exported = nullptr;
    good = good && sl_from_curves(&armature, &usual_timing, all.data(), all.size(), options, nullptr,
                                  &exported, nullptr, nullptr) == AB_OK;
    ab_document_free(exported);
    // An error in one thread does not affect the others.
    ab_error error = empty_error();
    ab_document* none = nullptr;
    good = good && ab_document_read(expected.data(), 20, "sl_anim", "mine", nullptr, &none, &error) ==
                       AB_ERROR_TRUNCATED;
    good = good && std::string(error.message).find("mine: ") == 0;
    return good;
}

}  // namespace

TEST_CASE("several threads read the same handles", "[threads]") {
    // Runs first in this process, so that several threads set up the shared tables at once.
    const std::vector<std::uint8_t> bytes = fixture("joints_all_bones.anim");
    const DocumentHandle document = read_document(bytes);
    const TestArmature rig({"mPelvis", "mTorso", "mChest", "mNeck", "mHead"});
    const ab_armature armature = rig.view();
    std::atomic<int> waiting{4};
    std::atomic<int> good{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            --waiting;
            while (waiting > 0) {
                std::this_thread::yield();
            }
            ab_curves* mine = nullptr;
            if (ab_curves_from_document(document.get(), &armature, &usual_timing, nullptr, nullptr, &mine,
                                        nullptr) == AB_OK) {
                ++good;
            }
            ab_curves_free(mine);
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    CHECK(good == 4);
    ab_curves* curves = nullptr;
    REQUIRE(ab_curves_from_document(document.get(), &armature, &usual_timing, nullptr, nullptr, &curves,
                                    nullptr) == AB_OK);
    const CurvesHandle owner(curves);
    threads.clear();
    good = 0;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            for (int round = 0; round < 5; ++round) {
                good += work(document.get(), curves, armature, bytes) ? 1 : 0;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    CHECK(good == 20);
}
