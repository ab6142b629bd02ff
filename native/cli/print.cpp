// SPDX-License-Identifier: MIT
#include "cli/print.h"

#include <unistd.h>

#include <cstdlib>

#include "base/text.h"
#include "base/text_table.h"
#include "formats/registry.h"

namespace animbridge::cli {

namespace {

std::string vector_text(const Json& values, int decimals) {
    std::string text;
    for (const Json& value : values) {
        text += right_aligned(fixed_text(value.is_number() ? value.get<double>() : 0.0, decimals), 10);
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
    // Runs before any thread exists that could change the environment. NOLINTNEXTLINE(concurrency-mt-unsafe)
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
        text += left_aligned(format["id"].get<std::string>(), 12) +
                left_aligned(format["title"].get<std::string>(), 28) + extensions + "\n";
    }
    return text + left_aligned("json", 12) + left_aligned("Any of them as AnimBridge JSON", 28) + " .json\n";
}

std::string info_text(const std::string& path, const Json& report) {
    const Format* format = find_format(report["format"].get<std::string_view>());
    return format->describe(without_controls(path), report);
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
        text += colours.paint(finding_class, finding_class) + " " + plain_text(finding["id"]) + ": ";
        text += plain_text(finding["joint"]).empty() ? "" : plain_text(finding["joint"]) + ": ";
        text += finding["key"] == -1 ? "" : "key " + finding["key"].dump() + ": ";
        text += plain_text(finding["found"]) + ". " + plain_text(finding["effect"]) + " " +
                plain_text(finding["advice"]) + "\n";
    }
    const Json& counts = report["counts"];
    return text + file + ": " + counts["rejected"].dump() + " rejected, " + counts["altered"].dump() +
           " altered, " + counts["risky"].dump() + " risky, " + counts["advice"].dump() + " advice\n";
}

std::string compare_text(const Json& report) {
    std::string text = left_aligned("joint", 24) + right_aligned("world mm", 12) + right_aligned("at s", 10) +
                       right_aligned("local deg", 12) + right_aligned("at s", 10) + "\n";
    for (const Json& joint : report["joints"]) {
        text += left_aligned(plain_text(joint["joint"]), 24) +
                right_aligned(fixed_text(joint["position_mm"].get<double>(), 4), 12) +
                right_aligned(fixed_text(joint["position_at_seconds"].get<double>(), 3), 10) +
                right_aligned(fixed_text(joint["rotation_degrees"].get<double>(), 4), 12) +
                right_aligned(fixed_text(joint["rotation_at_seconds"].get<double>(), 3), 10) + "\n";
    }
    for (const auto& [key, side] : {std::pair("only_in_a", "only in the first file: "),
                                    std::pair("only_in_b", "only in the second file: ")}) {
        for (const Json& name : report[key]) {
            text += side + plain_text(name) + "\n";
        }
    }
    if (const auto fields = report.find("differing_fields"); fields != report.end()) {
        for (const Json& field : *fields) {
            text += "differs: " + plain_text(field) + "\n";
        }
    }
    return text + "largest: " + fixed_text(report["max_position_mm"].get<double>(), 4) + " mm, " +
           fixed_text(report["max_rotation_degrees"].get<double>(), 4) + " degrees at " +
           report["times"].dump() + " times\n";
}

std::string reduce_text(const Json& report) {
    const auto change = [&](const char* what, const char* unit) {
        return report[std::string(what) + "_before"].dump() + " to " +
               report[std::string(what) + "_after"].dump() + " " + unit;
    };
    std::string text = change("keys", "keys") + ", " + change("bytes", "bytes") +
                       "\nlargest: " + fixed_text(report["max_position_error_mm"].get<double>(), 4) +
                       " mm at " + fixed_text(report["worst"]["position_at_seconds"].get<double>(), 3) +
                       " s, " + fixed_text(report["max_rotation_error_degrees"].get<double>(), 4) +
                       " degrees at " + fixed_text(report["worst"]["rotation_at_seconds"].get<double>(), 3) +
                       " s\n";
    if (report["bound"].is_null()) {
        return text + "it is no larger already: nothing was dropped\n";
    }
    return text + "bound: " + fixed_text(report["bound"]["max_position_mm"].get<double>(), 4) + " mm, " +
           fixed_text(report["bound"]["max_rotation_degrees"].get<double>(), 4) + " degrees\n";
}

std::string pose_text(const Format& format, const Json& report) {
    if (format.describe_poses != nullptr) {
        return format.describe_poses(report);
    }
    std::string text;
    for (const Json& pose : report["poses"]) {
        text += fixed_text(pose["seconds"].get<double>(), 4) + " s: clip time " +
                fixed_text(pose["clip_seconds"].get<double>(), 4) + " s, weight " +
                fixed_text(pose["weight"].get<double>(), 4) + "\n";
        for (const Json& joint : pose["joints"]) {
            text += "  " + plain_text(joint["joint"]) + "\n";
            for (const auto& [key, label] : {std::pair("local_rotation_wxyz", "local rotation w x y z"),
                                             std::pair("local_position", "local position m"),
                                             std::pair("world_rotation_wxyz", "world rotation w x y z"),
                                             std::pair("world_position", "world position m")}) {
                text += joint.contains(key)
                            ? "    " + left_aligned(label, 24) + vector_text(joint[key], 6) + "\n"
                            : "";
            }
        }
    }
    return text;
}

}  // namespace animbridge::cli
