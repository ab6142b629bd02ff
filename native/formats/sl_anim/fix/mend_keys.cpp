// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
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
        std::vector<file::CodedKey>& keys = record_of(document, places.front().joint)->rotation.coded;
        removed += std::erase_if(keys, [&](const file::CodedKey& key) {
            const double seconds = seconds_of(key, document);
            // Places ascend, and neighbouring ones may share keys.
            auto place = std::ranges::upper_bound(places, seconds, {}, &check::Place::end_seconds);
            return place != places.end() && seconds > place->begin_seconds;
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
template <typename Keys>
void start_later(std::vector<file::CodedKey>& keys, const Keys& played, std::uint16_t first,
                 std::uint16_t second, float second_seconds) {
    const auto at = [&](std::uint16_t time) {
        return std::find_if(keys.rbegin(), keys.rend(),
                            [time](const file::CodedKey& key) { return key.time == time; });
    };
    const auto is_first = [&](const file::CodedKey& key) { return key.time == first; };
    if (std::ranges::none_of(keys, is_first) || std::ranges::all_of(keys, is_first)) {
        return;
    }
    if (at(second) == keys.rend()) {
        file::CodedKey key = coded(codes::value_at(played, second_seconds), second);
        const auto next = std::ranges::min_element(keys, {}, [&](const file::CodedKey& other) {
            return other.time == first ? 1.0F : static_cast<float>(other.time) / codes::max_code;
        });
        if (at(first)->xyz == next->xyz) {
            return;  // nothing moves there
        }
        put_keys(keys, {key});
    }
    std::erase_if(keys, is_first);
}

Outcome without_first_frame(file::Document& document, const Asked& asked) {
    const check::Place& place = asked.places.front();
    const float duration = document.duration.value();
    std::uint16_t first = 0;
    std::uint16_t second = 0;
    Change change{.begin_seconds = 0, .end_seconds = place.end_seconds};
    const auto note = [&](const file::CodedKey& key) {
        const double seconds = seconds_of(key, document);
        first = seconds == place.begin_seconds ? key.time : first;
        second = static_cast<float>(seconds) == static_cast<float>(place.end_seconds) ? key.time : second;
    };
    for (const file::Joint& joint : document.joints) {
        std::ranges::for_each(joint.rotation.coded, note);
        std::ranges::for_each(joint.position.coded, note);
    }
    const Reach jump = difference_between(document, place.begin_seconds, place.end_seconds);
    const auto at = codes::decode_time(second, duration);
    for (file::Joint& joint : document.joints) {
        if (const auto known = avatar::find_joint(joint.name)) {
            change.joints.push_back(avatar::skeleton()[*known].node.name);
            start_later(joint.rotation.coded,
                        codes::as_played(codes::decode_rotations(joint.rotation, duration)), first, second,
                        at);
            start_later(joint.position.coded,
                        codes::as_played(codes::decode_positions(joint.position, duration)), first, second,
                        at);
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
std::optional<std::vector<file::CodedKey>> keys_between(const codes::RotationKeys& played, float duration,
                                                        const check::Place& place) {
    constexpr double most_degrees = 45.0;
    const auto from = static_cast<float>(place.begin_seconds);
    const auto to = static_cast<float>(place.end_seconds);
    const auto pieces = static_cast<int>(std::ceil(place.size / most_degrees));
    const int first = codes::encode_key_time(from, duration, codes::Encoder::nearest);
    const int last = codes::encode_key_time(to, duration, codes::Encoder::nearest);
    if (last - first < 2 * pieces) {
        return std::nullopt;
    }
    const codes::Quaternion a = codes::value_at(played, from);
    const codes::Quaternion b = codes::value_at(played, to);
    std::vector<file::CodedKey> made;
    for (int i = 1; i < pieces; ++i) {
        // The angle of the time that the code stands for.
        const int time = first + (last - first) * i / pieces;
        const double share = static_cast<double>(time - first) / (last - first);
        made.push_back(coded(on_arc(a, b, share), static_cast<std::uint16_t>(time)));
    }
    return made;
}

Outcome with_even_turns(file::Document& document, const Asked& asked) {
    constexpr double without_axis = 0.01;
    constexpr double most_lag_degrees = 9.0;
    Change change{.joints = joints_of(asked.places), .degrees = most_lag_degrees};
    std::size_t added = 0;
    for (const check::Places& places : by_joint(asked.places)) {
        const std::string joint(places.front().joint);
        file::KeyList& keys = record_of(document, joint)->rotation;
        const float duration = document.duration.value();
        const auto played = codes::as_played(codes::decode_rotations(keys, duration));
        std::vector<file::CodedKey> all;
        for (const check::Place& place : places) {
            if (half_a_turn - place.size < without_axis) {
                change.not_mended = joint + " turns by exactly a half turn at " +
                                    fixed_text(place.begin_seconds, 3) +
                                    " s, which says no axis: add a key between";
                continue;
            }
            const auto made = keys_between(played, duration, place);
            if (!made) {
                change.not_mended = "two keys of " + joint + " are too near to fit others between";
                continue;
            }
            all.insert(all.end(), made->begin(), made->end());
        }
        put_keys(keys.coded, all);
        added += all.size();
    }
    if (added == 0) {
        return tl::unexpected(change.not_mended);
    }
    change.what = keys_are(added) + " added, so that turns of up to " +
                  degrees_shown(largest_size(asked.places)) + " are even";
    return change;
}

/// Drops keys that repeat the value before and after them, and all but one of a value that never changes.
template <typename Keys, typename Same>
std::size_t drop_repeats(std::vector<file::CodedKey>& keys, const Keys& decoded, Same same) {
    const bool ascends =
        std::ranges::adjacent_find(keys, std::greater_equal<>(), &file::CodedKey::time) == keys.end();
    if (!ascends || keys.size() < 2) {
        return 0;
    }
    const auto equal = [&](std::size_t a, std::size_t b) {
        return same(decoded.values[a], decoded.values[b]);
    };
    std::vector<file::CodedKey> kept = {keys.front()};
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
        const std::size_t here =
            drop_repeats(joint.rotation.coded, codes::decode_rotations(joint.rotation, 1.0F),
                         [](const codes::Quaternion& a, const codes::Quaternion& b) {
                             return a.x == b.x && a.y == b.y && a.z == b.z;
                         }) +
            drop_repeats(joint.position.coded, codes::decode_positions(joint.position, 1.0F),
                         [](const codes::Vector& a, const codes::Vector& b) { return a == b; });
        if (const auto known = avatar::find_joint(joint.name); here > 0 && known) {
            change.joints.push_back(avatar::skeleton()[*known].node.name);
        }
        dropped += here;
    }
    change.what = keys_are(dropped) + " dropped that change nothing, " +
                  std::to_string(dropped * sizeof(file::CodedKey)) + " bytes";
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
