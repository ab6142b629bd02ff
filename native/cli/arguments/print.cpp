// SPDX-License-Identifier: MIT
#include "cli/arguments/arguments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "base/base.h"
#include "base/files/files.h"
#include "base/options/options.h"
#include "batch/plan/plan.h"
#include "formats/registry.h"
#include "model/findings/findings.h"

namespace animbridge::cli::arguments {

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
    : on_(is_terminal(Stream::output) && std::getenv("NO_COLOR") == nullptr) {}

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
    text += left_aligned("json", 12) + left_aligned("Any of them as AnimBridge JSON", 28) + " .json\n";
    for (const auto& [id, program] : report["programs"].items()) {
        text += "\n" + plain_text(program["text"]) + "\n";
    }
    return text;
}

std::string info_text(const std::string& path, const Json& report) {
    const Format* format = find_format(report["format"].get<std::string_view>());
    return format->text.info(without_controls(path), report);
}

namespace {

/// The place of a finding, if it has one or is about one joint.
std::string place_text(const Json& finding) {
    std::string text;
    if (finding["count"] == 1 && finding["byte_offset"] != -1) {
        text += "byte " + finding["byte_offset"].dump() + ": ";
    }
    if (finding["count"] == 1 && finding["line"] != -1) {
        text += "line " + finding["line"].dump() + ": ";
    }
    return text;
}

std::string joint_text(const Json& finding) {
    const std::string joint = plain_text(finding["joint"]);
    std::string text = joint.empty() || finding["joint_count"].get<std::size_t>() > 1 ? "" : joint + ": ";
    if (finding["count"] == 1 && finding["key"] != -1) {
        text += "key " + finding["key"].dump() + ": ";
    }
    return text;
}

/// "2 rejected, 1 altered"; without the other counts.
std::string counts_text(const Json& counts) {
    std::string text;
    for (const auto& [finding_class, count] : counts.items()) {
        if (count != 0) {
            text += (text.empty() ? "" : ", ") + count.dump() + " " + finding_class;
        }
    }
    return text.empty() ? "no findings" : text;
}

}  // namespace

namespace {

/// A line for each finding of a file.
std::string file_findings_text(const std::string& file, const Json& report, const Colours& colours) {
    std::string text;
    for (const Json& finding : report["findings"]) {
        const auto finding_class = finding["class"].get<std::string>();
        text += file + ": " + place_text(finding) + colours.paint(finding_class, finding_class) + " " +
                plain_text(finding["id"]) + ": " + joint_text(finding) + plain_text(finding["found"]) + ". " +
                plain_text(finding["effect"]) + " " + plain_text(finding["advice"]) + "\n";
    }
    return text;
}

std::size_t mends_of(const Json& row) { return row.value("mended", Json::array()).size(); }

/// What becomes of a file that was checked or mended.
std::string verdict_text(const Json& row) {
    if (row.contains("error")) {
        return "failed";
    }
    const std::string counts = counts_text(row["counts"]);
    if (row["counts"]["rejected"] != 0) {
        return "would be refused: " + counts;
    }
    const std::string left = row["findings"].empty() ? "" : "; left: " + counts;
    return mends_of(row) == 0 ? counts : counted(mends_of(row), "finding") + " mended" + left;
}

}  // namespace

Json summary_of_set(const Json& rows, std::optional<double> upload_cost) {
    std::size_t refused = 0;
    std::size_t with_findings = 0;
    std::size_t mended = 0;
    std::size_t failed_files = 0;
    for (const Json& row : rows) {
        if (row.contains("error")) {
            ++failed_files;
            continue;
        }
        const bool is_refused = row["counts"]["rejected"] != 0;
        refused += is_refused ? 1 : 0;
        const bool has_findings = !row["findings"].empty();
        with_findings += !is_refused && has_findings ? 1 : 0;
        mended += !is_refused && !has_findings && mends_of(row) > 0 ? 1 : 0;
    }
    const std::size_t accepted = rows.size() - failed_files - refused;
    return {{"files", rows.size()},
            {"failed", failed_files},
            {"refused", refused},
            {"with_findings", with_findings},
            {"fine", accepted - with_findings - mended},
            {"mended", mended},
            {"upload_cost", upload_cost ? Json(*upload_cost * static_cast<double>(accepted)) : Json()}};
}

std::string summary_text(const Json& summary) {
    const auto count = [&](const char* name) { return summary[name].get<std::uint64_t>(); };
    std::string text = counted(count("files"), "file") + ":";
    const auto add = [&](const char* name, const std::string& what) {
        if (count(name) > 0) {
            text += (text.ends_with(':') ? " " : ", ") + batch::plan::grouped(count(name)) + " " + what;
        }
    };
    add("refused", "would be refused");
    add("failed", "failed");
    add("mended", "mended");
    add("with_findings", "with findings");
    add("fine", "fine");
    if (!summary["upload_cost"].is_null()) {
        text += "; upload L$ " + shown_number(summary["upload_cost"].get<double>());
    }
    return text + "\n";
}

std::string check_set_text(const Json& report, const Colours& colours) {
    const bool has_table = report.contains("summary");
    std::string text;
    std::size_t width = 0;
    for (const Json& row : report["files"]) {
        const std::string file = plain_text(row["file"]);
        width = std::max(width, file.size());
        if (row.contains("error")) {
            continue;
        }
        for (const Json& mend : row.value("mended", Json::array())) {
            text += file + ": mended " + plain_text(mend["rule"]) + ": " + plain_text(mend["what"]) + "\n";
        }
        text += file_findings_text(file, row, colours);
        if (!has_table) {
            text += file + ": " + counts_text(row["counts"]) + " (level " + plain_text(row["level"]) + ")\n";
        }
    }
    if (!has_table) {
        return text;
    }
    text += text.empty() ? "" : "\n";
    for (const Json& row : report["files"]) {
        const std::string bytes = batch::plan::grouped(row.value("bytes", Json(0)).get<std::uint64_t>());
        text += left_aligned(plain_text(row["file"]), width + 2) +
                std::string(bytes.size() < 9 ? 9 - bytes.size() : 0, ' ') + bytes + " bytes  " +
                verdict_text(row) + "\n";
    }
    return text + "\n" + summary_text(report["summary"]);
}

namespace {

/// A number of `quality` with its unit.
struct QualityNumber {
    const char* title;        ///< in a table with a column for each file
    const char* short_title;  ///< in a table with a line for each file; "": not there
    const char* group;        ///< the member of the report that holds it; "": the report
    const char* name;
    int decimals;
    const char* unit;
};
constexpr std::array<QualityNumber, 19> quality_numbers = {{
    {"length", "s", "", "seconds", 2, "s"},
    {"size", "bytes", "", "bytes", 0, "bytes"},
    {"keys", "keys", "", "keys", 0, ""},
    {"bytes that change nothing", "", "", "redundant_bytes", 0, "bytes"},
    {"shaking", "shaking, deg", "", "shake_degrees", 2, "degrees"},
    {"largest shake", "largest, deg", "", "largest_shake_degrees", 1, "degrees"},
    {"jitter", "", "", "jitter_degrees_per_second3", 0, "degrees/s3"},
    {"seam of the loop", "seam, deg", "loop", "seam_degrees", 1, "degrees"},
    {"", "seam, mm", "loop", "seam_mm", 0, "mm"},
    {"way in the loop", "way, m", "travel", "way_metres", 2, "m"},
    {"", "", "travel", "metres_per_second", 2, "m/s"},
    {"turn in the loop", "", "travel", "heading_degrees", 1, "degrees"},
    {"feet on the ground", "", "feet", "contact_seconds", 1, "s"},
    {"sliding of feet", "sliding, mm/s", "feet", "slide_mm_per_second", 0, "mm/s"},
    {"depth in the ground", "depth, mm", "feet", "depth_mm", 0, "mm"},
    {"walks in place at", "", "feet", "implied_metres_per_second", 2, "m/s"},
    {"limbs in each other", "overlap, mm", "overlap", "depth_mm", 0, "mm"},
    {"outro", "", "", "outro_seconds", 2, "s"},
    {"plays on after a stop", "", "", "stop_delay_seconds", 2, "s"},
}};

/// "-" if the file has no such number.
std::string quality_cell(const Json& file, const QualityNumber& row) {
    const Json none = Json::object();
    const Json& group = *row.group == '\0' ? file : file.contains(row.group) ? file[row.group] : none;
    if (!group.is_object() || !group.contains(row.name) || group[row.name].is_null()) {
        return "-";
    }
    const auto number = group[row.name].get<double>();
    return row.decimals == 0 && number >= 0.0
               ? batch::plan::grouped(static_cast<std::uint64_t>(std::llround(number)))
               : fixed_text(number, row.decimals);
}

using Table = std::vector<std::vector<std::string>>;

/// The first column on the left of its place, the others on the right.
std::string table_text(const Table& table) {
    std::vector<std::size_t> widths(table.front().size());
    for (const auto& line : table) {
        for (std::size_t i = 0; i < line.size(); ++i) {
            widths[i] = std::max(widths[i], line[i].size());
        }
    }
    std::string text;
    for (const auto& line : table) {
        text += left_aligned(line.front(), widths.front());
        for (std::size_t i = 1; i < line.size(); ++i) {
            text += std::string(widths[i] + 2 - line[i].size(), ' ') + line[i];
        }
        text += "\n";
    }
    return text;
}

/// With a column for each file, and only the numbers that a file has.
Table quality_columns(const Json& files) {
    Table table = {{""}};
    for (const Json& file : files) {
        table.front().emplace_back(name_in_path(plain_text(file["file"])));
    }
    for (const QualityNumber& row : quality_numbers) {
        std::vector<std::string> line = {row.title};
        bool has_any = false;
        for (const Json& file : files) {
            const std::string cell = quality_cell(file, row);
            has_any |= cell != "-";
            line.push_back(cell == "-" || *row.unit == '\0' ? cell : cell + " " + row.unit);
        }
        if (has_any) {
            table.push_back(std::move(line));
        }
    }
    return table;
}

/// With a line for each file, and the main numbers.
Table quality_lines(const Json& files) {
    Table table = {{""}};
    for (const QualityNumber& row : quality_numbers) {
        if (*row.short_title != '\0') {
            table.front().emplace_back(row.short_title);
        }
    }
    for (const Json& file : files) {
        std::vector<std::string> line = {plain_text(file["file"])};
        for (const QualityNumber& row : quality_numbers) {
            if (*row.short_title != '\0') {
                line.push_back(quality_cell(file, row));
            }
        }
        table.push_back(std::move(line));
    }
    return table;
}

}  // namespace

std::string quality_text(const Json& report) {
    constexpr std::size_t most_columns = 4;
    const Json& files = report["files"];
    return table_text(files.size() <= most_columns ? quality_columns(files) : quality_lines(files));
}

std::string finding_lines(const Json& findings, const std::string& about) {
    std::string text;
    for (const Json& finding : findings) {
        text += about + plain_text(finding["id"]) + ": " + joint_text(finding) +
                plain_text(finding["found"]) + ". " + plain_text(finding["effect"]) + " " +
                plain_text(finding["advice"]) + "\n";
    }
    return text;
}

std::string refusal_lines(const Json& report, const Format* target) {
    const Json made_for = report.value("made_for", Json(target == nullptr ? "" : target->made_for));
    std::string text;
    for (const Json& finding : report["refused"]) {
        text += refused_by(plain_text(made_for)) +
                judged_text(finding, plain_text(finding["effect"]), plain_text(finding["advice"])) + "\n";
    }
    return text;
}

std::string edit_text(const Format& format, const Json& edits, const Json& refused) {
    Json findings = Json::array();
    for (const Json& finding : edits["findings"]) {
        if (refused.empty() || finding["class"] != name_of(FindingClass::rejected)) {
            findings.push_back(finding);
        }
    }
    std::string tools;
    for (const Json& tool : edits.value("tools", Json::array())) {
        tools += tool["tool"].get<std::string>() + ": " + plain_text(tool["what"]) + "\n";
    }
    if (const Json apart = edits.value("largest_difference", Json()); apart.is_object()) {
        tools +=
            "largest difference from the exact motion: " + measured_text(apart["position_mm"].get<double>()) +
            " mm, " + measured_text(apart["rotation_degrees"].get<double>()) + " degrees\n";
    }
    return tools + (format.text.edit == nullptr ? "" : format.text.edit(edits)) +
           finding_lines(findings, "after the edit: ");
}

namespace {

std::string compared_row(const Json& joint) {
    return left_aligned(plain_text(joint["joint"]), 24) +
           right_aligned(measured_text(joint["position_mm"].get<double>()), 12) +
           right_aligned(fixed_text(joint["position_at_seconds"].get<double>(), 3), 10) +
           right_aligned(measured_text(joint["rotation_degrees"].get<double>()), 12) +
           right_aligned(fixed_text(joint["rotation_at_seconds"].get<double>(), 3), 10) + "\n";
}

/// The joints with visible differences, and how many have none.
std::string compared_rows(const Json& joints, bool all, const std::string& frame) {
    std::string rows;
    std::size_t same = 0;
    for (const Json& joint : joints) {
        const bool differs = measured_text(joint["position_mm"].get<double>()) != "0" ||
                             measured_text(joint["rotation_degrees"].get<double>()) != "0";
        same += differs ? 0U : 1U;
        rows += differs || all ? compared_row(joint) : "";
    }
    const std::string head = left_aligned("joint", 24) + right_aligned("world mm", 12) +
                             right_aligned("at s", 10) + right_aligned(frame + " deg", 12) +
                             right_aligned("at s", 10) + "\n";
    const std::string rest = std::to_string(same) + (rows.empty() || all ? "" : " other") +
                             (same == 1 ? " joint does" : " joints do") + " not differ\n";
    return (rows.empty() ? "" : head + rows) + (same == 0 ? "" : rest);
}

}  // namespace

namespace {

/// How files of two formats were compared, and what the differences leave out.
std::string way_text(const Json& report) {
    const bool by_names = report["by"] == "names";
    const std::size_t count = report["joints"].size();
    const std::string unit = by_names ? "joint" : "part";
    std::string text =
        std::string(by_names ? "compared by name: " : "compared by parts of the second body: ") +
        std::to_string(count) + " " + unit + (count == 1 ? "" : "s") + "\n";
    const Json& seconds = report["seconds"];
    const auto number = [&](const char* member) { return seconds[member].get<double>(); };
    if (fixed_text(number("a"), 3) != fixed_text(number("b"), 3)) {
        text += "the first file lasts " + shown_number(number("a")) + " s, the second " +
                shown_number(number("b")) + " s; compared: " + shown_number(number("compared")) + " s\n";
    }
    if (const double later = number("later"); later != 0.0) {
        text += "the same motion starts " + shown_number(std::abs(later)) + " s later in the " +
                (later > 0.0 ? "first" : "second") + " file\n";
    }
    const auto left_out = [&](const std::string& what) { text += "not counted: " + what + "\n"; };
    if (const auto degrees = report["turned_degrees"].get<double>(); degrees != 0.0) {
        left_out("the second body is turned by " + measured_text(degrees) + " degrees as a whole");
    }
    const Json& offset = report["path_offset_metres"];
    const auto metres = [&](std::size_t axis) {
        constexpr double shown = 0.0005;
        const auto value = offset[axis].get<double>();
        return fixed_text(std::abs(value) < shown ? 0.0 : value, 3);
    };
    if (std::ranges::any_of(offset, [](const Json& number) { return number.get<double>() != 0.0; })) {
        left_out("the second path is " + metres(0) + ", " + metres(1) + ", " + metres(2) +
                 " m away (x, y, z)");
    }
    if (const Json& frame = report["first_frame_left_out"]; !frame.is_null()) {
        left_out(std::string("the first frame of the ") + (frame == "a" ? "first" : "second") +
                 " file, a pose from which the motion jumps");
    }
    for (const Json& warning : report["warnings"]) {
        text += "Warning: " + plain_text(warning) + "\n";
    }
    return text;
}

}  // namespace

std::string compare_text(const Json& report, bool all) {
    const auto frame = report.find("rotations_in");
    std::string text = report.contains("by") ? way_text(report) : "";
    text += compared_rows(report["joints"], all, frame == report.end() ? "local" : plain_text(*frame));
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
    return text + "largest difference: " + measured_text(report["max_position_mm"].get<double>()) + " mm, " +
           measured_text(report["max_rotation_degrees"].get<double>()) + " degrees, at " +
           report["times"].dump() + " times\n" +
           (report["errors"].is_null() ? "" : describe_errors(report["errors"]));
}

std::string reduce_text(const Json& report) {
    const auto change = [&](const char* what, const char* unit) {
        return report[std::string(what) + "_before"].dump() + " to " +
               report[std::string(what) + "_after"].dump() + " " + unit;
    };
    std::string text = change("keys", "keys") + ", " + change("bytes", "bytes") +
                       "\nlargest error: " + measured_text(report["max_position_error_mm"].get<double>()) +
                       " mm at " + fixed_text(report["worst"]["position_at_seconds"].get<double>(), 3) +
                       " s, " + measured_text(report["max_rotation_error_degrees"].get<double>()) +
                       " degrees at " + fixed_text(report["worst"]["rotation_at_seconds"].get<double>(), 3) +
                       " s\n" + describe_errors(report["errors"]);
    if (report["bound"].is_null()) {
        return text + "The file already fits: no keys were dropped.\n";
    }
    return text + "tolerance: " + six_digits(report["bound"]["max_position_mm"]) + " mm, " +
           six_digits(report["bound"]["max_rotation_degrees"]) + " degrees\n";
}

std::string fixes_text(const Json& report) {
    std::string text;
    for (const Json& row : report["fixed"]) {
        const auto degrees = row["max_degrees"].get<double>();
        const auto mm = row["max_mm"].get<double>();
        const bool moves = measured_text(degrees) != "0" || measured_text(mm) != "0";
        text += "mended " + plain_text(row["rule"]) + ": " + plain_text(row["what"]) +
                (moves ? " (by up to " + measured_text(degrees) + " degrees and " + measured_text(mm) + " mm)"
                       : "") +
                "\n";
    }
    for (const Json& row : report["left"]) {
        text += "left " + plain_text(row["rule"]) + ": " + plain_text(row["reason"]) + "\n";
    }
    return text.empty() ? "no findings: the file stays as it is\n" : text;
}

std::string pose_text(const Format& format, const Json& report) {
    if (format.text.poses != nullptr) {
        return format.text.poses(report);
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

}  // namespace animbridge::cli::arguments
