// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "catch.h"
#include "formats/registry.h"
#include "playback/playback.h"

using namespace animbridge;

TEST_CASE("motion of a scene goes through a clip, unless no clip can say it", "[playback]") {
    std::vector<std::string> own_ways;
    for (const Format& format : formats()) {
        if (format.scene.from_scene != nullptr) {
            own_ways.emplace_back(format.id);
        } else {
            // The clip is on the bones that the format asks for, and the format writes it.
            CHECK(playback::takes_scenes(format) == (format.scene.export_rig != nullptr));
            CHECK((format.scene.export_rig == nullptr || format.clip.from_clip != nullptr));
        }
    }
    // An OBAN's Base scales and shears; poses of a recording are in the world, and several can be on one
    // bone. A viewer pose has scales.
    CHECK(own_ways == std::vector<std::string>{"oban", "mrtk", "sl_pose"});
}
