// SPDX-License-Identifier: MIT
// Reduced keys of which none can go, and the bound at every frame.
#include <chrono>
#include <numeric>

#include "catch.h"
#include "formats/oban/edit/edit.h"
#include "oban_motions.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

std::vector<oban::file::Key> reduced_keys(const oban::edit::Motion& motion,
                                          const oban::edit::Bound& bound = {}, bool mirrored = false) {
    auto keys = oban::edit::reduce(motion, bound, mirrored, Job());
    REQUIRE(keys.has_value());
    return std::move(*keys);
}

/// Whether the player stays within the bound between the first and the last of these keys.
bool keeps_bound(const std::vector<oban::file::Key>& keys, const oban::edit::Motion& motion,
                 const oban::edit::Bound& bound) {
    oban::file::Record record;
    record.keys = keys;
    record.frame_count = static_cast<std::uint16_t>(keys.back().time + 1);
    const oban::play::Player player(record);
    for (auto frame = keys.front().time; frame <= keys.back().time; ++frame) {
        const oban::edit::Stray stray = oban::edit::stray_of(player.pose(frame), motion.base_translation,
                                                             motion.shown[static_cast<std::size_t>(frame)]);
        if (stray.position_mm > bound.position_mm || stray.rotation_degrees > bound.rotation_degrees) {
            return false;
        }
    }
    return true;
}

void require_minimal(const std::vector<oban::file::Key>& keys, const oban::edit::Motion& motion,
                     const oban::edit::Bound& bound) {
    for (std::size_t i = 1; i + 1 < keys.size(); ++i) {
        INFO("key " << i << " at " << keys[i].time);
        REQUIRE_FALSE(keeps_bound({keys[i - 1], keys[i + 1]}, motion, bound));
    }
}

oban::edit::Motion mirrored_motion(oban::edit::Motion motion) {
    for (std::size_t i = motion.frames.size() - 1; i-- > 0;) {
        oban::file::Key key = motion.frames[i];
        key.time = static_cast<std::int32_t>(motion.frames.size());
        motion.frames.push_back(key);
        motion.shown.push_back(motion.shown[i]);
    }
    return motion;
}

}  // namespace

TEST_CASE("reduced keys keep the bound and need each other", "[oban-reduce]") {
    for (const oban::edit::Bound bound :
         {oban::edit::Bound{1.0, 0.05}, {0.05, 0.005}, {1000.0, 0.05}, {1.0, 400.0}}) {
        for (const oban::edit::Motion& motion :
             {smooth_motion(900), smooth_motion(400, {0, 200, 0}), noise_motion(300)}) {
            const auto keys = reduced_keys(motion, bound);
            CHECK(keys.front() == motion.frames.front());
            CHECK(keys.back() == motion.frames.back());
            CHECK(keeps_bound(keys, motion, bound));
            require_minimal(keys, motion, bound);
            CHECK(reduced_keys(motion, bound) == keys);
        }
    }
}

TEST_CASE("a Base far out needs more keys than its pivot", "[oban-reduce]") {
    CHECK(reduced_keys(smooth_motion(600, {0, 500, 0})).size() > reduced_keys(smooth_motion(600)).size());
}

TEST_CASE("what stands still or goes straight needs its ends", "[oban-reduce]") {
    oban::edit::Motion still;
    oban::edit::Motion straight;
    for (int i = 0; i < 1000; ++i) {
        add_frame(still, {1, 0, 0, 0}, {1, 2, 3});
        add_frame(straight, {1, 0, 0, 0}, {0.25 * i, -0.5 * i, 0});
    }
    CHECK(reduced_keys(still).size() == 2);
    CHECK(reduced_keys(straight).size() == 2);
    oban::edit::Motion one;
    CHECK(reduced_keys(one).empty());
    add_frame(one, {1, 0, 0, 0}, {0, 0, 0});
    CHECK(reduced_keys(one).size() == 1);
    add_frame(one, {0, 1, 0, 0}, {0, 0, 0});
    CHECK(reduced_keys(one).size() == 2);
}

TEST_CASE("a door's second half has the first half's keys", "[oban-reduce]") {
    oban::edit::Motion motion = mirrored_motion(smooth_motion(200));
    const auto keys = reduced_keys(motion, {}, true);
    CHECK(keeps_bound(keys, motion, {}));
    require_minimal(keys, motion, {});
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const oban::file::Key& other = keys[keys.size() - 1 - i];
        CHECK(keys[i].time == motion.frames.back().time - other.time);
        CHECK(keys[i].rotation == other.rotation);
        CHECK(keys[i].position == other.position);
    }
}

TEST_CASE("reduction can be cancelled", "[oban-reduce]") {
    const auto keys = oban::edit::reduce(noise_motion(2000), {}, false,
                                         Job([](double fraction) { return fraction < 0.1; }));
    REQUIRE_FALSE(keys.has_value());
    CHECK(keys.error().code == ErrorCode::cancelled);
}
