// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/sl_anim/check/check.h"
#include "formats/sl_anim/check/measures.h"

/// The rules about what the wearer sees (docs/second-life-content.md). Each is a row of `content_rules`: its
/// id, and the function that judges the measures. Its level, purposes and text are in the table of rules.
namespace animbridge::sl_anim::check {

/// What is being judged.
struct Judged {
    const file::Document& document;
    const Motion& motion;
    CheckLevel level;
};

struct ContentRule {
    std::string_view id;
    Places (*judge)(const Judged& judged);
};

[[nodiscard]] std::vector<ContentRule> loop_rules();
[[nodiscard]] std::vector<ContentRule> key_rules();
[[nodiscard]] std::vector<ContentRule> body_rules();
[[nodiscard]] std::vector<ContentRule> face_rules();

/// The joints that stay away from their place when the animation ends or is stopped; in metres.
[[nodiscard]] Places position_track_sticks(const Judged& judged);

/// Adds the findings of all content rules; only for documents that the viewer loads.
void check_content(const file::Document& document, const CheckOptions& options, FindingList& findings);

}  // namespace animbridge::sl_anim::check
