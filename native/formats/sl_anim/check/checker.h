// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "formats/sl_anim/check/check.h"
#include "formats/sl_anim/codes/codes.h"
#include "model/findings/findings.h"

/// What `check` looks at, part by part, and the constants that its parts share.
namespace animbridge::sl_anim::check {

/// How far a joint can be off before the error is visible.
inline constexpr double visible_metres = 0.001;

/// Where a joint's record lies in the file and what the viewer makes of its name.
struct JointPlace {
    std::int64_t byte_offset = 0;
    std::optional<std::size_t> known;  ///< index into skeleton(); null if the viewer does not know it
};

[[nodiscard]] std::vector<JointPlace> joint_places(const file::Document& document);

void check_header(const file::Document& document, const CheckOptions& options, FindingList& findings);
void check_joints(const file::Document& document, const std::vector<JointPlace>& places,
                  FindingList& findings);
void check_constraints(const file::Document& document, const std::vector<JointPlace>& places,
                       FindingList& findings);
void check_timing(const file::Document& document, FindingList& findings);
/// Checks what the viewer changes when it stores the file.
void check_storing(const file::Document& document, FindingList& findings);
/// Checks whether the asset servers accept the stored file; only for documents that the viewer loads.
void check_stored_size(const file::Document& document, FindingList& findings);

}  // namespace animbridge::sl_anim::check
