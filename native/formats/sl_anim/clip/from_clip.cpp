// SPDX-License-Identifier: MIT
#include "formats/sl_anim/clip/clip.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/gtc/matrix_transform.hpp>
#include <iterator>
#include <numbers>

#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/clip/slerp_fit.h"

namespace animbridge::sl_anim::clip {

namespace {

codes::RotationKeys rotations_of(const Track& track) {
    codes::RotationKeys keys;
    for (std::size_t i = 0; i < track.key_count(); ++i) {
        const glm::dquat q = track.rotation(i);
        keys.times.push_back(static_cast<float>(track.times[i]));
        keys.values.push_back({static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z),
                               static_cast<float>(q.w)});
    }
    return keys;
}

codes::PositionKeys positions_of(const Track& track) {
    codes::PositionKeys keys;
    for (std::size_t i = 0; i < track.key_count(); ++i) {
        const glm::dvec3 p = track.translation(i);
        keys.times.push_back(static_cast<float>(track.times[i]));
        keys.values.push_back({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
    }
    return keys;
}

std::vector<file::LegacyKey> legacy_keys(const Track& track) {
    std::vector<file::LegacyKey> keys(track.key_count());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const glm::dvec3 p = track.channel == Channel::translation ? track.translation(i) : glm::dvec3{};
        const auto xyz = track.channel == Channel::rotation ? codes::to_legacy_degrees(track.rotation(i))
                                                            : std::array<double, 3>{p.x, p.y, p.z};
        keys[i].time_seconds = RawFloat(static_cast<float>(track.times[i]));
        std::ranges::transform(xyz, keys[i].xyz.begin(),
                               [](double value) { return RawFloat(static_cast<float>(value)); });
    }
    return keys;
}

file::KeyList encode_track(const Track& track, file::Version version, const FromClip& options) {
    if (version == file::Version::legacy) {
        return {{}, legacy_keys(track)};
    }
    return {track.channel == Channel::rotation
                ? codes::encode_rotations(rotations_of(track), options.duration_seconds, options.encoder)
                : codes::encode_positions(positions_of(track), options.duration_seconds, options.encoder),
            {}};
}

std::uint16_t& time_of(file::CodedKey& key) { return key.time; }
RawFloat& time_of(file::LegacyKey& key) { return key.time_seconds; }

/// Of keys that meet at one time a new one stays, else the last.
template <typename Key>
std::vector<Key> apart_in_time(std::vector<Key> keys, const std::vector<bool>& is_old) {
    std::vector<Key> apart;
    bool last_is_old = true;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (apart.empty() || time_of(apart.back()) != time_of(keys[i])) {
            apart.push_back(keys[i]);
        } else if (last_is_old || !is_old[i]) {
            apart.back() = keys[i];
        } else {
            continue;
        }
        last_is_old = is_old[i];
    }
    return apart;
}

/// A rotation's x, y and z with a positive w.
codes::Vector vector_of(const codes::Quaternion& q) {
    return q.w < 0.0F ? codes::Vector{-q.x, -q.y, -q.z} : codes::Vector{q.x, q.y, q.z};
}

/// Gives keys that show what keys of the template show their bits. `old`: those of this version.
template <typename Key>
std::vector<Key> with_kept_bits(const Track& track, const file::KeyList& all, std::vector<Key> old,
                                float duration, std::vector<Key> keys) {
    std::map<float, Key*> times;
    std::map<codes::Vector, Key*> values;
    const bool turns = track.channel == Channel::rotation;
    const auto rotations = turns ? codes::decode_rotations(all, duration) : codes::RotationKeys();
    const auto positions = turns ? codes::PositionKeys() : codes::decode_positions(all, duration);
    for (std::size_t i = 0; i < old.size(); ++i) {
        times.emplace((turns ? rotations.times : positions.times)[i], &old[i]);
        values.emplace(turns ? vector_of(rotations.values[i]) : positions.values[i], &old[i]);
    }
    std::vector<bool> is_old(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (const auto time = times.find(static_cast<float>(track.times[i])); time != times.end()) {
            time_of(keys[i]) = time_of(*time->second);
        }
        codes::Vector shown{};
        if (turns) {
            shown = vector_of(to_single(track.rotation(i)));
        } else {
            const glm::dvec3 p = track.translation(i);
            shown = {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
        }
        const auto value = values.find(shown);
        is_old[i] = value != values.end();
        if (is_old[i]) {
            keys[i].xyz = value->second->xyz;
        }
    }
    return apart_in_time(std::move(keys), is_old);
}

/// Time codes are fractions of the duration: if that changes, they must change too, to keep the seconds.
void retime(file::KeyList& keys, float before, float after, codes::Encoder encoder) {
    const codes::RotationKeys decoded = codes::decode_rotations(keys, before);
    for (std::size_t i = 0; i < keys.coded.size(); ++i) {
        keys.coded[i].time = codes::encode_key_time(decoded.times[i], after, encoder);
    }
}

/// Like the viewer, scales the eases so that both fit into an animation that does not loop.
file::Document new_document(const Header& header, float duration) {
    file::Document document;
    float ease_in = header.ease_in_seconds;
    float ease_out = header.ease_out_seconds;
    if (!header.loop && ease_in + ease_out > duration) {
        const float scale = ease_in + ease_out > 0.0F ? duration / (ease_in + ease_out) : 0.0F;
        ease_in *= scale;
        ease_out *= scale;
    }
    document.base_priority = header.base_priority;
    document.emote_name = header.emote_name;
    document.loop = header.loop ? 1 : 0;
    document.loop_in_point = RawFloat(header.loop_in_seconds);
    document.loop_out_point = RawFloat(header.loop_out_seconds.value_or(duration));
    document.ease_in_duration = RawFloat(ease_in);
    document.ease_out_duration = RawFloat(ease_out);
    document.hand_pose = header.hand_pose;
    return document;
}

/// A loop that ended with the animation still does.
void change_duration(file::Document& document, const FromClip& options) {
    const RawFloat wanted(options.duration_seconds);
    if (document.duration == wanted) {
        return;
    }
    for (file::Joint& joint : document.joints) {
        retime(joint.rotation, document.duration.value(), wanted.value(), options.encoder);
        retime(joint.position, document.duration.value(), wanted.value(), options.encoder);
    }
    if (document.loop_out_point == document.duration) {
        document.loop_out_point = wanted;
    }
    document.duration = wanted;
}

std::string canonical(const std::string& name) {
    const auto known = avatar::find_joint(name);
    return known ? avatar::skeleton()[*known].node.name : name;
}

/// Finds the file's joints by the names that the viewer uses: the first record of each.
class JointRecords {
public:
    explicit JointRecords(file::Document& document) : document_(document) {
        for (std::size_t i = 0; i < document.joints.size(); ++i) {
            first_.emplace(canonical(document.joints[i].name), i);
        }
    }
    [[nodiscard]] file::Joint* find(const std::string& joint) {
        const auto found = first_.find(joint);
        return found == first_.end() ? nullptr : &document_.joints[found->second];
    }
    file::Joint& find_or_add(const std::string& joint, std::int32_t priority) {
        const auto [entry, added] = first_.emplace(joint, document_.joints.size());
        if (added) {
            document_.joints.push_back({joint, priority, {}, {}});
        }
        return document_.joints[entry->second];
    }

private:
    file::Document& document_;
    std::map<std::string, std::size_t> first_;
};

void set_priorities(file::Document& document, const std::map<std::string, std::int32_t>& priorities) {
    if (priorities.empty()) {
        return;
    }
    for (file::Joint& joint : document.joints) {
        const auto wanted = priorities.find(canonical(joint.name));
        joint.priority = wanted == priorities.end() ? joint.priority : wanted->second;
    }
}

}  // namespace

file::Document from_clip(const Clip& clip, const std::set<TrackName>& removed, const FromClip& options) {
    file::Document document =
        options.base != nullptr ? *options.base : new_document(options.header, options.duration_seconds);
    if (options.base == nullptr) {
        document.duration = RawFloat(options.duration_seconds);
    }
    change_duration(document, options);
    std::set<std::string> had_no_keys;
    for (const file::Joint& joint : document.joints) {
        if (file::key_count(joint.rotation) + file::key_count(joint.position) == 0) {
            had_no_keys.insert(joint.name);
        }
    }
    JointRecords records(document);
    for (const TrackName& track : removed) {
        if (file::Joint* joint = records.find(track.joint)) {
            (track.channel == Channel::rotation ? joint->rotation : joint->position) = file::KeyList{};
        }
    }
    std::vector<const Track*> tracks;
    std::ranges::transform(clip.tracks, std::back_inserter(tracks),
                           [](const Track& track) { return &track; });
    std::ranges::stable_sort(tracks, [](const Track* a, const Track* b) { return a->node < b->node; });
    for (const Track* track : tracks) {
        file::Joint& joint =
            records.find_or_add(clip.skeleton.nodes[track->node].name, options.header.joint_priority);
        file::KeyList& keys = track->channel == Channel::rotation ? joint.rotation : joint.position;
        const Track fitted = fit_to_viewer(*track);
        file::KeyList made = encode_track(fitted, document.version, options);
        if (options.keeps_codes) {
            made = {
                with_kept_bits(fitted, keys, keys.coded, options.duration_seconds, std::move(made.coded)),
                with_kept_bits(fitted, keys, keys.legacy, options.duration_seconds, std::move(made.legacy))};
        }
        keys = std::move(made);
    }
    std::erase_if(document.joints, [&](const file::Joint& joint) {
        return file::key_count(joint.rotation) + file::key_count(joint.position) == 0 &&
               !had_no_keys.contains(joint.name);
    });
    set_priorities(document, options.joint_priorities);
    return document;
}

}  // namespace animbridge::sl_anim::clip
