// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "formats/mrtk/file/file.h"
#include "model/findings/findings.h"

/// What MRTK would refuse, change, or show differently than intended, and the summary of a recording.
namespace animbridge::mrtk::check {

/// Findings by the rules of docs/mrtk-format.md: each rule once, for the first place that breaks it;
/// Finding::count says how many do.
[[nodiscard]] std::vector<Finding> check(const file::Document& document, CheckLevel level);

/// Only the findings about the layout, which lenient reading accepted.
[[nodiscard]] std::vector<Finding> tolerated(const file::Document& document);

/// ErrorCode::rejected if a key has a time, value or tangent that makes the motion undefined.
[[nodiscard]] Result<void> require_playable(const file::Document& document);

/// The table of rules.
[[nodiscard]] std::span<const Rule> rules();

/// A summary: version, duration, and which parts exist with how many keys.
[[nodiscard]] Json info(const file::Document& document);

/// The report of `info` on the named file, as text for people.
[[nodiscard]] std::string describe(const std::string& file, const Json& info);

/// The report of `pose`, as text for people.
[[nodiscard]] std::string describe_poses(const Json& report);

}  // namespace animbridge::mrtk::check
