// SPDX-License-Identifier: MIT
#include "batch/run/worker.h"

#include <algorithm>
#include <cmath>

#include "base/options/options.h"

namespace animbridge::batch::run {

namespace {

constexpr std::string_view clear_line = "\r\x1b[K";
constexpr std::chrono::milliseconds pause_between_bars(100);

/// A failure is ignored: nobody could read its message.
void say(std::string_view text) { (void)write_to(Stream::error, text); }

}  // namespace

Console::Console(const plan::Request& request, std::size_t width)
    : request_(request),
      paths_{width, is_terminal(Stream::output)},
      has_bar_(!request.quiet && is_terminal(Stream::error)) {}

Console::~Console() { clear_bar(); }

void Console::print(std::string_view text) {
    if (problem_.empty()) {
        problem_ = write_to(Stream::output, text);
    }
}

void Console::clear_bar() {
    if (is_bar_drawn_) {
        say(clear_line);
        is_bar_drawn_ = false;
    }
}

void Console::draw_bar(std::uint64_t number, std::uint64_t count) {
    const auto now = std::chrono::steady_clock::now();
    if (is_bar_drawn_ && now - drawn_ < pause_between_bars && number != count) {
        return;
    }
    drawn_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    say(std::string(clear_line) + progress_text(number, count, seconds));
    is_bar_drawn_ = true;
}

bool Console::shows(const plan::Row& row) const {
    const bool is_fine =
        row.verdict.empty() && (row.status == plan::Status::ok || row.status == plan::Status::current);
    return !request_.quiet || !is_fine;
}

void Console::rows(const std::vector<plan::Row>& rows, std::uint64_t number, std::uint64_t count) {
    std::string text;
    // Without a bar, the lines show how far the run is.
    const std::string total = std::to_string(count);
    const std::string place = has_bar_ || request_.quiet
                                  ? ""
                                  : right_aligned(std::to_string(number), total.size()) + "/" + total + "  ";
    plan::Repeated repeated = plan::repeated_in(rows);
    for (const plan::Row& row : rows) {
        if (request_.json_lines) {
            text += plan::json_of(row).dump() + "\n";
        } else if (shows(row)) {
            const std::string lines = plan::table_lines(row, paths_, repeated);
            text += lines.empty() ? "" : place + lines;
        }
    }
    if (!text.empty()) {
        if (is_terminal(Stream::output)) {
            clear_bar();
        }
        print(text);
    }
    if (has_bar_) {
        draw_bar(number, count);
    }
}

void Console::end(const plan::Totals& totals, double seconds, const Stop* stop) {
    clear_bar();
    if (request_.json_lines) {
        return;
    }
    if (stop != nullptr) {
        print("Stopped by " + stop->signal + ": " + counted(stop->inputs_left, "input") +
              " not converted.\n");
    }
    print(plan::summary_line(totals, seconds));
}

std::string clock_text(double seconds) {
    const auto whole = static_cast<std::uint64_t>(std::llround(std::clamp(seconds, 0.0, 1e9)));
    const auto two_digits = [](std::uint64_t value) {
        return (value < 10 ? "0" : "") + std::to_string(value);
    };
    const std::string rest = ":" + two_digits(whole % 60);
    const std::uint64_t minutes = whole / 60;
    return minutes < 60 ? std::to_string(minutes) + rest
                        : std::to_string(minutes / 60) + ":" + two_digits(minutes % 60) + rest;
}

std::string progress_text(std::uint64_t number, std::uint64_t count, double seconds) {
    constexpr std::uint64_t bar_width = 24;
    const auto filled = static_cast<std::size_t>(bar_width * number / std::max<std::uint64_t>(count, 1));
    const double rate = seconds > 0.0 ? static_cast<double>(number) / seconds : 0.0;
    const double shown_rate = rate < 10.0 ? std::round(rate * 100.0) / 100.0 : std::round(rate);
    const double left = rate > 0.0 ? static_cast<double>(count - number) / rate : 0.0;
    return "[" + std::string(filled, '#') + std::string(bar_width - filled, '.') + "] " +
           std::to_string(number) + "/" + std::to_string(count) + "  " + shown_number(shown_rate) +
           " files/s  " + clock_text(left) + " left";
}

void complain(std::string_view message) { say("animbridge: " + without_controls(message) + "\n"); }

namespace {

constexpr std::size_t buffer_bytes = std::size_t{64} << 10U;

}  // namespace

ReportFile::ReportFile(const std::string& path) {
    if (path.empty()) {
        return;
    }
    auto opened = PartialFile::open(path);
    if (opened) {
        file_ = std::move(*opened);
        buffer_ = "{\"rows\": [";
    } else {
        state_ = fail(std::move(opened.error()));
    }
}

void ReportFile::write(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= buffer_bytes && state_) {
        state_ = file_->append(buffer_);
        buffer_.clear();
    }
}

void ReportFile::add(const plan::Row& row) {
    if (file_ && state_) {
        write((has_rows_ ? ",\n " : "\n ") + plan::json_of(row).dump());
        has_rows_ = true;
    }
}

Result<void> ReportFile::finish(const plan::Totals& totals, double seconds, const Stop* stop) {
    if (!file_ || !state_) {
        return state_;
    }
    buffer_ +=
        std::string(has_rows_ ? "\n" : "") + "],\n\"totals\": " + plan::json_of(totals, seconds).dump();
    if (stop != nullptr) {
        buffer_ +=
            ",\n\"stopped\": " + Json({{"signal", stop->signal}, {"inputs_left", stop->inputs_left}}).dump();
    }
    buffer_ += "}\n";
    TRY_VOID(file_->append(buffer_));
    return file_->finish();
}

namespace {

Result<FileLock> taken(const Folder& own, const std::string& name, FileLock::Kind kind,
                       const std::string& out) {
    TRY(auto lock, FileLock::take(own, name, kind, this_process()));
    if (lock) {
        if (!lock->is_held()) {
            complain(out + ": the file system has no locks. Make sure that no other run writes there");
        }
        return std::move(*lock);
    }
    const std::string owner = FileLock::owner_of(own.place_of(name));
    return io_error(out, "another run writes there: " + (owner.empty() ? "its owner is not known" : owner) +
                             ". Wait for it, or choose another folder");
}

}  // namespace

Result<Locks> locked(const plan::Request& request, const Folder& own) {
    const bool is_whole = request.shard.count == 1;
    Locks locks;
    TRY(locks.folder,
        taken(own, "lock", is_whole ? FileLock::Kind::exclusive : FileLock::Kind::shared, request.out));
    if (!is_whole) {
        TRY(locks.shard, taken(own, "lock" + request.shard.suffix(), FileLock::Kind::exclusive, request.out));
    }
    return locks;
}

}  // namespace animbridge::batch::run
