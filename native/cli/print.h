// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "base/json/json.h"
#include "model/format/format.h"

/// Reports as text for people, from the JSON that --json prints, without control characters.
namespace animbridge::cli {

/// Applies without_controls to all text of a report, including member names.
void remove_controls(Json& report);

/// Escape codes for colours if standard output is a terminal that allows them, else "".
class Colours {
public:
    Colours();
    [[nodiscard]] std::string paint(std::string_view finding_class, const std::string& text) const;

private:
    bool on_;
};

[[nodiscard]] std::string formats_text(const Json& report);
[[nodiscard]] std::string info_text(const std::string& path, const Json& report);
[[nodiscard]] std::string check_text(const std::string& path, const Json& report, const Colours& colours);
/// A line for each finding, after the text `about`.
[[nodiscard]] std::string finding_lines(const Json& findings, const std::string& about);
/// Why the program that reads `target` refuses the output, a line for each finding.
[[nodiscard]] std::string refusal_lines(const Json& report, const Format* target);
/// What an edit brought about, without what the file is refused for, and what the format reports of it.
[[nodiscard]] std::string edit_text(const Format& format, const Json& edits, const Json& refused);
[[nodiscard]] std::string compare_text(const Json& report, bool all);
[[nodiscard]] std::string reduce_text(const Json& report);
[[nodiscard]] std::string pose_text(const Format& format, const Json& report);

}  // namespace animbridge::cli
