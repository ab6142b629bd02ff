// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "formats/scene_file/file/file.h"
#include "model/findings/findings.h"

/// What a scene file holds that programs read differently, and its summary.
namespace animbridge::scene_file::check {

/// What reading tolerated, and what a conversion of the scene's motion will change.
[[nodiscard]] std::vector<Finding> check(const file::Document& document, CheckLevel level);

/// Only what reading tolerated.
[[nodiscard]] std::vector<Finding> tolerated(const file::Document& document);

[[nodiscard]] std::span<const Rule> rules();

/// The report of `info`.
[[nodiscard]] Json info(const file::Document& document);

/// The report of `info` as text. `file`: its name.
[[nodiscard]] std::string describe(const std::string& file, const Json& info);

/// The report of as_file_named as text; empty if the report of a conversion says the same.
[[nodiscard]] std::string describe_written(const Json& report, bool is_measured);

}  // namespace animbridge::scene_file::check
