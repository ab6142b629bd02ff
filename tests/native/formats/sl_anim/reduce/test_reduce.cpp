// SPDX-License-Identifier: MIT
// Dropping keys: the bound is checked with the player, not with the reduction's own report.
#include <numbers>

#include "build.h"
#include "catch.h"
#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/play/play.h"
#include "formats/sl_anim/reduce/reduce.h"
#include "formats/sl_anim/scene/scene.h"
#include "rig_support.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::test;
using reduce::Bound;
using sl_anim::file::CodedKey;
using sl_anim::file::Document;

namespace {

constexpr double slack = 1e-9;

std::size_t keys_in(const Document& document) {
    std::size_t keys = 0;
    for (const sl_anim::file::Joint& joint : document.joints) {
        keys += key_count(joint.rotation) + key_count(joint.position);
    }
    return keys;
}

/// `count` keys, evenly over the clip, from a function of the fraction.
template <typename Value>
std::vector<CodedKey> keys_of(int count, bool rotation, Value&& value) {
    std::vector<CodedKey> keys;
    for (int i = 0; i < count; ++i) {
        const double u = count == 1 ? 0.0 : static_cast<double>(i) / (count - 1);
        const glm::dvec3 v = value(u);
        keys.push_back(rotation ? rotation_key(u, v.x, v.y, v.z) : position_key(u, v.x, v.y, v.z));
    }
    return keys;
}

/// Arms and body swing smoothly.
Document swinging(int count) {
    const auto swing = [](double rate, double size, int axis) {
        return [=](double u) {
            glm::dvec3 v(0);
            v[axis] = size * std::sin(rate * u);
            return v;
        };
    };
    return document(4.0F, {joint("mPelvis", keys_of(count, true, swing(7, 0.2, 2)),
                                 keys_of(count, false, swing(11, 0.1, 0))),
                           joint("mChest", keys_of(count, true, swing(13, 0.3, 1))),
                           joint("mShoulderLeft", keys_of(count, true, swing(17, 0.6, 0))),
                           joint("mElbowLeft", keys_of(count, true, swing(19, 0.5, 2))),
                           joint("mWristLeft", keys_of(count, true, swing(5, 0.01, 1)))});
}

Document noise(int count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> any(-0.5, 0.5);
    const auto noisy = [&](double) { return glm::dvec3(any(random), any(random), any(random)); };
    return document(4.0F, {joint("mTorso", keys_of(count, true, noisy)),
                           joint("mHead", keys_of(count, true, noisy), keys_of(count, false, noisy))});
}

/// The largest errors at all key times of the first document and the midpoints, only from the player.
JointDifference difference(const Document& a, const Document& b) {
    return sl_anim::play::compare(a, b, Job()).value().worst();
}

sl_anim::reduce::ReducedFile within(const Document& document, const Bound& bound) {
    return sl_anim::reduce::Reducer({document}).within(bound, Job()).value();
}

/// Every kept key is a key of the original, bit for bit and in order.
bool is_subset(const std::vector<CodedKey>& part, const std::vector<CodedKey>& all) {
    auto place = all.begin();
    for (const CodedKey& key : part) {
        place = std::find(place, all.end(), key);
        if (place == all.end()) {
            return false;
        }
        ++place;
    }
    return true;
}

}  // namespace

TEST_CASE("the bound holds as the player plays it", "[reduce]") {
    for (const Document& document : {swinging(121), swinging(40), noise(60, 5), document_with_middle(3.0F)}) {
        for (const Bound& bound : {Bound{}, Bound{5, 0.5}, Bound{0.1, 10}, Bound{1000, 0.01}}) {
            const sl_anim::reduce::ReducedFile reduced = within(document, bound);
            const auto worst = difference(document, reduced.document);
            CHECK(reduced.holds);
            CHECK(worst.position_mm <= bound.position_mm + slack);
            CHECK(worst.rotation_degrees <= bound.rotation_degrees + slack);
            CHECK(reduced.errors.position_mm == Approx(worst.position_mm).margin(1e-9));
            CHECK(reduced.errors.rotation_degrees == Approx(worst.rotation_degrees).margin(1e-7));
            CHECK(reduced.keys_before == keys_in(document));
            CHECK(reduced.keys_after == keys_in(reduced.document));
        }
    }
    CHECK(within(swinging(121), {}).keys_after < 121 * 6 * 3 / 4);
    CHECK(within(swinging(121), {5, 0.5}).keys_after < within(swinging(121), {}).keys_after);
}

TEST_CASE("wings keep keys only where the file moves them", "[reduce]") {
    // The body turns by up to 0.004 rad: 3.2 mm at the fingertips, 0.81 m away, and 3.6 mm at the wings'
    // tips.
    const auto sway = [](double u) { return glm::dvec3(0, 0, 0.002 * std::sin(40 * u)); };
    Document turning = document(4.0F, {joint("mChest", keys_of(121, true, sway))});
    CHECK(within(turning, {3.4, 180}).keys_after == 1);
    turning.joints.push_back(joint("mWing4Left", {rotation_key(0, 0, 0, 0)}));
    CHECK(within(turning, {3.4, 180}).keys_after > 2);
}

TEST_CASE("kept keys keep their bits, and everything else stays", "[reduce]") {
    Document document = swinging(121);
    document.base_priority = 5;
    document.emote_name = "express_smile";
    document.trailing = {1, 2, 3};
    document.joints.push_back(joint("mHead", {rotation_key(1, 0.1, 0, 0), rotation_key(0, 0.9, 0, 0)}));
    document.joints.push_back(joint("nobody", {rotation_key(0, 0.1, 0, 0)}));
    document.joints.push_back(joint("mWristRight", {}));
    // The second record of a joint is not played, and the reduction does not change it.
    document.joints.push_back(
        joint("mChest", keys_of(9, true, [](double u) { return glm::dvec3(u, 0, 0); })));
    const Document reduced = within(document, {}).document;
    REQUIRE(reduced.joints.size() == document.joints.size());
    Document headers = reduced;
    headers.joints = document.joints;
    CHECK(headers == document);
    for (std::size_t i = 0; i < document.joints.size(); ++i) {
        CHECK(reduced.joints[i].name == document.joints[i].name);
        CHECK(is_subset(reduced.joints[i].rotation.coded, document.joints[i].rotation.coded));
        CHECK(is_subset(reduced.joints[i].position.coded, document.joints[i].position.coded));
    }
    for (std::size_t i = 5; i < document.joints.size(); ++i) {
        CHECK(reduced.joints[i] == document.joints[i]);
    }
    CHECK(within(reduced, {}).document.joints.size() == reduced.joints.size());
}

TEST_CASE("a track that holds still keeps one key", "[reduce]") {
    const auto still = [](double) { return glm::dvec3(0.1, 0.2, 0.3); };
    const Document document =
        test::document(2.0F, {joint("mTorso", keys_of(50, true, still), keys_of(50, false, still)),
                              joint("mHead", keys_of(1, true, still))});
    const Document reduced = within(document, {}).document;
    CHECK(key_count(reduced.joints[0].rotation) == 1);
    CHECK(key_count(reduced.joints[0].position) == 1);
    CHECK(reduced.joints[1] == document.joints[1]);
    // The viewer's interpolation rounds even between two equal keys.
    CHECK(difference(document, reduced).position_mm < 1e-3);
}

TEST_CASE("one that moves at the end only keeps what it needs", "[reduce]") {
    const auto late = [](double u) { return glm::dvec3(0, 0, u < 0.9 ? 0.0 : (u - 0.9) * 5.0); };
    const Document document = test::document(2.0F, {joint("mTorso", keys_of(101, true, late))});
    const sl_anim::reduce::ReducedFile reduced = within(document, {});
    CHECK(difference(document, reduced.document).rotation_degrees <= 0.05 + slack);
    CHECK(reduced.keys_after < 14);
    // In reverse, no keys are needed once it stops.
    const auto early = [&](double u) { return late(1.0 - u); };
    const Document stops = test::document(2.0F, {joint("mTorso", keys_of(101, true, early))});
    const Document less = within(stops, {}).document;
    CHECK(less.joints[0].rotation.coded.back().time < 65535 / 5);
}

TEST_CASE("half turns, where the stored signs jump", "[reduce]") {
    // Many turns about an axis: twice per turn, w passes 0 and the vector part changes its sign.
    const auto round = [](double u) {
        const double half = 3.0 * std::numbers::pi * u;
        const double sign = std::cos(half) < 0 ? -1.0 : 1.0;
        return glm::dvec3(0.36, 0.48, 0.8) * (sign * std::sin(half));
    };
    const Document document = test::document(6.0F, {joint("mPelvis", keys_of(361, true, round))});
    const Bound bound{2.0, 0.5};
    const sl_anim::reduce::ReducedFile reduced = within(document, bound);
    const auto worst = difference(document, reduced.document);
    CHECK(worst.position_mm <= bound.position_mm + slack);
    CHECK(worst.rotation_degrees <= bound.rotation_degrees + slack);
    CHECK(reduced.keys_after < 361);
}

TEST_CASE("legacy files reduce, too", "[reduce]") {
    const Document document = sl_anim::file::read(fixture("legacy_normal.anim")).value();
    const Document reduced = within(document, {1e6, 170}).document;
    CHECK(reduced.version == sl_anim::file::Version::legacy);
    CHECK(keys_in(reduced) < keys_in(document));
    CHECK(keys_in(reduced) > 0);
}

TEST_CASE("hostile keys cost no more than their number times its logarithm", "[reduce]") {
    // Counted, not timed. Ten times the keys would take quadratic work a hundred times as long.
    const auto operations_per_key = [](int count, auto&& value) {
        const Document document = test::document(50.0F, {joint("mTorso", keys_of(count, true, value)),
                                                         joint("mHead", keys_of(count, true, value))});
        const sl_anim::reduce::ReducedFile reduced = within(document, {});
        const auto worst = difference(document, reduced.document);
        CHECK(worst.position_mm <= 0.5 + slack);
        CHECK(worst.rotation_degrees <= 0.05 + slack);
        return static_cast<double>(reduced.operations) / (2.0 * count);
    };
    int turn = 0;
    const auto zigzag = [&](double) { return glm::dvec3(0, 0, ++turn % 2 == 0 ? 0.3 : -0.3); };
    // Within the tolerance of one held key until the very end.
    const auto nearly_still = [&](double u) {
        return glm::dvec3(0, 0, u == 1.0 ? 0.5 : (++turn % 2 == 0 ? 0.00015 : -0.00015));
    };
    const auto parabola = [](double u) { return glm::dvec3(0, 0, u * u * 0.5); };
    const auto saw = [&](double u) { return glm::dvec3(0, 0, 0.9 * u + (++turn % 97 == 0 ? 0.01 : 0.0)); };
    for (const int count : {300, 3000, 30000}) {
        INFO(count);
        CHECK(operations_per_key(count, zigzag) < 300);
        CHECK(operations_per_key(count, nearly_still) < 300);
        CHECK(operations_per_key(count, parabola) < 300);
        CHECK(operations_per_key(count, saw) < 300);
    }
}

TEST_CASE("a reduction is the same every time and can be stopped", "[reduce]") {
    const Document document = swinging(300);
    CHECK(within(document, {}).document == within(document, {}).document);
    int calls = 0;
    double last = 0.0;
    const Job counting([&](double fraction) {
        CHECK(fraction >= last);
        CHECK(fraction <= 1.0);
        last = fraction;
        return ++calls < 3;
    });
    const auto stopped = sl_anim::reduce::Reducer({document}).within({}, counting);
    REQUIRE_FALSE(stopped.has_value());
    CHECK(stopped.error().code == ErrorCode::cancelled);
    CHECK(calls == 3);
}

TEST_CASE("fitting finds the smallest bound whose result fits", "[reduce]") {
    const Document document = swinging(400);
    const sl_anim::reduce::Reducer reducer({document});
    const auto bytes = [](const Document& made) { return file_bytes(made); };
    const std::size_t whole = file_bytes(document);
    double last = 0.0;
    for (const std::size_t limit : {whole * 9 / 10, whole / 2, whole / 4, whole / 10, whole / 20}) {
        const auto fitted = reducer.fit({}, false, limit, bytes, Job()).value();
        INFO(limit << ": " << fitted.bytes << " under " << fitted.bound.position_mm);
        CHECK(fitted.bytes <= limit);
        CHECK(file_bytes(fitted.reduced.document) == fitted.bytes);
        CHECK(fitted.bound.position_mm / fitted.bound.rotation_degrees == Approx(10));
        CHECK(fitted.bound.position_mm >= last);
        last = fitted.bound.position_mm;
        const auto worst = difference(document, fitted.reduced.document);
        CHECK(worst.position_mm <= fitted.bound.position_mm + slack);
        // A clearly smaller bound does not fit.
        const bool smallest_tried = fitted.bound.position_mm < 0.5 / 4000.0;
        CHECK((smallest_tried ||
               file_bytes(reducer.within(fitted.bound.scaled(0.9), Job()).value().document) > limit));
    }
    const auto least = reducer.fit({50, 5}, true, whole / 2, bytes, Job()).value();
    CHECK(least.bound.position_mm == 50);
}

TEST_CASE("what cannot fit says how large it is", "[reduce]") {
    const Document document = swinging(50);
    const auto refused = sl_anim::scene::reduce_keys(document, {{}, 100}, Job());
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::rejected);
    // 6 tracks of one key, the header and the names, by the format's arithmetic.
    std::size_t bytes = 45 + 6 * 8;
    for (const sl_anim::file::Joint& joint : document.joints) {
        bytes += joint.name.size() + 1 + 12;
    }
    INFO(refused.error().message());
    CHECK(refused.error().message().find(std::to_string(bytes) + " bytes") != std::string::npos);
    CHECK(file_bytes(sl_anim::scene::reduce_keys(document, {{}, bytes}, Job()).value().document) == bytes);
}

TEST_CASE("the report of a reduction", "[reduce]") {
    const Document document = swinging(121);
    const sl_anim::scene::Reduced reduced = sl_anim::scene::reduce_keys(document, {}, Job()).value();
    const Json report = reduced.report();
    const auto worst = difference(document, reduced.document);
    CHECK(report.at("bytes_before") == file_bytes(document));
    CHECK(report.at("bytes_after") == file_bytes(reduced.document));
    CHECK(report.at("keys_before") == 121 * 6);
    CHECK(report.at("keys_after") == keys_in(reduced.document));
    CHECK(report.at("max_position_error_mm") == worst.position_mm);
    CHECK(report.at("max_rotation_error_degrees") == worst.rotation_degrees);
    CHECK(report.at("bound").at("max_position_mm") == 0.5);
    const sl_anim::scene::Reduced fits = sl_anim::scene::reduce_keys(document, {{}, 250000}, Job()).value();
    CHECK(fits.document == document);
    CHECK(fits.report().at("bound").is_null());
    // Every player refuses it, so there is nothing to measure.
    Document bad = document;
    bad.hand_pose = 99;
    CHECK(sl_anim::scene::reduce_keys(bad, {}, Job()).error().code == ErrorCode::rejected);
}

TEST_CASE("a recording gets keys of its own, and other tracks stay", "[reduce]") {
    const Clip clip = sl_anim::clip::to_clip(swinging(241)).value();
    std::vector<float> times;
    std::ranges::transform(clip.tracks.front().times, std::back_inserter(times),
                           [](double seconds) { return static_cast<float>(seconds); });
    for (const auto encoder : {sl_anim::codes::Encoder::upload, sl_anim::codes::Encoder::nearest}) {
        const bool stored = encoder == sl_anim::codes::Encoder::upload;
        const auto form = stored ? sl_anim::reduce::Form::as_stored : sl_anim::reduce::Form::as_written;
        const Document document = sl_anim::clip::from_clip(clip, {}, {encoder, nullptr, {}, 4.0F});
        // By the player, at the samples.
        const auto off = [&](const Document& made) {
            return sl_anim::play::measure(clip, stored ? sl_anim::check::stored_form(made) : made, Job())
                .value()
                .worst;
        };
        const Bound bound{1.0, 0.1};
        const sl_anim::reduce::ReduceTask task{document, times, &clip, nullptr, form, encoder};
        const auto within = sl_anim::reduce::thinned(task, &bound, 0, Job()).value();
        CHECK(within.holds);
        CHECK(keys_in(within.document) == within.keys_after);
        CHECK(off(within.document).position_mm <= bound.position_mm * 1.001);
        CHECK(off(within.document).rotation_degrees <= bound.rotation_degrees * 1.001);
        // Fewer than the samples that would do.
        const auto chosen = sl_anim::reduce::Reducer(task).within(bound, Job()).value();
        CHECK(keys_in(within.document) < keys_in(chosen.document));

        const std::size_t limit = file_bytes(document) / 5;
        const auto fitted = sl_anim::reduce::thinned(task, &bound, limit, Job()).value();
        CHECK(file_bytes(fitted.document) <= limit);
        CHECK(off(fitted.document).position_mm <= fitted.bound->position_mm * 1.001);

        const std::set<sl_anim::clip::TrackName> chest{{"mChest", Channel::rotation}};
        const sl_anim::reduce::ReduceTask one{document, times, &clip, &chest, form, encoder};
        const Document changed = sl_anim::reduce::thinned(one, &bound, 0, Job()).value().document;
        for (std::size_t i = 0; i < document.joints.size(); ++i) {
            const bool is_chest = document.joints[i].name == "mChest";
            CHECK((changed.joints[i] == document.joints[i]) == !is_chest);
        }
        CHECK(off(changed).position_mm <= bound.position_mm * 1.001);
    }
}

TEST_CASE("options of a reduction", "[reduce]") {
    CHECK(sl_anim::scene::reduce_options_from(Json::object()).value().bound == std::nullopt);
    const sl_anim::scene::ReduceOptions options =
        sl_anim::scene::reduce_options_from({{"max_position_mm", 2}, {"fit_bytes", 1000}}).value();
    CHECK(options.bound->position_mm == 2);
    CHECK(options.bound->rotation_degrees == Approx(0.2));
    CHECK(options.fit_bytes == 1000);
    for (const char* const bad :
         {"[]", R"({"fit_bytes": 0})", R"({"fit_bytes": 1.5})", R"({"max_position_mm": 0})",
          R"({"max_position_mm": "1"})", R"({"max_rotation_degrees": -1})", R"({"fit": 1})"}) {
        INFO(bad);
        CHECK_FALSE(sl_anim::scene::reduce_options_from(*parse_json(bad)).has_value());
    }
}
