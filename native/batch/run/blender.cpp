// SPDX-License-Identifier: MIT
#include "batch/run/worker.h"

#include <algorithm>
#include <limits>

#include "base/json/json.h"
#include "base/system/system.h"
#include "batch/run/ledger.h"

namespace animbridge::batch::run {

namespace {

/// Starting takes half a second, and a file 20 ms.
constexpr std::size_t most_inputs_each = 256;
constexpr int exit_usage = 2;

/// Why Blender ended before it was done.
std::string reason_of(const Result<ProcessEnd>& end) {
    if (!end) {
        return "Blender cannot be started: " + end.error().message();
    }
    std::string last = end->error_text;
    while (last.ends_with('\n')) {
        last.pop_back();
    }
    last = last.substr(last.rfind('\n') + 1);
    const std::string how = !end->crash.empty() ? "after " + end->crash
                            : end->killed == Killed::system
                                ? "because the system killed it"
                                : "with the code " + std::to_string(end->exit_status);
    return "Blender ended " + how + (last.empty() ? "" : ": " + last);
}

/// A row of the add-on's report (addon/animbridge/batch/rows.py).
plan::Row row_from(const Json& json, const plan::Input& input, const std::string& folder) {
    plan::Row row{input.path};
    plan::take_report(row, json);
    const std::string output = plan::reported_text(json, "output");
    row.output = output.empty() ? "" : output.substr(std::min(output.size(), folder.size() + 1));
    row.bytes_in = static_cast<std::uint64_t>(plan::reported_number(json, "bytes_in").value_or(0));
    row.seconds = plan::reported_number(json, "seconds").value_or(0);
    row.may_work_later = json.value("may_work_later", Json(false)) == Json(true);
    row.is_lasting = !row.may_work_later;
    return row;
}

/// Prints each line as a separate message.
void complain_of(std::string_view error_text) {
    while (!error_text.empty()) {
        const std::string_view line = error_text.substr(0, error_text.find('\n'));
        error_text.remove_prefix(std::min(error_text.size(), line.size() + 1));
        if (!line.empty()) {
            complain(line);
        }
    }
}

Staged failure(const plan::Input& input, const std::string& reason) {
    plan::Row row{input.path};
    row.error = input.path + ": " + reason + (reason.ends_with('.') ? "" : ".");
    row.is_lasting = false;
    return {{std::move(row)}, ""};
}

/// The command line: the program, its first arguments, and the inputs in a file.
ProcessCall call_of(const plan::Request& request, const std::string& folder, const std::string& plan) {
    ProcessCall call;
    call.program = request.blender.front();
    call.arguments.assign(request.blender.begin() + 1, request.blender.end());
    call.arguments.insert(call.arguments.end(), {"--planned", plan});
    for (std::size_t i = 0; i < request.words.size(); ++i) {
        const std::string& word = request.words[i];
        if (word == "--out") {
            call.arguments.insert(call.arguments.end(), {"--out", folder});
            ++i;
        } else if (word == "--fail-on" || word == "--for") {
            ++i;  // this program decides
        } else if (word != "--digest" && word != "--newer") {
            call.arguments.push_back(word);
        }
    }
    call.most_output_bytes = std::numeric_limits<std::size_t>::max() / 4;
    call.wall_seconds = 1e6;
    return call;
}

/// The share of one process: the inputs from `first` on.
class Part {
public:
    Part(const plan::Request& request, const std::vector<plan::Input>& inputs, std::size_t first,
         const Folder& folder)
        : inputs_(inputs),
          first_(first),
          folder_(folder),
          plan_("plan-" + std::to_string(first) + ".jsonl"),
          call_(call_of(request, folder.place_of(""), folder.place_of(plan_))) {}

    /// Fills `made` as far as possible; returns the process's end.
    Result<ProcessEnd> run(std::vector<std::optional<Staged>>& made) {
        std::string text;
        for (std::size_t i = first_; i < inputs_.size(); ++i) {
            const Json row = {{"input", json_text(inputs_[i].path)}, {"place", i}};
            text += row.dump() + "\n";
        }
        TRY_VOID(folder_.write(plan_, view_of(text)));
        auto end = run_process(call_);
        read_rows(made);
        return end;
    }

    /// Whether the add-on reached the inputs.
    [[nodiscard]] bool has_begun() const { return has_begun_; }

private:
    void read_rows(std::vector<std::optional<Staged>>& made) {
        const auto bytes = read_file(folder_.place_of(plan_ + ".rows"));
        if (!bytes) {
            return;
        }
        has_begun_ = true;
        const std::string_view text = text_of(*bytes);
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = text.find('\n', at);
            if (end == std::string_view::npos) {
                return;
            }
            take(text.substr(at, end - at), made);
            at = end + 1;
        }
    }

    /// A line that is not in the add-on's form counts as not done.
    void take(std::string_view line, std::vector<std::optional<Staged>>& made) {
        const auto json = parse_json(line);
        if (!json || !json->is_object() || !json->value("rows", Json()).is_array()) {
            return;
        }
        const auto place = static_cast<std::size_t>(plan::reported_number(*json, "place").value_or(-1));
        if (place >= made.size()) {
            return;
        }
        Staged staged{{}, folder_.place_of(std::to_string(place))};
        const Json rows = json->value("rows", Json());
        for (const Json& row : rows) {
            staged.rows.push_back(row_from(row, inputs_[place], staged.folder));
        }
        made[place] = std::move(staged);
    }

    const std::vector<plan::Input>& inputs_;
    std::size_t first_;
    const Folder& folder_;
    std::string plan_;
    ProcessCall call_;
    bool has_begun_ = false;
};

}  // namespace

Blender::Blender(const plan::Request& request, const plan::Plan& plan) : request_(request) {
    if (request.blender.empty()) {
        return;
    }
    std::size_t count = 0;
    for (std::size_t i = 0; i < plan.size(); ++i) {
        count += takes(plan.at(i)) ? 1 : 0;
    }
    const std::size_t share = (count + request.jobs - 1) / request.jobs;
    inputs_each_ = std::min(share, most_inputs_each);
}

bool Blender::takes(const plan::Input& input) const {
    return !request_.blender.empty() && input.fault.empty() &&
           (request_.target == plan::blend_target || input.is_blend());
}

std::vector<std::optional<Staged>> Blender::convert(const std::vector<plan::Input>& inputs,
                                                    const Result<Folder>& folder,
                                                    const std::function<bool()>& is_stopped) const {
    std::vector<std::optional<Staged>> made(inputs.size());
    if (!folder) {
        const std::string reason = reason_of(fail(folder.error()));
        std::ranges::transform(inputs, made.begin(),
                               [&](const plan::Input& input) { return failure(input, reason); });
        return made;
    }
    for (std::size_t first = 0; first < inputs.size() && !is_stopped();) {
        Part part(request_, inputs, first, *folder);
        const auto end = part.run(made);
        if (end && !end->error_text.empty() && end->exit_status != exit_usage) {
            complain_of(end->error_text);
        }
        const auto next =
            std::find(made.begin() + static_cast<std::ptrdiff_t>(first), made.end(), std::nullopt);
        if (next == made.end() || is_stopped()) {
            break;
        }
        // Only the input that ended Blender is to blame; a Blender that never began would not begin for
        // others.
        first = static_cast<std::size_t>(next - made.begin());
        const std::size_t last = part.has_begun() ? first + 1 : inputs.size();
        for (; first < last; ++first) {
            made[first] = failure(inputs[first], reason_of(end));
            made[first]->rows.front().was_cancelled = end && end->killed == Killed::request;
        }
    }
    return made;
}

WorkFolder::~WorkFolder() {
    made_ = fail(ErrorCode::io, "");  // an open folder cannot be removed on every system
    in_.remove(name_);
}

void remove_old_work(const Folder& in, const std::string& work) {
    for (const std::string& name : in.names()) {
        if (name.starts_with(work)) {
            in.remove(name);
        }
    }
}

namespace {

constexpr std::int64_t largest_count = std::numeric_limits<std::uint32_t>::max();

/// The largest size of the file; only its last line matters.
constexpr std::size_t most_bytes = std::size_t{1} << 20U;

}  // namespace

InHand::InHand(const Folder& folder, std::string name, bool remembers)
    : folder_(folder),
      name_(std::move(name)),
      file_(AppendFile::open(folder_, name_, AppendFile::Begin::with_what_is_there)) {
    if (!remembers) {
        return;
    }
    std::string last;
    // A file that cannot be read is ignored.
    (void)for_each_line(folder_.place_of(name_), [&](std::string_view line, std::uint64_t) { last = line; });
    const auto json = parse_json(last);
    if (!json || !json->is_array()) {
        return;
    }
    for (const Json& row : *json) {
        if (!row.is_object()) {
            continue;
        }
        const auto path = text_from_json(row.value("path", Json()), "path");
        const auto before = integer_from_json(row.value("before", Json()), 0, largest_count, "before");
        const auto kills = integer_from_json(row.value("kills", Json()), 1, largest_count, "kills");
        if (path && before && kills) {
            kills_[{*path, static_cast<std::uint32_t>(*before)}] = static_cast<std::uint32_t>(*kills);
        }
    }
}

InHand::~InHand() {
    file_ = fail(ErrorCode::io, "");  // closed: not every system removes an open file
    folder_.remove(name_);
}

std::uint32_t InHand::kills(const plan::Input& input) {
    const std::lock_guard guard(mutex_);
    const auto known = kills_.find({input.relative(), input.before});
    return known == kills_.end() ? 0 : known->second;
}

void InHand::begin(const Key& key) {
    const std::lock_guard guard(mutex_);
    ++kills_[key];
    Json all = Json::array();
    for (const auto& [each, kills] : kills_) {
        all.push_back({{"path", json_text(each.first)}, {"before", each.second}, {"kills", kills}});
    }
    const std::string line = all.dump() + "\n";
    // Cutting the file each time would take a fifth of a millisecond.
    if (file_ && size_ > most_bytes && file_->cut_to(0)) {
        size_ = 0;
    }
    if (file_ && file_->append(line)) {
        size_ += line.size();
    }
}

void InHand::finish(const Key& key) {
    const std::lock_guard guard(mutex_);
    kills_.erase(key);
}

}  // namespace animbridge::batch::run
