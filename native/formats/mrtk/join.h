// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "base/json.h"
#include "base/option.h"
#include "base/result.h"
#include "formats/mrtk/document.h"

namespace animbridge::mrtk {

struct Joined {
    Document document{};
    Json report = Json::object();
};

/// Joins recordings one after another, each from its 0 on, holding the last pose for "gap_seconds" between
/// them. Keys at the seams keep every curve as it plays in its own recording. Markers move along. The version
/// is that of all recordings; if they differ, 1.1, unless a curve of 1.0 is not made of lines. Drops trailing
/// bytes. ErrorCode::invalid_argument: fewer than two. ErrorCode::rejected: one cannot be played.
[[nodiscard]] Result<Joined> join(std::span<const Document* const> documents, const Json& options);
[[nodiscard]] std::span<const Option> join_options();

}  // namespace animbridge::mrtk
