// SPDX-License-Identifier: MIT
#include "batch/plan_file.h"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "base/append_file.h"
#include "base/file.h"
#include "base/file_error.h"
#include "base/paths.h"
#include "base/streams.h"
#include "batch/resume.h"

namespace animbridge::batch {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t plan_version = 1;
constexpr std::size_t buffered_bytes = std::size_t{256} << 10U;

Json list_of(const std::vector<std::string>& texts) {
    Json list = Json::array();
    for (const std::string& text : texts) {
        list.push_back(json_text(text));
    }
    return list;
}

std::uint64_t ledger_bytes(const Request& request) {
    const std::string own_folder = joined_path(request.out, own_folder_name);
    std::error_code problem;
    const auto bytes = fs::file_size(path_of(joined_path(own_folder, ledger_name(request.shard))), problem);
    return problem ? 0 : bytes;
}

std::string header_line(const Request& request, const Plan& plan, const std::string& options) {
    const std::string root = real_path(request.out);
    Json reserved = Json::array();
    for (std::size_t i = 0; i < plan.size(); ++i) {
        const Input input = plan.at(i);
        if (input.fault.empty() && is_in_folder(real_path(input.path), root)) {
            reserved.push_back(json_text(input.path));
        }
    }
    const Json header = {{"animbridge_plan", plan_version},
                         {"version", request.version},
                         {"folder", json_text(real_path("."))},
                         {"out", json_text(request.out)},
                         {"arguments", list_of(request.words)},
                         {"options", options},
                         {"ledger_bytes", ledger_bytes(request)},
                         {"reserved", std::move(reserved)},
                         {"extensions", list_of(searched_extensions())}};
    return header.dump() + "\n";
}

std::string plan_line(const Input& input, const std::optional<Fingerprint>& state) {
    Json row = {{"input", json_text(input.given())}, {"folder", json_text(with_slashes(input.folder))}};
    if (input.before != 0) {
        row["before"] = input.before;
    }
    row["size"] = state ? state->size : 0;
    if (state && state->modified) {
        row["modified"] = *state->modified;
    }
    if (!input.fault.empty()) {
        row["fault"] = json_text(input.fault);
    }
    return row.dump() + "\n";
}

Result<std::string> plan_text(const Json& object, const char* key) {
    TRY(const Json* const value, json_member(object, key));
    return text_from_json(*value, key);
}

Result<void> check_header(const Json& header, const Request& request) {
    TRY(const Json* const version, json_member(header, "animbridge_plan"));
    TRY_VOID(integer_from_json(*version, plan_version, plan_version, "animbridge_plan"));
    TRY(const std::string made_by, plan_text(header, "version"));
    if (made_by != request.version) {
        return fail(ErrorCode::bad_value, "AnimBridge " + made_by +
                                              " made the plan, and this is AnimBridge " + request.version +
                                              ". Install the same version on all machines");
    }
    return {};
}

/// The files that no output may replace.
Result<void> reserve_inputs(const Json& header, Plan& plan) {
    TRY(const Json* const reserved, json_member(header, "reserved"));
    if (!reserved->is_array()) {
        return json_fail("reserved", *reserved, "an array");
    }
    for (const Json& each : *reserved) {
        TRY(const std::string path, text_from_json(each, "reserved"));
        plan.add_file(key_of(real_path(path)));
    }
    return {};
}

/// Whether outputs would stay below the output folder.
bool stays_below(const std::string& folder) {
    const fs::path path = path_of(folder);
    return !path.has_root_path() && std::find(path.begin(), path.end(), "..") == path.end();
}

Result<Input> input_from(const Json& row) {
    Input input;
    TRY(const std::string given, plan_text(row, "input"));
    const NamedInput named = input_of(given);
    input.path = named.path;
    input.animation = named.animation.value_or("");
    TRY(input.folder, plan_text(row, "folder"));
    if (!stays_below(input.folder)) {
        return json_fail("folder", json_text(input.folder), "a path below the output folder");
    }
    if (row.contains("fault")) {
        TRY(input.fault, plan_text(row, "fault"));
    }
    if (row.contains("before")) {
        constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
        TRY(const auto before, integer_from_json(row["before"], 1, most, "before"));
        input.before = static_cast<std::uint32_t>(before);
    }
    return input;
}

/// Takes the lines of a plan, one after another.
class Reader {
public:
    explicit Reader(const Request& request) : request_(request) {}

    Result<void> take(std::string_view line) {
        TRY(const Json row, parse_json(line));
        if (!has_header_) {
            has_header_ = true;
            TRY_VOID(check_header(row, request_));
            return reserve_inputs(row, plan);
        }
        TRY(Input input, input_from(row));
        if (input.fault.empty()) {
            plan.add_file(key_of(real_path(input.path)));
        }
        plan.add_known(std::move(input));
        return {};
    }
    [[nodiscard]] bool has_header() const { return has_header_; }

    Plan plan{Shard{}};

private:
    const Request& request_;
    bool has_header_ = false;
};

/// Adds the lines of what is to be done; how many they are.
Result<std::size_t> append_inputs(const Request& request, const Plan& plan, const Ledger& ledger,
                                  const std::string& options, AppendFile& file) {
    std::size_t count = 0;
    std::string text;
    for (std::size_t i = 0; i < plan.size(); ++i) {
        const Input input = plan.at(i);
        const auto state = input.fault.empty() ? fingerprint_of(input.path) : std::nullopt;
        const auto known = state ? ledger.row_of(input) : std::nullopt;
        if (known && kept(input, *known, *state, options, request)) {
            continue;
        }
        ++count;
        text += plan_line(input, state);
        if (text.size() >= buffered_bytes) {
            TRY_VOID(file.append(text));
            text.clear();
        }
    }
    TRY_VOID(file.append(text));
    return count;
}

}  // namespace

Result<std::size_t> write_plan(const Request& request, const Plan& plan, const Ledger& ledger,
                               const std::string& options) {
    const std::string partial = request.plan + ".partial";
    std::size_t count = 0;
    {
        TRY(AppendFile file, AppendFile::open(partial, AppendFile::Begin::empty));
        TRY_VOID(file.append(header_line(request, plan, options)));
        TRY(count, append_inputs(request, plan, ledger, options, file));
    }
    std::error_code problem;
    fs::rename(path_of(partial), path_of(request.plan), problem);
    if (problem) {
        return io_error(request.plan, "cannot put the plan in place", problem.value());
    }
    return count;
}

Result<Plan> read_plan(const Request& request) {
    const bool is_standard_input = request.planned == "-";
    const std::string name = is_standard_input ? "standard input" : request.planned;
    TRY(const Bytes bytes, is_standard_input ? read_input_stream() : read_file(request.planned));
    const std::string_view text = text_of(bytes);
    Reader reader(request);
    std::size_t number = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        ++number;
        if (auto taken = reader.take(text.substr(at, end - at)); !taken) {
            return fail(ErrorCode::bad_value,
                        name + ": line " + std::to_string(number) + ": " + taken.error().message());
        }
        at = end + 1;
    }
    if (!reader.has_header()) {
        return fail(ErrorCode::bad_value, name + ": it is empty, and not a plan of animbridge batch --plan");
    }
    return std::move(reader.plan);
}

}  // namespace animbridge::batch
