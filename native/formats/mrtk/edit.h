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
    Json report = Json::object();  ///< a member for each change that was asked for
};

/// Changes what the options of edit_options() ask for and nothing else, in their order. A document that
/// nothing is asked of stays as it is. ErrorCode::bad_value: an option. ErrorCode::rejected: the recording
/// cannot be played, and the change needs its poses.
[[nodiscard]] Result<Edited> edit(const Document& document, const Json& edits);
[[nodiscard]] std::span<const Option> edit_options();

/// The part of a recording, from 0 seconds on: whole or cut curves, which play as they did. A curve that is
/// cut repeats no more. Errors: as Trim::in; ErrorCode::rejected if the recording cannot be played.
[[nodiscard]] Result<Document> trimmed(const Document& document, const Trim& trim);

/// What `edit` reports, for people.
[[nodiscard]] std::string describe_edit(const Json& report);

}  // namespace animbridge::mrtk
