// SPDX-License-Identifier: MIT
#include <utility>

#include "catch.h"
#include "playback/playback.h"

using namespace animbridge;

namespace {

/// An export with an error of 1 mm and, elsewhere, of 8 degrees.
Made turned() {
    Made made;
    made.worst = {{"mHead", 1.0, 0.5, 8.0, 1.5}, "mWristLeft"};
    return made;
}

}  // namespace

TEST_CASE("an export whose joints stand right and are turned wrong is refused", "[stops]") {
    rig::curves::Timing timing;
    timing.frames_per_second = 30.0;
    const auto refused = playback::unless_far_off(turned(), 20.0, timing);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::rejected);
    CHECK(refused.error().reason.starts_with("mWristLeft is turned by 8"));
    CHECK(refused.error().reason.find("degrees from how the scene shows it, at 1.5 s") != std::string::npos);
    CHECK(refused.error().reason.find("allowed are 5. ") != std::string::npos);
    CHECK(playback::unless_far_off(turned(), 0.0, timing));  // never
    Made tolerated = turned();
    tolerated.tolerated_degrees = 10.0;
    CHECK(playback::unless_far_off(std::move(tolerated), 20.0, timing));
}
