// SPDX-License-Identifier: MIT
// Clip time and ease weight: the numbers are computed by hand from the description of the viewer's playback.
#include "build.h"
#include "catch.h"
#include "formats/sl_anim/play/play.h"

using namespace animbridge;
using namespace animbridge::test;
using sl_anim::play::Player;

namespace {

/// 3x^2 - 2x^3
double smooth(double x) { return 3 * x * x - 2 * x * x * x; }

}  // namespace

TEST_CASE("a loop runs from its end to its beginning", "[player]") {
    const Player player(looped(turning_torso(4.0F), 1.0F, 3.0F));
    CHECK(player.state_at(0.0).clip_seconds == 0.0F);
    CHECK(player.state_at(2.5).clip_seconds == 2.5F);
    CHECK(player.state_at(3.0).clip_seconds == 3.0F);  // the end itself still shows
    CHECK(player.state_at(3.5).clip_seconds == 1.5F);  // 1 + fmod(0.5, 2)
    CHECK(player.state_at(5.0).clip_seconds == 1.0F);
    CHECK(player.state_at(6.25).clip_seconds == 2.25F);
    CHECK(player.state_at(1001.5).clip_seconds == 1.5F);  // 1 + fmod(998.5, 2)
    CHECK(player.state_at(1001.5).weight == 1.0F);
}

TEST_CASE("equal loop points hold their pose", "[player]") {
    const Player player(looped(turning_torso(2.0F), 1.25F, 1.25F));
    CHECK(player.state_at(1.0).clip_seconds == 1.0F);
    CHECK(player.state_at(1.5).clip_seconds == 1.25F);
    CHECK(player.state_at(99.0).clip_seconds == 1.25F);
    CHECK(player.state_at(99.0).weight == 1.0F);
}

TEST_CASE("a duration of nothing is a pose when looped", "[player]") {
    const Player player(looped(turning_torso(0.0F), 0.0F, 0.0F));
    CHECK(player.state_at(0.0).clip_seconds == 0.0F);
    CHECK(player.state_at(50.0).clip_seconds == 0.0F);
    CHECK(player.state_at(50.0).weight == 1.0F);
}

TEST_CASE("a duration of nothing without a loop ends at once", "[player]") {
    const Player player(turning_torso(0.0F));
    CHECK(player.state_at(0.5).weight == 0.0F);
}

TEST_CASE("a loop plays on to the end when it is stopped", "[player]") {
    // 4 s long, loops 1..3, eases out over 0.5 s. Stopped at 3.5, it is at 1.5, in the cycle that began at
    // 3.0. The clip's end comes 4 - 1 seconds after that, so it eases out from 3.0 + 3.0 - 0.5 = 5.5 on.
    const Player player(eased(looped(turning_torso(4.0F), 1.0F, 3.0F), 0.0F, 0.5F));
    CHECK(player.state_at(3.5, 3.5).clip_seconds == 1.5F);
    CHECK(player.state_at(5.0, 3.5).clip_seconds == 3.0F);
    CHECK(player.state_at(5.25, 3.5).clip_seconds == 3.25F);  // past the loop's end, without a jump back
    CHECK(player.state_at(5.5, 3.5).weight == 1.0F);
    CHECK(player.state_at(5.75, 3.5).clip_seconds == 3.75F);
    CHECK(player.state_at(5.75, 3.5).weight == Approx(0.5));
    CHECK(player.state_at(5.875, 3.5).weight == Approx(smooth(0.25)));
    CHECK(player.state_at(7.0, 3.5).clip_seconds == 4.0F);  // held at the end
    CHECK(player.state_at(7.0, 3.5).weight == 0.0F);
    // A stop in the future changes nothing yet.
    CHECK(player.state_at(4.0, 3.0e3).clip_seconds == 2.0F);
}

TEST_CASE("a loop that ends with the clip stops at once", "[player]") {
    const Player player(eased(looped(turning_torso(2.0F), 0.0F, 2.0F), 0.0F, 1.0F));
    CHECK(player.state_at(2.5, 2.5).weight == 1.0F);
    CHECK(player.state_at(2.75, 2.5).weight == Approx(smooth(0.75)));
    CHECK(player.state_at(3.0, 2.5).weight == Approx(0.5));
    CHECK(player.state_at(3.6, 2.5).weight == 0.0F);
    CHECK(player.state_at(3.0, 2.5).clip_seconds == 1.0F);  // 0.5 at the stop, then on
}

TEST_CASE("a clip that does not loop ends by itself", "[player]") {
    const Player player(eased(turning_torso(2.0F), 0.5F, 0.5F));
    CHECK(player.state_at(0.0).weight == 0.0F);
    CHECK(player.state_at(0.125).weight == Approx(smooth(0.25)));
    CHECK(player.state_at(0.25).weight == Approx(0.5));
    CHECK(player.state_at(0.5).weight == Approx(1.0));
    CHECK(player.state_at(1.5).weight == Approx(1.0));
    CHECK(player.state_at(1.625).weight == Approx(smooth(0.75)));
    CHECK(player.state_at(1.75).weight == Approx(0.5));
    CHECK(player.state_at(2.0).weight == Approx(0.0).margin(1e-6));
    CHECK(player.state_at(3.0).weight == 0.0F);
    CHECK(player.state_at(1.625).clip_seconds == 1.625F);
}

TEST_CASE("without eases the weight jumps", "[player]") {
    const Player player(turning_torso(2.0F));
    CHECK(player.state_at(0.0).weight == 1.0F);
    CHECK(player.state_at(1.9).weight == 1.0F);
    CHECK(player.state_at(2.1).weight == 0.0F);
}

TEST_CASE("a loop that overruns the duration stops itself", "[player]") {
    // loop_out is after the end: at 2 s the clip is over and eases out.
    const Player behind(eased(looped(turning_torso(2.0F), 0.0F, 3.0F), 0.0F, 1.0F));
    CHECK(behind.state_at(1.9).weight == 1.0F);
    CHECK(behind.state_at(2.5).weight == Approx(0.5));
    CHECK(behind.state_at(2.5).clip_seconds == 2.0F);
    CHECK(behind.state_at(3.1).weight == 0.0F);
    // in 1.5, out 1.0: after 1.0 it runs from 1.5 to 2.0 and stays within: 1.5 + fmod(0.25, 0.5)
    const Player within(looped(turning_torso(2.0F), 1.5F, 1.0F));
    CHECK(within.state_at(1.25).clip_seconds == 1.75F);
    CHECK(within.state_at(1.75).clip_seconds == 1.75F);
    CHECK(within.state_at(100.25).clip_seconds == 1.75F);
    CHECK(within.state_at(100.25).weight == 1.0F);
    // in 1.75, out 1.0: reaches 2.0 a quarter of a second after 1.0 and stops.
    const Player beyond(eased(looped(turning_torso(2.0F), 1.75F, 1.0F), 0.0F, 1.0F));
    CHECK(beyond.state_at(1.125).clip_seconds == 1.875F);
    CHECK(beyond.state_at(1.25).weight == 1.0F);
    CHECK(beyond.state_at(1.75).weight == Approx(0.5));
    CHECK(beyond.state_at(1.75).clip_seconds == 2.0F);
}

TEST_CASE("the end is looked for once the ease-in is over", "[player]") {
    // Eases of 1.5 s each in 2 s: the end would come at 0.5, but the clip eases in until 1.5.
    const Player player(eased(turning_torso(2.0F), 1.5F, 1.5F));
    CHECK(player.state_at(0.75).weight == Approx(0.5));
    CHECK(player.state_at(1.5).weight == Approx(1.0));
}

TEST_CASE("a file's times follow its duration", "[player]") {
    CHECK(Player(turning_torso(3.5F)).duration_seconds() == 3.5F);
    // Any value except 0 means a loop.
    sl_anim::file::Document odd = looped(turning_torso(2.0F), 0.0F, 2.0F);
    odd.loop = -7;
    CHECK(Player(odd).state_at(2.5).clip_seconds == 0.5F);
}
