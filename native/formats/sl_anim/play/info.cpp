// SPDX-License-Identifier: MIT
#include "formats/sl_anim/play/play.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <set>

#include "base/options/options.h"
#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/check/check.h"

namespace animbridge::sl_anim::play {

namespace {

constexpr std::array<std::string_view, 14> hand_poses = {
    "Spread",       "Relaxed",   "Point Both",    "Fist",        "Relaxed Left",
    "Point Left",   "Fist Left", "Relaxed Right", "Point Right", "Fist Right",
    "Salute Right", "Typing",    "Peace Right",   "Palm Right"};

std::string printable(std::string_view text) {
    if (is_utf8(text)) {
        return std::string(text);
    }
    return "hex:" + hex_of(text);
}

Json joint_info(const file::Joint& joint) {
    const auto known = avatar::find_joint(joint.name);
    return {{"name", printable(joint.name)},
            {"joint", known ? Json(avatar::skeleton()[*known].node.name) : Json(nullptr)},
            {"priority", joint.priority},
            {"rotation_keys", file::key_count(joint.rotation)},
            {"position_keys", file::key_count(joint.position)}};
}

Json constraint_info(const file::Constraint& constraint) {
    return {
        {"type", constraint.type == 0   ? Json("point")
                 : constraint.type == 1 ? Json("plane")
                                        : Json(constraint.type)},
        {"chain_length", constraint.chain_length},
        {"source", printable(file::volume_text(constraint.source_volume))},
        {"target", printable(file::volume_text(constraint.target_volume))},
        {"ease_in", Json::array({json_float(constraint.ease_in_start), json_float(constraint.ease_in_stop)})},
        {"ease_out",
         Json::array({json_float(constraint.ease_out_start), json_float(constraint.ease_out_stop)})}};
}

/// Whole rates at which programs animate. Slower keys are poses that somebody set, and give no rate.
constexpr int lowest_rate = 10;
constexpr int highest_rate = 120;
constexpr std::size_t least_times = 4;

/// The distinct times of all keys, in order. The last code is the animation's end, wherever that is.
std::vector<double> key_times(const file::Document& document) {
    std::set<std::uint16_t> codes;
    for (const file::Joint& joint : document.joints) {
        for (const file::KeyList* const keys : {&joint.rotation, &joint.position}) {
            for (const file::CodedKey& key : keys->coded) {
                codes.insert(key.time);
            }
        }
    }
    codes.erase(static_cast<std::uint16_t>(codes::max_code));
    std::vector<double> seconds;
    std::ranges::transform(codes, std::back_inserter(seconds), [&](std::uint16_t code) {
        return double{codes::decode_time(code, document.duration.value())};
    });
    return seconds;
}

/// The largest distance of the times from whole frames, in frames.
double off_frames(const std::vector<double>& seconds, int rate) {
    double most = 0;
    for (const double time : seconds) {
        most = std::max(most, std::abs(time * rate - std::round(time * rate)));
    }
    return most;
}

/// The rate at which all keys are on frames, two of them on neighbouring frames; null if the keys give none.
Json frames_per_second(const file::Document& document) {
    const double duration{document.duration.value()};
    if (!(duration > 0.0 && duration <= 60.0)) {
        return nullptr;
    }
    const std::vector<double> seconds = key_times(document);
    if (seconds.size() < least_times) {
        return nullptr;
    }
    double gap = duration;
    for (std::size_t i = 1; i < seconds.size(); ++i) {
        gap = std::min(gap, seconds[i] - seconds[i - 1]);
    }
    // A file rounds times, so at short gaps several rates fit.
    const double rounding = duration / codes::max_code;
    int best = 0;
    double best_off = 0;
    for (int rate = lowest_rate; rate <= highest_rate; ++rate) {
        const double off = off_frames(seconds, rate);
        const bool is_neighbour = std::abs(gap * rate - 1.0) <= 2.0 * rounding * rate;
        if (is_neighbour && off <= rounding * rate && (best == 0 || off < best_off)) {
            best = rate;
            best_off = off;
        }
    }
    return best == 0 ? Json(nullptr) : Json(best);
}

}  // namespace

Json info(const file::Document& document) {
    std::size_t rotation_keys = 0;
    std::size_t position_keys = 0;
    Json joints = Json::array();
    joints.reserve(document.joints.size());
    for (const file::Joint& joint : document.joints) {
        rotation_keys += file::key_count(joint.rotation);
        position_keys += file::key_count(joint.position);
        joints.push_back(joint_info(joint));
    }
    const bool named_pose = document.hand_pose < hand_poses.size();
    return {{"format", "sl_anim"},
            {"title", "Second Life animation"},
            {"version", document.version == file::Version::coded ? "1.0" : "0.1"},
            {"size_bytes", file::file_bytes(document)},
            {"duration_seconds", json_float(document.duration)},
            {"frames_per_second", frames_per_second(document)},
            {"base_priority", document.base_priority},
            {"loop", document.loop != 0},
            {"loop_in_seconds", json_float(document.loop_in_point)},
            {"loop_out_seconds", json_float(document.loop_out_point)},
            {"ease_in_seconds", json_float(document.ease_in_duration)},
            {"ease_out_seconds", json_float(document.ease_out_duration)},
            {"hand_pose", named_pose ? Json(hand_poses.at(document.hand_pose)) : Json(document.hand_pose)},
            {"hand_pose_number", document.hand_pose},
            {"emote", printable(document.emote_name)},
            {"rotation_keys", rotation_keys},
            {"position_keys", position_keys},
            {"joints", std::move(joints)},
            {"constraint_count", document.constraint_count},
            {"constraints", list_json(document.constraints, constraint_info)},
            {"trailing_bytes", document.trailing.size()}};
}

std::string describe(const std::string& file, const Json& info) {
    std::string text =
        file + ": " + plain_text(info["title"]) + ", version " + plain_text(info["version"]) + "\n";
    const auto row = [&](const std::string& label, const std::string& value) {
        text += "  " + left_aligned(label, 16) + value + "\n";
    };
    row("size", plain_text(info["size_bytes"]) + " bytes");
    row("duration", plain_text(info["duration_seconds"]) + " s");
    row("base priority", plain_text(info["base_priority"]));
    const bool loop = info["loop"].get<bool>();
    row("loop",
        loop ? plain_text(info["loop_in_seconds"]) + " s to " + plain_text(info["loop_out_seconds"]) + " s"
             : "no");
    row("ease in, out",
        plain_text(info["ease_in_seconds"]) + " s, " + plain_text(info["ease_out_seconds"]) + " s");
    row("hand pose", plain_text(info["hand_pose"]));
    row("emote", plain_text(info["emote"]).empty() ? "none" : plain_text(info["emote"]));
    row("keys",
        plain_text(info["rotation_keys"]) + " rotation, " + plain_text(info["position_keys"]) + " position");
    row("constraints", plain_text(info["constraint_count"]));
    for (const Json& constraint : info["constraints"]) {
        text += "    " + plain_text(constraint["type"]) + ": " + plain_text(constraint["source"]) + " to " +
                plain_text(constraint["target"]) + ", chain of " + plain_text(constraint["chain_length"]) +
                "\n";
    }
    if (info["trailing_bytes"] != 0) {
        row("trailing", plain_text(info["trailing_bytes"]) + " bytes");
    }
    text += "  " + left_aligned("joint", 24) + right_aligned("priority", 10) + right_aligned("rotation", 10) +
            right_aligned("position", 10) + "\n";
    for (const Json& joint : info["joints"]) {
        const bool alias = joint["joint"].is_string() && joint["joint"] != joint["name"];
        text += "  " + left_aligned(plain_text(joint["name"]), 24) +
                right_aligned(plain_text(joint["priority"]), 10) +
                right_aligned(plain_text(joint["rotation_keys"]), 10) +
                right_aligned(plain_text(joint["position_keys"]), 10);
        text += joint["joint"].is_null() ? "  (not in the skeleton)\n"
                : alias                  ? "  (" + plain_text(joint["joint"]) + ")\n"
                                         : "\n";
    }
    return text;
}

}  // namespace animbridge::sl_anim::play
