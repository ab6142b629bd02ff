// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "formats/sl_pose/file/file.h"
#include "formats/sl_pose/pose/pose.h"
#include "model/findings/findings.h"

/// What a viewer refuses in a pose, reads otherwise than it is written, or shows differently than intended.
namespace animbridge::sl_pose::check {

inline constexpr std::string_view viewer_name = "a Second Life viewer";

[[nodiscard]] std::span<const Rule> rules();

/// `file_name` decides whether Firestorm can load the file.
[[nodiscard]] Result<std::vector<Finding>> check(const file::Document& document, CheckLevel level,
                                                 std::string_view file_name);

/// Why a difference pose is not changed, and what to do.
[[nodiscard]] std::string why_unchanged(const pose::Pose& pose);

/// A summary for people: the program, the joints by what is known of them, what a difference stands on.
[[nodiscard]] Json info(const file::Document& document);
[[nodiscard]] std::string describe(const std::string& file, const Json& info);

}  // namespace animbridge::sl_pose::check
