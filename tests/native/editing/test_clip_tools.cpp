// SPDX-License-Identifier: MIT
// The tools on clips of every kind of keys, by what must hold for any clip.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "catch.h"
#include "editing/clip_tools.h"

using namespace animbridge;

namespace {

constexpr double length_seconds = 3.0;

/// A body whose left and right mirror each other in y = 0, with turned rests.
Skeleton small_body() {
    const glm::dquat tilt = glm::normalize(glm::dquat(0.9, 0.1, 0.3, -0.2));
    const glm::dquat mirrored_tilt(tilt.w, -tilt.x, tilt.y, -tilt.z);
    Skeleton body;
    body.nodes.push_back({"hips", {}, {}, {glm::dquat(1, 0, 0, 0), {0, 0, 1}}});
    body.nodes.push_back({"head", {}, 0, {glm::dquat(0.8, 0, 0.6, 0), {0, 0, 0.6}}});
    body.nodes.push_back({"LeftArm", {}, 0, {tilt, {0, 0.2, 0.4}}});
    body.nodes.push_back({"LeftHand", {}, 2, {mirrored_tilt, {0.1, 0.5, 0}}});
    body.nodes.push_back({"RightArm", {}, 0, {mirrored_tilt, {0, -0.2, 0.4}}});
    body.nodes.push_back({"RightHand", {}, 4, {tilt, {0.1, -0.5, 0}}});
    return body;
}

enum class Keys { lines, curves, steps, apart };

class RandomClip {
public:
    explicit RandomClip(unsigned seed) : random_(seed) {}

    Clip make(Keys kind) {
        Clip clip{small_body(), {}, {{"loop_in", 0.0}, {"loop_out", length_seconds}}, length_seconds, 30.0};
        for (std::size_t node = 0; node < clip.skeleton.nodes.size(); ++node) {
            for (const Channel channel : {Channel::rotation, Channel::translation}) {
                if (kind != Keys::apart) {
                    clip.tracks.push_back(track(node, channel, {}, kind));
                    continue;
                }
                for (std::uint8_t number = 0; number < width_of(channel); ++number) {
                    clip.tracks.push_back(track(node, channel, number, kind));
                }
            }
        }
        return clip;
    }
    double number(double low, double high) {
        return low + (high - low) * static_cast<double>(random_()) / 4294967296.0;
    }

private:
    Track track(std::size_t node, Channel channel, std::optional<std::uint8_t> component, Keys kind) {
        Track made{node, channel};
        made.component = component;
        const int count = 2 + static_cast<int>(number(0, 6));
        for (int i = 0; i < count; ++i) {
            made.times.push_back(length_seconds * i / (count - 1));
            std::vector<double> row;
            for (std::size_t n = 0; n < made.width(); ++n) {
                // Near no rotation, so that neighbours are less than half a turn apart.
                const bool is_w =
                    channel == Channel::rotation && component.value_or(static_cast<std::uint8_t>(n)) == 0;
                row.push_back(is_w ? 1.0 : number(-0.4, 0.4));
            }
            made.values.insert(made.values.end(), row.begin(), row.end());
            made.interpolation.push_back(kind == Keys::lines   ? Interpolation::linear
                                         : kind == Keys::steps ? Interpolation::step
                                                               : Interpolation::bezier);
        }
        if (kind == Keys::curves || kind == Keys::apart) {
            for (std::size_t i = 0; i < made.values.size(); ++i) {
                made.handles.push_back({-0.1, number(-0.1, 0.1), 0.1, number(-0.1, 0.1)});
            }
        }
        return made;
    }

    std::mt19937 random_;
};

constexpr std::array<Keys, 4> all_kinds = {Keys::lines, Keys::curves, Keys::steps, Keys::apart};

/// The largest distance of the poses of two clips, at a time of the first one and that of the second one.
double largest_distance(const Clip& a, const Clip& b, const std::function<double(double)>& time_in_b) {
    double largest = 0;
    ClipPoser first(a);
    ClipPoser second(b);
    for (int i = 0; i <= 200; ++i) {
        // Beside keys: at a step, one side is as good as the other.
        const double time = 0.00071 + (a.duration_seconds - 0.002) * i / 200.0;
        first.pose(time);
        second.pose(time_in_b(time));
        for (std::size_t node = 0; node < a.skeleton.nodes.size(); ++node) {
            const Transform& x = first.local()[node];
            const Transform& y = second.local()[node];
            largest = std::max(
                {largest, chord(x.rotation, y.rotation), glm::length(x.translation - y.translation)});
        }
    }
    return largest;
}

double same_time(double seconds) { return seconds; }

/// Whether the tracks are equal in every bit but those of times, which may be off by a rounding.
bool are_alike(const Clip& a, const Clip& b) {
    return std::ranges::equal(a.tracks, b.tracks, [](const Track& x, const Track& y) {
        return x.node == y.node && x.channel == y.channel && x.values == y.values &&
               x.component == y.component && x.interpolation == y.interpolation &&
               std::ranges::equal(x.times, y.times,
                                  [](double s, double t) { return std::abs(s - t) < 1e-12; });
    });
}

}  // namespace

TEST_CASE("A reversed clip shows the clip backwards, and reversed twice it is the clip", "[editing]") {
    for (const Keys kind : all_kinds) {
        for (unsigned seed = 0; seed < 20; ++seed) {
            const Clip clip = RandomClip(seed).make(kind);
            Clip turned = clip;
            editing::reverse(turned);
            CHECK(largest_distance(clip, turned, [](double time) { return length_seconds - time; }) < 1e-9);
            editing::reverse(turned);
            CHECK(are_alike(clip, turned));
        }
    }
}

TEST_CASE("A mirrored body stands in the mirror, and mirrored twice it is the body", "[editing]") {
    const std::vector<std::size_t> partner = {0, 1, 4, 5, 2, 3};
    for (const Keys kind : all_kinds) {
        for (unsigned seed = 0; seed < 10; ++seed) {
            const Clip clip = RandomClip(seed).make(kind);
            Clip mirrored = clip;
            const auto done = editing::mirror(mirrored, {});
            REQUIRE(done);
            CHECK(done->pairs == 2);
            CHECK(done->left_alone.empty());
            CHECK(done->sampled == 0);
            ClipPoser before(clip);
            ClipPoser after(mirrored);
            double largest = 0;
            for (double time = 0.003; time < length_seconds; time += 0.05) {
                before.pose(time);
                after.pose(time);
                for (std::size_t node = 0; node < partner.size(); ++node) {
                    const glm::dvec3 seen = before.world()[node].translation * glm::dvec3(1, -1, 1);
                    largest = std::max(largest, glm::length(seen - after.world()[partner[node]].translation));
                }
            }
            CHECK(largest < 1e-9);
            REQUIRE(editing::mirror(mirrored, {}));
            CHECK(largest_distance(clip, mirrored, same_time) < 1e-12);
        }
    }
}

TEST_CASE("A joint on one side alone keeps its motion", "[editing]") {
    Clip clip = RandomClip(1).make(Keys::lines);
    clip.skeleton.nodes.push_back({"Sword", {}, 5, {glm::dquat(1, 0, 0, 0), {0, 0, 0.1}}});
    Track sword{6, Channel::rotation};
    sword.add_key(0.0, std::array{0.8, 0.6, 0.0, 0.0});
    clip.tracks.push_back(sword);
    const auto done = editing::mirror(clip, {});
    REQUIRE(done);
    CHECK(done->left_alone == std::vector<std::string>{"Sword"});
    CHECK(clip.tracks.back().values == sword.values);
}

TEST_CASE("Names of the other side", "[editing]") {
    const auto other = [](const char* name) { return editing::mirrored_name(name); };
    CHECK(other("mShoulderLeft") == "mShoulderRight");
    CHECK(other("LeftUpLeg") == "RightUpLeg");
    CHECK(other("Arm.L") == "Arm.R");
    CHECK(other("l_thigh") == "r_thigh");
    CHECK(other("LEFT_PEC") == "RIGHT_PEC");
    CHECK(other("R_CLAVICLE") == "L_CLAVICLE");
    CHECK(other("left hand") == "right hand");
    CHECK(other("mFaceEyebrowOuterLeft") == "mFaceEyebrowOuterRight");
    CHECK(other("mixamorig:LeftHandThumb1") == "mixamorig:RightHandThumb1");
    CHECK(other("lThigh") == "rThigh");
    CHECK(other("LThumb") == "RThumb");
    CHECK(other("LHipJoint") == "RHipJoint");
    CHECK(other("LArm") == "RArm");
    CHECK(other("LOD") == "LOD");
    CHECK(other("Lip") == "Lip");
    CHECK(other("Skull") == "Skull");
    CHECK(other("Bright") == "Bright");
    CHECK(other("pelvis") == "pelvis");
}

TEST_CASE("New times move what happens at the old ones, and back again", "[editing]") {
    const std::vector<editing::TimePair> there = {{0, 0}, {1, 1.5}, {2.5, 2}};
    const std::vector<editing::TimePair> back = {{0, 0}, {1.5, 1}, {2, 2.5}};
    const auto map = [](double time) {
        return time < 1 ? time * 1.5 : time < 2.5 ? 1.5 + (time - 1) / 3 : time - 0.5;
    };
    for (const Keys kind : all_kinds) {
        INFO("kind " << static_cast<int>(kind));
        const Clip clip = RandomClip(7).make(kind);
        Clip moved = clip;
        // A hundredth of a degree, where a turn is cut in two.
        const double tolerance = kind == Keys::lines ? 1e-4 : 1e-7;
        editing::retime(moved, there);
        CHECK(moved.duration_seconds == Approx(2.5));
        CHECK(largest_distance(clip, moved, map) < tolerance);
        editing::retime(moved, back);
        CHECK(largest_distance(clip, moved, same_time) < tolerance);
        Clip fast = clip;
        editing::speed_up(fast, 2.0);
        CHECK(largest_distance(clip, fast, [](double time) { return time / 2.0; }) < 1e-9);
        editing::speed_up(fast, 0.5);
        CHECK(are_alike(clip, fast));
    }
}

TEST_CASE("A held clip holds its ends", "[editing]") {
    const Clip clip = RandomClip(3).make(Keys::lines);
    Clip held = clip;
    editing::hold(held, 0.5, 1.0);
    CHECK(held.duration_seconds == Approx(4.5));
    CHECK(largest_distance(clip, held, [](double time) { return time + 0.5; }) < 1e-9);
    ClipPoser poser(held);
    poser.pose(0.1);
    const Transform early = poser.local()[2];
    poser.pose(0.5);
    CHECK(chord(early.rotation, poser.local()[2].rotation) < 1e-12);
}

TEST_CASE("A closed loop ends as it begins, and nothing else moves", "[editing]") {
    for (const Keys kind : {Keys::lines, Keys::curves, Keys::apart}) {
        for (unsigned seed = 0; seed < 10; ++seed) {
            Clip clip = RandomClip(seed).make(kind);
            clip.markers = {{"loop_in", 0.25}, {"loop_out", 2.75}};
            const auto travel = editing::travel_of(clip, {});
            REQUIRE(travel);
            editing::add_travel(clip, travel->node, -travel->metres_per_second);
            Clip closed = clip;
            const auto done = editing::close_loop(closed);
            CHECK(done.tracks > 0);
            ClipPoser poser(closed);
            poser.pose(0.25);
            const std::vector<Transform> start = poser.local();
            poser.pose(2.75);
            for (std::size_t node = 0; node < start.size(); ++node) {
                CHECK(chord(start[node].rotation, poser.local()[node].rotation) < 1e-9);
                CHECK(glm::length(start[node].translation - poser.local()[node].translation) < 1e-9);
            }
            INFO("kind " << static_cast<int>(kind) << ", seed " << seed);
            Clip before_window = clip;
            before_window.duration_seconds = 2.75 - 2.5 / 4.0;
            const double sampled = kind == Keys::lines ? 1e-4 : 5e-3;
            CHECK(largest_distance(before_window, closed, same_time) < sampled);
            Clip again = closed;
            CHECK(editing::close_loop(again).tracks == 0);
            CHECK(are_alike(closed, again));
        }
    }
}

TEST_CASE("A key beside the end of a loop is its end", "[editing]") {
    // A file stores times in steps, so that two keys a tenth of a millisecond apart would be one.
    for (const double beside : {-1e-4, 1e-4}) {
        Clip clip{small_body(), {}, {{"loop_in", 0.0}, {"loop_out", 2.0}}, length_seconds, 30.0};
        Track track{1, Channel::rotation};
        for (const double time : {0.0, 1.0, 1.9, 2.0 + beside, 3.0}) {
            const glm::dquat q = glm::angleAxis(0.1 * time * time, glm::dvec3(0, 1, 0));
            track.add_key(time, std::array{q.w, q.x, q.y, q.z});
        }
        clip.tracks.push_back(track);
        CHECK(editing::close_loop(clip).tracks == 1);
        const auto is_near = [](double time) { return std::abs(time - 2.0) < 1e-3; };
        REQUIRE(std::ranges::count_if(clip.tracks[0].times, is_near) == 1);
        const auto end = std::ranges::find_if(clip.tracks[0].times, is_near) - clip.tracks[0].times.begin();
        CHECK(chord(clip.tracks[0].rotation(static_cast<std::size_t>(end)), track.rotation(0)) < 1e-12);
    }
}

TEST_CASE("A closed loop that begins elsewhere shows the same round", "[editing]") {
    for (const Keys kind : {Keys::lines, Keys::curves, Keys::steps}) {
        Clip clip = RandomClip(5).make(kind);
        if (kind != Keys::steps) {
            editing::close_loop(clip);
        }
        Clip begun = clip;
        editing::start_at(begun, 1.1);
        CHECK(begun.duration_seconds == length_seconds);
        const double distance =
            largest_distance(begun, clip, [](double time) { return std::fmod(time + 1.1, length_seconds); });
        CHECK(distance < 2e-3);  // at its own beginning, a step or a curve meets its end
    }
}

TEST_CASE("Without its travel a loop comes back, and with it it is the clip again", "[editing]") {
    for (const Keys kind : all_kinds) {
        Clip clip = RandomClip(9).make(kind);
        const auto travel = editing::travel_of(clip, {});
        REQUIRE(travel);
        CHECK(travel->node == 0);
        Clip still = clip;
        editing::add_travel(still, travel->node, -travel->metres_per_second);
        const auto left = editing::travel_of(still, {});
        REQUIRE(left);
        CHECK(left->way_metres < (kind == Keys::steps ? 0.05 : 1e-9));
        editing::add_travel(still, travel->node, travel->metres_per_second);
        CHECK(largest_distance(clip, still, same_time) < (kind == Keys::steps ? 0.05 : 1e-9));
    }
}

TEST_CASE("An edit is whole at its time and nothing outside its falloff", "[editing]") {
    for (const Keys kind : {Keys::lines, Keys::curves, Keys::apart}) {
        const Clip clip = RandomClip(11).make(kind);
        Clip edited = clip;
        REQUIRE(editing::blend(edited, {"LeftArm", {0, 0, 40}, 1.5, 0.3}));
        ClipPoser before(clip);
        ClipPoser after(edited);
        before.pose(1.5);
        after.pose(1.5);
        const glm::dquat turn = rotation_of_euler({}, glm::radians(glm::dvec3(0, 0, 40)));
        const double tolerance = kind == Keys::lines ? 1e-9 : 1e-3;
        CHECK(chord(before.local()[2].rotation * turn, after.local()[2].rotation) < tolerance);
        if (kind == Keys::lines) {
            const auto& track = *std::ranges::find_if(clip.tracks, [](const Track& one) {
                return one.node == 2 && one.channel == Channel::rotation;
            });
            for (const double time : track.times) {
                if (time <= 1.2 || time >= 1.8) {
                    before.pose(time);
                    after.pose(time);
                    const bool is_border = std::ranges::none_of(track.times, [&](double other) {
                        return (time < 1.5 && other > time && other <= 1.2) ||
                               (time > 1.5 && other < time && other >= 1.8);
                    });
                    CHECK(
                        (chord(before.local()[2].rotation, after.local()[2].rotation) < 1e-12 || !is_border));
                }
            }
        }
        Clip whole = clip;
        REQUIRE(editing::blend(whole, {"LeftArm", {0, 0, 40}, 1.5, {}}));
        ClipPoser everywhere(whole);
        for (double time = 0.05; time < length_seconds; time += 0.1) {
            before.pose(time);
            everywhere.pose(time);
            CHECK(chord(before.local()[2].rotation * turn, everywhere.local()[2].rotation) < tolerance);
        }
    }
    Clip clip = RandomClip(11).make(Keys::lines);
    const auto unknown = editing::blend(clip, {"Tentacle", {0, 0, 40}, 1.5, 0.3});
    REQUIRE_FALSE(unknown);
    CHECK(unknown.error().field == "blend_edits");
}

TEST_CASE("An edit near a loop's end goes on at its beginning, and before it", "[editing]") {
    constexpr double frames_per_second = 30.0;
    constexpr double falloff_seconds = 0.4;
    struct Case {
        double in_seconds;
        double out_seconds;
        double at_seconds;
    };
    // The whole clip; a loop with an intro and an outro, over either end and at its very end; the intro.
    for (const Case& one :
         {Case{0, 3, 2.9}, Case{0, 3, 0}, Case{1, 2, 1.9}, Case{1, 2, 1.1}, Case{1, 2, 2}, Case{1, 2, 0.8}}) {
        Clip clip{small_body(),
                  {},
                  {{"loop_in", one.in_seconds}, {"loop_out", one.out_seconds}},
                  length_seconds,
                  frames_per_second};
        Track arm{2, Channel::rotation};
        for (int frame = 0; frame <= 90; ++frame) {
            const double half = 0.2 * std::sin(2.0 * std::numbers::pi * frame / frames_per_second);
            arm.add_key(frame / frames_per_second, std::array{std::cos(half), 0.0, std::sin(half), 0.0});
        }
        clip.tracks = {arm};
        Clip edited = clip;
        REQUIRE(editing::blend(edited, {"LeftArm", {0, 0, 40}, one.at_seconds, falloff_seconds}));
        ClipPoser before(clip);
        ClipPoser after(edited);
        const bool is_in_loop = one.at_seconds >= one.in_seconds;
        // Frames are nearer to each other than an eighth of the falloff.
        CHECK((edited.tracks[0].key_count() == arm.key_count() || !is_in_loop));
        const double round = one.out_seconds - one.in_seconds;
        for (const double time : arm.times) {
            double apart = std::abs(time - one.at_seconds);
            if (is_in_loop && time > one.in_seconds - 1e-9 && time < one.out_seconds + 1e-9) {
                apart = std::min(apart, round - apart);
            }
            // What is edited in the intro is over where the loop begins.
            const double reach =
                is_in_loop || time < one.at_seconds ? falloff_seconds : one.in_seconds - one.at_seconds;
            const double u = std::min(1.0, apart / reach);
            const double angle = 40.0 * (1.0 - u * u * (3.0 - 2.0 * u));
            before.pose(time);
            after.pose(time);
            const glm::dquat turn = rotation_of_euler({}, glm::radians(glm::dvec3(0, 0, angle)));
            CHECK(chord(before.local()[2].rotation * turn, after.local()[2].rotation) < 1e-9);
        }
    }
}

TEST_CASE("An edit reaches to a track's ends where no keys follow, and an open loop's ends stay",
          "[editing]") {
    Clip clip{small_body(), {}, {{"loop_in", 0.0}, {"loop_out", length_seconds}}, length_seconds, 30.0};
    Track arm{2, Channel::rotation};
    arm.add_key(0.0, std::array{1.0, 0.0, 0.0, 0.0});
    arm.add_key(1.0, std::array{std::sqrt(0.5), std::sqrt(0.5), 0.0, 0.0});
    clip.tracks = {arm};
    REQUIRE(editing::blend(clip, {"LeftArm", {0, 0, 40}, 2.0, 0.5}));
    ClipPoser poser(clip);
    const glm::dquat held(std::sqrt(0.5), std::sqrt(0.5), 0.0, 0.0);
    for (const double share : {0.0, 0.5, 1.0}) {
        const glm::dquat wanted = held * rotation_of_euler({}, glm::radians(glm::dvec3(0, 0, 40.0 * share)));
        for (const double time : {1.0 + share, 3.0 - share}) {
            poser.pose(time);
            CHECK(chord(poser.local()[2].rotation, wanted) < 1e-9);
        }
    }
    poser.pose(0.0);
    CHECK(chord(poser.local()[2].rotation, glm::dquat(1, 0, 0, 0)) == 0.0);
}

TEST_CASE("Smoothing takes out noise and moves nothing beyond its bound", "[editing]") {
    for (const auto filter : {editing::Filter::savgol, editing::Filter::one_euro}) {
        std::mt19937 random(5);
        const auto noise = [&] { return 0.017 * (static_cast<double>(random()) / 2147483648.0 - 1.0); };
        Clip clip{small_body(), {}, {}, length_seconds, 30.0};
        Track shaking{1, Channel::rotation};
        std::vector<double> wanted;
        for (int frame = 0; frame <= 90; ++frame) {
            const double angle = 0.4 * std::sin(frame / 30.0);
            wanted.push_back(angle);
            const double shaken = angle + noise();
            shaking.add_key(frame / 30.0, std::array{std::cos(shaken / 2), std::sin(shaken / 2), 0.0, 0.0});
        }
        clip.tracks.push_back(shaking);
        const auto off = [&](const Clip& shown) {
            double sum = 0;
            TrackCursor cursor(shown.tracks.front());
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                const glm::dquat q(std::cos(wanted[i] / 2), std::sin(wanted[i] / 2), 0, 0);
                sum +=
                    std::pow(angle_between_degrees(q, cursor.rotation_at(static_cast<double>(i) / 30.0)), 2);
            }
            return std::sqrt(sum / static_cast<double>(wanted.size()));
        };
        Clip smooth = clip;
        const auto done = editing::smooth(smooth, filter, 2.0, 2.0);
        CHECK(done.tracks == 1);
        CHECK(off(smooth) < (filter == editing::Filter::savgol ? 0.75 : 0.9) * off(clip));
        Clip bounded = clip;
        CHECK(editing::smooth(bounded, filter, 0.1, 2.0).largest_degrees <= 0.1 + 1e-9);
        TrackCursor before(clip.tracks.front());
        TrackCursor after(bounded.tracks.front());
        for (int frame = 0; frame <= 90; ++frame) {
            CHECK(angle_between_degrees(before.rotation_at(frame / 30.0), after.rotation_at(frame / 30.0)) <=
                  0.1 + 1e-6);
        }
        Clip unchanged = clip;
        CHECK(editing::smooth(unchanged, filter, 0.0, 0.0).tracks == 0);
        CHECK(are_alike(clip, unchanged));
    }
}

/// A body whose arm swings, with so many keys a second.
Clip swinging(double period_seconds, double keys_a_second) {
    Clip clip{small_body(), {}, {{"loop_in", 0.0}, {"loop_out", 3.0}}, 4.0};
    Track swing{2, Channel::rotation};
    for (int i = 0; i <= static_cast<int>(4.0 * keys_a_second); ++i) {
        const double time = i / keys_a_second;
        const double half = 0.5 * std::sin(time / period_seconds * 2.0 * std::numbers::pi);
        swing.add_key(time, std::array{std::cos(half), 0.0, std::sin(half), 0.0});
    }
    clip.tracks.push_back(swing);
    return clip;
}

TEST_CASE("The best loop of a motion that repeats is its period", "[editing]") {
    for (const double frames_per_second : {25.0, 30.0, 50.0, 60.0}) {
        constexpr double period_seconds = 1.2;
        Clip clip = swinging(period_seconds, frames_per_second);
        clip.frames_per_second = frames_per_second;
        const auto found = editing::best_loops(clip, {}, {});
        REQUIRE(found);
        REQUIRE_FALSE(found->choices.empty());
        const auto& best = found->choices.front();
        CHECK(std::remainder(best.out_seconds - best.in_seconds, period_seconds) == Approx(0.0).margin(1e-6));
        CHECK(best.distance_mm < 0.01);
        for (const auto& choice : found->choices) {
            CHECK(std::remainder(choice.in_seconds * frames_per_second, 1.0) == Approx(0.0).margin(1e-6));
        }
    }
}

TEST_CASE("Without frames the best loop is found between keys, and the present one is measured",
          "[editing]") {
    // Keys as dense as the finest search, so that they are no frames of 30 a second.
    constexpr double period_seconds = 1.25 + 1.0 / 240.0;
    const Clip clip = swinging(period_seconds, 480.0);
    const auto found = editing::best_loops(clip, {}, {});
    REQUIRE(found);
    const auto& best = found->choices.front();
    CHECK(std::abs(std::remainder(best.out_seconds - best.in_seconds, period_seconds)) < 1.0 / 480.0);
    CHECK(std::ranges::is_sorted(found->choices, {}, &editing::LoopChoice::distance_mm));
    REQUIRE(found->present);
    CHECK(found->present->out_seconds == 3.0);
    // From the middle of the swing to where 3 s are: the arm's own turn.
    const double angle = std::sin(3.0 / period_seconds * 2.0 * std::numbers::pi);
    CHECK(found->present->worst_degrees == Approx(glm::degrees(std::abs(angle))).epsilon(1e-3));
    CHECK(found->present->distance_mm > 100.0 * best.distance_mm);
}

TEST_CASE("Parts are named by slots, sides and names", "[editing]") {
    const std::vector<std::string> joints = {"hips", "lThigh", "rThigh", "mFaceJaw"};
    rig::humanoid::FoundRig rig;
    rig.slots = {{"hips", 0}, {"leftUpperLeg", 1}, {"rightUpperLeg", 2}};
    const auto kept = [&](std::vector<std::string> keep, std::vector<std::string> leave) {
        editing::Tools tools;
        tools.keep_parts = std::move(keep);
        tools.leave_out = std::move(leave);
        const auto parts = editing::Parts::from(tools, joints, &rig);
        REQUIRE(parts);
        std::string text;
        for (std::size_t i = 0; i < joints.size(); ++i) {
            text += parts->rotates(i) ? (parts->moves(i) ? "x" : "r") : (parts->moves(i) ? "p" : ".");
        }
        return text;
    };
    CHECK(kept({"legs"}, {}) == ".xx.");
    CHECK(kept({}, {"left"}) == "x.xx");
    CHECK(kept({}, {"face"}) == "xxx.");
    CHECK(kept({}, {"positions"}) == "rrrr");
    CHECK(kept({"*Thigh"}, {"l*"}) == "..x.");
    CHECK(kept({"body"}, {}) == "xxx.");
    editing::Tools tools;
    tools.leave_out = {"wings"};
    const auto none = editing::Parts::from(tools, joints, &rig);
    REQUIRE_FALSE(none);
    CHECK(none.error().field == "leave_out");
}
