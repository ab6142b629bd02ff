// SPDX-License-Identifier: MIT
// Parts of a file play one after the other as the whole.
#include <string>
#include <vector>

#include "catch.h"
#include "convert/convert.h"
#include "formats/registry.h"
#include "model/clip/clip.h"
#include "rig/exchange/exchange.h"
#include "support.h"

using namespace animbridge;

namespace {

Clip clip_of(const AnyDocument& document) {
    auto made = document.format().clip.to_clip(document, Json::object());
    REQUIRE(made);
    return std::move(made->clip);
}

/// The largest distance of the parts' poses from those of the whole at the same time.
double largest_distance_of(const std::vector<SplitPart>& parts, const Clip& whole) {
    double largest = 0;
    ClipPoser all(whole);
    for (const SplitPart& part : parts) {
        const Clip own = clip_of(*part.document);
        ClipPoser poser(own);
        const double length = part.span.end_seconds - part.span.start_seconds;
        for (int i = 0; i <= 50; ++i) {
            const double time = length * i / 50.0;
            poser.pose(time);
            all.pose(part.span.start_seconds + time);
            for (std::size_t node = 0; node < whole.skeleton.nodes.size(); ++node) {
                largest = std::max(
                    largest, angle_between_degrees(poser.local()[node].rotation, all.local()[node].rotation));
            }
        }
    }
    return largest;
}

DocumentPtr dance() {
    const test::FileBytes bytes = test::load(test::fixtures_root() / "demo" / "dance.anim");
    auto read = read_document(bytes, "", "dance.anim");
    REQUIRE(read);
    return *std::move(read);
}

}  // namespace

TEST_CASE("Parts of a dance play as the dance, each within its limit", "[split]") {
    const DocumentPtr whole = dance();
    const Clip clip = clip_of(*whole);
    const std::size_t size = whole->write().value().size();
    for (const SplitLimits& limits :
         {SplitLimits{clip.duration_seconds / 2.5 + 0.5, {}, false}, SplitLimits{{}, size / 3, false}}) {
        const auto parts = split(*whole, limits);
        REQUIRE(parts);
        CHECK(parts->size() > 2);
        CHECK(parts->front().span.start_seconds == 0.0);
        CHECK(parts->back().span.end_seconds == Approx(clip.duration_seconds));
        for (std::size_t i = 0; i < parts->size(); ++i) {
            const SplitPart& part = (*parts)[i];
            CHECK((i == 0 || part.span.start_seconds == (*parts)[i - 1].span.end_seconds));
            CHECK(clip_of(*part.document).duration_seconds <= limits.seconds.value_or(1e9) + 1e-3);
            CHECK(part.document->write().value().size() <= limits.bytes.value_or(size));
            const Json info = part.document->to_json();
            CHECK((info["ease_in_duration"] == 0.0) == (i > 0));
        }
        CHECK(largest_distance_of(*parts, clip) < 0.1);
    }
    const auto one = split(*whole, {clip.duration_seconds, {}, false});
    REQUIRE(one);
    REQUIRE(one->size() == 1);
    CHECK(one->front().document->write().value() == whole->write().value());
    const auto none = split(*whole, {{}, {}, true});
    REQUIRE_FALSE(none);
    CHECK(none.error().field == "split");
    const auto too_small = split(*whole, {{}, 100, false});
    REQUIRE_FALSE(too_small);
    CHECK(too_small.error().code == ErrorCode::rejected);
}

TEST_CASE("Limits of a split", "[split]") {
    CHECK(split_from("60s")->seconds == 60.0);
    CHECK(split_from("250000b")->bytes == 250000U);
    CHECK(split_from("markers")->at_markers);
    for (const char* wrong : {"", "60", "s", "b", "0.5s", "0b", "-1s", "nans", "1e400s", "60s "}) {
        INFO(wrong);
        CHECK_FALSE(split_from(wrong));
    }
    CHECK(split_name("a/dance.anim", 2) == "a/dance-2.anim");
    CHECK(split_name("a.b/dance", 1) == "a.b/dance-1");
}
