// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "model/format/format.h"

/// What the name of an output implies.
namespace animbridge {

/// Null if no format has the extension.
[[nodiscard]] const Format* format_of_extension(std::string_view extension);

/// Such as ".oni, .oban, .xml".
[[nodiscard]] std::string extensions_of(const Format& format);

/// "Second Life animation (.anim), Oni object animation (.oban, .oni, .xml), ...": the extensions that are
/// read or written.
[[nodiscard]] std::string known_formats(bool are_written);

/// ErrorCode::invalid_argument if the extension is that of another format, or of AnimBridge's JSON.
[[nodiscard]] Result<void> require_name_for(const Format& format, const std::string& output);

/// The document for the output's extension; adds to the report.
[[nodiscard]] Result<DocumentPtr> named_for(DocumentPtr document, const std::string& output, Json& report,
                                            const ReadOptions& limits = {});

/// Why the program that the format is made for refuses the file. `only_reported`: ids of findings for which
/// the grid or game that the file is for does not refuse it.
[[nodiscard]] Result<Json> refusals(const AnyDocument& document, const std::string& output,
                                    const Json& only_reported);

}  // namespace animbridge
