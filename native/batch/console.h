// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "batch/request.h"
#include "batch/row.h"

namespace animbridge::batch {

/// Why a run ended early.
struct Stop {
    std::string signal{};
    int exit_code = 0;
    std::uint64_t inputs_left = 0;
};

/// Prints the progress of a run: on standard output, rows as a table or as JSON, and a summary; on standard
/// error a progress bar, if that is a terminal. Only one thread at a time may call it.
class Console {
public:
    /// `width`: that of the table's column of paths.
    Console(const Request& request, std::size_t width);
    ~Console();
    Console(const Console&) = delete;
    Console& operator=(const Console&) = delete;
    Console(Console&&) = delete;
    Console& operator=(Console&&) = delete;

    /// Prints the rows of a finished input; `number`: its number, from 1.
    void rows(const std::vector<Row>& rows, std::uint64_t number, std::uint64_t count);
    void end(const Totals& totals, double seconds, const Stop* stop);

    /// Why standard output failed; "" if it did not.
    [[nodiscard]] const std::string& problem() const { return problem_; }

private:
    void print(std::string_view text);
    [[nodiscard]] bool shows(const Row& row) const;
    void clear_bar();
    void draw_bar(std::uint64_t number, std::uint64_t count);

    const Request& request_;
    PathColumn paths_;
    bool has_bar_;
    bool is_bar_drawn_ = false;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point drawn_{};
    std::string problem_;
};

/// Such as "1:05" or "2:03:04".
[[nodiscard]] std::string clock_text(double seconds);

/// Such as "[######....] 12/40  31.2 files/s  0:01 left"; at most 100 columns.
[[nodiscard]] std::string progress_text(std::uint64_t number, std::uint64_t count, double seconds);

/// Prints a message on standard error, like the command.
void complain(std::string_view message);

}  // namespace animbridge::batch
