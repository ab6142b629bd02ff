// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "base/json.h"
#include "base/option.h"
#include "base/result.h"
#include "base/trim.h"
#include "formats/mrtk/document.h"

/// Repairs, cuts and other changes of a recording (docs/mrtk.md, "Edit").
namespace animbridge::mrtk {

struct Edited {
    Document document{};
    Json report = Json::object();  ///< a member for each change that was requested
};

/// Makes only the changes that `edits` requests (edit_options()), in their order; without any, the document
/// stays unchanged. ErrorCode::bad_value: an option. ErrorCode::rejected: the recording cannot be played, and
/// the change needs its poses.
[[nodiscard]] Result<Edited> edit(const Document& document, const Json& edits);
[[nodiscard]] std::span<const Option> edit_options();

/// The part of a recording, moved to 0 seconds: whole or cut curves, which play as before. A curve that is
/// cut no longer repeats. Errors: as in Trim::in; ErrorCode::rejected if the recording cannot be played.
[[nodiscard]] Result<Document> trimmed(const Document& document, const Trim& trim);

/// The report of `edit`, as text for people.
[[nodiscard]] std::string describe_edit(const Json& report);

}  // namespace animbridge::mrtk
