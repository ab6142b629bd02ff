// SPDX-License-Identifier: MIT
#include "bridges/sl_anim_to_bvh/bridge.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/base.h"
#include "base/options/options.h"
#include "bridges/sl_anim_to_bvh/parts.h"
#include "editing/editing.h"
#include "formats/bvh/file/file.h"
#include "formats/bvh/scene/scene.h"
#include "formats/sl_anim/check/check.h"

namespace animbridge::sl_anim_to_bvh {

namespace {

Error nothing_to_write(const JointPlan& plan) {
    std::string reason = "no joint of the animation can be in a BVH";
    if (!plan.left_out.empty()) {
        const LeftOut& first = plan.left_out.front();
        reason += "; the first, " + to_utf8(first.joint) + ", is " + std::string(first.reason);
    }
    return Error{ErrorCode::rejected, std::move(reason)};
}

}  // namespace

Result<Converted> convert(const sl_anim::file::Document& document, const Options& options) {
    TRY_VOID(sl_anim::check::require_playable(document));
    const sl_anim::play::Player player(document);
    const JointPlan plan = plan_joints(player);
    const bool any = std::any_of(plan.joints.begin(), plan.joints.end(),
                                 [](const PlannedJoint& planned) { return planned.keys != nullptr; });
    if (!any) {
        return fail(nothing_to_write(plan));
    }
    TRY(const auto grid, frame_grid(plan, player.duration_seconds(), options.frames_per_second));
    Converted converted;
    converted.document.joints = hierarchy_of(plan, options.aliases);
    FrameMotion motion = build_motion(plan, grid, options.hold_keys, converted.document.joints);
    converted.report =
        report_of(plan, motion, grid, converted.document.joints, lost_of(document, plan, motion));
    converted.document.frame_time_seconds = grid.frame_time_seconds;
    converted.document.frame_count = grid.times_seconds.size() + 1;
    converted.document.motion = std::move(motion.values);
    return converted;
}

namespace {

Result<Made> convert_document(const BridgeInput& input) {
    TRY(const auto options, options_from_json(input.options));
    if (!input.document) {
        return fail(input.document.error());
    }
    const sl_anim::file::Document& document = *as_sl_anim(**input.document);
    TRY(auto converted, convert(document, options));
    DocumentPtr made = make_document(std::move(converted.document));
    if (input.edits != Json::object()) {
        TRY(auto edited, editing::edited(*made, input.edits).map_error([](Error error) {
            return in_member(std::move(error), "edits");
        }));
        made = std::move(edited.document);
    }
    TRY_VOID(input.job.report(0.5));
    TRY(const Bytes file, made->write());
    TRY(const auto worst, measure_frames(document, *as_bvh(*made), file));
    TRY(auto kept,
        unless_too_far({std::move(made),
                        std::move(converted.report),
                        worst,
                        {"The motion may be too fast for the frames. Give it more of them (command: --fps; "
                         "library: frames_per_second)"}},
                       options.stop, "the animation"));
    TRY(auto after_upload, measure_upload(document, file));
    kept.report.update({{"max_position_error_mm", worst.position_mm},
                        {"max_rotation_error_degrees", worst.rotation_degrees},
                        {"worst", worst_json(worst)},
                        {"after_upload", std::move(after_upload)}});
    return kept;
}

}  // namespace

constinit const Bridge bridge = {
    .from = "sl_anim",
    .to = "bvh",
    .way = "from .anim to BVH",
    .convert = convert_document,
    .options = options,
    .describe = describe,
};

namespace {

constexpr std::array<OptionRow<Options>, 2> name_rows = {{
    {{.name = "names",
      .type = OptionType::choice,
      .command_name = "--names",
      .choices = {"joints", "aliases"},
      .standard = "joints",
      .help = "Names of joints in the file: joints (mPelvis, mTorso, ...) or aliases (hip, abdomen, ...)"},
     [](Options& options, const Json& value) { options.aliases = value == "aliases"; }},
    {{.name = "hold_keys",
      .type = OptionType::flag,
      .command_name = "--exact-frames",
      .switch_value = false,
      .standard = "true",
      .help = "Move single frames (by less than a degree) so that the viewer's upload keeps their keys",
      .switch_help = "Do not move single frames (by less than a degree) so that the viewer's upload keeps "
                     "their keys"},
     [](Options& options, const Json& value) { options.hold_keys = value.get<bool>(); }},
}};

constexpr auto file_rows =
    joined_rows(bvh::scene::rate_rows<Options>("the lowest rate that has a frame at every key, or 30",
                                               "Frames per second, as near as the duration allows"),
                name_rows);
constexpr auto rows = joined_rows(file_rows, clip_stop_rows<Options>);
constexpr auto table = options_of(rows);

}  // namespace

std::span<const Option> options() { return table; }

Result<Options> options_from_json(const Json& json) {
    Options options;
    return read_options(json, rows, options).map([&] { return options; });
}

namespace {

std::string counted(const Json& number, const std::string& thing) {
    const auto count = number.get<std::size_t>();
    return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string decimal(double value) {
    std::array<char, 400> text{};  // the largest double has 309 digits before the point
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 3);
    return {text.data(), end.ptr};
}

/// The first few names; if there are more, also their number.
std::string first_names(const Json& names) {
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i) {
        text += text.empty() ? "" : ", ";
        text += names[i].get<std::string>();
    }
    return names.size() <= most ? text : text + ", ... (" + std::to_string(names.size()) + ")";
}

Json keys_of(const Json& object) {
    Json keys = Json::array();
    for (const auto& [key, value] : object.items()) {
        keys.push_back(key);
    }
    return keys;
}

/// A line of the text; empty without names.
std::string line(const std::string& title, const Json& names) {
    return names.empty() ? "" : title + ": " + first_names(names) + "\n";
}

/// More joints than this are only counted; the JSON report lists all.
constexpr std::size_t most_shown = 8;

std::string lost_lines(const Json& lost) {
    std::string text;
    for (const auto& [name, value] : lost.items()) {
        text += "  " + name + ": ";
        text += (value.is_object() && value.size() > most_shown ? std::to_string(value.size()) + " joints"
                                                                : value.dump()) +
                "\n";
    }
    return text.empty() ? "" : "a BVH cannot store:\n" + text;
}

/// Quotes for a shell: a single quote ends the quoted text and is escaped on its own.
std::string quoted(const std::string& text) {
    std::string shell = "'";
    for (const char letter : text) {
        if (letter == '\'') {
            shell += R"('\'')";
        } else {
            shell += letter;
        }
    }
    return shell + "'";
}

/// JSON for a terminal. without_controls writes \uNNNN, as JSON does, for all control characters except DEL.
std::string shown_json(const Json& json) {
    std::string text;
    for (const char letter : json.dump()) {
        text += letter == '\x7F' ? std::string("\\u007f") : std::string(1, letter);
    }
    return without_controls(text);
}

std::string give_back_line(const Json& edits) {
    if (edits.empty()) {
        return {};
    }
    const bool many = edits.contains("joint_priorities") && edits["joint_priorities"].size() > most_shown;
    return "to restore these in the .anim, convert the BVH back with --edit " +
           (many ? "and the value of \"give_back\" that --json prints" : quoted(shown_json(edits))) + "\n";
}

std::string place(const Json& measured, const std::string& what) {
    const auto joint = measured[what + "_joint"].get<std::string>();
    return joint.empty()
               ? ""
               : " (" + joint + ", at " + decimal(measured[what + "_at_seconds"].get<double>()) + " s)";
}

std::string upload_line(const Json& measured) {
    return "largest error after an upload: " + measured_text(measured["rotation_degrees"].get<double>()) +
           " degrees" + place(measured, "rotation") + ", " +
           measured_text(measured["position_mm"].get<double>()) + " mm" + place(measured, "position") + "\n";
}

}  // namespace

std::string describe(const Json& report, const Json& give_back) {
    std::string text = counted(report["joints"], "animated joint") + ", " +
                       counted(report["frames"], "frame") + " of " + report["frame_time_seconds"].dump() +
                       " s";
    text +=
        report["fits_keys"].get<bool>() ? ": every key is on a frame\n" : ": some keys are between frames\n";
    text += line("frame 0 differs from the rest pose, so that the viewer does not drop",
                 report["frame_0_shifted"]);
    text += line("frames changed by less than a degree, so that the viewer does not drop keys",
                 keys_of(report["frames_moved"]));
    text += line("tracks that the viewer adds", report["tracks_added"]);
    text += line("in the avatar's axes: right for the viewer, wrong for other programs", report["own_axes"]);
    for (const Json& row : report["left_out"]) {
        const Json& joint = row["joint"];
        text += "left out: " + (joint.is_string() ? joint.get<std::string>() : joint.dump());
        text += ": " + row["reason"].get<std::string>() + "\n";
    }
    text += upload_line(report["after_upload"]);
    text += lost_lines(report["lost"]);
    return text + give_back_line(give_back);
}

}  // namespace animbridge::sl_anim_to_bvh
