// SPDX-License-Identifier: MIT
// The reports on a document of each format, with each of their allocations failing in turn.
#include <animbridge/animbridge.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "allocations/starve.h"
#include "api/api.h"
#include "base/json/json.h"
#include "bvh_texts.h"
#include "catch.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

/// A document of any format, and every report on it.
struct ReportInputs {
    explicit ReportInputs(std::vector<std::uint8_t> file) : bytes(std::move(file)) {
        REQUIRE(ab_document_read(bytes.data(), bytes.size(), nullptr, nullptr, nullptr, &document, nullptr) ==
                AB_OK);
        ab_buffer* buffer = nullptr;
        REQUIRE(ab_document_json(document, &buffer, nullptr) == AB_OK);
        json.assign(ab_buffer_data(buffer), ab_buffer_data(buffer) + ab_buffer_size(buffer));
        ab_buffer_free(buffer);
    }
    ~ReportInputs() { ab_document_free(document); }
    ReportInputs(const ReportInputs&) = delete;
    ReportInputs& operator=(const ReportInputs&) = delete;
    ReportInputs(ReportInputs&&) = delete;
    ReportInputs& operator=(ReportInputs&&) = delete;

    [[nodiscard]] Calls calls() const {
        const auto read = [](const std::vector<std::uint8_t>& file) {
            return animbridge::test::document([&file](auto** out, auto* e) {
                return ab_document_read(file.data(), file.size(), nullptr, nullptr, nullptr, out, e);
            });
        };
        return {{"read", read(bytes)},
                {"read of JSON", read(json)},
                {"json", buffer([this](auto** out, auto* e) { return ab_document_json(document, out, e); })},
                {"info", buffer([this](auto** out, auto* e) { return ab_document_info(document, out, e); })},
                {"check", buffer([this](auto** out, auto* e) {
                     return ab_document_check(document, "strict", out, e);
                 })},
                {"pose", core([this] {
                     const double seconds = 0.25;
                     const auto pose = document->document->pose({&seconds, 1}, std::nullopt);
                     return !pose || !print_json(*pose).empty();  // a level has none
                 })}};
    }

    std::vector<std::uint8_t> bytes;
    std::vector<std::uint8_t> json{};
    ab_document* document = nullptr;
};

}  // namespace

TEST_CASE("out of memory while reports of any format are made", "[allocations]") {
    const std::string bvh(plain_bvh);
    const std::filesystem::path oban = fixture_folder().parent_path() / "oban";
    for (const std::vector<std::uint8_t>& file :
         {small_file(), std::vector<std::uint8_t>(bvh.begin(), bvh.end()), load(oban / "door.oban"),
          load(oban / "oni_created.oni"), load(oban / "published_camera.xml"), load(oban / "level_pc.dat")}) {
        const ReportInputs inputs(file);
        starve_all(inputs.calls(), Then::works);
        starve_all(inputs.calls(), Then::fails);
    }
}
