// SPDX-License-Identifier: MIT
#include "bridges/bvh_to_sl_anim/bridge.h"

#include <array>
#include <string>

#include "formats/sl_anim/clip/clip.h"

namespace animbridge::bvh_to_sl_anim {

namespace {

namespace header_options = sl_anim::clip::header_options;
using sl_anim::loader::BvhLoad;

/// The options before the text of the anim.ini is parsed.
struct GivenUpload {
    BvhLoad load{};
    sl_anim::check::Grid grid{};
    std::string anim_ini{};
    bool has_ini = false;
};

template <auto Field>
void set_flag(GivenUpload& target, const Json& value) {
    target.load.*Field = value.get<bool>();
}
template <auto Field>
void set_integer(GivenUpload& target, const Json& value) {
    target.load.*Field = static_cast<std::int32_t>(value.get<std::int64_t>());
}
template <auto Field>
void set_seconds(GivenUpload& target, const Json& value) {
    target.load.*Field = value.get<float>();
}
template <auto Field>
void set_point(GivenUpload& target, const Json& value) {
    const SecondsOrShare point = seconds_or_share(value);
    target.load.*Field = sl_anim::loader::LoopPoint{point.value, point.is_percent};
}

void set_loader(GivenUpload& target, const Json& value) {
    target.load.timing =
        value == "current" ? sl_anim::loader::BvhTiming::current : sl_anim::loader::BvhTiming::pre2022;
}

void set_emote(GivenUpload& target, const Json& value) {
    target.load.emote = text_from_json(value, "emote").value();
}

void set_joint_priorities(GivenUpload& target, const Json& value) {
    for (const auto& [name, priority] : value.items()) {
        target.load.joint_priorities[name] = static_cast<std::int32_t>(priority.get<std::int64_t>());
    }
}

void set_anim_ini(GivenUpload& target, const Json& value) {
    target.anim_ini = value.get<std::string>();
    target.has_ini = true;
}

constexpr std::array<OptionRow<GivenUpload>, 15> rows = {{
    {header_options::grid,
     [](GivenUpload& target, const Json& value) { target.grid = sl_anim::check::target_from(value); }},
    {{.name = "loader",
      .type = OptionType::choice,
      .command_name = "--loader",
      .choices = {"current", "pre2022"},
      .standard = "current",
      .help = "The viewer version whose timing is used: current viewers, or viewers before 2022"},
     set_loader},
    {{.name = "priority",
      .type = OptionType::integer,
      .command_name = "--priority",
      .value_name = "PRIORITY",
      .low = 0,
      .high = 6,
      .without = "the anim.ini's, or 2",
      .help = "The priority that the upload dialog sets. Joints follow it only up to 4"},
     set_integer<&BvhLoad::priority>},
    {{.name = "joint_priorities",
      .type = OptionType::integers_by_name,
      .command_name = "--joint-priority",
      .value_name = "PRIORITY",
      .low = -1,
      .high = 6,
      .without = "the animation's",
      .allowed = "an object of joints and their priorities from -1 to 6",
      .help = "Priorities of single joints, by a name of the file or of the avatar. On the command line, "
              "repeat the option for each joint"},
     set_joint_priorities},
    {header_options::or_else(header_options::loop, "the anim.ini's, or false"), set_flag<&BvhLoad::loop>},
    {header_options::or_else(header_options::loop_in, "the anim.ini's, or the start"),
     set_point<&BvhLoad::loop_in>},
    {header_options::or_else(header_options::loop_out, "the anim.ini's, or the end"),
     set_point<&BvhLoad::loop_out>},
    {header_options::or_else(header_options::ease_in, "the anim.ini's, or 0.3"),
     set_seconds<&BvhLoad::ease_in_seconds>},
    {header_options::or_else(header_options::ease_out, "the anim.ini's, or 0.3"),
     set_seconds<&BvhLoad::ease_out_seconds>},
    {header_options::or_else(header_options::hand_pose, "the anim.ini's, or 1"),
     set_integer<&BvhLoad::hand_pose>},
    {header_options::or_else(header_options::emote, "the anim.ini's, or none"), set_emote},
    {{.name = "reduce_keys",
      .type = OptionType::flag,
      .command_name = "--every-frame",
      .switch_value = false,
      .standard = "true",
      .help = "Drop keys as the viewer's loader does",
      .switch_help = "Make every frame a key"},
     set_flag<&BvhLoad::reduce_keys>},
    {{.name = "keep_all_joints",
      .type = OptionType::flag,
      .command_name = "--all-joints",
      .standard = "false",
      .help = "Keep joints that do not move, if the avatar has them"},
     set_flag<&BvhLoad::keep_all_joints>},
    {{.name = "reference_frame",
      .type = OptionType::flag,
      .command_name = "--no-reference-frame",
      .switch_value = false,
      .standard = "true",
      .help = "Frame 0 is the reference pose, as in the viewer's loader, and not a key",
      .switch_help = "Make frame 0 a key like the others"},
     set_flag<&BvhLoad::reference_frame>},
    {{.name = "anim_ini",
      .type = OptionType::file_text,
      .command_name = "--anim-ini",
      .without = "none",
      .allowed = "the text of an anim.ini",
      .help = "An anim.ini whose section [GLOBALS] is applied before the other options"},
     set_anim_ini},
}};

constexpr auto table = options_of(rows);

}  // namespace

std::span<const Option> options() { return table; }

Result<Upload> upload_from_json(const Json& options) {
    GivenUpload target;
    TRY_VOID(read_options(options, rows, target));
    if (target.has_ini) {
        TRY(target.load.ini, sl_anim::loader::read_anim_ini(target.anim_ini));
    }
    return Upload{std::move(target.load), target.grid};
}

namespace {

std::string shown_name(const Json& name) { return name.is_string() ? name.get<std::string>() : name.dump(); }

/// A line "label: a, b"; empty without names.
std::string names_line(const std::string& label, const Json& names) {
    std::string line;
    for (const Json& name : names) {
        line += (line.empty() ? label + ": " : ", ") + shown_name(name);
    }
    return line.empty() ? "" : line + "\n";
}

}  // namespace

std::string describe(const Json& report, const Json& /*give_back*/) {
    std::string text;
    const Json& broken = report.at("broken_rule");
    if (!broken.is_null()) {
        text += "line " + broken.at("line").dump() + ": " + broken.at("reason").get<std::string>() +
                "; read anyway\n";
    }
    text += names_line("dropped, because they do not move after frame 0", report.at("dropped"));
    text += names_line("limited to priority 4, as in the upload dialog", report.at("clamped"));
    for (const Json& warning : report.at("warnings")) {
        text += "warning: " + warning.get<std::string>() + "\n";
    }
    const bool has_other_root = !broken.is_null() && broken.at("field") == "ROOT";
    if (has_other_root || !report.at("unknown_joints").empty()) {
        text +=
            "The viewer does not know all joints. To move the avatar like this skeleton, whatever its joints "
            "are called, add --retarget.\n";
    }
    return text;
}

}  // namespace animbridge::bvh_to_sl_anim
