// SPDX-License-Identifier: MIT
#include "batch/run/worker.h"

#include <algorithm>
#include <filesystem>

#include "base/options/options.h"
#include "convert/convert.h"
#include "model/findings/findings.h"

namespace animbridge::batch::run {

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

/// The findings of this class, as a list.
std::string judged_texts(const plan::Row& row, const Format& format, FindingClass wanted,
                         const ConvertOptions& options, const std::function<bool()>& has_body) {
    std::string text;
    for (const Rule& rule : format.check.rules()) {
        for (const Json& finding : row.findings) {
            const bool is_allowed = std::ranges::find(row.only_reported, rule.id) != row.only_reported.end();
            if (rule.finding_class == wanted && finding["id"] == rule.id && !is_allowed) {
                text += (text.empty() ? "" : " ") + advised_text(rule, finding, options, has_body);
            }
        }
    }
    return text;
}

}  // namespace

void judge(plan::Row& row, const plan::Request& request, const std::function<bool()>& has_body) {
    const Format* const format = output_format("." + request.target, request.conversion.to);
    if (format == nullptr) {
        return;  // no other program reads it
    }
    if (row.verdict_word == plan::refused_word) {  // as an earlier run found
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
        const Json usual = json_text(std::string(format->made_for));
        const std::string program =
            plain_text(row.conversion.is_object() ? row.conversion.value("made_for", usual) : usual);
        row.verdict_word = is_refused ? plan::refused_word : name_of(each);
        row.verdict = (is_refused ? refused_by(program) : std::string(name_of(each)) + ": ") + text;
        row.fails = fails;
        return;
    }
}

void fail_row(plan::Row& row, const Error& error) {
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

void leave_output(plan::Row& row) {
    row.status = plan::Status::current;
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

namespace {

Result<void> place(plan::Row& row, const std::string& from, const Folder& out, const std::string& below) {
    TRY(const Bytes bytes, read_file(from));
    TRY_VOID(out.write(below, bytes));
    row.bytes_out = bytes.size();
    row.digest = sha256_hex(bytes);
    return {};
}

}  // namespace

plan::Row without_output(const plan::Row& row, const Error& error) {
    plan::Row made{row.input};
    made.bytes_in = row.bytes_in;
    made.seconds = row.seconds;
    fail_row(made, error);
    return made;
}

Finished placed(const plan::Input& input, const Staged& staged, const plan::Request& request,
                const Folder& out, const Worker::InTurn& in_turn) {
    Finished finished{staged.rows};
    std::vector<std::string> made;
    std::vector<std::string> places(finished.rows.size());
    const std::string folder = joined_path(request.out, input.folder);
    in_turn([&](const Worker::Claim& claim) {
        for (std::size_t i = 0; i < finished.rows.size(); ++i) {
            plan::Row& row = finished.rows[i];
            made.push_back(row.output.empty() ? "" : joined_path(staged.folder, row.output));
            if (row.status != plan::Status::ok) {
                row.output.clear();
                continue;
            }
            row.output = joined_path(folder, row.output);
            if (auto claimed = claim(row.output)) {
                places[i] = std::move(*claimed);
            } else {
                row = without_output(row, claimed.error());
                row.is_lasting = false;  // another run may have other inputs
            }
        }
    });
    for (std::size_t i = 0; i < finished.rows.size(); ++i) {
        plan::Row& row = finished.rows[i];
        if (row.status != plan::Status::ok) {
            continue;
        }
        if (request.newer && is_newer(row.output, input.path)) {
            leave_output(row);
        } else if (const auto put = place(row, made[i], out, places[i]); !put) {
            row = without_output(row, put.error());
        } else {
            // Conversion options do not affect the results of a .blend file.
            judge(row, request, [] { return false; });
        }
    }
    if (request.digest) {
        const auto bytes = read_file(input.path);
        finished.input_digest = bytes ? sha256_hex(*bytes) : "";
    }
    return finished;
}

std::optional<std::size_t> Order::next() {
    const auto one = next_ones([](std::size_t) { return false; });
    return one.empty() ? std::nullopt : std::optional(one.front());
}

std::vector<std::size_t> Order::next_ones(const std::function<bool(std::size_t index)>& wants_more) {
    std::unique_lock lock(mutex_);
    const auto has_room = [&] { return next_ < to_tell_ + window_; };
    changed_.wait(lock, [&] { return is_stopped_ || next_ == count_ || has_room(); });
    std::vector<std::size_t> taken;
    // Never waits while it has some: the others may wait for these.
    while (!is_stopped_ && next_ != count_ && has_room()) {
        taken.push_back(next_++);
        if (!wants_more(taken.back())) {
            break;
        }
    }
    return taken;
}

void Order::in_turn(std::size_t index, const std::function<void()>& reserve) {
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return turn_ == index; });
    }
    // Nobody else reserves until the turn is passed on.
    reserve();
    const std::lock_guard guard(mutex_);
    pass_turn(index);
    changed_.notify_all();
}

void Order::pass_turn(std::size_t index) {
    if (index < turn_) {
        return;
    }
    passed_.insert(index);
    while (!passed_.empty() && *passed_.begin() == turn_) {
        passed_.erase(passed_.begin());
        ++turn_;
    }
}

void Order::finish(std::size_t index, std::optional<Finished> finished) {
    const std::lock_guard guard(mutex_);
    pass_turn(index);
    waiting_.emplace(index, std::move(finished));
    for (auto first = waiting_.begin(); first != waiting_.end() && first->first == to_tell_;
         first = waiting_.erase(first)) {
        if (first->second) {
            tell_(to_tell_, *first->second);
            ++told_;
        }
        ++to_tell_;
    }
    changed_.notify_all();
}

void Order::stop() {
    // Without the lock, which finish() holds while the reader of its report is stuck. A thread that misses
    // this waits for inputs in hand, whose end wakes it.
    is_stopped_ = true;
    changed_.notify_all();
}

bool Order::is_stopped() const { return is_stopped_; }

std::size_t Order::told() const {
    const std::lock_guard guard(mutex_);
    return told_;
}

}  // namespace animbridge::batch::run
