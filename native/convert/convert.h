// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "base/job.h"
#include "base/reading.h"
#include "formats/format.h"

namespace animbridge {

/// Reads a document. `format_id`: "" to recognise the format, including AnimBridge's JSON, from the content.
/// `name` is used in messages.
[[nodiscard]] Result<DocumentPtr> read_document(ByteView bytes, std::string_view format_id,
                                                const std::string& name, Reading reading = Reading::strict);

/// The document as JSON text.
[[nodiscard]] std::string json_of(const AnyDocument& document);

struct ConvertOptions {
    std::string input_format{};   ///< format id; "": from the content
    bool as_stored = false;       ///< write what the target program would store
    Json edits = Json::object();  ///< for AnyDocument::edited; applied before as_stored
    Reading reading = Reading::strict;
    Json bridge = Json::object();  ///< options of the bridge, if the formats differ
};

/// Converts a file; the output's extension selects the format. The report has "input", "output",
/// "input_format", "output_format", "bytes_in" and "bytes_out"; between two formats, the bridge's report; and
/// "left_behind": [fields] if the output's container holds less than the input's. On failure the output is
/// untouched.
[[nodiscard]] Result<Json> convert_file(const std::string& input, const std::string& output,
                                        const ConvertOptions& options, const Job& job = {});

}  // namespace animbridge
