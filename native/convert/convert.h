// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/base.h"
#include "base/options/options.h"
#include "model/format/format.h"

namespace animbridge {

/// A file, and one of its animations if it is named: "walk.fbx#Run" or "level0_Final.dat#door", unless a file
/// has that name.
struct NamedInput {
    std::string path;
    std::optional<std::string> animation{};
};
[[nodiscard]] NamedInput input_of(const std::string& given);

/// The bytes of a file to read as a document. A large file is refused if its beginning is of no readable
/// format (ErrorCode::unknown_format), so that nobody waits for gigabytes. `format_id`: as in read_document;
/// a file whose format is named is always read.
[[nodiscard]] Result<Bytes> read_input(const std::string& path, std::string_view format_id = "");

/// Reads a document. `format_id`: "" to recognise the format, including AnimBridge's JSON, from the content.
/// `name` is used in messages.
[[nodiscard]] Result<DocumentPtr> read_document(ByteView bytes, std::string_view format_id,
                                                const std::string& name, const ReadOptions& reading = {});

/// Whether the bytes are AnimBridge's JSON, unless a format recognises them.
[[nodiscard]] bool looks_like_json(ByteView bytes);

/// The document as JSON text.
[[nodiscard]] std::string json_of(const AnyDocument& document);

struct ConvertOptions {
    std::string input_format{};   ///< format id; "": from the content
    bool as_stored = false;       ///< write what the target program would store
    Json edits = Json::object();  ///< for AnyDocument::edited; applied before as_stored
    ReadOptions reading{};
    Json bridge = Json::object();  ///< for the bridge, if the formats of output and input differ
    /// An object of retarget_options(): the motion goes through a clip to another skeleton, even if there is
    /// a bridge. Null: only if the output's format has a skeleton and the input's is another. False: never.
    Json retarget{};
    std::string onto{};  ///< the file whose skeleton gets the motion; "": the output format's own
};

/// Converts one file to another; the output's extension selects the format. The report: {"input", "output",
/// "input_format", "output_format", "bytes_in", "bytes_out"} and, between two formats, the bridge's report;
/// "left_behind": [fields] if the format has several containers and this one holds less; "edits": the report
/// of AnyDocument::edited, if there are edits; "tolerated": what lenient reading tolerated; "refused": why
/// the target program refuses the output, which is written anyway; both as findings of ab_document_check. On
/// failure the output is untouched.
[[nodiscard]] Result<Json> convert_file(const std::string& input, const std::string& output,
                                        const ConvertOptions& options, const Job& job = {});

/// The content that convert_file would write, and its report.
struct ConvertedFile {
    Bytes bytes;         ///< of a file of a format
    std::string text{};  ///< of AnimBridge's JSON
    Json report{};

    [[nodiscard]] ByteView view() const { return text.empty() ? ByteView(bytes) : view_of(text); }
};

/// Like convert_file, but does not read or write these two files: `bytes` are those of the file `input`.
/// `read`: the result of read_document for them with the same options, if the caller has it; null: they are
/// read.
[[nodiscard]] Result<ConvertedFile> converted_file(ByteView bytes, const std::string& input,
                                                   const std::string& output, const ConvertOptions& options,
                                                   const Job& job = {}, const AnyDocument* read = nullptr);

/// Like converted_file, for a document that is only part of a file, such as an OBAN of a level. `name`: for
/// messages.
[[nodiscard]] Result<ConvertedFile> converted_document(const AnyDocument& document, const std::string& name,
                                                       const std::string& output,
                                                       const ConvertOptions& options);

}  // namespace animbridge
