// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/text.h"
#include "batch/file_paths.h"

namespace animbridge::batch {

/// `skipped`: the input's format cannot become the target. `current`: the output is there already, and as it
/// should be.
enum class Status : std::uint8_t { ok, failed, skipped, current };
[[nodiscard]] std::string_view name_of(Status status);

/// One output, or an input without one.
struct Row {
    std::string input;
    std::string output{};  ///< "": none
    Status status = Status::failed;
    std::string error{};            ///< why it failed or was skipped
    Json findings = Json::array();  ///< null: the output was not checked
    /// What the worst findings say: "refused by Second Life: 25 unknown joints; add --retarget". "": the
    /// target program takes the output, and no finding makes the run fail.
    std::string verdict{};
    std::string_view verdict_word{};  ///< "refused", or the class of those findings
    bool fails = false;               ///< whether they make the run fail
    std::vector<std::string> warnings{};
    std::vector<std::string> notes{};  ///< what an import into Blender decided by itself
    Json conversion{};  ///< the report of a conversion between two formats, as the command prints it
    std::optional<double> max_rotation_error_degrees{};  ///< of an export from Blender
    std::optional<double> max_position_error_mm{};       ///< the same
    std::uint64_t bytes_in = 0;
    std::uint64_t bytes_out = 0;
    double seconds = 0;
    std::string digest{};  ///< SHA-256 of the output
    /// Whether the input itself led to this, and would again. Not so if the file system failed, or if the
    /// output belongs to another input.
    bool is_lasting = true;
    /// Whether it may work another time: the file system failed, or there was too little memory.
    bool may_work_later = false;
    /// Whether a program that was started for it was asked to end (SIGINT, SIGTERM).
    bool was_cancelled = false;
};

/// As in the report of the batch in Blender.
[[nodiscard]] Json json_of(const Row& row);

/// What a row says besides names and sizes: those members of its JSON that say anything, without "status" if
/// that is "ok". "conversion" is without lists of more than 8 items and without lists of objects.
[[nodiscard]] Json report_of(const Row& row);
/// Takes these members from JSON.
void take_report(Row& row, const Json& json);

/// Members of a report's JSON: absent, or of another type, they are empty.
[[nodiscard]] std::optional<double> reported_number(const Json& object, std::string_view key);
[[nodiscard]] std::string reported_text(const Json& object, std::string_view key);

/// What is counted over a run.
struct Totals {
    std::uint64_t inputs = 0;
    std::uint64_t outputs = 0;
    std::uint64_t failed = 0;
    std::uint64_t skipped = 0;
    std::uint64_t current = 0;
    std::uint64_t refused = 0;  ///< written or current, and the target program refuses them
    std::uint64_t failing = 0;  ///< written or current, and their findings make the run fail
    std::uint64_t findings = 0;
    std::uint64_t bytes_in = 0;
    std::uint64_t bytes_out = 0;

    /// The rows of one input.
    void add(const std::vector<Row>& rows);
};
[[nodiscard]] Json json_of(const Totals& totals, double seconds);

/// "1,234,567"
[[nodiscard]] std::string grouped(std::uint64_t number);

/// How the table shows paths: in a column of so many letters, where longer ones are cut or go beyond it.
struct PathColumn {
    std::size_t width = 0;
    bool is_cut = false;
};
/// What an input's rows say in words, and how many of them say it.
using Repeated = std::map<std::string, std::uint64_t>;
[[nodiscard]] Repeated repeated_in(const std::vector<Row>& rows);
/// The table's lines about one of an input's rows, without control characters. What it says is taken out of
/// `repeated`, and not said again; "" if nothing is left.
[[nodiscard]] std::string table_lines(const Row& row, const PathColumn& paths, Repeated& repeated);
/// "3 written, 0 failed, ..."
[[nodiscard]] std::string summary_line(const Totals& totals, double seconds);

/// The width of the table's column of paths is at most this.
inline constexpr std::size_t widest_place = 60;

/// The verdict on an output that its target program refuses.
inline constexpr std::string_view refused_word = "refused";

}  // namespace animbridge::batch
