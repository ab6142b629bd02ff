// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/codes/codes.h"
#include "formats/sl_anim/edit/cuts.h"
#include "formats/sl_anim/edit/edit.h"
#include "rig/humanoid/humanoid.h"

namespace animbridge::sl_anim::edit {

namespace {

namespace tools = editing;

constexpr std::uint16_t highest_code = 65535;

std::array<RawFloat*, 4> times_of(file::Constraint& constraint) {
    return {&constraint.ease_in_start, &constraint.ease_in_stop, &constraint.ease_out_start,
            &constraint.ease_out_stop};
}

RawFloat single(double value) { return RawFloat(static_cast<float>(value)); }

template <typename Change>
void change_header_times(file::Document& document, Change&& change) {
    std::vector<RawFloat*> times = {&document.loop_in_point, &document.loop_out_point};
    for (file::Constraint& constraint : document.constraints) {
        std::ranges::copy(times_of(constraint), std::back_inserter(times));
    }
    for (RawFloat* time : times) {
        *time = single(change(static_cast<double>(time->value())));
    }
}

template <typename Change>
void change_key_lists(file::Document& document, Change&& change) {
    for (file::Joint& joint : document.joints) {
        change(joint, joint.rotation, Channel::rotation);
        change(joint, joint.position, Channel::translation);
    }
}

// ---- parts ----

std::string canonical_name(const std::string& name) {
    const auto known = avatar::find_joint(name);
    return known ? avatar::skeleton()[*known].node.name : name;
}

const rig::humanoid::FoundRig& avatar_rig() {
    static const rig::humanoid::FoundRig rig =
        rig::humanoid::find_rig(avatar::playing_skeleton(), rig::humanoid::built_in_rigs())
            .value_or(rig::humanoid::FoundRig());
    return rig;
}

/// The avatar's rig for the file's joints, in their order.
rig::humanoid::FoundRig rig_of_records(const file::Document& document) {
    rig::humanoid::FoundRig rig;
    for (std::size_t i = 0; i < document.joints.size(); ++i) {
        const auto joint = avatar::find_joint(document.joints[i].name);
        for (const rig::humanoid::FoundSlot& slot : avatar_rig().slots) {
            if (joint && slot.joint == *joint) {
                rig.slots.push_back({slot.slot, i});
            }
        }
    }
    return rig;
}

/// Whether a joint of the constraint's chain is among those that are left out.
bool needs_any(const file::Constraint& constraint, const std::set<std::string>& left_out) {
    // The volume, its bone, and a bone for each link.
    auto joint = avatar::find_joint(file::volume_text(constraint.source_volume));
    for (int i = 0; joint && i <= constraint.chain_length + 1; ++i) {
        const Node& node = avatar::skeleton()[*joint].node;
        if (left_out.contains(node.name)) {
            return true;
        }
        joint = node.parent;
    }
    return false;
}

Result<void> take_parts(file::Document& document, tools::Tools& left, Json& rows) {
    if (left.keep_parts.empty() && left.leave_out.empty()) {
        return {};
    }
    std::vector<std::string> own_names;
    std::vector<std::string> names;
    for (const file::Joint& joint : document.joints) {
        own_names.push_back(joint.name);
        names.push_back(canonical_name(joint.name));
    }
    const rig::humanoid::FoundRig rig = rig_of_records(document);
    TRY(const tools::Parts parts, tools::Parts::from(left, names, &rig, own_names));
    std::set<std::string> left_out;
    std::size_t at = 0;
    std::vector<file::Joint> kept;
    for (file::Joint& joint : document.joints) {
        if (!parts.rotates(at)) {
            joint.rotation = {};
        }
        if (!parts.moves(at)) {
            joint.position = {};
        }
        const bool is_left = file::key_count(joint.rotation) + file::key_count(joint.position) > 0;
        if (is_left) {
            kept.push_back(std::move(joint));
        } else {
            left_out.insert(names[at]);
        }
        ++at;
    }
    if (kept.empty()) {
        return fail(ErrorCode::rejected, "no joint would be left",
                    left.keep_parts.empty() ? "leave_out" : "keep_parts");
    }
    const std::size_t constraints = std::erase_if(
        document.constraints, [&](const file::Constraint& one) { return needs_any(one, left_out); });
    document.constraint_count -= static_cast<std::int32_t>(constraints);
    rows.push_back(
        tools::done("parts",
                    std::to_string(left_out.size()) + " of " + std::to_string(names.size()) +
                        " joints are left out" + (constraints == 0 ? "" : ", and constraints that need them"),
                    {{"joints_left_out", left_out.size()}, {"constraints_left_out", constraints}}));
    document.joints = std::move(kept);
    left.keep_parts.clear();
    left.leave_out.clear();
    return {};
}

// ---- mirror ----

std::uint16_t negated(std::uint16_t code) { return static_cast<std::uint16_t>(highest_code - code); }

/// A joint and the one on the other side at rest; none: unknown to the viewer, at rest without a turn.
struct RestPair {
    Transform own{};
    Transform other{};

    [[nodiscard]] bool has_plain_rotation() const {
        return own.rotation == glm::dquat(1, 0, 0, 0) && other.rotation == glm::dquat(1, 0, 0, 0);
    }
    /// 65535 - code is exact only where rests mirror each other.
    [[nodiscard]] bool has_plain_position() const {
        return own.translation.x == other.translation.x && own.translation.y == -other.translation.y &&
               own.translation.z == other.translation.z;
    }
};

RestPair rest_pair(const std::string& name, const std::string& other) {
    const auto rest_of = [](const std::string& joint) {
        const auto found = avatar::find_joint(joint);
        return found ? avatar::resting_pose()[*found] : Transform();
    };
    return {rest_of(name), rest_of(other)};
}

/// In the plane y = 0.
glm::dquat reflected(const glm::dquat& q) { return {q.w, -q.x, q.y, -q.z}; }

void mirror_rotations(file::KeyList& keys, const RestPair& rest) {
    for (file::LegacyKey& key : keys.legacy) {
        // X * Y * Z: reflected factor by factor.
        key.xyz[0] = RawFloat(-key.xyz[0].value());
        key.xyz[2] = RawFloat(-key.xyz[2].value());
    }
    if (rest.has_plain_rotation()) {
        for (file::CodedKey& key : keys.coded) {
            key.xyz = {negated(key.xyz[0]), key.xyz[1], negated(key.xyz[2])};
        }
        return;
    }
    const codes::RotationKeys old = codes::decode_rotations(keys, 1.0F);
    for (std::size_t i = 0; i < keys.coded.size(); ++i) {
        const codes::Quaternion& q = old.values[i];
        const glm::dquat turned =
            reflected(glm::dquat(q.w, q.x, q.y, q.z) * glm::conjugate(rest.own.rotation)) *
            rest.other.rotation;
        const codes::Quaternion single{static_cast<float>(turned.x), static_cast<float>(turned.y),
                                       static_cast<float>(turned.z), static_cast<float>(turned.w)};
        keys.coded[i].xyz =
            codes::encode_rotations({{0.0F}, {single}}, 1.0F, codes::Encoder::upload).front().xyz;
    }
}

void mirror_positions(file::KeyList& keys, const RestPair& rest) {
    const glm::dvec3& own = rest.own.translation;
    const glm::dvec3& other = rest.other.translation;
    for (file::LegacyKey& key : keys.legacy) {
        key.xyz[0] = single(other.x + (static_cast<double>(key.xyz[0].value()) - own.x));
        key.xyz[1] = single(other.y - (static_cast<double>(key.xyz[1].value()) - own.y));
        key.xyz[2] = single(other.z + (static_cast<double>(key.xyz[2].value()) - own.z));
    }
    if (rest.has_plain_position()) {
        for (file::CodedKey& key : keys.coded) {
            key.xyz[1] = negated(key.xyz[1]);
        }
        return;
    }
    codes::PositionKeys made = codes::decode_positions(keys, 1.0F);
    for (codes::Vector& p : made.values) {
        p = {static_cast<float>(other.x + (static_cast<double>(p[0]) - own.x)),
             static_cast<float>(other.y - (static_cast<double>(p[1]) - own.y)),
             static_cast<float>(other.z + (static_cast<double>(p[2]) - own.z))};
    }
    const auto coded = codes::encode_positions(made, 1.0F, codes::Encoder::upload);
    const std::array<bool, 3> changes = {own.x != other.x, true, own.z != other.z};
    for (std::size_t i = 0; i < keys.coded.size(); ++i) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (changes.at(axis)) {
                keys.coded[i].xyz.at(axis) = coded[i].xyz.at(axis);
            }
        }
    }
}

/// The viewer's poses of the right hand, 4 to 6, and those of the left one, 7 to 9.
std::uint32_t mirrored_hand_pose(std::uint32_t pose) {
    return pose >= 4 && pose <= 6 ? pose + 3 : pose >= 7 && pose <= 9 ? pose - 3 : pose;
}

void mirror_constraint(file::Constraint& constraint) {
    for (file::VolumeName* name : {&constraint.source_volume, &constraint.target_volume}) {
        const std::string other = tools::mirrored_name(file::volume_text(*name));
        if (other.size() < name->size()) {
            std::ranges::copy(other, name->begin());
            (*name)[other.size()] = '\0';
        }
    }
    for (file::RawVector* vector :
         {&constraint.source_offset, &constraint.target_offset, &constraint.target_dir}) {
        (*vector)[1] = RawFloat(-(*vector)[1].value());
    }
}

void take_mirror(file::Document& document, tools::Tools& left, Json& rows) {
    if (!std::exchange(left.mirror, false)) {
        return;
    }
    std::size_t changed_sides = 0;
    for (file::Joint& joint : document.joints) {
        const std::string name = canonical_name(joint.name);
        const std::string other = tools::mirrored_name(joint.name);
        const RestPair rest = rest_pair(name, canonical_name(other));
        mirror_rotations(joint.rotation, rest);
        mirror_positions(joint.position, rest);
        changed_sides += other == joint.name ? 0 : 1;
        joint.name = other;
    }
    std::string what = "left and right are exchanged";
    const std::uint32_t pose = mirrored_hand_pose(document.hand_pose);
    constexpr std::array<std::uint32_t, 3> right_only = {10, 12, 13};
    if (std::ranges::find(right_only, document.hand_pose) != right_only.end()) {
        what += "; the hand pose exists only for the right hand and stays";
    }
    document.hand_pose = pose;
    std::ranges::for_each(document.constraints, mirror_constraint);
    rows.push_back(tools::done("mirror", std::move(what), {{"joints_with_sides", changed_sides}}));
}

// ---- time ----

void take_reverse(file::Document& document, tools::Tools& left, Json& rows) {
    if (!std::exchange(left.reverse, false)) {
        return;
    }
    const double duration = document.duration.value();
    change_key_lists(document, [&](file::Joint& /*joint*/, file::KeyList& keys, Channel /*channel*/) {
        // Of keys at one time the viewer plays the last one, so these stay in their order.
        std::ranges::reverse(keys.coded);
        for (auto first = keys.coded.begin(); first != keys.coded.end();) {
            const auto next = std::find_if(
                first, keys.coded.end(), [&](const file::CodedKey& key) { return key.time != first->time; });
            std::reverse(first, next);
            first = next;
        }
        for (file::CodedKey& key : keys.coded) {
            key.time = negated(key.time);
        }
        std::ranges::reverse(keys.legacy);
        for (file::LegacyKey& key : keys.legacy) {
            key.time_seconds = single(duration - static_cast<double>(key.time_seconds.value()));
        }
    });
    const RawFloat loop_in = document.loop_in_point;
    const RawFloat loop_out = document.loop_out_point;
    const auto turned = [&](RawFloat time) {
        return time == document.duration ? RawFloat(0.0F)
                                         : single(duration - static_cast<double>(time.value()));
    };
    document.loop_in_point = turned(loop_out);
    document.loop_out_point = loop_in.value() == 0.0F ? document.duration : turned(loop_in);
    for (file::Constraint& constraint : document.constraints) {
        const auto old = constraint;
        constraint.ease_in_start = turned(old.ease_out_stop);
        constraint.ease_in_stop = turned(old.ease_out_start);
        constraint.ease_out_start = turned(old.ease_in_stop);
        constraint.ease_out_stop = turned(old.ease_in_start);
    }
    rows.push_back(tools::done("reverse", "the motion plays backwards"));
}

/// Times are shares of the duration, so no key changes.
Result<void> take_speed(file::Document& document, tools::Tools& left, Json& rows) {
    const auto loop = static_cast<double>(document.loop_out_point.value() - document.loop_in_point.value());
    const double duration = document.duration.value();
    const bool loops = document.loop != 0 && loop > 0.0;
    TRY(const auto factor, tools::take_speed(left, duration, loops ? loop : duration));
    if (!factor || *factor == 1.0) {
        return {};
    }
    const RawFloat old = document.duration;
    const bool ends_with_it = document.loop_out_point == old;
    change_header_times(document, [&](double time) { return time / *factor; });
    document.duration = single(duration / *factor);
    document.loop_out_point = ends_with_it ? document.duration : document.loop_out_point;
    change_key_lists(document, [&](file::Joint& /*joint*/, file::KeyList& keys, Channel /*channel*/) {
        for (file::LegacyKey& key : keys.legacy) {
            key.time_seconds = single(static_cast<double>(key.time_seconds.value()) / *factor);
        }
    });
    const double lasts = document.duration.value();
    rows.push_back(tools::done(
        "speed",
        "it plays " + shown_number(*factor) + " times as fast and lasts " + shown_number(lasts) + " s",
        {{"factor", *factor}, {"duration_seconds", lasts}}));
    return {};
}

/// Straight lines between pairs of old and new times; the first is at 0.
class NewTimes {
public:
    explicit NewTimes(std::vector<tools::TimePair> pairs) : pairs_(std::move(pairs)) {}

    [[nodiscard]] double of(double seconds) const {
        std::size_t piece = 0;
        while (piece + 2 < pairs_.size() && seconds >= pairs_[piece + 1].old_seconds) {
            ++piece;
        }
        const tools::TimePair& start = pairs_[piece];
        const tools::TimePair& end = pairs_[piece + 1];
        return start.new_seconds + (seconds - start.old_seconds) * (end.new_seconds - start.new_seconds) /
                                       (end.old_seconds - start.old_seconds);
    }
    [[nodiscard]] std::span<const tools::TimePair> pairs() const { return pairs_; }
    /// The old times where pieces meet.
    [[nodiscard]] std::vector<double> knots() const {
        std::vector<double> times;
        for (std::size_t i = 1; i + 1 < pairs_.size(); ++i) {
            times.push_back(pairs_[i].old_seconds);
        }
        return times;
    }

private:
    std::vector<tools::TimePair> pairs_;
};

/// A key where pieces meet, if the track moves there, with what the viewer shows.
template <typename Played, typename Encode>
void add_knots(std::vector<file::CodedKey>& keys, const Played& played, float duration, const NewTimes& times,
               Encode encode) {
    for (const tools::TimePair& pair : times.pairs()) {
        const auto at = static_cast<float>(pair.old_seconds);
        const bool is_inside =
            played.times.size() > 1 && at > played.times.front() && at < played.times.back();
        if (!is_inside || std::ranges::find(played.times, at) != played.times.end()) {
            continue;
        }
        file::CodedKey key = encode(codes::value_at(played, at));
        key.time = codes::encode_key_time(at, duration, codes::Encoder::nearest);
        if (std::ranges::find(keys, key.time, &file::CodedKey::time) == keys.end()) {
            const auto later = std::ranges::find_if(
                keys, [&](const file::CodedKey& other) { return other.time > key.time; });
            keys.insert(later, key);
        }
    }
}

/// Moves times to others and says how many keys met at one time code; the later one stays.
std::size_t retime(file::Document& document, const NewTimes& times, double new_duration) {
    const float old = document.duration.value();
    std::size_t met = 0;
    const auto coded = [&](file::KeyList& keys, Channel channel) {
        if (times.pairs().size() > 2 && channel == Channel::rotation) {
            const auto played = codes::as_played(codes::decode_rotations(keys, old));
            add_keys_around_cuts(keys.coded, played, old, times.knots());
            add_knots(keys.coded, played, old, times, [](const codes::Quaternion& q) {
                return codes::encode_rotations({{0.0F}, {q}}, 1.0F, codes::Encoder::upload).front();
            });
        } else if (times.pairs().size() > 2) {
            add_knots(keys.coded, codes::as_played(codes::decode_positions(keys, old)), old, times,
                      [](const codes::Vector& v) {
                          return codes::encode_positions({{0.0F}, {v}}, 1.0F, codes::Encoder::upload).front();
                      });
        }
        std::vector<file::CodedKey> moved;
        for (const file::CodedKey& key : keys.coded) {
            const double time = times.of(static_cast<double>(codes::decode_time(key.time, old)));
            const double share = new_duration > 0.0 ? std::clamp(time / new_duration, 0.0, 1.0) : 0.0;
            const auto code = static_cast<std::uint16_t>(std::lround(share * highest_code));
            if (!moved.empty() && moved.back().time == code) {
                moved.pop_back();
                ++met;
            }
            moved.push_back({code, key.xyz});
        }
        keys.coded = std::move(moved);
    };
    change_key_lists(document, [&](file::Joint& /*joint*/, file::KeyList& keys, Channel channel) {
        if (!keys.coded.empty()) {
            coded(keys, channel);
        }
        for (file::LegacyKey& key : keys.legacy) {
            key.time_seconds = single(times.of(static_cast<double>(key.time_seconds.value())));
        }
    });
    const bool ends_with_it = document.loop_out_point == document.duration;
    change_header_times(document, [&](double time) { return times.of(time); });
    document.duration = single(new_duration);
    document.loop_out_point = ends_with_it ? document.duration : document.loop_out_point;
    return met;
}

std::string met_text(std::size_t met) {
    return met == 0 ? ""
                    : "; " + std::to_string(met) + " keys met a later one at the same time and are left out";
}

Result<void> take_retime(file::Document& document, tools::Tools& left, Json& rows) {
    if (left.retime.empty()) {
        return {};
    }
    const double duration = document.duration.value();
    auto pairs = std::exchange(left.retime, {});
    if (pairs.front().old_seconds > 0.0) {
        pairs.insert(pairs.begin(), {0.0, 0.0});
    }
    if (pairs.back().old_seconds > duration || pairs.front().new_seconds > 0.0) {
        return fail(
            ErrorCode::bad_value,
            "found a time outside the animation, or a beginning that is moved; allowed are times from "
            "0 to " +
                shown_number(duration) + " s",
            "retime");
    }
    if (pairs.back().old_seconds < duration) {
        const tools::TimePair last = pairs.back();
        pairs.push_back({duration, last.new_seconds + duration - last.old_seconds});
    }
    if (pairs.size() < 2) {
        return {};
    }
    const double lasts = pairs.back().new_seconds;
    const std::size_t met = retime(document, NewTimes(std::move(pairs)), lasts);
    rows.push_back(tools::done("retime",
                               "times are moved; it lasts " + shown_number(lasts) + " s" + met_text(met),
                               {{"duration_seconds", lasts}, {"keys_left_out", met}}));
    return {};
}

void take_hold(file::Document& document, tools::Tools& left, Json& rows) {
    const double first = std::exchange(left.hold_first_seconds, 0.0);
    const double last = std::exchange(left.hold_last_seconds, 0.0);
    const double duration = document.duration.value();
    if (first == 0.0 && last == 0.0) {
        return;
    }
    // One straight line, whatever the length of the animation.
    const double lasts = duration + first + last;
    const std::size_t met =
        retime(document, NewTimes({{0.0, first}, {std::max(duration, 1.0), first + std::max(duration, 1.0)}}),
               lasts);
    rows.push_back(tools::done(
        "hold", "the first or last pose is held; it lasts " + shown_number(lasts) + " s" + met_text(met),
        {{"duration_seconds", lasts}, {"keys_left_out", met}}));
}

void take_loop_points(file::Document& document, tools::Tools& left, Json& rows) {
    if (!left.loop_points) {
        return;
    }
    const tools::LoopPoints points = *left.loop_points;
    if (points.is_best) {
        document.loop = document.loop == 0 ? 1 : document.loop;  // the clip's tool finds the points
        return;
    }
    if (points.out_seconds > static_cast<double>(document.duration.value()) + 1e-3) {
        return;  // the clip's tool says what is wrong
    }
    left.loop_points.reset();
    document.loop = document.loop == 0 ? 1 : document.loop;
    document.loop_in_point = single(points.in_seconds);
    document.loop_out_point =
        std::min(single(points.out_seconds).value(), document.duration.value()) == document.duration.value()
            ? document.duration
            : single(points.out_seconds);
    rows.push_back(tools::done("loop-points",
                               "it repeats from " + shown_number(points.in_seconds) + " to " +
                                   shown_number(points.out_seconds) + " s",
                               {{"in_seconds", points.in_seconds}, {"out_seconds", points.out_seconds}}));
}

}  // namespace

Result<file::Document> with_tools(file::Document document, tools::Tools& left, Json& rows) {
    TRY_VOID(take_parts(document, left, rows));
    take_mirror(document, left, rows);
    take_reverse(document, left, rows);
    TRY_VOID(take_speed(document, left, rows));
    TRY_VOID(take_retime(document, left, rows));
    take_hold(document, left, rows);
    take_loop_points(document, left, rows);
    return document;
}

}  // namespace animbridge::sl_anim::edit
