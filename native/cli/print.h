// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "formats/format.h"

/// The reports as a person reads them. The JSON is the same that --json prints, without control characters.
namespace animbridge::cli {

/// In all text of a report, names of members included: see without_controls.
void remove_controls(Json& report);

/// Escape codes where standard output is a terminal that wants colour, else nothing.
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
[[nodiscard]] std::string compare_text(const Json& report, bool all);
[[nodiscard]] std::string reduce_text(const Json& report);
[[nodiscard]] std::string pose_text(const Format& format, const Json& report);

}  // namespace animbridge::cli
