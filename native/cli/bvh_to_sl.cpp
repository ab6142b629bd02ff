// SPDX-License-Identifier: MIT
#include "cli/bvh_to_sl.h"

#include "base/file.h"

namespace animbridge::cli {

namespace {

using Set = void (*)(Json& conversion, const std::string& text);

/// An option whose text becomes a member of the bridge's options.
void add(CLI::App* convert, const SharedArguments& arguments, const char* name, const char* type,
         const std::string& about, Set set) {
    convert
        ->add_option_function<std::string>(
            name, [arguments, set](const std::string& text) { set(arguments->conversion, text); },
            "from BVH to .anim: " + about)
        ->type_name(type);
}

void add_flag(CLI::App* convert, const SharedArguments& arguments, const char* name, const char* member,
              bool value, const std::string& about) {
    convert->add_flag_callback(
        name, [arguments, member, value] { arguments->conversion[member] = value; },
        "from BVH to .anim: " + about);
}

/// Numbers as numbers; what is none stays text, for the bridge to tell of.
Json number_or_text(const std::string& text) {
    auto number = parse_json(text);
    return number && number->is_number() ? std::move(*number) : Json(text);
}

void set_joint_priority(Json& conversion, const std::string& text) {
    const std::size_t equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0) {
        throw CLI::ValidationError("--joint-priority", "found \"" + text + "\", allowed is NAME=PRIORITY");
    }
    conversion["joint_priorities"][text.substr(0, equals)] = number_or_text(text.substr(equals + 1));
}

void set_anim_ini(Json& conversion, const std::string& file) {
    const auto bytes = read_file(file);
    if (!bytes) {
        throw CLI::ValidationError("--anim-ini", bytes.error().message());
    }
    // Only its names could be anything but ASCII.
    conversion["anim_ini"] = to_utf8(text_of(*bytes));
}

std::string name_of(const Json& name) { return name.is_string() ? name.get<std::string>() : name.dump(); }

/// "label: a, b", or nothing.
std::string names_line(const std::string& label, const Json& names) {
    std::string line;
    for (const Json& name : names) {
        line += (line.empty() ? label + ": " : ", ") + name_of(name);
    }
    return line.empty() ? "" : line + "\n";
}

}  // namespace

void add_bvh_to_sl(CLI::App* convert, const SharedArguments& arguments) {
    add(convert, arguments, "--loader", "NAME",
        "\"current\", or \"pre2022\" for the timing of viewers before 2022",
        [](Json& conversion, const std::string& text) { conversion["loader"] = text; });
    add(convert, arguments, "--priority", "0..6",
        "the priority that the upload dialog sets; it holds joints at 4",
        [](Json& conversion, const std::string& text) { conversion["priority"] = number_or_text(text); });
    convert
        ->add_option_function<std::vector<std::string>>(
            "--joint-priority",
            [arguments](const std::vector<std::string>& texts) {
                for (const std::string& text : texts) {
                    set_joint_priority(arguments->conversion, text);
                }
            },
            "from BVH to .anim: the priority of one joint, -1 to 6; may be repeated")
        ->type_name("NAME=P")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    add_flag(convert, arguments, "--loop", "loop", true, "loop the animation");
    add(convert, arguments, "--loop-in", "TIME", "where the loop begins: seconds, or a share as \"20%\"",
        [](Json& conversion, const std::string& text) { conversion["loop_in"] = number_or_text(text); });
    add(convert, arguments, "--loop-out", "TIME", "where the loop ends: seconds, or a share as \"80%\"",
        [](Json& conversion, const std::string& text) { conversion["loop_out"] = number_or_text(text); });
    add(convert, arguments, "--ease-in", "SECONDS", "how long it fades in",
        [](Json& conversion, const std::string& text) { conversion["ease_in"] = number_or_text(text); });
    add(convert, arguments, "--ease-out", "SECONDS", "how long it fades out",
        [](Json& conversion, const std::string& text) { conversion["ease_out"] = number_or_text(text); });
    add(convert, arguments, "--hand-pose", "0..13", "the pose of the hands",
        [](Json& conversion, const std::string& text) { conversion["hand_pose"] = number_or_text(text); });
    add(convert, arguments, "--emote", "NAME", "the emote, or the id of an animation",
        [](Json& conversion, const std::string& text) { conversion["emote"] = json_text(text); });
    add_flag(convert, arguments, "--every-frame", "reduce_keys", false, "make every frame a key");
    add_flag(convert, arguments, "--all-joints", "keep_all_joints", true,
             "keep joints that do not move, of those that the avatar has");
    add_flag(convert, arguments, "--no-reference-frame", "reference_frame", false,
             "frame 0 is a key as the others are");
    add(convert, arguments, "--anim-ini", "FILE", "take the [GLOBALS] of an anim.ini first", set_anim_ini);
}

std::string bvh_to_sl_text(const Json& report) {
    std::string text;
    const Json& broken = report.at("broken_rule");
    if (!broken.is_null()) {
        text += "line " + broken.at("line").dump() + ": " + broken.at("reason").get<std::string>() +
                "; read leniently\n";
    }
    text += names_line("dropped, since the loader sees no change from frame 0", report.at("dropped"));
    text += names_line("held at priority 4, as the upload dialog does", report.at("clamped"));
    for (const Json& warning : report.at("warnings")) {
        text += "warning: " + warning.get<std::string>() + "\n";
    }
    for (const Json& finding : report.at("findings")) {
        text += "an upload would be refused: " + finding.at("effect").get<std::string>() +
                " Found: " + name_of(finding.at("found")) + "\n";
    }
    return text;
}

}  // namespace animbridge::cli
