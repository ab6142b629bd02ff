// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "batch/file_paths.h"

namespace animbridge::batch {

/// `skipped`: the input's format cannot become the target. `current`: the output exists and is up to date.
enum class Status : std::uint8_t { ok, failed, skipped, current };
[[nodiscard]] std::string_view name_of(Status status);

/// One output, or an input without one.
struct Row {
    std::string input;
    std::string output{};  ///< "" if there is none
    Status status = Status::failed;
    std::string error{};            ///< why it failed or was skipped
    Json findings = Json::array();  ///< null: the output was not checked
    /// A summary of the worst findings: "refused by Second Life: 25 unknown joints; add --retarget". "": the
    /// target program accepts the output, and no finding makes the run fail.
    std::string verdict{};
    std::string_view verdict_word{};  ///< "refused", or the class of those findings
    bool fails = false;               ///< whether they make the run fail
    std::vector<std::string> warnings{};
    std::vector<std::string> notes{};  ///< decisions that an import into Blender made by itself
    Json conversion{};  ///< the report of a conversion between two formats, as the command prints it
    std::optional<double> max_rotation_error_degrees{};  ///< for an export from Blender
    std::optional<double> max_position_error_mm{};       ///< for an export from Blender
    std::uint64_t bytes_in = 0;
    std::uint64_t bytes_out = 0;
    double seconds = 0;
    std::string digest{};  ///< SHA-256 of the output
    /// Whether the input itself caused this, and would again. False if the file system failed, or if the
    /// output belongs to another input.
    bool is_lasting = true;
    /// Whether a later try may work: the file system failed, or there was too little memory.
    bool may_work_later = false;
    /// Whether a program that was started for it was asked to end (SIGINT, SIGTERM).
    bool was_cancelled = false;
};

/// In the form of the batch report of Blender.
[[nodiscard]] Json json_of(const Row& row);

/// The content of a row besides names and sizes: the members of its JSON that are not empty, without "status"
/// if that is "ok". "conversion" is without lists of more than 8 items and without lists of objects.
[[nodiscard]] Json report_of(const Row& row);
/// Sets the members of report_of from JSON.
void take_report(Row& row, const Json& json);

/// Members of a report's JSON; empty if they are missing or of another type.
[[nodiscard]] std::optional<double> reported_number(const Json& object, std::string_view key);
[[nodiscard]] std::string reported_text(const Json& object, std::string_view key);

/// The counts of a run.
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

    /// Adds the rows of one input.
    void add(const std::vector<Row>& rows);
};
[[nodiscard]] Json json_of(const Totals& totals, double seconds);

/// "1,234,567"
[[nodiscard]] std::string grouped(std::uint64_t number);

/// How the table shows paths: the width of their column in characters, and whether longer ones are cut or
/// extend beyond it.
struct PathColumn {
    std::size_t width = 0;
    bool is_cut = false;
};
/// Texts of an input's rows, and how many rows have each.
using Repeated = std::map<std::string, std::uint64_t>;
[[nodiscard]] Repeated repeated_in(const std::vector<Row>& rows);
/// The table's lines for one of an input's rows, without control characters. Texts that are shown are removed
/// from `repeated`, so that they appear once; "" if nothing is left.
[[nodiscard]] std::string table_lines(const Row& row, const PathColumn& paths, Repeated& repeated);
/// Such as "3 written, 0 failed, ...".
[[nodiscard]] std::string summary_line(const Totals& totals, double seconds);

/// The greatest width of the table's column of paths.
inline constexpr std::size_t widest_place = 60;

/// The verdict on an output that its target program refuses.
inline constexpr std::string_view refused_word = "refused";

}  // namespace animbridge::batch
