// SPDX-License-Identifier: MIT
#include "batch/console.h"

#include <algorithm>
#include <cmath>

#include "base/base.h"
#include "base/files/files.h"
#include "base/options/options.h"

namespace animbridge::batch {

namespace {

constexpr std::string_view clear_line = "\r\x1b[K";
constexpr std::chrono::milliseconds pause_between_bars(100);

/// A failure is ignored: nobody could read its message.
void say(std::string_view text) { (void)write_to(Stream::error, text); }

}  // namespace

Console::Console(const Request& request, std::size_t width)
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

bool Console::shows(const Row& row) const {
    const bool is_fine = row.verdict.empty() && (row.status == Status::ok || row.status == Status::current);
    return !request_.quiet || !is_fine;
}

void Console::rows(const std::vector<Row>& rows, std::uint64_t number, std::uint64_t count) {
    std::string text;
    // Without a bar, the lines show how far the run is.
    const std::string total = std::to_string(count);
    const std::string place = has_bar_ || request_.quiet
                                  ? ""
                                  : right_aligned(std::to_string(number), total.size()) + "/" + total + "  ";
    Repeated repeated = repeated_in(rows);
    for (const Row& row : rows) {
        if (request_.json_lines) {
            text += json_of(row).dump() + "\n";
        } else if (shows(row)) {
            const std::string lines = table_lines(row, paths_, repeated);
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

void Console::end(const Totals& totals, double seconds, const Stop* stop) {
    clear_bar();
    if (request_.json_lines) {
        return;
    }
    if (stop != nullptr) {
        print("Stopped by " + stop->signal + ": " + counted(stop->inputs_left, "input") +
              " not converted.\n");
    }
    print(summary_line(totals, seconds));
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

}  // namespace animbridge::batch
