// SPDX-License-Identifier: MIT
#include "rig/retarget/retarget.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base.h"
#include "base/options/options.h"
#include "model/clip/clip.h"

namespace animbridge::rig::retarget {

namespace {

Json slot_json(const SlotReport& slot) {
    return {{"slot", json_text(slot.slot)},
            {"source", texts_json(slot.source_joints)},
            {"target", texts_json(slot.target_joints)},
            {"held", slot.is_held},
            {"adjusted", slot.is_adjusted},
            {"alignment_degrees", slot.alignment_degrees},
            {"difference_degrees", slot.difference_degrees ? Json(*slot.difference_degrees) : Json(nullptr)},
            {"difference_at_seconds", slot.difference_at_seconds},
            {"measured", slot.by_direction ? "direction" : "turn"}};
}

Json body_json(const BodyReport& body) {
    return {{"slot", json_text(body.slot)},
            {"source_hips_height_metres", body.source_hips_height_metres},
            {"target_hips_height_metres", body.target_hips_height_metres},
            {"horizontal_scale", body.horizontal_scale},
            {"vertical_scale", body.vertical_scale},
            {"source_ground_metres", body.source_ground_metres},
            {"target_ground_metres", body.target_ground_metres},
            {"lift_metres", body.lift_metres},
            {"path_difference_mm", body.path_difference_mm},
            {"path_difference_at_seconds", body.path_difference_at_seconds}};
}

Json measure_json(const FootMeasure& measure) {
    return {{"slide_mm_per_second", measure.slide_mm_per_second},
            {"depth_mm", measure.depth_mm ? Json(*measure.depth_mm) : Json(nullptr)},
            {"float_mm", measure.float_mm ? Json(*measure.float_mm) : Json(nullptr)}};
}

Json feet_json(const std::vector<FootReport>& feet) {
    Json all = Json::array();
    for (const FootReport& foot : feet) {
        Json stands = Json::array();
        for (const auto& [from, to] : foot.stands_seconds) {
            stands.push_back(Json::array({from, to}));
        }
        Json row = {{"slot", json_text(foot.slot)},
                    {"contacts", foot.contacts},
                    {"stands_seconds", std::move(stands)},
                    {"contact_seconds", foot.contact_seconds},
                    {"source_slide_mm_per_second", foot.source_slide_mm_per_second},
                    {"unplanted", foot.unplanted ? measure_json(*foot.unplanted) : Json(nullptr)},
                    {"knee_change_degrees", foot.knee_change_degrees}};
        row.update(measure_json(foot.now));
        all.push_back(std::move(row));
    }
    return all;
}

Json hands_json(const HandsReport& hands) {
    return {{"largest_change", hands.largest_change},
            {"at_seconds", hands.at_seconds},
            {"source_distance", hands.source_distance},
            {"target_distance", hands.target_distance}};
}

Json touch_json(const TouchReport& touch) {
    return {{"hand", touch.hand},
            {"touched", touch.touched},
            {"seconds", touch.seconds},
            {"apart_before_mm", touch.apart_before_mm},
            {"apart_mm", touch.apart_mm}};
}

Json first_frame_json(const FirstFrame& frame) {
    return {{"seconds", frame.seconds},
            {"next_seconds", frame.next_seconds},
            {"jump_degrees", frame.jump_degrees}};
}

std::string number_text(const Json& value, int decimals) { return fixed_text(value.get<double>(), decimals); }

std::string name_text(const Json& name) {
    return name.is_string() ? without_controls(name.get<std::string_view>())
                            : std::string("a name that is not text");
}

std::string list_text(const Json& names) {
    std::vector<std::string> texts;
    for (const Json& name : names) {
        texts.push_back(name_text(name));
    }
    return some_of(texts);
}

/// An invisible difference.
constexpr double small_degrees = 0.05;
constexpr double small_mm = 0.5;
/// An invisible change of the hands' distance, in arm lengths.
constexpr double small_change = 0.05;

std::string slots_text(const Json& slots) {
    std::string text;
    for (const Json& slot : slots) {
        const bool is_measured = !slot.at("held").get<bool>() && !slot.at("adjusted").get<bool>();
        if (is_measured && slot.at("difference_degrees").get<double>() > small_degrees) {
            text += "  " + name_text(slot.at("slot")) + " (" + list_text(slot.at("source")) + " to " +
                    list_text(slot.at("target")) + ") differs by up to " +
                    number_text(slot.at("difference_degrees"), 2) + " degrees, at " +
                    number_text(slot.at("difference_at_seconds"), 2) + " s\n";
        }
    }
    return text;
}

std::string body_text(const Json& body) {
    const std::string horizontal = number_text(body.at("horizontal_scale"), 3);
    const std::string vertical = number_text(body.at("vertical_scale"), 3);
    return "The body's path is " + horizontal +
           (horizontal == vertical ? "" : " (horizontal) and " + vertical + " (vertical)") +
           " times as long as the input's\n";
}

/// The largest number of the feet under this name; nullopt if no foot has one.
std::optional<double> largest_of(const Json& feet, const char* name, bool is_unplanted = false) {
    std::optional<double> largest;
    for (const Json& foot : feet) {
        const Json& number = is_unplanted ? foot.at("unplanted").at(name) : foot.at(name);
        if (!number.is_null()) {
            largest = std::max(largest.value_or(0.0), number.get<double>());
        }
    }
    return largest;
}

std::string before_text(const Json& feet, const char* name) {
    const auto before = largest_of(feet, name, true);
    return before ? " (before: " + fixed_text(*before, 0) + ")" : "";
}

/// What planting changed, besides the slide.
std::string planted_text(const Json& feet, const Json& report) {
    constexpr double hardly_sloped_degrees = 0.25;
    const auto body_moved_mm = report.at("body_moved_mm").get<double>();
    const auto slope_degrees = report.at("floor_slope_degrees").get<double>();
    std::string text;
    if (slope_degrees > hardly_sloped_degrees) {
        text += "They stand on a floor that slopes by " + fixed_text(slope_degrees, 1) +
                " degrees, as the input's does\n";
    }
    if (const auto depth = largest_of(feet, "depth_mm")) {
        text += "Planted, they sink up to " + fixed_text(*depth, 0) + " mm into the ground" +
                before_text(feet, "depth_mm") + ", and stand up to " +
                fixed_text(largest_of(feet, "float_mm").value_or(0.0), 0) + " mm above it" +
                before_text(feet, "float_mm") + "\n";
    }
    const double knees = *largest_of(feet, "knee_change_degrees");
    if (knees > small_degrees || body_moved_mm > small_mm) {
        text += "For that, a knee bends up to " + fixed_text(knees, 0) +
                " degrees more or less, and the body is up to " + fixed_text(body_moved_mm, 0) +
                " mm higher or lower\n";
    }
    return text;
}

/// For both feet, with the input's feet, scaled like the body's path.
std::string feet_text(const Json& report) {
    const Json& feet = report.at("feet");
    if (feet.empty()) {
        return "";
    }
    if (largest_of(feet, "contacts") == 0.0) {
        return "The input's feet never stand still, so no slide was measured\n";
    }
    const bool is_planted = !feet.at(0).at("unplanted").is_null();
    std::string text = "While they stand, the feet slide " +
                       fixed_text(*largest_of(feet, "slide_mm_per_second"), 0) + " mm per second" +
                       (is_planted ? before_text(feet, "slide_mm_per_second") : "");
    if (const Json body = report.value("body", Json()); report.contains("body")) {
        const double scale = body.is_null() ? 1.0 : body.at("horizontal_scale").get<double>();
        text += "; the input's, scaled like the path, " +
                fixed_text(scale * *largest_of(feet, "source_slide_mm_per_second"), 0);
    }
    return text + "\n" + (is_planted ? planted_text(feet, report) : "");
}

std::string warnings_text(const Json& report) {
    std::string text;
    for (const Json& warning : report.at("warnings")) {
        text += "Warning: " + name_text(warning) + "\n";
    }
    return text;
}

std::string hands_text(const Json& hands) {
    const double change =
        hands.at("target_distance").get<double>() - hands.at("source_distance").get<double>();
    return std::abs(change) < small_change
               ? ""
               : "The hands are up to " + fixed_text(std::abs(change), 2) + " arm lengths " +
                     (change > 0.0 ? "farther apart" : "closer") + " than the input's, at " +
                     number_text(hands.at("at_seconds"), 2) + " s\n";
}

/// Rest poses are what everybody expects.
std::string references_text(const Json& references) {
    const auto source = references.at("source").get<std::string>();
    const auto target = references.at("target").get<std::string>();
    const auto is_usual = [](const std::string& pose) { return pose.empty() || pose == "the rest pose"; };
    return is_usual(source) && is_usual(target)
               ? ""
               : "The input's reference pose is " + source + ", and the output's is " + target + "\n";
}

/// How far the arms of hands that touch something point from where the input's do.
double arms_turned_degrees(const Json& slots) {
    double largest = 0;
    for (const Json& slot : slots) {
        const auto name = slot.at("slot").get<std::string>();
        const bool is_turned = slot.at("adjusted").get<bool>() && !slot.at("held").get<bool>();
        if (is_turned && (name.ends_with("Arm") || name.ends_with("Hand"))) {
            largest = std::max(largest, slot.at("difference_degrees").get<double>());
        }
    }
    return largest;
}

/// For all touches together.
std::string touches_text(const Json& touches, const Json& slots) {
    std::vector<std::string> names;
    double before = 0;
    double after = 0;
    for (const Json& touch : touches) {
        names.push_back(name_text(touch.at("hand")) + " on " + name_text(touch.at("touched")));
        before = std::max(before, touch.at("apart_before_mm").get<double>());
        after = std::max(after, touch.at("apart_mm").get<double>());
    }
    if (names.empty()) {
        return "";
    }
    const double turned_degrees = arms_turned_degrees(slots);
    return "Hands that touch as in the input: " + some_of(names) + ", within " + fixed_text(after, 0) +
           " mm (" + fixed_text(before, 0) + " without Keep Touch)\n" +
           (turned_degrees > small_degrees
                ? "For that, an arm turns up to " + fixed_text(turned_degrees, 0) + " degrees\n"
                : "");
}

}  // namespace

double RetargetReport::worst_degrees() const {
    double worst = 0;
    for (const SlotReport& slot : slots) {
        worst = slot.is_adjusted ? worst : std::max(worst, slot.difference_degrees.value_or(0.0));
    }
    return worst;
}

Json retarget_json(const RetargetReport& report) {
    Json slots = Json::array();
    for (const SlotReport& slot : report.slots) {
        slots.push_back(slot_json(slot));
    }
    Json touches = Json::array();
    for (const TouchReport& touch : report.touches) {
        touches.push_back(touch_json(touch));
    }
    return {{"slots", std::move(slots)},
            {"worst_degrees", report.worst_degrees()},
            {"body", report.body ? body_json(*report.body) : Json(nullptr)},
            {"feet", feet_json(report.feet)},
            {"body_moved_mm", report.body_moved_mm},
            {"floor_slope_degrees", report.floor_slope_degrees},
            {"hands", report.hands ? hands_json(*report.hands) : Json(nullptr)},
            {"touches", std::move(touches)},
            {"only_in_source", texts_json(report.only_in_source)},
            {"only_in_target", texts_json(report.only_in_target)},
            {"source_lacks", texts_json(report.source_lacks)},
            {"dropped_motion", texts_json(report.dropped_motion)},
            {"first_frame", report.first_frame ? first_frame_json(*report.first_frame) : Json(nullptr)},
            {"references", {{"source", report.source_reference}, {"target", report.target_reference}}},
            {"times", report.times},
            {"warnings", texts_json(report.warnings)}};
}

std::string describe_retarget(const Json& report) {
    std::string text = std::to_string(report.at("slots").size()) +
                       " parts of the body move as in the input, within " +
                       number_text(report.at("worst_degrees"), 3) + " degrees\n";
    text += slots_text(report.at("slots"));
    if (!report.at("body").is_null()) {
        text += body_text(report.at("body"));
    }
    text += feet_text(report);
    if (!report.at("hands").is_null()) {
        text += hands_text(report.at("hands"));
    }
    text += touches_text(report.at("touches"), report.at("slots"));
    if (!report.at("first_frame").is_null()) {
        text += "The first frame is left out: it is a pose from which the motion jumps by " +
                number_text(report.at("first_frame").at("jump_degrees"), 0) +
                " degrees (to keep it: --keep-first-frame)\n";
    }
    text += references_text(report.at("references"));
    for (const auto& [key, title] : {std::pair("only_in_source", "The output has no joint for"),
                                     std::pair("source_lacks", "The input has no joint for"),
                                     std::pair("dropped_motion", "Joints whose motion is left out")}) {
        if (!report.at(key).empty()) {
            text += std::string(title) + ": " + list_text(report.at(key)) + "\n";
        }
    }
    return text + warnings_text(report);
}

Json planted_json(const FeetPlanted& planted) {
    Json joints = Json::array();
    for (const Track& track : planted.changed.tracks) {
        joints.push_back(json_text(planted.changed.skeleton.nodes[track.node].name));
    }
    return {{"joints", std::move(joints)},
            {"feet", feet_json(planted.feet)},
            {"body_moved_mm", planted.body_moved_mm},
            {"floor_slope_degrees", planted.floor_slope_degrees},
            {"warnings", texts_json(planted.warnings)}};
}

std::string describe_planted(const Json& report) {
    const bool stand_already = report.at("joints").empty() && report.at("warnings").empty();
    return stand_already ? "The feet stand still already\n" : feet_text(report) + warnings_text(report);
}

std::vector<SlotRow> slot_rows() {
    std::vector<SlotRow> rows{{"spine", {"spine", "chest", "upperChest"}}, {"neck", {"neck"}}};
    for (const std::string side : {"left", "right"}) {
        rows.push_back(
            {side + "Thumb", {side + "ThumbMetacarpal", side + "ThumbProximal", side + "ThumbDistal"}});
        for (const std::string finger : {"Index", "Middle", "Ring", "Little"}) {
            const std::string name = side + finger;
            rows.push_back({name, {name + "Proximal", name + "Intermediate", name + "Distal"}});
        }
    }
    return rows;
}

const humanoid::FoundChain* found_chain_named(const humanoid::FoundRig& rig, std::string_view name) {
    const auto found = std::find_if(rig.chains.begin(), rig.chains.end(),
                                    [&](const humanoid::FoundChain& chain) { return chain.name == name; });
    return found == rig.chains.end() || found->joints.empty() ? nullptr : &*found;
}

std::vector<std::size_t> joints_of_row(const humanoid::FoundRig& rig, const SlotRow& row) {
    if (const humanoid::FoundChain* chain = found_chain_named(rig, row.name)) {
        return chain->joints;
    }
    std::vector<std::size_t> joints;
    for (const std::string& slot : row.slots) {
        if (const auto joint = rig.joint_of(slot)) {
            joints.push_back(*joint);
        }
    }
    return joints;
}

std::vector<std::size_t> joints_of_slot(const humanoid::FoundRig& rig, std::string_view slot) {
    if (const humanoid::FoundChain* chain = found_chain_named(rig, slot)) {
        return chain->joints;
    }
    const auto joint = rig.joint_of(slot);
    return joint ? std::vector<std::size_t>{*joint} : std::vector<std::size_t>{};
}

std::string slot_at(const humanoid::FoundRig& rig, std::size_t joint) {
    const auto found = std::find_if(rig.slots.begin(), rig.slots.end(),
                                    [&](const humanoid::FoundSlot& slot) { return slot.joint == joint; });
    return found == rig.slots.end() ? std::string() : found->slot;
}

namespace {

/// Key times are rounded.
constexpr double same_seconds = 1e-5;
constexpr double longest_frame_seconds = 0.15;
constexpr double jump_degrees = 15;
constexpr std::size_t least_jumps = 2;
constexpr double rest_degrees = 1;
constexpr double resting_share = 0.9;
constexpr double big_jump_degrees = 45;
constexpr double more_than_next = 4;
/// A body that itself starts from rest continues to turn at its first speed.
constexpr double more_than_start = 2;

constexpr std::array<std::string_view, 18> body_slots = {
    "spine",    "chest",         "neck",          "head",      "leftUpperArm", "leftLowerArm",
    "leftHand", "rightUpperArm", "rightLowerArm", "rightHand", "leftUpperLeg", "leftLowerLeg",
    "leftFoot", "rightUpperLeg", "rightLowerLeg", "rightFoot", "leftShoulder", "rightShoulder"};

bool has_key_at(const Track& track, double time) {
    const auto at = std::lower_bound(track.times.begin(), track.times.end(), time - same_seconds);
    return at != track.times.end() && *at <= time + same_seconds;
}

/// The first time after the first key at which every joint that turns has a key; nullopt: there is none
/// within a frame.
std::optional<double> second_frame(const std::vector<const Track*>& tracks, double first) {
    for (const double time : tracks.front()->times) {
        if (time > first + longest_frame_seconds) {
            return std::nullopt;
        }
        const bool is_frame = time > first + same_seconds &&
                              std::all_of(tracks.begin(), tracks.end(),
                                          [&](const Track* track) { return has_key_at(*track, time); });
        if (is_frame) {
            return time;
        }
    }
    return std::nullopt;
}

std::vector<glm::dquat> rotations_at(ClipPoser& poser, const std::vector<std::size_t>& joints, double time) {
    poser.pose(time);
    std::vector<glm::dquat> rotations;
    rotations.reserve(joints.size());
    for (const std::size_t joint : joints) {
        rotations.push_back(poser.local()[joint].rotation);
    }
    return rotations;
}

}  // namespace

std::optional<FirstFrame> odd_first_frame(const Clip& clip, const humanoid::FoundRig& rig) {
    const std::vector<std::size_t> joints = rig.joints_of(body_slots);
    std::vector<const Track*> tracks;
    for (const Track& track : clip.tracks) {
        const bool is_body = std::find(joints.begin(), joints.end(), track.node) != joints.end();
        if (is_body && track.channel == Channel::rotation && track.key_count() > 1) {
            tracks.push_back(&track);
        }
    }
    if (tracks.empty()) {
        return std::nullopt;
    }
    const double first = tracks.front()->times.front();
    const bool begin_together = std::all_of(tracks.begin(), tracks.end(), [&](const Track* track) {
        return std::abs(track->times.front() - first) <= same_seconds;
    });
    const auto next = begin_together ? second_frame(tracks, first) : std::nullopt;
    // The motion after the second frame shows how fast the motion itself is.
    const bool goes_on = next && std::all_of(tracks.begin(), tracks.end(), [&](const Track* track) {
                             return track->times.back() > *next + same_seconds;
                         });
    if (!goes_on) {
        return std::nullopt;
    }
    ClipPoser poser(clip);
    const auto before = rotations_at(poser, joints, first);
    const auto after = rotations_at(poser, joints, *next);
    const auto later = rotations_at(poser, joints, *next + (*next - first));
    std::size_t jumps = 0;
    std::size_t resting = 0;
    std::size_t leaving = 0;
    double largest = 0;
    double largest_later = 0;
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const glm::dquat& rest = clip.skeleton.nodes[joints[i]].rest_local.rotation;
        const double turn = angle_between_degrees(before[i], after[i]);
        const bool rests = angle_between_degrees(before[i], rest) <= rest_degrees;
        jumps += turn > jump_degrees ? 1U : 0U;
        resting += rests ? 1U : 0U;
        leaving += rests && angle_between_degrees(after[i], rest) > rest_degrees ? 1U : 0U;
        largest = std::max(largest, turn);
        largest_later = std::max(largest_later, angle_between_degrees(after[i], later[i]));
    }
    const bool rests = static_cast<double>(resting) >= resting_share * static_cast<double>(joints.size()) &&
                       2 * leaving > resting && largest > more_than_start * largest_later;
    const bool jumps_far = largest > std::max(big_jump_degrees, more_than_next * largest_later);
    return jumps >= least_jumps && (rests || jumps_far) ? std::optional(FirstFrame{first, *next, largest})
                                                        : std::nullopt;
}

Clip without_first_frame(const Clip& clip, const FirstFrame& frame) {
    Clip result = clip;
    for (Track& track : result.tracks) {
        const auto until = frame.next_seconds - same_seconds;
        const auto count =
            std::lower_bound(track.times.begin(), track.times.end(), until) - track.times.begin();
        const bool begins =
            !track.times.empty() && std::abs(track.times.front() - frame.seconds) <= same_seconds;
        if (count == 0 || !begins || !has_key_at(track, frame.next_seconds)) {
            continue;
        }
        const auto width = static_cast<std::ptrdiff_t>(track.width());
        track.times.erase(track.times.begin(), track.times.begin() + count);
        track.values.erase(track.values.begin(), track.values.begin() + count * width);
        const auto drop = [](auto& list, std::ptrdiff_t first) {
            list.erase(list.begin(), list.begin() + (list.empty() ? 0 : first));
        };
        drop(track.interpolation, count);
        drop(track.handles, count * width);
        drop(track.inserted, count);
    }
    return result;
}

}  // namespace animbridge::rig::retarget
