// SPDX-License-Identifier: MIT
#include "rig/retarget/report.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/base.h"
#include "base/options/options.h"

namespace animbridge::rig {

namespace {

Json slot_json(const SlotReport& slot) {
    return {{"slot", json_text(slot.slot)},
            {"source", texts_json(slot.source_joints)},
            {"target", texts_json(slot.target_joints)},
            {"held", slot.is_held},
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

Json foot_json(const FootReport& foot) {
    return {{"slot", json_text(foot.slot)},
            {"contacts", foot.contacts},
            {"contact_seconds", foot.contact_seconds},
            {"source_slide_mm_per_second", foot.source_slide_mm_per_second},
            {"unpinned_slide_mm_per_second", foot.unpinned_slide_mm_per_second},
            {"slide_mm_per_second", foot.slide_mm_per_second}};
}

Json hands_json(const HandsReport& hands) {
    return {{"largest_change", hands.largest_change},
            {"at_seconds", hands.at_seconds},
            {"source_distance", hands.source_distance},
            {"target_distance", hands.target_distance}};
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
/// An invisible change of the hands' distance, in arm lengths.
constexpr double small_change = 0.05;

std::string slots_text(const Json& slots) {
    std::string text;
    for (const Json& slot : slots) {
        if (!slot.at("held").get<bool>() && slot.at("difference_degrees").get<double>() > small_degrees) {
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

/// For both feet, with the input's feet, scaled like the body's path.
std::string feet_text(const Json& feet, const Json& body) {
    const double scale = body.is_null() ? 1.0 : body.at("horizontal_scale").get<double>();
    double slide = 0;
    double source_slide = 0;
    std::size_t contacts = 0;
    for (const Json& foot : feet) {
        slide = std::max(slide, foot.at("slide_mm_per_second").get<double>());
        source_slide = std::max(source_slide, scale * foot.at("source_slide_mm_per_second").get<double>());
        contacts += foot.at("contacts").get<std::size_t>();
    }
    return feet.empty()    ? ""
           : contacts == 0 ? "The input's feet never stand still, so no slide was measured\n"
                           : "While they stand, the feet slide " + fixed_text(slide, 0) +
                                 " mm per second; the input's, scaled like the path, " +
                                 fixed_text(source_slide, 0) + "\n";
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

}  // namespace

double RetargetReport::worst_degrees() const {
    double worst = 0;
    for (const SlotReport& slot : slots) {
        worst = std::max(worst, slot.difference_degrees.value_or(0.0));
    }
    return worst;
}

Json retarget_json(const RetargetReport& report) {
    Json slots = Json::array();
    for (const SlotReport& slot : report.slots) {
        slots.push_back(slot_json(slot));
    }
    Json feet = Json::array();
    for (const FootReport& foot : report.feet) {
        feet.push_back(foot_json(foot));
    }
    return {{"slots", std::move(slots)},
            {"worst_degrees", report.worst_degrees()},
            {"body", report.body ? body_json(*report.body) : Json(nullptr)},
            {"feet", std::move(feet)},
            {"hands", report.hands ? hands_json(*report.hands) : Json(nullptr)},
            {"only_in_source", texts_json(report.only_in_source)},
            {"only_in_target", texts_json(report.only_in_target)},
            {"source_lacks", texts_json(report.source_lacks)},
            {"dropped_motion", texts_json(report.dropped_motion)},
            {"first_frame", report.first_frame ? first_frame_json(*report.first_frame) : Json(nullptr)},
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
    text += feet_text(report.at("feet"), report.at("body"));
    if (!report.at("hands").is_null()) {
        text += hands_text(report.at("hands"));
    }
    if (!report.at("first_frame").is_null()) {
        text += "The first frame is left out: it is a pose from which the motion jumps by " +
                number_text(report.at("first_frame").at("jump_degrees"), 0) +
                " degrees (to keep it: --keep-first-frame)\n";
    }
    for (const auto& [key, title] : {std::pair("only_in_source", "The output has no joint for"),
                                     std::pair("source_lacks", "The input has no joint for"),
                                     std::pair("dropped_motion", "Joints whose motion is left out")}) {
        if (!report.at(key).empty()) {
            text += std::string(title) + ": " + list_text(report.at(key)) + "\n";
        }
    }
    for (const Json& warning : report.at("warnings")) {
        text += "Warning: " + name_text(warning) + "\n";
    }
    return text;
}

}  // namespace animbridge::rig
