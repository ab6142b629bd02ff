// SPDX-License-Identifier: MIT
#include "cli/bvh_to_sl.h"

#include "base/file.h"
#include "cli/options.h"

namespace animbridge::cli {

namespace {

/// Numbers as numbers, the rest as text.
Json number_or_text(const std::string& text) {
    const auto number = decimal_number(text);
    if (!number) {
        return text;
    }
    // The options want whole numbers as such.
    const auto whole = static_cast<std::int64_t>(*number);
    return *number == static_cast<double>(whole) ? Json(whole) : Json(*number);
}

/// An option of the way from BVH to .anim, whose text becomes a member of the bridge's options.
CLI::Option* add(CLI::App* convert, const SharedArguments& arguments, const char* name, const char* member,
                 const std::string& about) {
    return convert->add_option_function<std::string>(
        name,
        [arguments, member](const std::string& text) {
            arguments->conversion[member] = number_or_text(text);
        },
        "from BVH to .anim: " + about);
}

void add_flag(CLI::App* convert, const SharedArguments& arguments, const char* name, const char* member,
              bool value, const std::string& about) {
    is_switch(convert->add_flag_callback(
        name, [arguments, member, value] { arguments->conversion[member] = value; },
        "from BVH to .anim: " + about));
}

std::size_t priority_at(const std::string& text) { return text.rfind('=') + 1; }

std::string problem_of_joint_priority(const std::string& text) {
    constexpr const char* allowed = "NAME=PRIORITY, a priority being a whole number from -1 to 6";
    const std::size_t at = priority_at(text);
    return at > 1 && is_integer(text.substr(at), -1, 6) ? "" : allowed;
}

std::string problem_of_loop_point(const std::string& text) {
    const bool is_share = text.ends_with('%');
    const std::string number = is_share ? text.substr(0, text.size() - 1) : text;
    return is_number(number, 0.0, is_share ? 100.0 : 60.0)
               ? ""
               : "seconds from 0 to 60, or a share from 0% to 100%";
}

constexpr NumberRange ease_seconds = {0.0, 10.0, "seconds from 0 to 10"};

void add_dialog_values(CLI::App* convert, const SharedArguments& arguments) {
    takes_choice(add(convert, arguments, "--loader", "loader",
                     "pre2022 for the timing of viewers before 2022; without it that of current ones"),
                 {"current", "pre2022"});
    takes_integer(add(convert, arguments, "--priority", "priority",
                      "the priority that the upload dialog sets, 0 to 6; it holds joints at 4"),
                  "PRIORITY", 0, 6);
    takes_text(convert->add_option_function<std::vector<std::string>>(
                   "--joint-priority",
                   [arguments](const std::vector<std::string>& texts) {
                       for (const std::string& text : texts) {
                           const std::size_t at = priority_at(text);
                           arguments->conversion["joint_priorities"][text.substr(0, at - 1)] =
                               number_or_text(text.substr(at));
                       }
                   },
                   "from BVH to .anim: the priority of one joint, -1 to 6; may be repeated"),
               "NAME=PRIORITY", problem_of_joint_priority)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    add_flag(convert, arguments, "--loop", "loop", true, "loop the animation");
    takes_text(add(convert, arguments, "--loop-in", "loop_in",
                   "where the loop begins: seconds, or a share as \"20%\""),
               "TIME", problem_of_loop_point);
    takes_text(add(convert, arguments, "--loop-out", "loop_out",
                   "where the loop ends: seconds, or a share as \"80%\""),
               "TIME", problem_of_loop_point);
    takes_number(add(convert, arguments, "--ease-in", "ease_in", "how long it fades in, 0 to 10"), "SECONDS",
                 ease_seconds);
    takes_number(add(convert, arguments, "--ease-out", "ease_out", "how long it fades out, 0 to 10"),
                 "SECONDS", ease_seconds);
    takes_integer(add(convert, arguments, "--hand-pose", "hand_pose", "the pose of the hands, 0 to 13"),
                  "POSE", 0, 13);
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
    add_dialog_values(convert, arguments);
    convert
        ->add_option_function<std::string>(
            "--emote",
            [arguments](const std::string& text) { arguments->conversion["emote"] = json_text(text); },
            "from BVH to .anim: the emote, or the id of an animation")
        ->type_name("NAME");
    add_flag(convert, arguments, "--every-frame", "reduce_keys", false, "make every frame a key");
    add_flag(convert, arguments, "--all-joints", "keep_all_joints", true,
             "keep joints that do not move, of those that the avatar has");
    add_flag(convert, arguments, "--no-reference-frame", "reference_frame", false,
             "frame 0 is a key as the others are");
    takes_file(convert->add_option("--anim-ini", arguments->anim_ini,
                                   "from BVH to .anim: take the [GLOBALS] of an anim.ini first"));
}

Result<Json> conversion_with_anim_ini(const Arguments& arguments) {
    Json conversion = arguments.conversion;
    if (arguments.anim_ini.empty()) {
        return conversion;
    }
    return read_file(arguments.anim_ini).map([&](const Bytes& bytes) {
        // Only its names could be anything but ASCII.
        conversion["anim_ini"] = to_utf8(text_of(bytes));
        return std::move(conversion);
    });
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
