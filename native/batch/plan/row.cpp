// SPDX-License-Identifier: MIT
#include "batch/plan/plan.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/options/options.h"

namespace animbridge::batch::plan {

namespace {

Json text_or_null(const std::string& text) { return text.empty() ? Json() : json_text(text); }

double rounded_milliseconds(double seconds) { return std::round(seconds * 1000.0) / 1000.0; }

/// A path in its column; the end of it if it is cut.
std::string shown_place(const std::string& path, const PathColumn& paths) {
    const std::string text = without_controls(path);
    const auto is_start = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
    auto letters = static_cast<std::size_t>(std::ranges::count_if(text, is_start));
    if (letters <= paths.width || paths.width < 4 || !paths.is_cut) {
        return text + std::string(paths.width - std::min(letters, paths.width), ' ');
    }
    std::size_t at = 0;
    for (; letters > paths.width - 3; --letters) {
        ++at;
        while (at < text.size() && !is_start(text[at])) {
            ++at;
        }
    }
    return "..." + text.substr(at);
}

/// A text, and how many other rows of the input have it; nullopt: an earlier row showed it.
std::optional<std::string> said_once(const std::string& text, Repeated& repeated) {
    const std::uint64_t count = std::exchange(repeated[text], 0);
    return count == 0   ? std::nullopt
           : count == 1 ? std::optional(without_controls(text))
                        : without_controls(text) + " (also in " + counted(count - 1, "other animation") + ")";
}

std::vector<std::string> reported_texts(const Json& object, std::string_view key) {
    const Json list = object.value(key, Json());
    return list.is_array() ? texts_from_json(list) : std::vector<std::string>();
}

/// A conversion's report without its long lists, mostly about single joints: they are most of its bytes, and
/// each output of a large run has one.
Json without_long_lists(const Json& report) {
    if (!report.is_object()) {
        return report;
    }
    constexpr std::size_t most = 8;
    Json kept = Json::object();
    for (const auto& [name, value] : report.items()) {
        const bool is_long = value.is_array() &&
                             (value.size() > most ||
                              std::ranges::any_of(value, [](const Json& each) { return each.is_object(); }));
        if (!is_long) {
            kept[std::string(name)] = without_long_lists(value);
        }
    }
    return kept;
}

/// The errors of an export from Blender.
std::string exactness(const Row& row) {
    if (!row.max_rotation_error_degrees || !row.max_position_error_mm) {
        return "";
    }
    return fixed_text(*row.max_rotation_error_degrees, 3) + " degrees, " +
           fixed_text(*row.max_position_error_mm, 3) + " mm off  ";
}

std::string findings_text(const Json& findings) {
    return findings.is_null() ? "not checked"
           : findings.empty() ? "no findings"
                              : counted(findings.size(), "finding");
}

}  // namespace

std::string_view name_of(Status status) {
    switch (status) {
        case Status::ok:
            return "ok";
        case Status::skipped:
            return "skipped";
        case Status::current:
            return "current";
        default:
            return "failed";
    }
}

Json json_of(const Row& row) {
    Json json = {{"input", json_text(row.input)},
                 {"output", text_or_null(row.output)},
                 {"status", name_of(row.status)},
                 {"error", text_or_null(row.error)},
                 {"refused", row.verdict_word == refused_word ? json_text(row.verdict) : Json()},
                 {"findings", row.findings},
                 {"warnings", texts_json(row.warnings)},
                 {"notes", texts_json(row.notes)},
                 {"conversion", row.conversion},
                 {"max_rotation_error_degrees", row.max_rotation_error_degrees},
                 {"max_position_error_mm", row.max_position_error_mm},
                 {"bytes_in", row.bytes_in},
                 {"bytes_out", row.bytes_out},
                 {"seconds", row.seconds}};
    if (row.fails) {
        json["fails"] = true;
    }
    if (row.may_work_later) {
        json["may_work_later"] = true;
    }
    return json;
}

std::optional<double> reported_number(const Json& object, std::string_view key) {
    const Json value = object.value(key, Json());
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

std::string reported_text(const Json& object, std::string_view key) {
    const Json value = object.value(key, Json());
    return value.is_null() ? "" : text_from_json(value, key).value_or("");
}

Json report_of(const Row& row) {
    if (row.status != Status::ok) {
        return {{"status", name_of(row.status)}, {"error", json_text(row.error)}};
    }
    constexpr std::array<std::string_view, 7> members = {"refused",
                                                         "findings",
                                                         "warnings",
                                                         "notes",
                                                         "conversion",
                                                         "max_rotation_error_degrees",
                                                         "max_position_error_mm"};
    const Json all = json_of(row);
    Json report = Json::object();
    for (const std::string_view member : members) {
        const Json& value = all[member];
        if (!value.is_null() && !(value.is_array() && value.empty())) {
            report[member] = member == "conversion" ? without_long_lists(value) : value;
        }
    }
    return report;
}

void take_report(Row& row, const Json& json) {
    const std::string status = reported_text(json, "status");
    row.status = status.empty() || status == name_of(Status::ok) ? Status::ok
                 : status == name_of(Status::skipped)            ? Status::skipped
                                                                 : Status::failed;
    row.error = reported_text(json, "error");
    row.findings = json.value("findings", Json::array());
    row.warnings = reported_texts(json, "warnings");
    row.notes = reported_texts(json, "notes");
    row.conversion = json.value("conversion", Json());
    if (row.conversion.is_object()) {
        row.only_reported = reported_texts(row.conversion, "only_reported");
    }
    row.verdict = reported_text(json, "refused");
    row.verdict_word = row.verdict.empty() ? std::string_view() : refused_word;
    row.max_rotation_error_degrees = reported_number(json, "max_rotation_error_degrees");
    row.max_position_error_mm = reported_number(json, "max_position_error_mm");
}

void Totals::add(const std::vector<Row>& rows) {
    ++inputs;
    bytes_in += rows.empty() ? 0 : rows.front().bytes_in;
    for (const Row& row : rows) {
        outputs += row.status == Status::ok ? 1 : 0;
        failed += row.status == Status::failed ? 1 : 0;
        skipped += row.status == Status::skipped ? 1 : 0;
        current += row.status == Status::current ? 1 : 0;
        refused += row.verdict_word == refused_word ? 1 : 0;
        failing += row.fails ? 1 : 0;
        findings += row.findings.size();
        bytes_out += row.bytes_out;
    }
}

Json json_of(const Totals& totals, double seconds) {
    return {{"inputs", totals.inputs},       {"outputs", totals.outputs},
            {"failed", totals.failed},       {"skipped", totals.skipped},
            {"current", totals.current},     {"refused", totals.refused},
            {"findings", totals.findings},   {"bytes_in", totals.bytes_in},
            {"bytes_out", totals.bytes_out}, {"seconds", rounded_milliseconds(seconds)}};
}

std::string grouped(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3;) {
        at -= 3;
        text.insert(at, ",");
    }
    return text;
}

Repeated repeated_in(const std::vector<Row>& rows) {
    Repeated repeated;
    for (const Row& row : rows) {
        std::set<std::string_view> texts = {row.error};
        texts.insert(row.notes.begin(), row.notes.end());
        texts.insert(row.warnings.begin(), row.warnings.end());
        for (const std::string_view text : texts) {
            ++repeated[std::string(text)];
        }
    }
    return repeated;
}

std::string table_lines(const Row& row, const PathColumn& paths, Repeated& repeated) {
    const std::string_view word = row.verdict_word.empty() ? name_of(row.status) : row.verdict_word;
    std::string text = left_aligned(std::string(word), 7) + "  ";
    if (row.error.empty()) {
        text += shown_place(row.output, paths) + "  " + right_aligned(grouped(row.bytes_out), 10) +
                " bytes  " + left_aligned(findings_text(row.findings), 16) + exactness(row) +
                without_controls(row.verdict);
        text.erase(text.find_last_not_of(' ') + 1);
    } else if (const auto error = said_once(row.error, repeated)) {
        const bool names_input = row.error.starts_with(row.input);
        text += names_input ? "" : shown_place(row.output.empty() ? row.input : row.output, paths) + "  ";
        text += *error;
    } else {
        return "";
    }
    text += "\n";
    for (const auto* const lines : {&row.notes, &row.warnings}) {
        for (const std::string& line : *lines) {
            const auto once = said_once(line, repeated);
            text += once ? "         " + *once + "\n" : "";
        }
    }
    return text;
}

std::string summary_line(const Totals& totals, double seconds) {
    const std::uint64_t others = totals.failing - std::min(totals.failing, totals.refused);
    return std::to_string(totals.outputs) + " written, " + std::to_string(totals.failed) + " failed, " +
           std::to_string(totals.skipped) + " skipped, " +
           (totals.current == 0 ? "" : std::to_string(totals.current) + " current, ") +
           (totals.refused == 0 ? "" : std::to_string(totals.refused) + " refused, ") +
           (others == 0 ? "" : std::to_string(others) + " failed by --fail-on, ") +
           counted(totals.findings, "finding") + ", " + grouped(totals.bytes_in) + " bytes in, " +
           grouped(totals.bytes_out) + " bytes out, " + fixed_text(seconds, 2) + " s\n";
}

}  // namespace animbridge::batch::plan
