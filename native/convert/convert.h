// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "base/files/files.h"
#include "base/json/json.h"
#include "base/options/options.h"
#include "model/format/format.h"

/// Any file to any file: reads, converts by a bridge or through a clip, edits, joins, reduces, checks, and
/// writes. Paths are UTF-8. Errors name the file; a failure leaves the output untouched.
namespace animbridge {

// ---- a file to a document ----

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

// ---- conversion ----

/// Where a file is cut into several: into the fewest parts within a length or a size, or at its markers.
struct SplitLimits {
    std::optional<double> seconds{};
    std::optional<std::uint64_t> bytes{};
    bool at_markers = false;
};

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
    /// The format of the output, by its id or the last word of it ("pose"), for an extension that several
    /// have;
    /// "": the input's, if it is one of them, else the first.
    std::string to{};
    /// Also report what sizes of the output cost, if its format has the option "size_curve": that takes time.
    bool reports_sizes = false;
    /// The report has the "certificate" of the two files (certificate_of).
    bool certifies = false;
    Json fixes{};  ///< for AnyDocument::fixed, applied after the edits; null: findings stay as they are
    std::optional<SplitLimits> split{};  ///< convert_file and batches write parts, each with split_name
};

/// What a conversion or an edit did, besides the file.
struct Conversion {
    Json report{};
    std::vector<std::string_view> only_reported{};  ///< as in Made
    const Bridge* bridge = nullptr;                 ///< null: it was not the way
    bool is_by_clip = false;
    bool is_refused = false;  ///< the target program refuses the output
};

/// Converts one file to another; the output's extension selects the format. The report: {"input", "output",
/// "input_format", "output_format", "bytes_in", "bytes_out"} and, between two formats, the bridge's report;
/// "left_behind": [fields] if the format has several containers and this one holds less; "edits": the report
/// of AnyDocument::edited, if there are edits; "fixes": "fixed" and "left" of that of AnyDocument::fixed,
/// with "fixed_rules" and "left_rules", if asked for; "parts" of write_parts, in place of "bytes_out";
/// "tolerated": what lenient reading tolerated; "refused": why the target program refuses the output, which
/// is written anyway; both as findings of ab_document_check.
[[nodiscard]] Result<Conversion> convert_file(const std::string& input, const std::string& output,
                                              const ConvertOptions& options, const Job& job = {});

/// The content that convert_file would write, and what it returns.
struct ConvertedFile : Conversion {
    Bytes bytes{};       ///< of a file of a format
    std::string text{};  ///< of AnimBridge's JSON

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

// ---- other work on one file ----

struct Checked {
    CheckLevel level;
    std::vector<Finding> findings;
    const Format* format = nullptr;
    Json facts{};             ///< for check_set
    std::uint64_t bytes = 0;  ///< of the file; 0: not known
};

/// The findings of AnyDocument::check, and those of the programs that the document's format has a bridge to.
/// `level`: a level's name; nullopt: the format's default. `text`: the file that the document was read from,
/// if it is known: a program may refuse its text although it accepts the same values in another layout.
/// `purpose`: as in AnyDocument::check.
[[nodiscard]] Result<Checked> check_document(const AnyDocument& document,
                                             std::optional<std::string_view> level,
                                             std::string_view asset_name, ByteView text = {},
                                             std::string_view purpose = {});

/// Reads a file and checks it. Errors and `format_id`: as in read_document.
[[nodiscard]] Result<Checked> check_file(const std::string& path, std::string_view format_id,
                                         const ReadOptions& reading, std::optional<std::string_view> level,
                                         std::string_view purpose = {});

/// editing::quality_of the document's motion, at a body's size, and the numbers of the format's
/// Checks::measures. Errors: as for motion_with_rig.
[[nodiscard]] Result<Json> quality(const AnyDocument& document, const Job& job = {});

/// The same of a file, with "bytes". Errors and `format_id`: as in read_document.
[[nodiscard]] Result<Json> quality_of_file(const std::string& path, std::string_view format_id,
                                           const ReadOptions& reading, const Job& job = {});

/// Adds the findings that files have only together, as the animations of one figure. `names`: of the files,
/// in the same order.
void check_set(std::span<Checked> files, std::span<const std::string> names, std::string_view purpose);

/// A file whose beginning is shown at a time.
struct TimedFile {
    std::string path;
    double seconds = 0;
};

/// Makes an animation of the poses with which files begin; they have the same joints. Between them, joints
/// move in lines, or slow down at each. Writes the output. The report is from_clip's, with "output",
/// "output_format", "bytes_out" and "refused".
[[nodiscard]] Result<Conversion> sequence_file(std::span<const TimedFile> files, const std::string& output,
                                               const ConvertOptions& options, bool is_smooth);

/// "60s", "250000b" or "markers"; nullopt for another text.
[[nodiscard]] std::optional<SplitLimits> split_from(std::string_view text);

struct SplitPart {
    DocumentPtr document;
    TrimSpan span{};  ///< of the whole
};

/// The parts, which play one after the other as the whole. A cut within a length or a size is at the slowest
/// moment of a part's last fifth. Second Life animations do not repeat then; only the first part blends in,
/// and each but the last holds its last pose for 0.3 s and blends out in that time, so that the next one may
/// begin late. ErrorCode::rejected: a part that is as short as can be does not fit, or there are no markers.
[[nodiscard]] Result<std::vector<SplitPart>> split(const AnyDocument& document, const SplitLimits& limits);

/// The name of a part, counted from 1: "dance-1.anim".
[[nodiscard]] std::string split_name(const std::string& output, std::size_t number);

struct PartFile {
    std::string name;
    Bytes bytes;
    Json row;  ///< {"output", "start_seconds", "end_seconds", "bytes"}
};

/// Every part as a file, each with split_name.
[[nodiscard]] Result<std::vector<PartFile>> part_files(const AnyDocument& document, const std::string& output,
                                                       const SplitLimits& limits, const ReadOptions& options);
/// The same for what a conversion made, whose options have "split".
[[nodiscard]] Result<std::vector<PartFile>> part_files(const ConvertedFile& whole, const std::string& output,
                                                       const ConvertOptions& options);

/// Writes every part, or none: names and contents are known before the first one is written. Returns their
/// rows. ErrorCode::invalid_argument: one of the names exists.
[[nodiscard]] Result<Json> write_parts(std::span<const PartFile> files);

struct EditOptions {
    std::string input_format{};  ///< format id; "": from the content
    ReadOptions reading{};
    Json edits = Json::object();  ///< for AnyDocument::edited
    /// An object of retarget_options(), of which only "plant_feet" and "source_rig" count. Null: feet stay.
    Json retarget{};
    std::optional<SplitLimits> split{};  ///< write parts, each with split_name
};

/// Changes values of a file; the output is of the same format. With "split", the outputs are its parts, of
/// which none may exist, and the report has "parts": [{"output", "start_seconds", "end_seconds", "bytes"}].
/// The report: {"input", "output", "format",
/// "bytes_in", "bytes_out", "edits": the report of AnyDocument::edited}, "planted" of with_planted_feet, and
/// "left_behind", "tolerated" and "refused" as in convert_file.
[[nodiscard]] Result<Conversion> edit_file(const std::string& input, const std::string& output,
                                           const EditOptions& options);

/// Joins files like `animbridge join`. Returns the report of joined(), with "inputs" and "output".
[[nodiscard]] Result<Json> join_files(std::span<const std::string> inputs, const std::string& output,
                                      const std::string& input_format, const ReadOptions& reading,
                                      const Json& options);

struct FileReduction {
    std::string input_format{};  ///< format id; "": from the content
    ReadOptions reading{};
    Json reduction = Json::object();  ///< for AnyDocument::reduced
    bool certifies = false;           ///< as in ConvertOptions
};

/// Reduces a file like `animbridge reduce`. Returns the report of AnyDocument::reduced, with "input" and
/// "output".
[[nodiscard]] Result<Json> reduce_file(const std::string& input, const std::string& output,
                                       const FileReduction& options, const Job& job);

struct FileFixes {
    std::string input_format{};  ///< format id; "": from the content
    ReadOptions reading{};
    Json fixes = Json::object();     ///< for AnyDocument::fixed
    std::string undeform{};          ///< the file for Format::Edits::undeforming; "": none
    const Folder* within = nullptr;  ///< the output is a path below it; null: any path
};

/// Mends a file like `animbridge fix`. One of a format without fixes is copied if it is below a folder.
/// Returns the report of AnyDocument::fixed, with "input", "output", "format", and "undeform": the file that
/// was written, or null if no position stays or none was asked for.
[[nodiscard]] Result<Json> fix_file(const std::string& input, const std::string& output,
                                    const FileFixes& options);

// ---- between two formats without an exact bridge: document, clip, document ----

/// The caller's options for the conversion.
struct ClipWay {
    const Json& options;  ///< an object with options of the one format's to_clip and the other's from_clip
    const Json&
        retarget;  ///< an object of retarget_options(); null: only if the format requires it; false: never
    const AnyDocument* onto = nullptr;  ///< its skeleton gets the motion; null: the output format's own
    bool in_frames = false;             ///< curves become keys at frames, unless `options` has "keys"
    std::uint32_t memory_mib = 2048;    ///< the most memory of the clip and its results
};

/// Whether the two formats convert through a clip, with these options.
[[nodiscard]] bool takes_options(const Format& from, const Format& to, const Json& options);

/// The report is from_clip's, with "way": "clip", everything that either format leaves out in "left_out",
/// and, if the motion was retargeted, retarget_json's in "retarget". ErrorCode::invalid_argument: one of the
/// formats has no such conversion, or there is no skeleton for the motion. ErrorCode::bad_value names an
/// option that neither knows, or says that the clip needs too much memory.
[[nodiscard]] Result<Made> by_clip(const AnyDocument& document, const Format& to, const ClipWay& way,
                                   const Job& job);

/// Where errors are largest and what nearly all of them are, for people: a line from ErrorSpreads::to_json.
/// Empty if nothing differs visibly.
[[nodiscard]] std::string describe_errors(const Json& errors);

/// The report as text for people.
[[nodiscard]] std::string describe_by_clip(const Json& report);

// ---- how far two documents are apart ----

/// Plays both and measures the differences. Documents of one format: AnyDocument::compare. Others are
/// compared as clips, over the time that both last: by joints with equal names, if most joints that move have
/// one and the skeletons rest alike but for a turn and a shift; else by the parts of a body, where `b` is
/// measured as the result of retargeting `a`. Their report is that of AnyDocument::compare, with "by"
/// ("names" or "parts"), "seconds" ({"a", "b", "compared", "later": how much later `a` shows the same}), what
/// the differences leave out: "path_offset_metres" (offset_of_path), "turned_degrees" (turn_of_body) and
/// "first_frame_left_out" ("a", "b" or null: it is a pose from which the motion jumps, and only that file has
/// it), and "warnings". ErrorCode::invalid_argument: a format has no clip, or there is nothing to compare.
/// `retarget`: an object of retarget_options() with which `b` was made: then it is compared by parts, as the
/// result of that; null: none.
[[nodiscard]] Result<Json> compare_documents(const AnyDocument& a, const AnyDocument& b, const Json& retarget,
                                             const Job& job = {});

// ---- certificates: how far a file is from what it was made of (docs/schemas/certificate.schema.json) ----

/// How the first file was read and converted.
struct CertificateRequest {
    std::string input_format{};  ///< format id; "": from the content
    ReadOptions reading{};       ///< the limits are for both files
    Json retarget{};             ///< as in ConvertOptions
};

/// A file and its content.
struct NamedBytes {
    std::string path;
    ByteView bytes;
};

/// compare_documents of two files, with their names, formats and SHA-256.
[[nodiscard]] Result<Json> certificate_of(const NamedBytes& a, const NamedBytes& b,
                                          const CertificateRequest& request, const Job& job = {});

/// A number of a certificate may differ by this, and by this share of itself: processors round differently.
inline constexpr double certificate_tolerance = 1e-6;

/// compare_documents of the two files of a certificate, which says what part of the first one counts, and how
/// it was retargeted.
/// ErrorCode::bad_value: the JSON is not a certificate. ErrorCode::rejected: a file is not the one that the
/// certificate names, or a number differs by more than the tolerance (percentiles, by 1 %).
[[nodiscard]] Result<Json> certified_comparison(const Json& certificate, const NamedBytes& a,
                                                const NamedBytes& b, CertificateRequest request,
                                                const Job& job = {});

// ---- what the name of an output implies ----

/// The first format that has the extension; null if none has.
[[nodiscard]] const Format* format_of_extension(std::string_view extension);

[[nodiscard]] bool has_extension(const Format& format, std::string_view extension);

/// The format of an output with this extension and ConvertOptions::to; null if there is none.
[[nodiscard]] const Format* output_format(std::string_view extension, std::string_view to);

/// The words for ConvertOptions::to: of formats whose extension belongs to another one first.
[[nodiscard]] std::vector<std::string> formats_to_name();
/// The extension of one of them, without the dot.
[[nodiscard]] std::string extension_to_name(std::string_view word);

/// Such as ".oni, .oban, .xml".
[[nodiscard]] std::string extensions_of(const Format& format);

/// "Second Life animation (.anim), Oni object animation (.oban, .oni, .xml), ...": the extensions that are
/// read or written.
[[nodiscard]] std::string known_formats(bool are_written);

/// ErrorCode::invalid_argument if the extension is that of another format, or of AnimBridge's JSON.
[[nodiscard]] Result<void> require_name_for(const Format& format, const std::string& output);

/// The document for the output's extension; adds to the report.
[[nodiscard]] Result<DocumentPtr> named_for(DocumentPtr document, const std::string& output, Json& report,
                                            const ReadOptions& limits = {}, const Job& job = {});

/// Why the program that the format is made for refuses the file. `only_reported`: as in Made.
[[nodiscard]] Result<Json> refusals(const AnyDocument& document, const std::string& output,
                                    std::span<const std::string_view> only_reported);

/// The formats, the bridges and retargeting, with their options, in the form of ab_formats_json.
[[nodiscard]] Json all_options_json();

}  // namespace animbridge
