// SPDX-License-Identifier: MIT
#include "cli/print.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

#include "base/text.h"
#include "cli/print_bvh.h"
#include "cli/print_oban.h"
#include "cli/print_oban_level.h"

namespace animbridge::cli {

namespace {

std::string number(double value, int decimals) {
    std::array<char, 400> text{};  // the largest double has 309 digits before the point
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
    return {text.data(), end.ptr};
}

std::string text_in(const Json& value) {
    if (value.is_string()) {
        return value.get<std::string>();
    }
    return value.is_object() && value.contains("hex") ? "hex:" + value["hex"].get<std::string>()
                                                      : value.dump();
}

std::string padded(const std::string& text, std::size_t width) {
    return text.size() < width ? text + std::string(width - text.size(), ' ') : text;
}

std::string right(const std::string& text, std::size_t width) {
    return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

std::string vector_text(const Json& values, int decimals) {
    std::string text;
    for (const Json& value : values) {
        text += right(number(value.is_number() ? value.get<double>() : 0.0, decimals), 10);
    }
    return text;
}

std::string sl_info_text(const std::string& file, const Json& report) {
    std::string text =
        file + ": " + text_in(report["title"]) + ", version " + text_in(report["version"]) + "\n";
    const auto row = [&](const std::string& label, const std::string& value) {
        text += "  " + padded(label, 16) + value + "\n";
    };
    row("size", text_in(report["size_bytes"]) + " bytes");
    row("duration", text_in(report["duration_seconds"]) + " s");
    row("base priority", text_in(report["base_priority"]));
    const bool loop = report["loop"].get<bool>();
    row("loop",
        loop ? text_in(report["loop_in_seconds"]) + " s to " + text_in(report["loop_out_seconds"]) + " s"
             : "no");
    row("ease in, out",
        text_in(report["ease_in_seconds"]) + " s, " + text_in(report["ease_out_seconds"]) + " s");
    row("hand pose", text_in(report["hand_pose"]));
    row("emote", text_in(report["emote"]).empty() ? "none" : text_in(report["emote"]));
    row("keys",
        text_in(report["rotation_keys"]) + " rotation, " + text_in(report["position_keys"]) + " position");
    row("constraints", text_in(report["constraint_count"]));
    for (const Json& constraint : report["constraints"]) {
        text += "    " + text_in(constraint["type"]) + ": " + text_in(constraint["source"]) + " to " +
                text_in(constraint["target"]) + ", chain of " + text_in(constraint["chain_length"]) + "\n";
    }
    if (report["trailing_bytes"] != 0) {
        row("trailing", text_in(report["trailing_bytes"]) + " bytes");
    }
    text += "  " + padded("joint", 24) + right("priority", 10) + right("rotation", 10) +
            right("position", 10) + "\n";
    for (const Json& joint : report["joints"]) {
        const bool alias = joint["joint"].is_string() && joint["joint"] != joint["name"];
        text += "  " + padded(text_in(joint["name"]), 24) + right(text_in(joint["priority"]), 10) +
                right(text_in(joint["rotation_keys"]), 10) + right(text_in(joint["position_keys"]), 10);
        text += joint["joint"].is_null() ? "  (not in the skeleton)\n"
                : alias                  ? "  (" + text_in(joint["joint"]) + ")\n"
                                         : "\n";
    }
    return text;
}

Json with_shown_names(Json& object) {
    Json shown = Json::object();
    for (const auto& [key, item] : object.items()) {
        shown.append_member(without_controls(key), std::move(item));
    }
    shown.merge_duplicates();
    return shown;
}

}  // namespace

void remove_controls(Json& report) {
    if (report.is_string()) {
        report = without_controls(report.get<std::string_view>());
    } else if (report.is_array()) {
        for (Json& item : report) {
            remove_controls(item);
        }
    } else if (report.is_object()) {
        bool has_shown_names = true;
        for (const auto& [key, item] : report.items()) {
            remove_controls(item);
            has_shown_names = has_shown_names && without_controls(key) == key;
        }
        if (!has_shown_names) {
            report = with_shown_names(report);
        }
    }
}

Colours::Colours()
    // Read before any thread could change the environment. NOLINTNEXTLINE(concurrency-mt-unsafe)
    : on_(::isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr) {}

std::string Colours::paint(std::string_view finding_class, const std::string& text) const {
    const char* code = finding_class == "rejected"  ? "31"
                       : finding_class == "altered" ? "35"
                       : finding_class == "risky"   ? "33"
                                                    : "36";
    return on_ ? "\x1b[" + std::string(code) + "m" + text + "\x1b[0m" : text;
}

std::string formats_text(const Json& report) {
    std::string text;
    for (const Json& format : report["formats"]) {
        std::string extensions;
        for (const Json& extension : format["extensions"]) {
            extensions += " " + extension.get<std::string>();
        }
        text += padded(format["id"].get<std::string>(), 12) + padded(format["title"].get<std::string>(), 28) +
                extensions + "\n";
    }
    return text + padded("json", 12) + padded("Any of them as AnimBridge JSON", 28) + " .json\n";
}

std::string info_text(const std::string& path, const Json& report) {
    const std::string file = without_controls(path);
    if (report["format"] == "oban_level") {
        return oban_level_info_text(file, report);
    }
    if (report["format"] == "oban") {
        return oban_info_text(file, report);
    }
    return report["format"] == "bvh" ? bvh_info_text(file, report) : sl_info_text(file, report);
}

std::string check_text(const std::string& path, const Json& report, const Colours& colours) {
    const std::string file = without_controls(path);
    std::string text;
    for (const Json& finding : report["findings"]) {
        const auto finding_class = finding["class"].get<std::string>();
        text += file + ": ";
        if (finding["byte_offset"] != -1) {
            text += "byte " + finding["byte_offset"].dump() + ": ";
        }
        if (finding["line"] != -1) {
            text += "line " + finding["line"].dump() + ": ";
        }
        text += colours.paint(finding_class, finding_class) + " " + text_in(finding["id"]) + ": ";
        text += text_in(finding["joint"]).empty() ? "" : text_in(finding["joint"]) + ": ";
        text += finding["key"] == -1 ? "" : "key " + finding["key"].dump() + ": ";
        text += text_in(finding["found"]) + ". " + text_in(finding["effect"]) + " " +
                text_in(finding["advice"]) + "\n";
    }
    const Json& counts = report["counts"];
    return text + file + ": " + counts["rejected"].dump() + " rejected, " + counts["altered"].dump() +
           " altered, " + counts["risky"].dump() + " risky, " + counts["advice"].dump() + " advice\n";
}

std::string compare_text(const Json& report) {
    std::string text = padded("joint", 24) + right("world mm", 12) + right("at s", 10) +
                       right("local deg", 12) + right("at s", 10) + "\n";
    for (const Json& joint : report["joints"]) {
        text += padded(text_in(joint["joint"]), 24) +
                right(number(joint["position_mm"].get<double>(), 4), 12) +
                right(number(joint["position_at_seconds"].get<double>(), 3), 10) +
                right(number(joint["rotation_degrees"].get<double>(), 4), 12) +
                right(number(joint["rotation_at_seconds"].get<double>(), 3), 10) + "\n";
    }
    for (const auto& [key, side] : {std::pair("only_in_a", "only in the first file: "),
                                    std::pair("only_in_b", "only in the second file: ")}) {
        for (const Json& name : report[key]) {
            text += side + text_in(name) + "\n";
        }
    }
    if (const auto fields = report.find("differing_fields"); fields != report.end()) {
        for (const Json& field : *fields) {
            text += "differs: " + text_in(field) + "\n";
        }
    }
    return text + "largest: " + number(report["max_position_mm"].get<double>(), 4) + " mm, " +
           number(report["max_rotation_degrees"].get<double>(), 4) + " degrees at " + report["times"].dump() +
           " times\n";
}

std::string reduce_text(const Json& report) {
    const auto change = [&](const char* what, const char* unit) {
        return report[std::string(what) + "_before"].dump() + " to " +
               report[std::string(what) + "_after"].dump() + " " + unit;
    };
    std::string text = change("keys", "keys") + ", " + change("bytes", "bytes") +
                       "\nlargest: " + number(report["max_position_error_mm"].get<double>(), 4) + " mm at " +
                       number(report["worst"]["position_at_seconds"].get<double>(), 3) + " s, " +
                       number(report["max_rotation_error_degrees"].get<double>(), 4) + " degrees at " +
                       number(report["worst"]["rotation_at_seconds"].get<double>(), 3) + " s\n";
    if (report["bound"].is_null()) {
        return text + "it is no larger already: nothing was dropped\n";
    }
    return text + "bound: " + number(report["bound"]["max_position_mm"].get<double>(), 4) + " mm, " +
           number(report["bound"]["max_rotation_degrees"].get<double>(), 4) + " degrees\n";
}

std::string pose_text(const Json& report) {
    const Json& rows = report["poses"];
    if (!rows.empty() && rows.front().contains("matrix")) {
        return oban_pose_text(report);
    }
    std::string text;
    for (const Json& pose : report["poses"]) {
        text += number(pose["seconds"].get<double>(), 4) + " s: clip time " +
                number(pose["clip_seconds"].get<double>(), 4) + " s, weight " +
                number(pose["weight"].get<double>(), 4) + "\n";
        for (const Json& joint : pose["joints"]) {
            text += "  " + text_in(joint["joint"]) + "\n";
            for (const auto& [key, label] : {std::pair("local_rotation_wxyz", "local rotation w x y z"),
                                             std::pair("local_position", "local position m"),
                                             std::pair("world_rotation_wxyz", "world rotation w x y z"),
                                             std::pair("world_position", "world position m")}) {
                text +=
                    joint.contains(key) ? "    " + padded(label, 24) + vector_text(joint[key], 6) + "\n" : "";
            }
        }
    }
    return text;
}

}  // namespace animbridge::cli
