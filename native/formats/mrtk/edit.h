// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "base/json.h"
#include "base/option.h"
#include "base/result.h"
#include "formats/mrtk/document.h"

/// Repairs, cuts and other changes of a recording (docs/mrtk.md, "Edit").
namespace animbridge::mrtk {

struct Edited {
    Document document{};
    Json report = Json::object();  ///< a member for each change that was asked for
};

/// Changes what the options of edit_options() ask for and nothing else, in their order. A document that
/// nothing is asked of stays as it is. ErrorCode::bad_value: an option, or a cut that leaves nothing.
/// ErrorCode::rejected: the recording cannot be played, and the change needs its poses.
[[nodiscard]] Result<Edited> edit(const Document& document, const Json& edits);
[[nodiscard]] std::span<const Option> edit_options();

/// What `edit` reports, for people.
[[nodiscard]] std::string describe_edit(const Json& report);

}  // namespace animbridge::mrtk
