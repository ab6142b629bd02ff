// SPDX-License-Identifier: MIT
#include "cli/commands/commands.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "convert/retarget/retarget.h"

namespace animbridge::cli::commands {

namespace {

/// `own_file`: whether the caller gave a rig file. Without one, only the input itself can name parts.
std::string found_text(const std::string& by, bool own_file) {
    return by == "given"        ? (own_file ? "named by the rig file" : "named by the file itself")
           : by == "convention" ? "the convention's name"
           : by == "name"       ? "a name that other rigs have"
           : by == "shape"      ? "the body's shape"
                                : "its place";
}

/// With two decimals; zero after rounding has no sign.
std::string direction_text(const Json& number) {
    constexpr double nothing = 0.005;
    const auto value = number.get<double>();
    return fixed_text(std::abs(value) < nothing ? 0.0 : value, 2);
}

/// Many files have no unit, or one other than metres. The height is known only for a body.
std::string height_text(const Json& report) {
    constexpr double low = 0.3;
    constexpr double high = 4.0;
    const Json& height = report["height_metres"];
    const auto metres = height.get<double>();
    if (metres == 0.0) {
        return "";
    }
    const bool is_body = report["slots"].contains("hips");
    const bool is_usual = metres >= low && metres <= high;
    return ", " + six_digits(height) +
           (!is_body   ? " high"
            : is_usual ? " m high"
                       : " high, so its unit is not metres");
}

std::string head_text(const std::string& file, const Json& report) {
    const std::string convention =
        report["convention"].is_null() ? "no known rig" : plain_text(report["convention"]);
    std::string text = file + ": " + convention + ", score " + fixed_text(report["score"].get<double>(), 2) +
                       ", " + std::to_string(report["slots"].size()) + " parts" + height_text(report);
    if (!report["facing"].is_null()) {
        text += ", faces (" + direction_text(report["facing"][0]) + ", " +
                direction_text(report["facing"][1]) + ")";
    }
    return text + "\n";
}

std::string slots_text(const Json& slots, bool own_file) {
    std::size_t slot_width = 4;
    std::size_t joint_width = 5;
    for (const auto& [slot, found] : slots.items()) {
        slot_width = std::max(slot_width, slot.size());
        joint_width = std::max(joint_width, plain_text(found["joint"]).size());
    }
    std::string text;
    for (const auto& [slot, found] : slots.items()) {
        text += "  " + left_aligned(slot, slot_width) + "  " +
                left_aligned(plain_text(found["joint"]), joint_width) + "  " +
                found_text(plain_text(found["by"]), own_file) + "\n";
    }
    return text;
}

std::string names_text(const Json& names) {
    std::string text;
    for (const Json& name : names) {
        text += (text.empty() ? "" : ", ") + plain_text(name);
    }
    return text;
}

std::string missing_text(const Json& missing) {
    std::string text;
    for (const Json& slot : missing) {
        const std::string candidates = names_text(slot["candidates"]);
        text += "  " + plain_text(slot["slot"]) + ": " + plain_text(slot["why"]) +
                (candidates.empty() ? "" : "; perhaps " + candidates) + "\n";
    }
    return text.empty() ? "" : "Missing:\n" + text;
}

/// Says how to add missing parts, or what to do if none was found among several joints.
std::string hint_text(const Json& report) {
    const bool found_nothing = report["slots"].empty() && report["unmapped"].size() > 1;
    return report["missing"].empty() && !found_nothing
               ? ""
               : "To name parts yourself, write a rig file and use --rig FILE.\n";
}

std::string rig_text(const std::string& file, const Json& report, bool own_file) {
    std::string text = head_text(file, report);
    if (!report["looks_like"].is_null()) {
        text += "Not a person: it has " + plain_text(report["looks_like"]) + "\n";
    }
    text += slots_text(report["slots"], own_file);
    for (const auto& [name, joints] : report["chains"].items()) {
        text += "Chain " + name + ": " + names_text(joints) + "\n";
    }
    text += missing_text(report["missing"]) + hint_text(report);
    if (!report["unmapped"].empty()) {
        text += "Joints without a part: " + std::to_string(report["unmapped"].size()) + "\n";
    }
    for (const Json& warning : report["warnings"]) {
        text += "Warning: " + plain_text(warning) + "\n";
    }
    return text;
}

int run_rig(const arguments::Arguments& arguments) {
    const auto document = arguments::load(arguments.file, arguments.format, arguments::reading_of(arguments));
    if (!document) {
        return arguments::fail_with(document.error());
    }
    RigText own;
    if (!arguments.input.empty()) {
        auto text = arguments::rig_text_of(arguments.input);
        if (!text) {
            return arguments::fail_with(text.error());
        }
        own = std::move(*text);
    }
    const auto use =
        arguments.name == "target" ? rig::humanoid::RigUse::target : rig::humanoid::RigUse::source;
    const auto found = motion_with_rig(**document, Json::object(), own, use);
    if (!found) {
        Error error = found.error();
        error.is_in_request = false;  // the path identifies the file at fault
        return arguments::fail_with(in_file(
            error, !own.empty() && error.code == ErrorCode::bad_value ? arguments.input : arguments.file));
    }
    return arguments::show(arguments, rig::humanoid::rig_json(found->rig, found->clip.skeleton),
                           [&](const Json& shown) { return rig_text(arguments.file, shown, !own.empty()); });
}

}  // namespace

void define_rig(CLI::App& program, const arguments::SharedArguments& arguments, int& exit_code) {
    CLI::App* rig = arguments::add(program, "rig", "Show which joint is which part of a body", arguments,
                                   exit_code, run_rig);
    arguments::takes_file(rig->add_option("file", arguments->file, "The file"))->required();
    arguments::takes_file(rig->add_option(
        "--rig", arguments->input,
        "A rig file (JSON) of your own, or the name of one that comes with AnimBridge, such as "
        "quadruped for four legs. Its names replace the built-in ones, or come before them if "
        "it says \"built_in\": true"));
    arguments::takes_choice(
        rig->add_option("--use", arguments->name,
                        "Which bones to take if the rig has a set that deforms and a set of controls. "
                        "source: those that deform, whose motion is read; target: the controls, "
                        "which get motion. Without it: source"),
        {"source", "target"});
    arguments::add_format(rig, arguments);
    arguments::add_reading_options(rig, arguments);
}

}  // namespace animbridge::cli::commands
