// SPDX-License-Identifier: MIT
// The tools on .anim files: what they leave alone is the same in every bit.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "catch.h"
#include "editing/editing.h"
#include "formats/registry.h"
#include "formats/sl_anim/check/check.h"
#include "formats/sl_anim/file/file.h"
#include "formats/sl_anim/play/play.h"
#include "support.h"

using namespace animbridge;

namespace {

using AnimFile = sl_anim::file::Document;

/// Every fixture that the viewer plays.
std::vector<AnimFile> playable_files() {
    std::vector<AnimFile> files;
    for (const test::Fixture& fixture : test::fixtures()) {
        if (!fixture.readable) {
            continue;
        }
        auto read = sl_anim::file::read(fixture.bytes());
        if (read && sl_anim::check::require_playable(*read)) {
            files.push_back(*std::move(read));
        }
    }
    REQUIRE(files.size() > 20);
    return files;
}

AnimFile with(const AnimFile& file, const Json& edits) {
    const auto made = editing::edited(*sl_anim::file::make_document(file), edits);
    INFO((made ? std::string() : made.error().message()));
    REQUIRE(made);
    return *as_sl_anim(*made->document);
}

Error refusal(const AnimFile& file, const Json& edits) {
    const auto made = editing::edited(*sl_anim::file::make_document(file), edits);
    REQUIRE_FALSE(made);
    return made.error();
}

bool have_same_keys(const AnimFile& a, const AnimFile& b) {
    return std::ranges::equal(a.joints, b.joints, [](const auto& x, const auto& y) {
        return x.name == y.name && x.rotation.coded == y.rotation.coded &&
               x.position.coded == y.position.coded;
    });
}

/// A walk of one joint: turned at both ends, in a loop from 0.5 to 2 s.
AnimFile open_loop() {
    AnimFile file;
    file.duration = RawFloat(3.0F);
    file.loop = 1;
    file.loop_in_point = RawFloat(0.5F);
    file.loop_out_point = RawFloat(2.0F);
    sl_anim::file::Joint joint{"mShoulderLeft", 4, {}, {}};
    for (std::uint16_t i = 0; i <= 12; ++i) {
        joint.rotation.coded.push_back({static_cast<std::uint16_t>(i * 5461),
                                        {static_cast<std::uint16_t>(32768 + 900 * i), 33000, 31000}});
    }
    file.joints.push_back(joint);
    file.joints.push_back({"mHead", 3, {{{0, {32768, 32768, 40000}}}, {}}, {}});
    return file;
}

}  // namespace

TEST_CASE("A .anim that is mirrored or reversed twice is the file", "[sl-anim-tools]") {
    for (const AnimFile& file : playable_files()) {
        const AnimFile mirrored = with(file, {{"mirror", true}});
        CHECK(mirrored.joints.size() == file.joints.size());
        const AnimFile again = with(mirrored, {{"mirror", true}});
        CHECK(again.hand_pose == file.hand_pose);
        for (std::size_t i = 0; i < file.joints.size(); ++i) {
            const auto& before = file.joints[i];
            const auto& after = again.joints[i];
            CHECK(after.name == before.name);
            CHECK(after.priority == before.priority);
            for (std::size_t key = 0; key < before.rotation.coded.size(); ++key) {
                const auto& x = before.rotation.coded[key];
                const auto& y = after.rotation.coded[key];
                CHECK(x.time == y.time);
                // Volumes and attachment points rest turned: theirs are encoded anew.
                if (before.name.starts_with("m")) {
                    CHECK(x.xyz == y.xyz);
                }
            }
        }
        if (file.version == sl_anim::file::Version::coded) {
            const AnimFile turned = with(with(file, {{"reverse", true}}), {{"reverse", true}});
            CHECK(have_same_keys(file, turned));
            CHECK(std::abs(turned.loop_in_point.value() - file.loop_in_point.value()) < 1e-5F);
            CHECK(std::abs(turned.loop_out_point.value() - file.loop_out_point.value()) < 1e-5F);
        }
    }
}

TEST_CASE("The speed of a .anim is in its header alone", "[sl-anim-tools]") {
    for (const AnimFile& file : playable_files()) {
        if (file.version != sl_anim::file::Version::coded || !(file.duration.value() > 0.0F)) {
            continue;
        }
        const AnimFile fast = with(file, {{"speed", 2.0}});
        CHECK(have_same_keys(file, fast));
        CHECK(fast.duration.value() == file.duration.value() / 2.0F);
        CHECK(fast.ease_in_duration == file.ease_in_duration);
        CHECK((fast.loop_out_point == fast.duration) == (file.loop_out_point == file.duration));
        const AnimFile exact = with(file, {{"duration", 5.0}});
        CHECK(exact.duration.value() == Approx(5.0));
        CHECK(have_same_keys(file, exact));
    }
    // 1.5 s of 3 s repeat: 3 beats at 120, so nearest to 2.9 beats at 116.
    const AnimFile beats = with(open_loop(), {{"bpm", 116.0}});
    CHECK(beats.loop_out_point.value() - beats.loop_in_point.value() == Approx(3.0 * 60.0 / 116.0));
    CHECK(refusal(open_loop(), {{"bpm", 116.0}, {"speed", 2.0}}).field == "speed");
    CHECK(refusal(open_loop(), {{"speed", 0.0}}).field == "speed");
}

TEST_CASE("What is kept and what is left out of a .anim is the whole", "[sl-anim-tools]") {
    for (const AnimFile& file : playable_files()) {
        if (file.joints.size() < 2) {
            continue;
        }
        const std::string name = file.joints.front().name;
        if (name.find('*') != std::string::npos || name.find(',') != std::string::npos ||
            std::ranges::all_of(file.joints, [&](const auto& joint) { return joint.name == name; })) {
            continue;
        }
        const auto made =
            editing::edited(*sl_anim::file::make_document(file), {{"keep_parts", Json::array({name})}});
        if (!made) {
            continue;  // the name is an alias, or not text
        }
        for (const auto& joint : as_sl_anim(*made->document)->joints) {
            CHECK(std::ranges::find(file.joints, joint) != file.joints.end());
        }
        const auto rest =
            editing::edited(*sl_anim::file::make_document(file), {{"leave_out", Json::array({name})}});
        if (!rest) {
            CHECK(rest.error().code == ErrorCode::rejected);  // no other joint has keys
            continue;
        }
        CHECK(as_sl_anim(*rest->document)->joints.size() < file.joints.size());
        for (const auto& joint : as_sl_anim(*rest->document)->joints) {
            CHECK(std::ranges::find(file.joints, joint) != file.joints.end());
        }
    }
    CHECK(refusal(open_loop(), {{"leave_out", Json::array({"arms", "head"})}}).code == ErrorCode::rejected);
    CHECK(refusal(open_loop(), {{"keep_parts", Json::array({"tail"})}}).field == "keep_parts");
}

TEST_CASE("A closed loop of a .anim has equal codes at its ends, and other keys keep theirs",
          "[sl-anim-tools]") {
    const AnimFile file = open_loop();
    const AnimFile closed = with(file, {{"close_loop", true}});
    const auto& before = file.joints[0].rotation.coded;
    const auto& after = closed.joints[0].rotation.coded;
    CHECK(closed.joints[1] == file.joints[1]);
    const auto at = [&](double seconds) {
        const auto code = static_cast<int>(std::lround(seconds / 3.0 * 65535.0));
        return *std::ranges::min_element(after, {},
                                         [&](const auto& key) { return std::abs(int{key.time} - code); });
    };
    CHECK(at(0.5).xyz == at(2.0).xyz);
    for (const auto& key : before) {
        const double seconds = key.time / 65535.0 * 3.0;
        if (seconds < 1.6 || seconds > 2.01) {
            CHECK(std::ranges::find(after, key) != after.end());
        }
    }
    CHECK(with(closed, {{"close_loop", true}}) == closed);
}

TEST_CASE("A held and a moved .anim keep their values", "[sl-anim-tools]") {
    const AnimFile file = open_loop();
    const AnimFile held = with(file, {{"hold_first", 1.0}, {"hold_last", 2.0}});
    CHECK(held.duration.value() == 6.0F);
    CHECK(held.loop_in_point.value() == 1.5F);
    const auto values_of = [](const AnimFile& one) {
        std::vector<std::array<std::uint16_t, 3>> values;
        for (const auto& key : one.joints[0].rotation.coded) {
            values.push_back(key.xyz);
        }
        return values;
    };
    CHECK(values_of(held) == values_of(file));
    CHECK(held.joints[0].rotation.coded.front().time == std::lround(65535.0 / 6.0));
    const AnimFile moved = with(file, {{"retime", "1=2"}});
    CHECK(moved.duration.value() == 4.0F);
    CHECK(refusal(file, {{"retime", "5=6"}}).field == "retime");
    CHECK(refusal(file, {{"retime", "2=1,1=2"}}).field == "retime");
}

TEST_CASE("An edit of one joint leaves every other joint of a .anim alone", "[sl-anim-tools]") {
    const AnimFile file = open_loop();
    const AnimFile edited = with(file, {{"blend_edits", Json::array({"mShoulderLeft=0,0,30@1.5,0.3"})}});
    CHECK(edited.joints[1] == file.joints[1]);
    for (const auto& key : file.joints[0].rotation.coded) {
        const double seconds = key.time / 65535.0 * 3.0;
        if (seconds < 1.2 || seconds > 1.8) {
            const auto& keys = edited.joints[0].rotation.coded;
            CHECK(std::ranges::find(keys, key) != keys.end());
        }
    }
    CHECK(edited.base_priority == file.base_priority);
    CHECK(edited.joints[0].priority == 4);
}

TEST_CASE("Keys that a tool adds beside others never meet them at one time", "[sl-anim-tools]") {
    AnimFile file = open_loop();
    // The loop ends less than a time step before a key.
    file.loop_out_point = RawFloat(static_cast<float>(8 * 5461 / 65535.0 * 3.0 - 1e-6));
    const AnimFile closed = with(file, {{"close_loop", true}});
    const auto& keys = closed.joints[0].rotation.coded;
    CHECK(std::ranges::adjacent_find(keys, {}, &sl_anim::file::CodedKey::time) == keys.end());
    CHECK(with(closed, {{"close_loop", true}}).joints == closed.joints);
}

TEST_CASE("A tool that is not one is named", "[sl-anim-tools]") {
    CHECK(refusal(open_loop(), {{"mirrored", true}}).field == "mirrored");
    CHECK(refusal(open_loop(), {{"blend_edits", Json::array({"mHead=1,2@3"})}}).field == "blend_edits");
    CHECK(refusal(open_loop(), {{"smooth_mm", 3.0}}).field == "smooth_mm");
    CHECK(refusal(open_loop(), {{"start_at", 1.0}}).code == ErrorCode::rejected);
}
