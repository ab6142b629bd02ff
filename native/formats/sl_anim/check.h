// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "formats/sl_anim/document.h"
#include "model/finding.h"

namespace animbridge::sl_anim {

struct CheckOptions {
    CheckLevel level = CheckLevel::strict;
    std::string asset_id{};  ///< the id under which the file is stored, "" if unknown; two rules depend on it
};

/// Every finding of the viewer's rules, in file order, each rule once.
[[nodiscard]] std::vector<Finding> check(const Document& document, const CheckOptions& options);

/// The table of rules that docs/findings.md lists.
[[nodiscard]] std::span<const Rule> rules();

/// The size in bytes of the largest file that the asset servers accept.
inline constexpr std::size_t max_upload_bytes = 250'000;

/// The longest animation that the viewer accepts.
inline constexpr float max_duration_seconds = 60.0F;

/// The most joint records that the viewer accepts.
inline constexpr std::size_t max_joints = 216;

}  // namespace animbridge::sl_anim
