// SPDX-License-Identifier: MIT
// Clips whose numbers are keyed each by itself, or by Bezier keys: their poses, and the same as linear rows.
#include <array>
#include <cmath>

#include "catch.h"
#include "model/clip/clip.h"

using namespace animbridge;

namespace {

Clip clip_of(std::vector<Track> tracks) {
    Clip clip;
    clip.skeleton.nodes = {{"hips", {}, std::nullopt, {{1, 0, 0, 0}, {0, 0, 1}}},
                           {"head", {}, 0, {{1, 0, 0, 0}, {0, 0, 0.5}}}};
    clip.tracks = std::move(tracks);
    clip.duration_seconds = 2.0;
    return clip;
}

Track component(std::size_t node, Channel channel, std::uint8_t number, std::vector<double> times,
                std::vector<double> values) {
    Track track{node, channel};
    track.component = number;
    track.times = std::move(times);
    track.values = std::move(values);
    return track;
}

/// By the definition of the curve: u is searched for the time, then B(u) of the values.
double bezier_value(const std::array<double, 4>& times, const std::array<double, 4>& values, double time) {
    const auto cubic = [](const std::array<double, 4>& p, double u) {
        const double v = 1 - u;
        return v * v * v * p[0] + 3 * v * v * u * p[1] + 3 * v * u * u * p[2] + u * u * u * p[3];
    };
    double low = 0;
    double high = 1;
    for (int i = 0; i < 200; ++i) {
        const double middle = 0.5 * (low + high);
        (cubic(times, middle) < time ? low : high) = middle;
    }
    return cubic(values, low);
}

}  // namespace

TEST_CASE("numbers without a track of their own are at rest", "[clip]") {
    const Clip clip = clip_of({component(0, Channel::translation, 0, {0.0, 2.0}, {0.0, 4.0}),
                               component(1, Channel::rotation, 3, {0.0, 1.0}, {0.0, 1.0})});
    ClipPoser poser(clip);
    poser.pose(1.0);
    CHECK(poser.local()[0].translation == glm::dvec3(2.0, 0.0, 1.0));
    // w rests at 1 and z is 1: a quarter turn about Z, normalised.
    CHECK(poser.local()[1].rotation.w == Approx(std::sqrt(0.5)));
    CHECK(poser.local()[1].rotation.z == Approx(std::sqrt(0.5)));
    CHECK(poser.world()[1].translation == glm::dvec3(2.0, 0.0, 1.5));
    CHECK(poser.moves(1));
}

TEST_CASE("a property is not part of the pose", "[clip]") {
    Track visibility{0, Channel::property};
    visibility.property = "visibility";
    visibility.times = {0.0, 1.0};
    visibility.values = {0.0, 1.0};
    const Clip clip = clip_of({visibility});
    ClipPoser poser(clip);
    poser.pose(1.0);
    CHECK(!poser.moves(0));
    CHECK(poser.local()[0].translation == glm::dvec3(0.0, 0.0, 1.0));
    REQUIRE(with_linear_rows(clip, 0.1).tracks.size() == 1);
    CHECK(with_linear_rows(clip, 0.1).tracks[0].property == "visibility");
}

TEST_CASE("each number of a Bezier row follows its own handles", "[clip]") {
    Track track{0, Channel::translation};
    track.times = {0.0, 2.0};
    track.values = {0.0, 1.0, 0.0, 4.0, 1.0, 2.0};
    track.interpolation = {Interpolation::bezier, Interpolation::linear};
    track.handles.resize(6);
    track.handles[0] = {0, 0, 0.5, 3.0};
    track.handles[3] = {-1.0, 0.25, 0, 0};
    track.handles[2] = {0, 0, 1.5, -1.0};
    track.handles[5] = {-0.5, 0, 0, 0};
    const Clip clip = clip_of({track});
    ClipPoser poser(clip);
    for (double time = 0.1; time < 2.0; time += 0.1) {
        poser.pose(time);
        const glm::dvec3 shown = poser.local()[0].translation;
        CHECK(shown.x == Approx(bezier_value({0, 0.5, 1.0, 2}, {0, 3.0, 4.25, 4}, time)).margin(1e-9));
        CHECK(shown.y == Approx(1.0));
        CHECK(shown.z == Approx(bezier_value({0, 1.5, 1.5, 2}, {0, -1.0, 2, 2}, time)).margin(1e-9));
    }
}

TEST_CASE("linear rows show at their keys what the clip shows", "[clip]") {
    Track z = component(0, Channel::translation, 2, {0.25, 1.0, 1.7}, {1.0, 3.0, 2.0});
    z.interpolation = {Interpolation::bezier, Interpolation::step, Interpolation::linear};
    z.handles = {{0, 0, 0.2, 1.0}, {-0.3, 0.5, 0, 0}, {}};
    const Track x = component(0, Channel::translation, 0, {0.0, 2.0}, {0.0, 1.0});
    const Clip clip = clip_of({x, z});
    const Clip rows = with_linear_rows(clip, 1.0 / 24.0);
    REQUIRE(rows.tracks.size() == 1);
    const Track& track = rows.tracks[0];
    CHECK(!track.component);
    ClipPoser wanted(clip);
    ClipPoser shown(rows);
    std::size_t own = 0;
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        CHECK((key == 0 || track.times[key] > track.times[key - 1]));
        wanted.pose(track.times[key]);
        shown.pose(track.times[key]);
        CHECK(glm::length(wanted.local()[0].translation - shown.local()[0].translation) < 1e-12);
        own += track.inserted[key] ? 0U : 1U;
    }
    CHECK(own == 5);
    // The jump at 1.7 s takes a thousandth of a step; before it, nothing moves towards it.
    wanted.pose(1.699);
    shown.pose(1.699);
    CHECK(shown.local()[0].translation.z == Approx(3.0));
    CHECK(wanted.local()[0].translation.z == Approx(3.0));
}

TEST_CASE("rows that are linear already stay as they are", "[clip]") {
    Track rows{1, Channel::rotation};
    rows.add_key(0.0, std::array<double, 4>{1, 0, 0, 0});
    rows.add_key(1.0, std::array<double, 4>{0, 0, 0, 2});
    const Clip same = with_linear_rows(clip_of({rows}), 0.01);
    REQUIRE(same.tracks.size() == 1);
    CHECK(same.tracks[0].times == rows.times);
    CHECK(same.tracks[0].values == rows.values);
}
