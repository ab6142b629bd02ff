// SPDX-License-Identifier: MIT
#include <algorithm>
#include <glm/geometric.hpp>

#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/check/check.h"
#include "formats/sl_anim/check/measures.h"
#include "model/clip/clip.h"
#include "model/compare/compare.h"

namespace animbridge::sl_anim::check {

namespace {

glm::dquat unit(const codes::Quaternion& q) { return glm::normalize(glm::dquat(q.w, q.x, q.y, q.z)); }

glm::dvec3 metres(const codes::Vector& p) { return {p[0], p[1], p[2]}; }

Part part_of(const avatar::SkeletonJoint& joint) {
    const std::string& name = joint.node.name;
    const std::string& group = joint.group;
    if (name.starts_with("mEye") || name.starts_with("mFaceEyeAlt")) {
        return Part::eye;
    }
    if (name.starts_with("mFace")) {
        return Part::face;
    }
    return group == "Hand"    ? Part::fingers
           : group == "Tail"  ? Part::tail
           : group == "Wing"  ? Part::wings
           : group == "Limb"  ? Part::hind_limbs
           : group == "Groin" ? Part::groin
                              : Part::none;
}

/// The largest distance of a track's values from one value, and its time.
struct Farthest {
    double distance = 0;
    double seconds = 0;
};

/// Within `begin` and `end`: at both, and at the keys between, because values between keys are between
/// theirs.
template <typename Value, typename Distance>
Farthest farthest_of(const codes::Keys<Value>& keys, float begin, float end, const Distance& distance_of) {
    Farthest farthest;
    if (keys.empty()) {
        return farthest;
    }
    const auto add = [&](float seconds, const Value& value) {
        const double distance = distance_of(value);
        if (distance > farthest.distance) {
            farthest = {distance, double{seconds}};
        }
    };
    add(begin, codes::value_at(keys, begin));
    auto i = static_cast<std::size_t>(std::ranges::upper_bound(keys.times, begin) - keys.times.begin());
    for (; i < keys.size() && keys.times[i] < end; ++i) {
        add(keys.times[i], keys.values[i]);
    }
    add(end, codes::value_at(keys, end));
    return farthest;
}

Range range_within(const MovedJoint& joint, const glm::dquat& rotation, const glm::dvec3& position,
                   float begin, float end) {
    const Farthest turned = farthest_of(joint.rotation, begin, end,
                                        [&](const codes::Quaternion& q) { return chord(rotation, unit(q)); });
    const Farthest moved = farthest_of(joint.position, begin, end, [&](const codes::Vector& p) {
        return glm::distance(position, metres(p));
    });
    return {degrees_of_chord(turned.distance), moved.distance, turned.seconds, moved.seconds};
}

struct KeySpan {
    float first = 0;
    float last = 0;
};

/// From a joint's first key to its last one.
KeySpan key_span(const MovedJoint& joint) {
    const std::vector<float>& turns = joint.rotation.times;
    const std::vector<float>& places = joint.position.times;
    if (turns.empty() || places.empty()) {
        const std::vector<float>& only = turns.empty() ? places : turns;
        return only.empty() ? KeySpan{} : KeySpan{only.front(), only.back()};
    }
    return {std::min(turns.front(), places.front()), std::max(turns.back(), places.back())};
}

/// The times of all keys of the joints' first records: at most one for each code.
std::vector<float> all_times(const std::vector<const file::Joint*>& records, float duration) {
    constexpr std::size_t all_codes = 65536;
    std::vector<bool> used(all_codes);
    for (const file::Joint* record : records) {
        for (const file::KeyList* list : {&record->rotation, &record->position}) {
            for (const file::CodedKey& key : list->coded) {
                used[key.time] = true;
            }
        }
    }
    std::vector<float> times;
    for (std::size_t code = 0; code < all_codes; ++code) {
        if (used[code]) {
            times.push_back(codes::decode_time(static_cast<std::uint16_t>(code), duration));
        }
    }
    return sorted_unique(std::move(times));
}

double frame_of(const std::vector<float>& times) {
    std::vector<double> gaps;
    for (std::size_t i = 1; i < times.size(); ++i) {
        gaps.push_back(double{times[i]} - double{times[i - 1]});
    }
    if (gaps.empty()) {
        return 1.0 / 30.0;
    }
    const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
    std::ranges::nth_element(gaps, middle);
    return std::clamp(*middle, 1.0 / 60.0, 1.0 / 10.0);
}

/// At least two joints have positions, all of them at rest, and other joints' rotations rest too. With many
/// positions, most are enough: the rest pose of a few joints was corrected after such files were made.
bool is_reset_file(const std::vector<MovedJoint>& joints) {
    constexpr std::size_t least = 2;
    constexpr std::size_t many = 30;
    std::size_t positions = 0;
    std::size_t resting = 0;
    bool others_rest = true;
    for (const MovedJoint& joint : joints) {
        const Range& range = joint.from_rest;
        if (!joint.position.empty()) {
            ++positions;
            resting += range.metres <= 0.001 ? 1U : 0U;
        } else if (range.degrees > 0.1) {
            others_rest = false;
        }
    }
    return positions >= many ? 2 * resting > positions
                             : positions >= least && resting == positions && others_rest;
}

MovedJoint moved_joint(const file::Document& document, const file::Joint& record, std::size_t known) {
    const avatar::SkeletonJoint& joint = avatar::skeleton()[known];
    const Transform& rest = avatar::resting_pose()[known];
    const float duration = document.duration.value();
    return {.joint = known,
            .name = joint.node.name,
            .priority =
                record.priority == -1 ? std::min(document.base_priority, std::int32_t{6}) : record.priority,
            .part = part_of(joint),
            .is_bone = joint.kind == avatar::JointKind::bone,
            .rest_rotation = rest.rotation,
            .rest_position = rest.translation,
            .rotation = codes::as_played(codes::decode_rotations(record.rotation, duration)),
            .position = codes::as_played(codes::decode_positions(record.position, duration))};
}

}  // namespace

glm::dquat MovedJoint::rotation_at(float seconds) const {
    return rotation.empty() ? rest_rotation : unit(codes::value_at(rotation, seconds));
}

glm::dvec3 MovedJoint::position_at(float seconds) const {
    return position.empty() ? rest_position : metres(codes::value_at(position, seconds));
}

const MovedJoint* Motion::find(std::string_view name) const {
    const auto found = std::ranges::find(joints, name, &MovedJoint::name);
    return found == joints.end() ? nullptr : &*found;
}

Range range_of(const MovedJoint& joint, float reference, float begin, float end) {
    return range_within(joint, joint.rotation_at(reference), joint.position_at(reference), begin, end);
}

Motion motion_of(const file::Document& document) {
    if (document.version == file::Version::legacy) {
        return motion_of(stored_form(document));
    }
    Motion motion;
    std::vector<bool> seen(avatar::skeleton().size());
    std::vector<const file::Joint*> records;
    for (const file::Joint& record : document.joints) {
        const auto known = avatar::find_joint(record.name);
        if (known && !seen[*known]) {
            seen[*known] = true;
            MovedJoint& joint = motion.joints.emplace_back(moved_joint(document, record, *known));
            const KeySpan keys = key_span(joint);
            joint.from_rest =
                range_within(joint, joint.rest_rotation, joint.rest_position, keys.first, keys.last);
            joint.from_start = range_of(joint, keys.first, keys.first, keys.last);
            records.push_back(&record);
        }
    }
    std::ranges::sort(motion.joints, {}, &MovedJoint::joint);
    motion.times = all_times(records, document.duration.value());
    motion.frame_seconds = frame_of(motion.times);
    motion.duration = document.duration.value();
    motion.loop_in = document.loop_in_point.value();
    motion.loop_out = document.loop_out_point.value();
    motion.ease_in = document.ease_in_duration.value();
    motion.ease_out = document.ease_out_duration.value();
    motion.is_loop = document.loop != 0;
    motion.repeats = motion.is_loop && motion.loop_in < motion.loop_out && motion.loop_out <= motion.duration;
    motion.is_still = std::ranges::all_of(motion.joints, [](const MovedJoint& joint) {
        const Range& range = joint.from_start;
        return range.degrees <= still_degrees && range.metres <= still_metres;
    });
    const auto keyed_bones = std::ranges::count_if(motion.joints, [](const MovedJoint& joint) {
        return joint.is_bone && !(joint.rotation.empty() && joint.position.empty());
    });
    motion.is_pose_stand = keyed_bones >= 120;
    motion.is_reset = is_reset_file(motion.joints);
    return motion;
}

}  // namespace animbridge::sl_anim::check
