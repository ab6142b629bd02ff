// SPDX-License-Identifier: MIT
#include "reduce/key_tracks.h"

#include <algorithm>
#include <limits>
#include <numbers>
#include <numeric>
#include <unordered_set>

#include "formats/sl_anim/restore.h"
#include "formats/sl_anim/skeleton.h"

namespace animbridge::reduce {

namespace {

template <typename Value>
void take_played(const sl_anim::Keys<Value>& keys, KeyTrack& track, std::vector<Value>& values) {
    std::vector<std::uint32_t> order(keys.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return keys.times[a] < keys.times[b]; });
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i + 1 < order.size() && keys.times[order[i]] == keys.times[order[i + 1]]) {
            continue;
        }
        track.file_index.push_back(order[i]);
        track.times.push_back(keys.times[order[i]]);
        values.push_back(keys.values[order[i]]);
    }
}

/// The keys as an upload stores them, each by itself.
sl_anim::KeyList in_form(sl_anim::KeyList keys, Channel channel, float duration, Form form) {
    if (form == Form::as_written) {
        return keys;
    }
    using namespace sl_anim;
    for (CodedKey& key : keys.coded) {
        const auto [x, y, z] = key.xyz;
        key.time = restore_time(key.time, duration);
        key.xyz = channel == Channel::translation
                      ? std::array{restore_position(x), restore_position(y), restore_position(z)}
                      : restore_rotation(from_stored(decode(x, -rotation_limit, rotation_limit),
                                                     decode(y, -rotation_limit, rotation_limit),
                                                     decode(z, -rotation_limit, rotation_limit)));
    }
    return keys;
}

sl_anim::KeyList filtered(const sl_anim::KeyList& keys, const std::vector<std::uint8_t>& stays) {
    sl_anim::KeyList result;
    for (std::size_t i = 0; i < keys.coded.size(); ++i) {
        if (stays[i] != 0) {
            result.coded.push_back(keys.coded[i]);
        }
    }
    for (std::size_t i = 0; i < keys.legacy.size(); ++i) {
        if (stays[i] != 0) {
            result.legacy.push_back(keys.legacy[i]);
        }
    }
    return result;
}

}  // namespace

std::vector<KeyTrack> played_tracks(const sl_anim::Document& document,
                                    const std::set<sl_anim::TrackName>* reducible, Form form) {
    std::vector<KeyTrack> tracks;
    std::unordered_set<std::string> seen;
    const float duration = document.duration.value();
    for (std::size_t i = 0; i < document.joints.size(); ++i) {
        const sl_anim::Joint& joint = document.joints[i];
        const auto known = sl_anim::find_joint(joint.name);
        const std::string name = known ? sl_anim::skeleton()[*known].node.name : joint.name;
        if (!seen.insert(name).second) {
            continue;
        }
        const auto begin = [&](Channel channel) {
            KeyTrack track;
            track.record = i;
            track.joint = known;
            track.channel = channel;
            track.may_lose_keys = reducible == nullptr || reducible->contains({name, channel});
            return track;
        };
        if (key_count(joint.rotation) > 0) {
            KeyTrack track = begin(Channel::rotation);
            take_played(sl_anim::decode_rotations(in_form(joint.rotation, Channel::rotation, duration, form),
                                                  duration),
                        track, track.rotations);
            tracks.push_back(std::move(track));
        }
        if (key_count(joint.position) > 0) {
            KeyTrack track = begin(Channel::translation);
            take_played(sl_anim::decode_positions(
                            in_form(joint.position, Channel::translation, duration, form), duration),
                        track, track.positions);
            tracks.push_back(std::move(track));
        }
    }
    return tracks;
}

double chord_of_degrees(double degrees) {
    return degrees >= 180.0 ? std::numeric_limits<double>::infinity()
                            : 2.0 * std::sin(std::max(degrees, 0.0) * std::numbers::pi / 720.0);
}

double degrees_of_chord(double chord) {
    return 4.0 * std::asin(std::min(chord * 0.5, 1.0)) * 180.0 / std::numbers::pi;
}

sl_anim::Document with_kept_keys(const sl_anim::Document& document, const std::vector<KeyTrack>& tracks,
                                 const std::vector<Kept>& kept) {
    sl_anim::Document result = document;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        const KeyTrack& track = tracks[i];
        const auto missing = std::find(kept[i].begin(), kept[i].end(), std::uint8_t{0});
        if (missing == kept[i].end()) {
            continue;
        }
        sl_anim::Joint& joint = result.joints[track.record];
        sl_anim::KeyList& keys = track.channel == Channel::rotation ? joint.rotation : joint.position;
        std::vector<std::uint8_t> stays(key_count(keys), 0);
        for (std::size_t key = 0; key < track.size(); ++key) {
            stays[track.file_index[key]] = kept[i][key];
        }
        keys = filtered(keys, stays);
    }
    return result;
}

}  // namespace animbridge::reduce
