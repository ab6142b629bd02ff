// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/json/json.h"
#include "formats/bvh/file/file.h"
#include "model/findings/findings.h"

/// What programs that read BVH disagree about, and the summary of a file.
namespace animbridge::bvh::check {

/// The reader's notes by line, then the findings about the document, each rule once.
[[nodiscard]] std::vector<Finding> check(const file::Document& document, CheckLevel level);

/// Only the reader's notes, as findings.
[[nodiscard]] std::vector<Finding> tolerated(const file::Document& document);

/// A summary for people: times, roots, joints with their channels, rotation orders.
[[nodiscard]] Json info(const file::Document& document);

/// The report of `info` on a BVH, as text. `file`: its name.
[[nodiscard]] std::string describe(const std::string& file, const Json& info);

}  // namespace animbridge::bvh::check
