// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include "base/options/options.h"
#include "editing/editing.h"
#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/edit/edit.h"
#include "formats/sl_anim/fix/mends.h"

/// Tracks that are left out, and positions.
namespace animbridge::sl_anim::fix {

namespace {

std::string listed_joints(const std::vector<std::string>& joints) {
    constexpr std::size_t most = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(joints.size(), most); ++i) {
        text += (i == 0 ? "" : ", ") + joints[i];
    }
    return joints.size() > most ? text + " and " + std::to_string(joints.size() - most) + " more" : text;
}

/// Takes one track from every record of the joints; a record without keys goes.
bool leave_out(file::Document& document, const std::vector<std::string>& joints,
               file::KeyList file::Joint::*track) {
    const std::set<std::string> names(joints.begin(), joints.end());
    std::vector<file::Joint> kept;
    for (const file::Joint& record : document.joints) {
        const auto known = avatar::find_joint(record.name);
        file::Joint rest = record;
        if (known && names.contains(avatar::skeleton()[*known].node.name)) {
            rest.*track = {};
        }
        const bool had_keys = file::key_count(record.*track) > 0;
        if (!had_keys || file::key_count(rest.rotation) + file::key_count(rest.position) > 0) {
            kept.push_back(std::move(rest));
        }
    }
    const bool is_left = !kept.empty();
    document.joints = std::move(kept);
    return is_left;
}

Outcome without_rotations(file::Document& document, const Asked& asked) {
    Change change{.joints = joints_of(asked.places)};
    change.degrees = reach_from_rest(document, change.joints).degrees;
    change.what =
        "the rotations of " + listed_joints(change.joints) + " are left out: the wearer's own motion shows";
    if (!leave_out(document, change.joints, &file::Joint::rotation)) {
        return tl::unexpected<std::string>("no joint would be left");
    }
    return change;
}

Outcome leave_out_positions(file::Document& document, std::vector<std::string> joints) {
    Change change{.joints = std::move(joints)};
    change.mm = reach_from_rest(document, change.joints).mm;
    change.what = "the positions of " + listed_joints(change.joints) + " are left out";
    if (!leave_out(document, change.joints, &file::Joint::position)) {
        return tl::unexpected<std::string>("no joint would be left");
    }
    return change;
}

Outcome without_positions(file::Document& document, const Asked& asked) {
    return leave_out_positions(document, joints_of(asked.places));
}

// ---- height ----

/// What the viewer counts as the body's height: sign 1 is below the hips, -1 above.
struct Height {
    std::string_view joint;
    double factor;   ///< of dP - dU
    double rest;     ///< in the default shape
    double leg = 0;  ///< of the straight leg's length
};
constexpr double skull_factor = std::numbers::sqrt2 * 0.925;
constexpr std::array<Height, 9> heights = {{{"mHipLeft", 1, -0.041, -1},
                                            {"mKneeLeft", -1, -0.491, -1},
                                            {"mAnkleLeft", -1, -0.468, -1},
                                            {"mFootLeft", -1, -0.061, -1},
                                            {"mSkull", -skull_factor, 0.0715},
                                            {"mHead", -1, 0.076},
                                            {"mNeck", -1, 0.251},
                                            {"mChest", -1, 0.205},
                                            {"mTorso", -1, 0.084}}};
constexpr std::array<std::string_view, 4> right_leg = {"mHipRight", "mKneeRight", "mAnkleRight",
                                                       "mFootRight"};

bool has_positions(file::Document& document, std::string_view joint) {
    const file::Joint* record = record_of(document, joint);
    return record != nullptr && file::key_count(record->position) > 0;
}

codes::PositionKeys played_positions(const file::Document& document, const file::Joint& record) {
    return codes::as_played(codes::decode_positions(record.position, document.duration.value()));
}

Outcome without_heights(file::Document& document) {
    std::vector<std::string> joints;
    bool has_leg = false;
    for (const Height& one : heights) {
        if (has_positions(document, one.joint)) {
            joints.emplace_back(one.joint);
            has_leg = has_leg || one.leg != 0.0;
        }
    }
    // The other leg counts for nothing, but both stay alike.
    for (const std::string_view joint : right_leg) {
        if (has_leg && has_positions(document, joint)) {
            joints.emplace_back(joint);
        }
    }
    return leave_out_positions(document, std::move(joints));
}

/// The skull moves so that the viewer raises the body by what the legs grow.
Outcome with_counterweight(file::Document& document) {
    if (has_positions(document, "mSkull")) {
        return tl::unexpected<std::string>(
            "mSkull has positions of its own, so it cannot make up for others");
    }
    const auto skull = avatar::find_joint("mSkull").value();
    const Transform& rest = avatar::resting_pose()[skull];
    std::set<std::uint16_t> times;
    std::vector<std::pair<const Height*, codes::PositionKeys>> tracks;
    for (const Height& one : heights) {
        if (const file::Joint* record = record_of(document, one.joint);
            record != nullptr && file::key_count(record->position) > 0) {
            tracks.emplace_back(&one, played_positions(document, *record));
            std::ranges::transform(record->position.coded, std::inserter(times, times.end()),
                                   &file::CodedKey::time);
        }
    }
    std::vector<file::CodedKey> keys;
    double longest = 0;
    double farthest = 0;
    for (const std::uint16_t time : times) {
        double rise = 0;  // dP - dU' - 2 L
        double legs = 0;
        for (const auto& [one, played] : tracks) {
            const codes::Vector place =
                codes::value_at(played, codes::decode_time(time, document.duration.value()));
            const double grown = double{place[2]} - one->rest;
            rise += one->factor * grown - 2.0 * one->leg * grown;
            legs += one->leg * grown;
        }
        const double z = 0.0715 + rise / skull_factor;
        if (std::abs(z) >= double{codes::position_limit}) {
            return tl::unexpected<std::string>("mSkull would have to move more than 5 m");
        }
        longest = std::abs(legs) > std::abs(longest) ? legs : longest;
        farthest = std::max(farthest, std::abs(z - rest.translation.z));
        keys.push_back(key_of<file::CodedKey>(
            codes::Vector{static_cast<float>(rest.translation.x), static_cast<float>(rest.translation.y),
                          static_cast<float>(z)},
            time));
    }
    file::Joint* own = record_of(document, "mSkull");
    if (own == nullptr) {
        document.joints.push_back({"mSkull", -1, {}, {}});
        own = &document.joints.back();
    }
    own->position.coded = std::move(keys);
    Change change{.what = "mSkull moves, so that the viewer puts the soles on the ground",
                  .joints = {"mSkull"},
                  .mm = 1000.0 * farthest,
                  .carriers = {"mSkull"}};
    if (std::abs(longest) > 0.01) {
        change.not_mended = "the legs are " + fixed_text(1000.0 * std::abs(longest), 0) + " mm " +
                            (longest > 0 ? "longer" : "shorter") + ", and the body stands that much " +
                            (longest > 0 ? "higher" : "lower") + ": its soles are on the ground";
    }
    return change;
}

/// The spine's joints that the viewer does not count, in place of those that it does.
struct SpinePair {
    std::string_view counted;
    std::string_view other;  ///< its parent
};
constexpr std::array<SpinePair, 2> spine_pairs = {{{"mTorso", "mSpine2"}, {"mChest", "mSpine4"}}};

Outcome with_spine(file::Document& document) {
    Change change{.what = "mSpine2 and mSpine4 move in place of mTorso and mChest"};
    for (const SpinePair& pair : spine_pairs) {
        if (!has_positions(document, pair.counted)) {
            continue;
        }
        if (const file::Joint* other = record_of(document, pair.other);
            other != nullptr && file::key_count(other->rotation) + file::key_count(other->position) > 0) {
            return tl::unexpected(std::string(pair.other) + " has keys of its own");
        }
        const file::Joint record = *record_of(document, pair.counted);
        const auto rest_of = [](std::string_view joint) {
            return avatar::resting_pose()[avatar::find_joint(joint).value()].translation;
        };
        const glm::dvec3 shift = rest_of(pair.other) - rest_of(pair.counted);
        codes::PositionKeys moved = codes::decode_positions(record.position, document.duration.value());
        file::Joint made{std::string(pair.other), record.priority, {}, {}};
        for (std::size_t i = 0; i < moved.size(); ++i) {
            const codes::Vector& p = moved.values[i];
            made.position.coded.push_back(key_of<file::CodedKey>(
                codes::Vector{static_cast<float>(p[0] + shift.x), static_cast<float>(p[1] + shift.y),
                              static_cast<float>(p[2] + shift.z)},
                record.position.coded[i].time));
        }
        std::vector<std::string> both = {std::string(pair.counted), std::string(pair.other)};
        change.mm = std::max(change.mm, reach_from_rest(document, both).mm + stored_mm);
        change.carriers.emplace_back(pair.other);
        std::ranges::move(both, std::back_inserter(change.joints));
        std::erase_if(document.joints, [&](const file::Joint& joint) { return joint.name == made.name; });
        leave_out(document, {std::string(pair.counted)}, &file::Joint::position);
        document.joints.push_back(std::move(made));
    }
    return change.joints.empty() ? Outcome(tl::unexpected<std::string>("neither mTorso nor mChest moves"))
                                 : change;
}

Outcome mend_height(file::Document& document, const Asked& asked) {
    if (!asked.keeps_shape && !asked.uses_spine) {
        return without_heights(document);
    }
    if (document.version == file::Version::legacy) {
        return tl::unexpected(std::string(not_of_legacy));
    }
    if (!asked.uses_spine || (!has_positions(document, "mTorso") && !has_positions(document, "mChest"))) {
        return with_counterweight(document);
    }
    Outcome spine = with_spine(document);
    if (!spine || !asked.keeps_shape || check::places_of(document, "height_changes").empty()) {
        return spine;
    }
    Outcome skull = with_counterweight(document);
    if (skull) {
        skull->what = spine->what + ", and " + skull->what;
        skull->mm = std::max(skull->mm, spine->mm);
        skull->joints.insert(skull->joints.end(), spine->joints.begin(), spine->joints.end());
        skull->carriers.insert(skull->carriers.end(), spine->carriers.begin(), spine->carriers.end());
    }
    return skull;
}

// ---- positions that stay ----

template <typename Key>
Key at_rest(const std::string& joint, file::KeyList file::Joint::*track, TimeOf<Key> time) {
    const Transform& rest = avatar::resting_pose()[avatar::find_joint(joint).value()];
    const auto single = [](double value) { return static_cast<float>(value); };
    if (track == &file::Joint::rotation) {
        const glm::dquat& q = rest.rotation;
        return key_of<Key>(codes::Quaternion{single(q.x), single(q.y), single(q.z), single(q.w)}, time);
    }
    const glm::dvec3& p = rest.translation;
    return key_of<Key>(codes::Vector{single(p.x), single(p.y), single(p.z)}, time);
}

/// A frame more, in which the joints are at rest. `change`: what that moves.
Outcome end_at_rest(file::Document& document, file::KeyList file::Joint::*track, Change change) {
    const double ends = document.duration.value();
    const double frame = frame_seconds(document);
    if (ends + frame > double{check::max_duration_seconds}) {
        return tl::unexpected<std::string>("it would last longer than 60 s");
    }
    change.begin_seconds = ends - 2.0 * (ends + frame) / double{codes::max_code};
    change.is_retimed = true;
    editing::Tools tools;
    tools.hold_last_seconds = frame;
    Json rows = Json::array();
    auto longer = edit::with_tools(document, tools, rows);
    if (!longer) {
        return tl::unexpected(longer.error().reason);
    }
    document = *std::move(longer);
    const float duration = document.duration.value();
    for (const std::string& joint : change.joints) {
        with_keys(record_of(document, joint)->*track, document, [&]<typename Key>(std::vector<Key>& keys) {
            // Of keys at one time the viewer plays the last one.
            Key last = *std::max_element(keys.rbegin(), keys.rend(),
                                         [](const Key& a, const Key& b) { return time_of(a) < time_of(b); });
            if (double{played_seconds(last, document)} + 1.5 * step_seconds(document) < ends) {
                const auto xyz = last.xyz;
                last = key_of<Key>(codes::Vector{}, stored_time<Key>(static_cast<float>(ends), duration));
                last.xyz = xyz;
                put_keys<Key>(keys, {last});
            }
            put_keys<Key>(keys, {at_rest<Key>(joint, track, stored_time<Key>(duration, duration))});
        });
    }
    change.what = "it lasts one frame longer, and ends with " + listed_joints(change.joints) + " at rest";
    return change;
}

Outcome positions_to_rest(file::Document& document, const Asked& asked) {
    if (document.loop != 0) {
        return tl::unexpected<std::string>(
            "a loop may stop at any time: play the animation that `--undeform FILE` writes after it, or "
            "leave positions out");
    }
    return end_at_rest(
        document, &file::Joint::position,
        {.joints = joints_of(asked.places), .mm = 1000.0 * largest_size(asked.places) + stored_mm});
}

Outcome rotations_to_rest(file::Document& document, const Asked& asked) {
    return end_at_rest(
        document, &file::Joint::rotation,
        {.joints = joints_of(asked.places), .degrees = largest_size(asked.places) + stored_degrees});
}

/// The hips rise by the depth of the deepest sole.
Outcome raise_hips(file::Document& document, const Asked& asked) {
    constexpr double code_metres = 2.0 * double{codes::position_limit} / double{codes::max_code};
    const auto steps = static_cast<int>(std::ceil(largest_size(asked.places) / code_metres));
    file::Joint* hips = record_of(document, "mPelvis");
    if (hips == nullptr) {
        document.joints.push_back({"mPelvis", -1, {}, {}});
        hips = &document.joints.back();
    }
    const double mm = 1000.0 * steps * code_metres;
    with_keys(hips->position, document, [](auto& keys) {
        if (keys.empty()) {
            keys.push_back(key_of<std::decay_t<decltype(keys.front())>>(codes::Vector{}, 0));
        }
    });
    for (file::LegacyKey& key : hips->position.legacy) {
        key.xyz[2] = RawFloat(static_cast<float>(static_cast<double>(key.xyz[2].value()) + mm / 1000.0));
    }
    for (file::CodedKey& key : hips->position.coded) {
        if (key.xyz[2] + steps > static_cast<int>(codes::max_code)) {
            return tl::unexpected<std::string>("the hips would be more than 5 m high");
        }
        key.xyz[2] = static_cast<std::uint16_t>(key.xyz[2] + steps);
    }
    return Change{.what = "mPelvis is " + fixed_text(mm, 0) + " mm higher", .joints = {"mPelvis"}, .mm = mm};
}

}  // namespace

std::vector<Mend> part_mends() {
    return {{"freezes_parts", without_rotations},   {"freezes_eyes", without_rotations},
            {"eyes_move", without_rotations, true}, {"position_track_pins_shape", without_positions},
            {"bone_collapses", without_positions},  {"face_positions", without_positions}};
}

std::vector<Mend> position_mends() {
    return {{"height_changes", mend_height},
            {"position_track_sticks", positions_to_rest},
            {"rotations_stick", rotations_to_rest, true},
            {"feet_sink", raise_hips}};
}

std::optional<file::Document> undeforming(const file::Document& document) {
    const auto places = check::places_of(document, "position_track_sticks");
    if (places.empty()) {
        return std::nullopt;
    }
    constexpr float seconds = 0.5F;
    file::Document made;
    made.base_priority = document.base_priority;
    made.duration = RawFloat(seconds);
    made.loop_out_point = RawFloat(seconds);
    made.hand_pose = document.hand_pose;
    for (const std::string& joint : joints_of(places)) {
        const auto record = std::ranges::find_if(document.joints, [&](const file::Joint& one) {
            return avatar::find_joint(one.name) == avatar::find_joint(joint);
        });
        made.joints.push_back(
            {joint, record->priority, {}, {{at_rest<file::CodedKey>(joint, &file::Joint::position, 0)}, {}}});
    }
    return made;
}

}  // namespace animbridge::sl_anim::fix
