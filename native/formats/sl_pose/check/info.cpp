// SPDX-License-Identifier: MIT
#include <array>

#include "base/options/options.h"
#include "formats/sl_pose/check/check.h"
#include "formats/sl_pose/play/play.h"

namespace animbridge::sl_pose::check {

namespace {

constexpr std::array<std::string_view, 5> knowledge = {"exact", "delta", "free", "unlisted", "stored"};

Json counts_of(const pose::Pose& pose) {
    Json counts = Json::object();
    const auto joints = play::shown(pose);
    for (const std::string_view known : knowledge) {
        std::size_t count = 0;
        for (const play::Shown& joint : joints) {
            count += name_of(joint.known) == known ? 1 : 0;
        }
        counts[known] = count;
    }
    return counts;
}

Json state_info(const pose::State& state) {
    return {{"animation_id", json_text(state.animation_id)},
            {"seconds", state.seconds},
            {"capture_order", state.capture_order},
            {"layer_order", state.layer_order},
            {"joints", state.joints.empty() ? Json("all") : Json(state.joints.size())}};
}

}  // namespace

Json info(const file::Document& document) {
    Json report = {
        {"format", "sl_pose"}, {"title", "Second Life pose"}, {"size_bytes", file::write(document).size()}};
    const auto pose = pose::pose_of(document);
    if (!pose) {  // only a document that no reader made
        report["program"] = nullptr;
        return report;
    }
    report["program"] = name_of(pose->program);
    report["version"] = pose->version;
    report["is_assumed"] = pose->is_assumed;
    report["is_difference"] = pose->is_difference();
    report["difference"] = pose->is_difference() ? Json(play::difference_text(*pose)) : Json();
    report["entries"] = pose->entries.size();
    report["joints"] = counts_of(*pose);
    report["animations_below"] = list_json(pose->states, state_info);
    report["blend_seconds"] = pose->blend_seconds ? Json(*pose->blend_seconds) : Json();
    report["blend_type"] = pose->blend_type ? Json(*pose->blend_type) : Json();
    return report;
}

std::string describe(const std::string& file, const Json& info) {
    std::string text = file + ": " + plain_text(info["title"]) + "\n";
    const auto row = [&](const std::string& label, const std::string& value) {
        text += "  " + left_aligned(label, 16) + value + "\n";
    };
    row("size", plain_text(info["size_bytes"]) + " bytes");
    if (info["program"].is_null()) {
        return text;
    }
    row("program", plain_text(info["program"]) + ", version " + plain_text(info["version"]) +
                       (info["is_assumed"] == true ? " (assumed)" : ""));
    row("kind", info["is_difference"] == true ? "a difference: " + plain_text(info["difference"]) : "a pose");
    row("entries", plain_text(info["entries"]));
    std::string counts;
    for (const auto& [known, count] : info["joints"].items()) {
        counts +=
            count == 0 ? "" : (counts.empty() ? "" : ", ") + plain_text(count) + " " + std::string(known);
    }
    row("joints", counts.empty() ? "none" : counts);
    for (const Json& state : info["animations_below"]) {
        row("animation", plain_text(state["animation_id"]) + " at " + six_digits(state["seconds"]) +
                             " s, joints: " + plain_text(state["joints"]));
    }
    if (!info["blend_type"].is_null()) {
        row("blend",
            "type " + plain_text(info["blend_type"]) + ", " + six_digits(info["blend_seconds"]) + " s");
    }
    return text;
}

}  // namespace animbridge::sl_pose::check
