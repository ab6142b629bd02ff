// SPDX-License-Identifier: MIT
#include "batch/outcome.h"

#include <algorithm>
#include <filesystem>

#include "base/files/files.h"
#include "base/options/options.h"
#include "convert/output.h"
#include "model/findings/findings.h"

namespace animbridge::batch {

namespace fs = std::filesystem;

namespace {

/// What a finding says, and what to do about it, where more outputs like this one are to be made.
std::string advised_text(const Rule& rule, const Json& finding, const ConvertOptions& options,
                         const std::function<bool()>& has_body) {
    const auto count = finding.value("joint_count", Json(0)).get<std::uint64_t>();
    const bool is_retargeted = options.retarget.is_object() || !options.onto.empty();
    if (!rule.gone_if_retargeted.empty() && !is_retargeted && has_body()) {
        return counted(count, rule.gone_if_retargeted) + "; " +
               (options.retarget == false ? "leave out --no-retarget" : "add --retarget");
    }
    return judged_text(finding, rule.effect, rule.advice);
}

/// The member of a conversion's report with this name.
Json reported_of(const Row& row, std::string_view key, const Json& otherwise) {
    return row.conversion.is_object() ? row.conversion.value(key, otherwise) : otherwise;
}

/// The findings of this class, as a list.
std::string judged_texts(const Row& row, const Format& format, FindingClass wanted,
                         const ConvertOptions& options, const std::function<bool()>& has_body) {
    const Json only_reported = reported_of(row, "only_reported", Json::array());
    std::string text;
    for (const Rule& rule : format.rules()) {
        for (const Json& finding : row.findings) {
            const bool is_allowed =
                std::find(only_reported.begin(), only_reported.end(), finding["id"]) != only_reported.end();
            if (rule.finding_class == wanted && finding["id"] == rule.id && !is_allowed) {
                text += (text.empty() ? "" : " ") + advised_text(rule, finding, options, has_body);
            }
        }
    }
    return text;
}

}  // namespace

void judge(Row& row, const Request& request, const std::function<bool()>& has_body) {
    const Format* const format = format_of_extension("." + request.target);
    if (format == nullptr) {
        return;  // no other program reads it
    }
    if (row.verdict_word == refused_word) {  // as an earlier run found
        row.fails = request.fail_on.has_value();
        return;
    }
    for (const FindingClass each :
         {FindingClass::rejected, FindingClass::altered, FindingClass::risky, FindingClass::advice}) {
        const bool fails = request.fail_on && each <= *request.fail_on;
        const std::string text = judged_texts(row, *format, each, request.conversion, has_body);
        if (text.empty() || (!fails && each != FindingClass::rejected)) {
            continue;
        }
        const bool is_refused = each == FindingClass::rejected;
        const std::string program =
            plain_text(reported_of(row, "made_for", json_text(std::string(format->made_for))));
        row.verdict_word = is_refused ? refused_word : name_of(each);
        row.verdict = (is_refused ? refused_by(program) : std::string(name_of(each)) + ": ") + text;
        row.fails = fails;
        return;
    }
}

void fail_row(Row& row, const Error& error) {
    row.error = error.message();
    row.was_cancelled = error.code == ErrorCode::cancelled;
    row.may_work_later = error.code == ErrorCode::io || error.code == ErrorCode::out_of_memory;
    row.is_lasting = !row.may_work_later;
}

std::uint64_t size_of(const std::string& path) {
    std::error_code problem;
    const auto size = fs::file_size(path_of(path), problem);
    return problem ? 0 : size;
}

void leave_output(Row& row) {
    row.status = Status::current;
    row.bytes_out = size_of(row.output);
    row.findings = Json();
    row.is_lasting = false;
}

bool is_newer(const std::string& output, const std::string& input) {
    std::error_code problem;
    const auto written = fs::last_write_time(path_of(output), problem);
    const auto read = problem ? fs::file_time_type() : fs::last_write_time(path_of(input), problem);
    return !problem && written > read;
}

}  // namespace animbridge::batch
