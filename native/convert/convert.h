// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/job.h"
#include "base/reading.h"
#include "formats/format.h"

namespace animbridge {

/// A file, and one of its animations if that is named: "walk.fbx#Run" or "level0_Final.dat#door", unless a
/// file is called that.
struct NamedInput {
    std::string path;
    std::optional<std::string> animation{};
};
[[nodiscard]] NamedInput input_of(const std::string& given);

/// The bytes of a file that is to be read as a document. A large file whose beginning is of no format that
/// can be read is refused by it (ErrorCode::unknown_format), so that nobody waits for gigabytes.
/// `format_id`: as in read_document; a file whose format is named is always read.
[[nodiscard]] Result<Bytes> read_input(const std::string& path, std::string_view format_id = "");

/// Reads a document. `format_id`: "" to recognise the format, including AnimBridge's JSON, from the content.
/// `name` is used in messages.
[[nodiscard]] Result<DocumentPtr> read_document(ByteView bytes, std::string_view format_id,
                                                const std::string& name, const ReadOptions& reading = {});

/// Whether the bytes are AnimBridge's JSON, unless a format claims them.
[[nodiscard]] bool looks_like_json(ByteView bytes);

/// The document as JSON text.
[[nodiscard]] std::string json_of(const AnyDocument& document);

struct ConvertOptions {
    std::string input_format{};   ///< format id; "": from the content
    bool as_stored = false;       ///< write what the target program would store
    Json edits = Json::object();  ///< for AnyDocument::edited; they come before as_stored
    ReadOptions reading{};
    Json bridge = Json::object();  ///< for the bridge, where the output is of another format than the input
    /// An object of retarget_options(): the motion goes through a clip onto another skeleton, even where
    /// there is a bridge. Null: only where the output's format has a skeleton that the input's is not.
    /// False: never.
    Json retarget{};
    std::string onto{};  ///< the file whose skeleton gets the motion; "": the output format's own
};

/// One file to another; the output's extension says which format. The report: {"input", "output",
/// "input_format", "output_format", "bytes_in", "bytes_out"} and, between two formats, what the bridge
/// reports; "left_behind": [fields] where the format has several containers and this one holds less; "edits":
/// what AnyDocument::edited reports, if there are edits;
/// "tolerated": what lenient reading put up with; "refused": why the target program refuses the output, which
/// is written all the same, both as ab_document_check writes findings. On failure the output is untouched.
[[nodiscard]] Result<Json> convert_file(const std::string& input, const std::string& output,
                                        const ConvertOptions& options, const Job& job = {});

/// What convert_file would write, and its report.
struct ConvertedFile {
    Bytes bytes;         ///< of a format's file
    std::string text{};  ///< of AnimBridge's JSON
    Json report{};

    [[nodiscard]] ByteView view() const { return text.empty() ? ByteView(bytes) : view_of(text); }
};

/// The same without reading or writing these two files: `bytes` are those of the file `input`. `read`: what
/// read_document made of them with the same options, where the caller has it; null: they are read.
[[nodiscard]] Result<ConvertedFile> converted_file(ByteView bytes, const std::string& input,
                                                   const std::string& output, const ConvertOptions& options,
                                                   const Job& job = {}, const AnyDocument* read = nullptr);

/// The same of a document that is not a file's whole, such as an OBAN of a level. `name`: for messages.
[[nodiscard]] Result<ConvertedFile> converted_document(const AnyDocument& document, const std::string& name,
                                                       const std::string& output,
                                                       const ConvertOptions& options);

}  // namespace animbridge
