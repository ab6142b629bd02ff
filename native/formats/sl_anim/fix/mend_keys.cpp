// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "base/options/options.h"
#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/fix/mends.h"

/// Single keys.
namespace animbridge::sl_anim::fix {

namespace {

constexpr double half_a_turn = 180.0;

std::string degrees_shown(double degrees) { return fixed_text(degrees, 0) + " degrees"; }

/// "1 key is", "3 keys are".
std::string keys_are(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " key is" : " keys are");
}

/// The keys between those before and after the spike.
Outcome without_spikes(file::Document& document, const Asked& asked) {
    Change change{.joints = joints_of(asked.places)};
    std::size_t removed = 0;
    change.begin_seconds = std::numeric_limits<double>::infinity();
    change.end_seconds = 0;
    for (const check::Places& places : by_joint(asked.places)) {
        with_keys(record_of(document, places.front().joint)->rotation, document, [&](auto& keys) {
            removed += std::erase_if(keys, [&](const auto& key) {
                const double seconds = seconds_of(key, document);
                // Places ascend, and neighbouring ones may share keys.
                auto place = std::ranges::upper_bound(places, seconds, {}, &check::Place::end_seconds);
                return place != places.end() && seconds > place->begin_seconds;
            });
        });
        change.begin_seconds = std::min(change.begin_seconds, places.front().begin_seconds);
        change.end_seconds = std::max(change.end_seconds, places.back().end_seconds);
    }
    // The way there may be longer than the way back.
    change.degrees = 2.0 * largest_size(asked.places);
    change.degrees = std::min(change.degrees, half_a_turn);
    change.what =
        keys_are(removed) + " deleted, of a flick of up to " + degrees_shown(largest_size(asked.places));
    return change;
}

/// The second pose of a track from the beginning: its first key goes, or moves to the second time.
template <typename Key, typename Keys>
void start_later(std::vector<Key>& keys, const Keys& played, const file::Document& document,
                 float first_seconds, float second_seconds) {
    const auto is_at = [&](float seconds) {
        return [&document, seconds](const Key& key) {
            return static_cast<float>(seconds_of(key, document)) == seconds;
        };
    };
    const auto first = std::find_if(keys.rbegin(), keys.rend(), is_at(first_seconds));
    if (first == keys.rend() || std::ranges::all_of(keys, is_at(first_seconds))) {
        return;
    }
    if (std::ranges::none_of(keys, is_at(second_seconds))) {
        const auto next = std::ranges::min_element(keys, {}, [&](const Key& other) {
            const double seconds = seconds_of(other, document);
            return is_at(first_seconds)(other) ? std::numeric_limits<double>::infinity() : seconds;
        });
        if (first->xyz == next->xyz) {
            return;  // nothing moves there
        }
        put_keys<Key>(keys, {key_of<Key>(codes::value_at(played, second_seconds),
                                         stored_time<Key>(second_seconds, document.duration.value()))});
    }
    std::erase_if(keys, is_at(first_seconds));
}

Outcome without_first_frame(file::Document& document, const Asked& asked) {
    const check::Place& place = asked.places.front();
    const float duration = document.duration.value();
    const auto first = static_cast<float>(place.begin_seconds);
    const auto at = static_cast<float>(place.end_seconds);
    Change change{.begin_seconds = 0, .end_seconds = place.end_seconds};
    const Reach jump = difference_between(document, place.begin_seconds, place.end_seconds);
    for (file::Joint& joint : document.joints) {
        if (const auto known = avatar::find_joint(joint.name)) {
            change.joints.push_back(avatar::skeleton()[*known].node.name);
            const auto turns = codes::as_played(codes::decode_rotations(joint.rotation, duration));
            const auto places = codes::as_played(codes::decode_positions(joint.position, duration));
            with_keys(joint.rotation, document,
                      [&](auto& keys) { start_later(keys, turns, document, first, at); });
            with_keys(joint.position, document,
                      [&](auto& keys) { start_later(keys, places, document, first, at); });
        }
    }
    if (document.loop != 0 && document.loop_in_point.value() < at && at < document.loop_out_point.value()) {
        document.loop_in_point = RawFloat(at);
    }
    change.degrees = jump.degrees;
    change.mm = jump.mm;
    change.what = "the first frame is deleted: the pose at " + fixed_text(place.end_seconds, 3) +
                  " s shows from the beginning";
    return change;
}

/// The viewer's value between two keys, along the shorter great circle.
codes::Quaternion on_arc(const codes::Quaternion& a, const codes::Quaternion& b, double share) {
    const auto cosine = static_cast<double>(codes::dot(a, b));
    const double sign = cosine < 0.0 ? -1.0 : 1.0;
    const double angle = std::acos(std::min(1.0, std::abs(cosine)));
    const auto from = static_cast<float>(std::sin((1.0 - share) * angle) / std::sin(angle));
    const auto to = static_cast<float>(sign * std::sin(share * angle) / std::sin(angle));
    return {from * a.x + to * b.x, from * a.y + to * b.y, from * a.z + to * b.z, from * a.w + to * b.w};
}

/// Keys at even angles, at most 45 degrees apart; nullopt: there is no room for them.
template <typename Key>
std::optional<std::vector<Key>> keys_between(const codes::RotationKeys& played, float duration,
                                             const check::Place& place) {
    constexpr double most_degrees = 45.0;
    const auto from = static_cast<float>(place.begin_seconds);
    const auto to = static_cast<float>(place.end_seconds);
    const auto pieces = static_cast<int>(std::ceil(place.size / most_degrees));
    // An upload stores times as codes.
    const int first = codes::encode_key_time(from, duration, codes::Encoder::nearest);
    const int last = codes::encode_key_time(to, duration, codes::Encoder::nearest);
    if (last - first < 2 * pieces) {
        return std::nullopt;
    }
    // A key of version 0.1 may be a part of a code later than where it is measured.
    const auto value_of_key = [&](float seconds) {
        const auto key = std::ranges::lower_bound(played.times, seconds) - played.times.begin();
        return played.values[std::min(static_cast<std::size_t>(key), played.size() - 1)];
    };
    const codes::Quaternion a = value_of_key(from);
    const codes::Quaternion b = value_of_key(to);
    std::vector<Key> made;
    for (int i = 1; i < pieces; ++i) {
        // The angle of the time that the code stands for.
        const int time = first + (last - first) * i / pieces;
        const double share = static_cast<double>(time - first) / (last - first);
        const float seconds = codes::decode_time(static_cast<std::uint16_t>(time), duration);
        made.push_back(key_of<Key>(on_arc(a, b, share), stored_time<Key>(seconds, duration)));
    }
    return made;
}

/// Adds keys where a joint turns too far; returns how many.
template <typename Key>
std::size_t even_out(std::vector<Key>& keys, const codes::RotationKeys& played, float duration,
                     const check::Places& places, Change& change) {
    constexpr double without_axis = 0.01;
    const std::string joint(places.front().joint);
    std::vector<Key> all;
    for (const check::Place& place : places) {
        if (half_a_turn - place.size < without_axis) {
            change.not_mended = joint + " turns by exactly a half turn at " +
                                fixed_text(place.begin_seconds, 3) +
                                " s, which says no axis: add a key between";
            continue;
        }
        const auto made = keys_between<Key>(played, duration, place);
        if (!made) {
            change.not_mended = "two keys of " + joint + " are too near to fit others between";
            continue;
        }
        all.insert(all.end(), made->begin(), made->end());
    }
    put_keys(keys, all);
    return all.size();
}

Outcome with_even_turns(file::Document& document, const Asked& asked) {
    constexpr double most_lag_degrees = 9.0;
    Change change{.joints = joints_of(asked.places), .degrees = most_lag_degrees};
    std::size_t added = 0;
    for (const check::Places& places : by_joint(asked.places)) {
        file::KeyList& list = record_of(document, places.front().joint)->rotation;
        const float duration = document.duration.value();
        const auto played = codes::as_played(codes::decode_rotations(list, duration));
        added += with_keys(list, document,
                           [&](auto& keys) { return even_out(keys, played, duration, places, change); });
    }
    if (added == 0) {
        return tl::unexpected(change.not_mended);
    }
    change.what = keys_are(added) + " added, so that turns of up to " +
                  degrees_shown(largest_size(asked.places)) + " are even";
    return change;
}

/// Drops keys that repeat the value before and after them, and all but one of a value that never changes.
template <typename Key, typename Keys, typename Same>
std::size_t drop_repeats(std::vector<Key>& keys, const Keys& decoded, Same same) {
    const bool ascends =
        std::ranges::adjacent_find(decoded.times, std::greater_equal<>()) == decoded.times.end();
    if (!ascends || keys.size() < 2) {
        return 0;
    }
    const auto equal = [&](std::size_t a, std::size_t b) {
        return same(decoded.values[a], decoded.values[b]);
    };
    std::vector<Key> kept = {keys.front()};
    for (std::size_t i = 1; i < keys.size(); ++i) {
        const bool is_last = i + 1 == keys.size();
        if (!equal(i - 1, i) || (!is_last && !equal(i, i + 1)) || (is_last && kept.size() > 1)) {
            kept.push_back(keys[i]);
        }
    }
    const std::size_t dropped = keys.size() - kept.size();
    keys = std::move(kept);
    return dropped;
}

Outcome without_repeats(file::Document& document, const Asked& /*asked*/) {
    Change change{};
    std::size_t dropped = 0;
    for (file::Joint& joint : document.joints) {
        const auto turns = codes::decode_rotations(joint.rotation, 1.0F);
        const auto moves = codes::decode_positions(joint.position, 1.0F);
        const std::size_t here =
            with_keys(joint.rotation, document,
                      [&](auto& keys) {
                          return drop_repeats(keys, turns,
                                              [](const codes::Quaternion& a, const codes::Quaternion& b) {
                                                  return a.x == b.x && a.y == b.y && a.z == b.z;
                                              });
                      }) +
            with_keys(joint.position, document,
                      [&](auto& keys) { return drop_repeats(keys, moves, std::equal_to<codes::Vector>()); });
        if (const auto known = avatar::find_joint(joint.name); here > 0 && known) {
            change.joints.push_back(avatar::skeleton()[*known].node.name);
        }
        dropped += here;
    }
    change.what =
        keys_are(dropped) + " dropped that change nothing, " +
        std::to_string(dropped * (document.version == file::Version::legacy ? sizeof(file::LegacyKey)
                                                                            : sizeof(file::CodedKey))) +
        " bytes";
    return change;
}

}  // namespace

std::vector<Mend> key_mends() {
    return {{"first_frame_jumps", without_first_frame},
            {"key_spike", without_spikes},
            {"turn_near_half", with_even_turns},
            {"turn_big", with_even_turns},
            {"keys_redundant", without_repeats}};
}

}  // namespace animbridge::sl_anim::fix
