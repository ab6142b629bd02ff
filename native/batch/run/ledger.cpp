// SPDX-License-Identifier: MIT
#include "batch/run/ledger.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>

namespace animbridge::batch::run {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

Result<std::string> text_in(const Json& object, const char* key) {
    TRY(const Json* const value, json_member(object, key));
    return text_from_json(*value, key);
}

Result<std::int64_t> number_in(const Json& object, const char* key, std::int64_t low, std::int64_t high) {
    TRY(const Json* const value, json_member(object, key));
    return integer_from_json(*value, low, high, key);
}

Result<plan::Status> status_in(const Json& object) {
    TRY(const std::string name, text_in(object, "status"));
    for (const plan::Status status : {plan::Status::ok, plan::Status::failed, plan::Status::skipped}) {
        if (name == plan::name_of(status)) {
            return status;
        }
    }
    return json_fail("status", json_text(name), "ok, failed or skipped");
}

Result<Fingerprint> state_in(const Json& object) {
    Fingerprint state;
    TRY(const auto size, number_in(object, "size", 0, largest));
    state.size = static_cast<std::uint64_t>(size);
    if (object.contains("modified")) {
        TRY(state.modified, number_in(object, "modified", -largest, largest));
    }
    if (object.contains("digest")) {
        TRY(state.digest, text_in(object, "digest"));
    }
    return state;
}

/// Whether a path from the output folder stays inside it.
bool stays_below(const std::string& place) {
    const fs::path path = path_of(place);
    return !path.empty() && !path.has_root_path() && std::ranges::find(path, "..") == path.end();
}

Result<std::vector<LedgerRow::Output>> outputs_in(const Json& object) {
    TRY(const Json* const list, json_member(object, "outputs"));
    if (!list->is_array()) {
        return json_fail("outputs", *list, "an array");
    }
    std::vector<LedgerRow::Output> outputs;
    for (const Json& each : *list) {
        LedgerRow::Output output;
        TRY(output.path, text_in(each, "path"));
        if (!stays_below(output.path)) {
            return json_fail("path", json_text(output.path), "a path below the output folder");
        }
        TRY(const auto size, number_in(each, "size", 0, largest));
        output.size = static_cast<std::uint64_t>(size);
        TRY(output.digest, text_in(each, "digest"));
        outputs.push_back(std::move(output));
    }
    return outputs;
}

bool is_finding(const Json& json) {
    constexpr std::array<std::string_view, 3> members = {"id", "joint", "found"};
    return json.is_object() &&
           std::ranges::all_of(members, [&](std::string_view member) { return json.contains(member); });
}

/// Whether report_of may have made it.
bool is_report(const Json& json) {
    if (!json.is_object() || (json.contains("status") && !json["status"].is_string())) {
        return false;
    }
    const Json findings = json.value("findings", Json::array());
    return findings.is_array() && std::ranges::all_of(findings, is_finding);
}

/// Null if this program did not write them: the input is converted again.
Json reports_in(const Json& object, std::size_t outputs) {
    Json list = object.value("reports", Json());
    const bool are_reports = list.is_array() && std::ranges::all_of(list, is_report);
    const auto with_output = [](const Json& each) { return !each.contains("status"); };
    return are_reports && std::ranges::count_if(list, with_output) == static_cast<std::ptrdiff_t>(outputs)
               ? list
               : Json();
}

/// The worst of an input's rows.
plan::Status status_of(const std::vector<plan::Row>& rows) {
    const auto has = [&](plan::Status status) {
        return std::ranges::any_of(rows, [&](const plan::Row& row) { return row.status == status; });
    };
    return has(plan::Status::failed) ? plan::Status::failed
           : has(plan::Status::ok)   ? plan::Status::ok
                                     : plan::Status::skipped;
}

std::int64_t nanoseconds_since_1970(fs::file_time_type time) {
    const auto system = std::chrono::file_clock::to_sys(time);
    return std::chrono::duration_cast<std::chrono::nanoseconds>(system.time_since_epoch()).count();
}

}  // namespace

std::optional<Fingerprint> fingerprint_of(const std::string& path) {
    std::error_code problem;
    Fingerprint state;
    state.size = fs::file_size(path_of(path), problem);
    if (problem) {
        return std::nullopt;
    }
    state.modified = nanoseconds_since_1970(fs::last_write_time(path_of(path), problem));
    return problem ? std::nullopt : std::optional(std::move(state));
}

plan::PathKey ledger_key(std::string_view path, std::uint32_t before) {
    // No path contains a NUL.
    return plan::key_of(before == 0 ? std::string(path)
                                    : std::string(path).append(1, '\0').append(std::to_string(before)));
}

plan::PathKey LedgerRow::key() const { return ledger_key(path, before); }

std::string line_of(const LedgerRow& row) {
    Json outputs = list_json(row.outputs, [](const LedgerRow::Output& output) -> Json {
        return {{"path", json_text(output.path)}, {"size", output.size}, {"digest", output.digest}};
    });
    Json json = {{"path", json_text(row.path)}};
    if (row.before != 0) {
        json["before"] = row.before;
    }
    json["input"] = json_text(row.input);
    json["size"] = row.state.size;
    if (row.state.modified) {
        json["modified"] = *row.state.modified;
    }
    if (!row.state.digest.empty()) {
        json["digest"] = row.state.digest;
    }
    json["options"] = row.options;
    json["version"] = row.version;
    json["status"] = plan::name_of(row.status);
    json["outputs"] = std::move(outputs);
    if (row.reports.is_array()) {
        json["reports"] = row.reports;
    }
    if (!row.error.empty()) {
        json["error"] = json_text(row.error);
    }
    return json.dump() + "\n";
}

Result<LedgerRow> row_from_line(std::string_view line) {
    TRY(const Json json, parse_json(line));
    LedgerRow row;
    TRY(row.path, text_in(json, "path"));
    if (json.contains("before")) {
        TRY(const auto before, number_in(json, "before", 1, std::numeric_limits<std::uint32_t>::max()));
        row.before = static_cast<std::uint32_t>(before);
    }
    TRY(row.input, text_in(json, "input"));
    TRY(row.state, state_in(json));
    TRY(row.options, text_in(json, "options"));
    TRY(row.version, text_in(json, "version"));
    TRY(row.status, status_in(json));
    TRY(row.outputs, outputs_in(json));
    row.reports = reports_in(json, row.outputs.size());
    if (json.contains("error")) {
        TRY(row.error, text_in(json, "error"));
    }
    return row;
}

std::optional<LedgerRow> ledger_row_of(const plan::Input& input, const Finished& finished,
                                       const Fingerprint& state, const plan::Request& request) {
    const bool lasts =
        std::ranges::all_of(finished.rows, [](const plan::Row& row) { return row.is_lasting; });
    if (!lasts || finished.rows.empty()) {
        return std::nullopt;
    }
    LedgerRow made{input.relative(), input.before, input.given(), state};
    if (!finished.input_digest.empty()) {
        made.state.digest = finished.input_digest;
        made.state.modified.reset();
    }
    made.version = request.version;
    made.status = status_of(finished.rows);
    made.reports = Json::array();
    const std::size_t out = joined_path(request.out, "x").size() - 1;
    for (const plan::Row& row : finished.rows) {
        made.reports.push_back(plan::report_of(row));
        if (row.status == plan::Status::ok) {
            made.outputs.push_back({plan::with_slashes(row.output.substr(out)), row.bytes_out, row.digest});
        } else if (made.error.empty()) {
            made.error = row.error;
        }
    }
    return made;
}

Result<std::string> options_digest(const plan::Request& request) {
    const ConvertOptions& given = request.conversion;
    const ReadOptions& reading = given.reading;
    Json options = {{"to", request.target},
                    {"format", given.input_format},
                    {"as_stored", given.as_stored},
                    {"edits", given.edits},
                    {"fixes", given.fixes},
                    {"strict", reading.reading == Reading::strict},
                    {"side_files", reading.uses_side_files},
                    {"assimp_for_fbx", reading.uses_assimp_for_fbx},
                    {"memory_mib", reading.memory_mib},
                    {"processor_seconds", reading.processor_seconds},
                    {"conversion", given.bridge},
                    {"retarget", given.retarget},
                    {"onto", nullptr}};
    if (!request.level.empty()) {
        options["level"] = request.level;
    }
    if (!request.blender_words.empty()) {
        options["blender"] = texts_json(request.blender_words);
    }
    if (!given.to.empty()) {
        options["format_of_output"] = given.to;
    }
    if (!reading.trim.empty()) {
        options["trim"] = reading.trim.text();
    }
    if (given.split) {
        options["split"] = {given.split->seconds, given.split->bytes, given.split->at_markers};
    }
    if (!given.onto.empty()) {
        TRY(const Bytes bytes, read_file(given.onto));
        options["onto"] = sha256_hex(bytes);
    }
    const std::string text = options.dump();
    return sha256_hex(view_of(text)).substr(0, 16);
}

namespace {

/// Longer rows are not ours.
constexpr std::size_t longest_line = std::size_t{64} << 20U;

/// The end of the last complete line.
Result<std::uint64_t> end_of_lines(const std::string& path) {
    std::uint64_t end = 0;
    TRY_VOID(
        for_each_line(path, [&](std::string_view line, std::uint64_t at) { end = at + line.size() + 1; }));
    return end;
}

}  // namespace

std::string ledger_name(plan::Shard shard) { return "ledger" + shard.suffix() + ".jsonl"; }

Result<void> for_each_line(const std::string& path,
                           const std::function<void(std::string_view line, std::uint64_t at)>& take) {
    std::ifstream file(path_of(path), std::ios::binary);
    if (!file) {
        return io_error(path, "cannot open", errno);
    }
    std::string line;
    for (std::uint64_t at = 0; std::getline(file, line) && !file.eof(); at += line.size() + 1) {
        if (line.size() > longest_line) {
            return io_error(path, "it is not a ledger: a line has more than 64 MiB");
        }
        take(line, at);
    }
    return file.bad() ? io_error(path, "cannot read", errno) : Result<void>();
}

std::optional<std::string> line_at(const std::string& path, std::uint64_t at) {
    std::ifstream file(path_of(path), std::ios::binary);
    std::string line;
    file.seekg(static_cast<std::streamoff>(at));
    return std::getline(file, line) ? std::optional(std::move(line)) : std::nullopt;
}

Result<std::unique_ptr<Ledger>> Ledger::open(const Folder& folder, const std::string& name, bool remembers) {
    TRY(AppendFile file, AppendFile::open(folder, name, AppendFile::Begin::with_what_is_there));
    const std::string path = folder.place_of(name);
    TRY(const std::uint64_t end, end_of_lines(path));
    TRY_VOID(file.cut_to(end));
    auto ledger = std::unique_ptr<Ledger>(new Ledger(path, std::move(file)));
    if (remembers) {
        TRY_VOID(for_each_line(path, [&](std::string_view line, std::uint64_t at) {
            if (const auto row = row_from_line(line); row) {
                ledger->places_[row->key()] = at;
            } else {
                ++ledger->unreadable_;
            }
        }));
    }
    return ledger;
}

std::optional<LedgerRow> Ledger::row_of(const plan::Input& input) const {
    const auto place = places_.find(ledger_key(input.relative(), input.before));
    if (place == places_.end()) {
        return std::nullopt;
    }
    const auto line = line_at(path_, place->second);
    const auto row = line ? row_from_line(*line) : Result<LedgerRow>(fail(ErrorCode::io, "gone"));
    return row ? std::optional(*row) : std::nullopt;
}

Result<void> Ledger::append(const LedgerRow& row) {
    const std::string line = line_of(row);
    const std::lock_guard guard(mutex_);
    return file_.append(line);
}

Result<void> Ledger::store() {
    const std::lock_guard guard(mutex_);
    return file_.store();
}

}  // namespace animbridge::batch::run
