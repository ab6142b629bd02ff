// SPDX-License-Identifier: MIT
// Keys with values of their own: what they play is posed here, by the definition of a skeleton.
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "catch.h"
#include "model/clip/clip.h"
#include "reduce/reduce.h"

using namespace animbridge;
using reduce::Bound;
using reduce::NewKeys;
using reduce::NewMotion;
using reduce::ShownTrack;

namespace {

constexpr double slack = 1.0 + 1e-6;

/// Holds values as they are, or rounded to a grid, and plays straight lines.
class Lines final : public reduce::Storage {
public:
    explicit Lines(double grid = 0.0) : grid_(grid) {}

    [[nodiscard]] std::vector<glm::dquat> held(const std::vector<glm::dquat>& rotations) const override {
        std::vector<glm::dquat> values;
        for (const glm::dquat& q : rotations) {
            values.push_back(
                glm::normalize(glm::dquat(on_grid(q.w), on_grid(q.x), on_grid(q.y), on_grid(q.z))));
        }
        return values;
    }
    [[nodiscard]] std::vector<glm::dvec3> held(const std::vector<glm::dvec3>& translations) const override {
        std::vector<glm::dvec3> values;
        for (const glm::dvec3& v : translations) {
            values.emplace_back(on_grid(v.x), on_grid(v.y), on_grid(v.z));
        }
        return values;
    }
    [[nodiscard]] glm::dquat between(const glm::dquat& a, const glm::dquat& b, float share) const override {
        const double u = share;
        return glm::normalize(a * (1.0 - u) + b * (glm::dot(a, b) < 0.0 ? -u : u));
    }
    [[nodiscard]] glm::dvec3 between(const glm::dvec3& a, const glm::dvec3& b, float share) const override {
        return glm::mix(a, b, double{share});
    }

private:
    [[nodiscard]] double on_grid(double value) const {
        return grid_ > 0.0 ? std::round(value / grid_) * grid_ : value;
    }

    double grid_;
};

/// A spine of four joints with an arm of two, and a hand without tracks.
Skeleton body() {
    Skeleton skeleton;
    const auto add = [&](const char* name, std::optional<std::size_t> parent, const glm::dvec3& place) {
        Node node;
        node.name = name;
        node.parent = parent;
        node.rest_local.translation = place;
        skeleton.nodes.push_back(node);
    };
    add("hips", std::nullopt, {0, 0, 1});
    add("spine", 0, {0, 0, 0.2});
    add("chest", 1, {0, 0.02, 0.25});
    add("head", 2, {0, 0, 0.3});
    add("arm", 2, {0.2, 0, 0.2});
    add("elbow", 4, {0.3, 0, 0});
    add("hand", 5, {0.25, 0, 0});
    return skeleton;
}

using Angle = std::function<double(double seconds)>;

struct Case {
    Skeleton skeleton = body();
    std::vector<bool> counted = std::vector<bool>(7, true);
    std::vector<float> times{};
    std::vector<ShownTrack> tracks{};
    double grid = 0.0;  ///< on which values are held

    Case(int count, double rate) {
        for (int i = 0; i < count; ++i) {
            times.push_back(static_cast<float>(i / rate));
        }
    }

    void turn(std::size_t node, const glm::dvec3& axis, const Angle& angle, bool is_given = false) {
        ShownTrack track{skeleton.nodes[node].name, node, Channel::rotation, is_given};
        for (const float seconds : times) {
            track.rotations.push_back(glm::angleAxis(angle(seconds), glm::normalize(axis)));
        }
        tracks.push_back(track);
    }

    void move(std::size_t node, const std::function<glm::dvec3(double)>& place) {
        ShownTrack track{skeleton.nodes[node].name, node, Channel::translation};
        for (const float seconds : times) {
            track.translations.push_back(place(seconds));
        }
        tracks.push_back(track);
    }

    [[nodiscard]] Result<NewMotion> try_keys(const std::optional<Bound>& bound, std::size_t most,
                                             const Job& job = Job()) const {
        const Lines storage(grid);
        return reduce::new_keys({skeleton, counted, times, times, tracks, storage}, bound, most, job);
    }

    [[nodiscard]] NewMotion keys(const std::optional<Bound>& bound, std::size_t most = 1'000'000) const {
        return try_keys(bound, most).value();
    }

    /// The track's value at any time, of what is shown or of keys.
    [[nodiscard]] Transform local(std::size_t node, double seconds, const NewMotion* made) const {
        Transform transform = skeleton.nodes[node].rest_local;
        for (std::size_t t = 0; t < tracks.size(); ++t) {
            if (tracks[t].node != node) {
                continue;
            }
            const bool shown = made == nullptr || tracks[t].is_given;
            const NewKeys all = shown ? every_sample() : made->tracks[t];
            const std::vector<glm::dquat> rotations =
                shown ? tracks[t].rotations : Lines(grid).held(made->tracks[t].rotations);
            const std::vector<glm::dvec3> places =
                shown ? tracks[t].translations : Lines(grid).held(made->tracks[t].translations);
            std::size_t right = 0;
            while (right + 1 < all.samples.size() && times[all.samples[right]] < seconds) {
                ++right;
            }
            const std::size_t left = right == 0 ? 0 : right - 1;
            const double span = double{times[all.samples[right]]} - times[all.samples[left]];
            const double share =
                span > 0.0 ? std::clamp((seconds - times[all.samples[left]]) / span, 0.0, 1.0) : 1.0;
            if (tracks[t].channel == Channel::rotation) {
                const glm::dquat& b = rotations[right];
                transform.rotation =
                    glm::normalize(rotations[left] * (1.0 - share) +
                                   b * (glm::dot(rotations[left], b) < 0.0 ? -share : share));
            } else {
                transform.translation = glm::mix(places[left], places[right], share);
            }
        }
        return transform;
    }

    [[nodiscard]] NewKeys every_sample() const {
        NewKeys keys;
        for (std::uint32_t i = 0; i < times.size(); ++i) {
            keys.samples.push_back(i);
        }
        return keys;
    }

    /// The largest errors of positions in mm and of local rotations in degrees, at one time.
    void widen(double seconds, const NewMotion& made, Bound& worst) const {
        std::vector<Transform> a(skeleton.nodes.size());
        std::vector<Transform> b = a;
        for (std::size_t i = 0; i < a.size(); ++i) {
            const Transform shown = local(i, seconds, nullptr);
            const Transform played = local(i, seconds, &made);
            worst.rotation_degrees =
                std::max(worst.rotation_degrees, angle_between_degrees(shown.rotation, played.rotation));
            const auto parent = skeleton.nodes[i].parent;
            a[i] = parent ? a[*parent] * shown : shown;
            b[i] = parent ? b[*parent] * played : played;
            if (counted[i]) {
                worst.position_mm =
                    std::max(worst.position_mm, 1000.0 * glm::length(a[i].translation - b[i].translation));
            }
        }
    }

    [[nodiscard]] Bound worst(const NewMotion& made) const {
        Bound worst{0, 0};
        for (const float seconds : times) {
            widen(seconds, made, worst);
        }
        return worst;
    }
};

Case dance(int count = 600, double rate = 60.0) {
    Case made(count, rate);
    made.move(0, [](double t) { return glm::dvec3(0.3 * std::sin(t), 0.1 * t, 1 + 0.03 * std::sin(9 * t)); });
    made.turn(0, {0, 0, 1}, [](double t) { return 0.4 * std::sin(2.1 * t); });
    made.turn(1, {1, 0, 0}, [](double t) { return 0.2 * std::sin(3.3 * t); });
    made.turn(2, {0, 1, 0.2}, [](double t) { return 0.25 * std::sin(2.7 * t + 1); });
    made.turn(3, {0.3, 0, 1}, [](double t) { return 0.5 * std::sin(1.3 * t); });
    made.turn(4, {0, 1, 0}, [](double t) { return 1.2 * std::sin(4.1 * t); });
    made.turn(5, {0, 1, 1}, [](double t) { return 0.9 + 0.8 * std::sin(5.3 * t); });
    return made;
}

Case noise(unsigned seed) {
    Case made(240, 30.0);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> any(-0.4, 0.4);
    for (std::size_t node = 0; node < 6; ++node) {
        made.turn(node, {any(random), any(random), any(random)}, [&](double) { return any(random); });
    }
    return made;
}

}  // namespace

TEST_CASE("new keys show the motion within the bound at every sample", "[reduce]") {
    for (const Case& shown : {dance(), dance(120, 24.0), noise(3)}) {
        for (const Bound& bound : {Bound{}, Bound{5, 0.5}, Bound{0.1, 10}, Bound{1000, 0.01}}) {
            const NewMotion made = shown.keys(bound);
            const Bound worst = shown.worst(made);
            INFO(made.key_count << " keys under " << bound.position_mm << " mm, " << bound.rotation_degrees);
            CHECK(made.holds);
            CHECK(worst.position_mm <= bound.position_mm * slack);
            CHECK(worst.rotation_degrees <= bound.rotation_degrees * slack);
            CHECK(made.errors.position_mm == Approx(worst.position_mm).epsilon(1e-4).margin(1e-4));
            CHECK(made.errors.rotation_degrees == Approx(worst.rotation_degrees).epsilon(1e-4).margin(1e-4));
        }
    }
}

TEST_CASE("new keys hold between the samples, too", "[reduce]") {
    const Case shown = dance();
    const Bound bound{1, 0.1};
    const NewMotion made = shown.keys(bound);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> any(0.0, shown.times.back());
    Bound worst{0, 0};
    for (int i = 0; i < 400; ++i) {
        shown.widen(any(random), made, worst);
    }
    CHECK(worst.position_mm <= bound.position_mm * 1.001);
    CHECK(worst.rotation_degrees <= bound.rotation_degrees * 1.001);
}

TEST_CASE("free values need fewer keys than chosen samples", "[reduce]") {
    // A swing of one joint. Pieces between given points are up to twice as far off as free ones.
    Case shown(1200, 60.0);
    shown.turn(0, {0, 0, 1}, [](double t) { return 0.8 * std::sin(1.7 * t); });
    Track track{0, Channel::rotation};
    for (std::size_t i = 0; i < shown.times.size(); ++i) {
        const glm::dquat& q = shown.tracks[0].rotations[i];
        const std::array<double, 4> row{q.w, q.x, q.y, q.z};
        track.add_key(shown.times[i], row);
    }
    const std::vector<bool> chosen = reduce::needed_keys(track, 0.1);
    const auto count = static_cast<double>(std::count(chosen.begin(), chosen.end(), true));
    const NewMotion made = shown.keys(Bound{1e6, 0.1});
    INFO(made.key_count << " of " << count);
    CHECK(static_cast<double>(made.key_count) < 0.9 * count);
}

TEST_CASE("a number of keys is met with the smallest error", "[reduce]") {
    const Case shown = dance();
    double last = 0.0;
    for (const std::size_t most : {2000U, 1000U, 500U, 250U, 100U, 7U}) {
        const NewMotion made = shown.keys(std::nullopt, most);
        const Bound worst = shown.worst(made);
        INFO(made.key_count << " of " << most << ": " << worst.position_mm << " mm");
        CHECK(made.key_count <= most);
        CHECK(made.holds);
        CHECK(worst.position_mm <= made.bound.position_mm * slack);
        CHECK(worst.rotation_degrees <= made.bound.rotation_degrees * slack);
        CHECK(made.bound.position_mm > last);
        last = made.bound.position_mm;
    }
    CHECK(shown.keys(Bound{1, 0.1}, 100).key_count <= 100);
    CHECK(shown.keys(Bound{1, 0.1}, 5000).bound.position_mm == 1.0);
    const auto refused = shown.try_keys(std::nullopt, 6);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::rejected);
}

TEST_CASE("ends keep their values, so that a loop has no seam", "[reduce]") {
    Case shown(241, 60.0);
    const double turn = 2.0 * 3.14159265358979 / 4.0;
    shown.turn(0, {0, 0, 1}, [&](double t) { return 0.4 * std::sin(turn * t); });
    shown.turn(4, {0, 1, 0}, [&](double t) { return 0.9 * std::sin(3 * turn * t + 1); });
    shown.turn(5, {1, 1, 0}, [&](double t) { return 0.9 * std::cos(2 * turn * t); });
    for (ShownTrack& track : shown.tracks) {
        track.rotations.back() = track.rotations.front();
    }
    const NewMotion made = shown.keys(Bound{5, 0.5});
    for (std::size_t t = 0; t < made.tracks.size(); ++t) {
        CHECK(made.tracks[t].samples.front() == 0);
        CHECK(made.tracks[t].samples.back() == 240);
        CHECK(angle_between_degrees(made.tracks[t].rotations.front(), made.tracks[t].rotations.back()) <
              1e-9);
        CHECK(angle_between_degrees(made.tracks[t].rotations.front(), shown.tracks[t].rotations.front()) <
              1e-9);
    }
}

TEST_CASE("extreme bounds, turns and places give numbers", "[reduce]") {
    Case shown(60, 30.0);
    int turn = 0;
    shown.turn(0, {0, 0, 1}, [&](double) { return ++turn % 2 == 0 ? 0.0 : 3.14159265358979323846; });
    shown.turn(1, {1, 0, 0}, [&](double) { return ++turn % 3 * 2.0943951023931953; });
    shown.move(3, [&](double) { return glm::dvec3(++turn % 2 == 0 ? 1e6 : -1e6, 0, 1e-300); });
    for (const Bound& bound :
         {Bound{1e-300, 1e-300}, Bound{1e-9, 180}, Bound{1e300, 1e-9}, Bound{1e300, 180}, Bound{1, 1}}) {
        for (const std::size_t most : {1'000'000U, 60U, 3U}) {
            INFO(bound.position_mm << " mm, " << bound.rotation_degrees << " degrees, " << most);
            const auto found = shown.try_keys(bound, most);
            if (!found) {
                CHECK(found.error().code == ErrorCode::rejected);
                CHECK(most <= 60);
                continue;
            }
            const NewMotion& made = *found;
            CHECK(made.key_count <= most);
            for (const NewKeys& keys : made.tracks) {
                CHECK(std::ranges::all_of(keys.rotations, [](const glm::dquat& q) {
                    return std::abs(glm::length(q) - 1.0) < 1e-9;
                }));
                CHECK(std::ranges::all_of(keys.translations, [](const glm::dvec3& v) {
                    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
                }));
            }
        }
    }
}

TEST_CASE("what holds still gets one key, and a jump stays a jump", "[reduce]") {
    Case shown(300, 30.0);
    shown.turn(0, {0, 0, 1}, [](double) { return 0.3; });
    shown.turn(1, {1, 0, 0}, [](double t) { return t < 5.0 ? 0.0 : 1.0; });
    shown.turn(3, {1, 0, 0}, [](double t) { return 0.3 * std::sin(t); });
    shown.move(5, [](double) { return glm::dvec3(0.3, 0, 0); });
    const NewMotion made = shown.keys(Bound{1, 0.1});
    CHECK(made.tracks[0].size() == 1);
    CHECK(made.tracks[1].size() == 4);
    CHECK(made.tracks[3].size() == 1);
    const Bound worst = shown.worst(made);
    CHECK(worst.position_mm <= slack);
    CHECK(worst.rotation_degrees <= 0.1 * slack);
    CHECK(Case(1, 30.0).keys(Bound()).key_count == 0);
}

TEST_CASE("joints make up for what given and coarse parents are off", "[reduce]") {
    // Keys are held on a coarse grid. Were it not for the children, the errors would add up along the chain.
    Case exact = dance();
    const NewMotion fine = exact.keys(Bound{2, 180});
    Case coarse = dance();
    coarse.grid = 0.0005;
    const NewMotion rounded = coarse.keys(Bound{2, 180});
    CHECK(coarse.worst(rounded).position_mm <= 2 * slack);
    CHECK(static_cast<double>(rounded.key_count) < 1.2 * static_cast<double>(fine.key_count));
    // A given track stays as it is.
    Case given(300, 30.0);
    given.turn(
        0, {0, 0, 1}, [](double t) { return std::sin(t); }, true);
    given.turn(2, {0, 1, 0}, [](double t) { return std::sin(2 * t); });
    const NewMotion kept = given.keys(Bound{});
    CHECK(kept.tracks[0].size() == 0);
    CHECK(given.worst(kept).position_mm <= 0.5 * slack);
}

TEST_CASE("a joint that the skeleton lacks is judged alone", "[reduce]") {
    Case shown = dance(200, 30.0);
    shown.turn(3, {0, 0, 1}, [](double t) { return 2.0 * std::sin(3 * t); });
    shown.tracks.back().node.reset();
    const NewMotion made = shown.keys(Bound{});
    CHECK(made.holds);
    CHECK(made.tracks.back().size() > 10);
}

TEST_CASE("new keys are the same every time and can be stopped", "[reduce]") {
    const Case shown = dance();
    const NewMotion once = shown.keys(std::nullopt, 400);
    const NewMotion twice = shown.keys(std::nullopt, 400);
    for (std::size_t t = 0; t < once.tracks.size(); ++t) {
        CHECK(once.tracks[t].samples == twice.tracks[t].samples);
        CHECK(once.tracks[t].rotations == twice.tracks[t].rotations);
    }
    int calls = 0;
    double last = 0.0;
    const Job counting([&](double fraction) {
        CHECK(fraction >= last);
        CHECK(fraction <= 1.0);
        last = fraction;
        return ++calls < 30;
    });
    const auto stopped = shown.try_keys(Bound(), 1'000'000, counting);
    REQUIRE_FALSE(stopped.has_value());
    CHECK(stopped.error().code == ErrorCode::cancelled);
    CHECK(calls == 30);
}
