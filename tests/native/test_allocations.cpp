// SPDX-License-Identifier: MIT
// Running out of memory at every single allocation of every call, and how much memory a call takes.
#include <animbridge/animbridge.h>

#include <cstring>
#include <functional>
#include <string>

#include "allocations.h"
#include "catch.h"
#include "support.h"

using namespace animbridge::test;

namespace {

/// A call that frees what it got; returns its status.
using Call = std::function<ab_status(ab_error*)>;

struct Tally {
    std::size_t failures = 0;
    std::size_t allocations = 0;
};

/// Fails the first allocation, then the second, until the call succeeds.
Tally starve(const char* what, Then then, const Call& call) {
    Tally tally;
    for (std::size_t n = 0; n < 1000000; ++n) {
        ab_error error{};
        error.struct_size = sizeof(error);
        ab_status status = AB_OK;
        std::ptrdiff_t live = 0;
        {
            const Allocations starving(n, then);
            status = call(&error);
            live = Allocations::live();
            tally.allocations = Allocations::count();
        }
        if (live != 0) {
            FAIL(what << " leaks " << live << " allocations when number " << n << " fails");
        }
        if (status == AB_OK) {
            return tally;
        }
        if (status != AB_ERROR_OUT_OF_MEMORY || error.code != AB_ERROR_OUT_OF_MEMORY ||
            std::strlen(error.message) == 0) {
            FAIL(what << " gives " << status << " (" << error.message << ") when allocation " << n
                      << " fails");
        }
        ++tally.failures;
    }
    FAIL(what << " never succeeds");
    return tally;
}

/// A small file with all there is: two joints, constraints, a name that is not UTF-8, findings.
std::vector<std::uint8_t> small_file() { return fixture("constraint_chain_1.anim"); }

struct Scene {
    std::string names{"mPelvis\0mTorso\0mWristLeft\0mElbowLeft\0", 37};
    std::vector<std::int32_t> parents{-1, 0, 3, 1};
    std::vector<float> matrices;
    ab_timing timing{sizeof(ab_timing), 0, 30.0, 1.0};
    ab_armature armature{};

    Scene() {
        for (int i = 0; i < 4; ++i) {
            matrices.insert(matrices.end(),
                            {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, static_cast<float>(i), 1});
        }
        armature = {sizeof(ab_armature), 4,       names.data(),  names.size(), parents.data(),
                    matrices.data(),     nullptr, AB_FACING_AUTO};
    }
};

/// All the calls, each by itself.
std::vector<std::pair<const char*, Call>> calls(const ab_document* document, const Scene& scene,
                                                const std::vector<ab_curve>& curves,
                                                const std::vector<std::uint8_t>& bytes,
                                                const std::string& json, const std::string& folder) {
    const auto buffer_call = [](auto&& make) {
        return [make](ab_error* error) {
            ab_buffer* buffer = nullptr;
            const ab_status status = make(&buffer, error);
            ab_buffer_free(buffer);
            return status;
        };
    };
    const auto document_call = [](auto&& make) {
        return [make](ab_error* error) {
            ab_document* made = nullptr;
            const ab_status status = make(&made, error);
            ab_document_free(made);
            return status;
        };
    };
    const auto input = std::make_shared<std::string>(folder + "/in.anim");
    const auto output = std::make_shared<std::string>(folder + "/out.json");
    return {
        {"ab_document_read", document_call([&](ab_document** out, ab_error* e) {
             return ab_document_read(bytes.data(), bytes.size(), nullptr,
                                     "a file name that is long enough to be allocated", out, e);
         })},
        {"ab_document_read of JSON", document_call([&](ab_document** out, ab_error* e) {
             return ab_document_read(reinterpret_cast<const std::uint8_t*>(json.data()), json.size(), nullptr,
                                     nullptr, out, e);
         })},
        {"ab_document_read_file", document_call([=](ab_document** out, ab_error* e) {
             return ab_document_read_file(input->c_str(), nullptr, out, e);
         })},
        {"ab_document_write",
         buffer_call([=](ab_buffer** out, ab_error* e) { return ab_document_write(document, out, e); })},
        {"ab_document_write_file",
         [=](ab_error* e) { return ab_document_write_file(document, output->c_str(), e); }},
        {"ab_document_json",
         buffer_call([=](ab_buffer** out, ab_error* e) { return ab_document_json(document, out, e); })},
        {"ab_document_info",
         buffer_call([=](ab_buffer** out, ab_error* e) { return ab_document_info(document, out, e); })},
        {"ab_document_check", buffer_call([=](ab_buffer** out, ab_error* e) {
             return ab_document_check(document, "strict", out, e);
         })},
        {"ab_document_compare", buffer_call([=](ab_buffer** out, ab_error* e) {
             return ab_document_compare(document, document, nullptr, out, e);
         })},
        {"ab_convert_file", buffer_call([=](ab_buffer** out, ab_error* e) {
             return ab_convert_file(input->c_str(), output->c_str(), "{\"as_stored\": true}", out, e);
         })},
        {"ab_formats_json",
         buffer_call([](ab_buffer** out, ab_error* e) { return ab_formats_json(out, e); })},
        {"ab_sl_predict_upload",
         [=](ab_error* e) {
             ab_document* made = nullptr;
             ab_buffer* findings = nullptr;
             const ab_status status = ab_sl_predict_upload(document, &made, &findings, e);
             ab_document_free(made);
             ab_buffer_free(findings);
             return status;
         }},
        {"ab_sl_pose",
         [=](ab_error* e) {
             const double times[2] = {0.0, 0.5};
             double places[2 * 8 * 3];
             return ab_sl_pose(document, times, 2, -1.0, 8, nullptr, nullptr, nullptr, nullptr, nullptr,
                               places, e);
         }},
        {"ab_curves_from_document",
         [&, document](ab_error* e) {
             ab_curves* made = nullptr;
             const ab_status status =
                 ab_curves_from_document(document, &scene.armature, &scene.timing, &made, e);
             ab_curves_free(made);
             return status;
         }},
        {"ab_sl_document_from_curves",
         [&, document](ab_error* e) {
             ab_sl_export options{};
             options.struct_size = sizeof(options);
             options.template_document = document;
             options.keep_duration = 1;
             ab_document* made = nullptr;
             ab_buffer* report = nullptr;
             const ab_status status =
                 ab_sl_document_from_curves(&scene.armature, &scene.timing, curves.data(), curves.size(),
                                            &options, nullptr, &made, &report, e);
             ab_document_free(made);
             ab_buffer_free(report);
             return status;
         }},
    };
}

}  // namespace

TEST_CASE("out of memory at any place is a status and nothing else", "[allocations]") {
    const ScratchFolder scratch;
    const std::vector<std::uint8_t> bytes = small_file();
    save(scratch.path() / "in.anim", bytes);
    ab_document* document = nullptr;
    REQUIRE(ab_document_read(bytes.data(), bytes.size(), nullptr, nullptr, &document, nullptr) == AB_OK);
    // What is built once and kept is built here, so that it is no leak below.
    ab_buffer* buffer = nullptr;
    REQUIRE(ab_sl_skeleton_json(&buffer, nullptr) == AB_OK);
    ab_buffer_free(buffer);
    REQUIRE(ab_document_check(document, "strict", &buffer, nullptr) == AB_OK);
    ab_buffer_free(buffer);
    REQUIRE(ab_document_json(document, &buffer, nullptr) == AB_OK);
    const std::string json(reinterpret_cast<const char*>(ab_buffer_data(buffer)), ab_buffer_size(buffer));
    ab_buffer_free(buffer);
    const Scene scene;
    ab_curves* imported = nullptr;
    REQUIRE(ab_curves_from_document(document, &scene.armature, &scene.timing, &imported, nullptr) == AB_OK);
    std::vector<ab_curve> curves(ab_curves_count(imported));
    for (std::size_t i = 0; i < curves.size(); ++i) {
        curves[i].struct_size = sizeof(ab_curve);
        REQUIRE(ab_curves_get(imported, i, &curves[i], nullptr) == AB_OK);
    }
    REQUIRE(!curves.empty());
    for (const auto& [what, call] : calls(document, scene, curves, bytes, json, scratch.path().string())) {
        INFO(what);
        const Tally tally = starve(what, Then::works, call);
        CHECK(tally.failures > 0);
        CHECK(tally.failures == tally.allocations);
    }
    // A starved write leaves no half of a file beside the whole one.
    CHECK(scratch.names() == std::set<std::string>{"in.anim", "out.json"});
    ab_curves_free(imported);
    ab_document_free(document);
}

TEST_CASE("reading takes at most sixteen times the input and a mebibyte", "[allocations]") {
    for (const Fixture& row : fixtures()) {
        const auto bytes = row.bytes();
        std::size_t peak = 0;
        {
            const Allocations counting;
            ab_document* document = nullptr;
            ab_document_read(bytes.data(), bytes.size(), "sl_anim", row.file.c_str(), &document, nullptr);
            peak = Allocations::peak_bytes();
            ab_document_free(document);
        }
        INFO(row.file << ": " << peak << " bytes for " << bytes.size());
        CHECK(peak <= 16 * bytes.size() + (1U << 20U));
    }
}

TEST_CASE("reading JSON stays within bounds, too", "[allocations]") {
    // What grows most per byte: an empty array within an array.
    std::string text = "{\"format\": \"sl_anim\", \"joints\": [";
    for (int i = 0; i < 200000; ++i) {
        text += "[],";
    }
    text += "[]]}";
    std::size_t peak = 0;
    {
        const Allocations counting;
        ab_document* document = nullptr;
        CHECK(ab_document_read(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), nullptr,
                               nullptr, &document, nullptr) == AB_ERROR_BAD_VALUE);
        peak = Allocations::peak_bytes();
    }
    INFO(peak << " bytes for " << text.size());
    CHECK(peak <= 64 * text.size() + (1U << 20U));
}
