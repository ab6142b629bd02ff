// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "base/options/options.h"
#include "model/findings/findings.h"
#include "model/format/format.h"

/// BVH as a document: read (strict or lenient), write, JSON (docs/bvh-format.md). Positions and offsets are
/// in the file's own unit and axes, which a BVH does not state; rotations are in degrees. Errors name the
/// line and column.
namespace animbridge::bvh::file {

// ---- the document ----

/// One column of the motion.
enum class ChannelKind : std::uint8_t {
    x_position,
    y_position,
    z_position,
    x_rotation,
    y_rotation,
    z_rotation,
    x_scale,
    y_scale,
    z_scale,
};

[[nodiscard]] constexpr bool is_position(ChannelKind kind) { return kind <= ChannelKind::z_position; }
[[nodiscard]] constexpr bool is_rotation(ChannelKind kind) {
    return kind >= ChannelKind::x_rotation && kind <= ChannelKind::z_rotation;
}
/// 0, 1, 2 for x, y, z.
[[nodiscard]] constexpr std::size_t axis_of(ChannelKind kind) { return static_cast<std::size_t>(kind) % 3; }

/// Spelled as in files: "Xposition", "Zrotation", ...
[[nodiscard]] std::string_view name_of(ChannelKind kind);
[[nodiscard]] std::optional<ChannelKind> channel_kind_named(std::string_view name);

/// Deeper nesting, or more channels in one joint, is an error.
inline constexpr std::size_t max_depth = 1000;
inline constexpr std::size_t max_joint_channels = 9;

using Offset = std::array<double, 3>;

/// The end of a chain. It gives the last bone its length and does not move.
struct EndSite {
    std::string name{};  ///< usually empty
    Offset offset{};

    bool operator==(const EndSite&) const = default;
};

struct Joint {
    std::string name;  ///< as in the file, including inner spaces; need not be UTF-8 or unique
    std::optional<std::size_t> parent{};  ///< an index lower than this joint's own; null for a root
    Offset offset{};                      ///< from the parent, in the file's unit and axes
    std::vector<ChannelKind> channels{};  ///< in file order
    std::vector<EndSite> end_sites{};

    bool operator==(const Joint&) const = default;
};

[[nodiscard]] bool has_positions(const Joint& joint);

/// Something that the lenient reader accepted, or that the text has and the values do not show.
struct Note {
    std::string rule;  ///< a rule's id
    std::int64_t line = -1;
    std::string found;

    bool operator==(const Note&) const = default;
};

/// A BVH file: all its values, but not its text layout.
struct Document {
    std::vector<Joint> joints{};  ///< in file order: depth first, parents before children
    double frame_time_seconds = 0;
    std::size_t frame_count = 0;
    std::vector<double> motion{};  ///< [frame][channel]; the channels of all joints in file order
    std::vector<Note> notes{};     ///< about the text that the file was read from

    [[nodiscard]] std::size_t channel_count() const;
    /// The index of each joint's first column of the motion.
    [[nodiscard]] std::vector<std::size_t> first_columns() const;
    [[nodiscard]] std::span<const double> frame(std::size_t index) const {
        const std::size_t width = frame_count == 0 ? 0 : motion.size() / frame_count;
        return std::span(motion).subspan(index * width, width);
    }

    bool operator==(const Document&) const = default;
};

/// Keeps the frames around the times of `trim`; see Format::Edits::trimmed.
[[nodiscard]] Result<Document> trimmed(Document document, const Trim& trim);

// ---- read and write ----

/// Whether the text begins like a BVH, after a byte order mark and blanks.
[[nodiscard]] bool sniff(ByteView bytes);

/// Parses a BVH in any of the dialects of docs/bvh-format.md. Nothing recurses, and memory is at most 10
/// times the input. Strict reading refuses decimal commas and a wrong number of frames; lenient reading keeps
/// the complete frames and adds notes. Numbers equal strtod's in the C locale, bit for bit; numbers that are
/// not finite are errors.
[[nodiscard]] Result<Document> read(ByteView bytes, Reading reading);

inline constexpr int most_decimals = 17;

struct WriteOptions {
    /// Digits after the point of offsets and motion, 0..most_decimals. Null: as few as read back to the same
    /// double; the frame time always has those.
    std::optional<int> decimals{};
};

/// Canonical text: tabs, line feeds, one frame per line. Without `decimals`, reading it gives the same
/// values, and writing those again gives the same bytes.
[[nodiscard]] Bytes write(const Document& document, const WriteOptions& options = {});

// ---- JSON and a summary ----

/// {"format": "bvh", "joints": [{"name", "parent" (index or null), "offset", "channels", "end_sites":
/// [{"name", "offset"}]}], "frame_time_seconds", "frame_count", "motion": one row per frame, "notes":
/// [{"rule", "line", "found"}]}. from_json(to_json(d)) == d, including the sign of zeros.
[[nodiscard]] Json to_json(const Document& document);

/// Accepts members in any order. Errors: unknown members, numbers that are not finite, names that would not
/// read back, and parents that do not precede the joint.
[[nodiscard]] Result<Document> from_json(const Json& json);

// ---- the format's row, and its rules ----

/// A document and how to write it.
struct File {
    Document document{};
    WriteOptions options{};
};

[[nodiscard]] DocumentPtr make_document(Document document, WriteOptions options = {});

/// The table of rules, as docs/findings.md lists them.
[[nodiscard]] std::span<const Rule> rules();

}  // namespace animbridge::bvh::file

namespace animbridge {

/// The BVH inside, owned by `document`; null if the document is of another format.
[[nodiscard]] const bvh::file::Document* as_bvh(const AnyDocument& document);

}  // namespace animbridge

/// The table of rules.
namespace animbridge::bvh::file::rule_table {

using enum FindingClass;
using enum CheckLevel;

// clang-format off
inline constexpr std::array<Rule, 39> all_rules = {{
    {"offset_missing", altered, playback,
     "OFFSET is missing. It is read as 0 0 0; other programs may refuse the file.",
     "Write the file again: `animbridge convert IN.bvh OUT.bvh`."},
    {"channels_missing", altered, playback,
     "CHANNELS is missing. The joint is read as one that does not move; other programs may refuse the file.",
     "Write the file again: `animbridge convert IN.bvh OUT.bvh`."},
    {"channels_after_children", risky, playback,
     "CHANNELS follows a child joint. Columns are read in the order of the joints; other programs may read them in the order of CHANNELS.",
     "Compare the pose with the program that wrote the file."},
    {"channel_count_differs", altered, playback,
     "CHANNELS has a number that does not match its names. The names are used; other programs may refuse the file or misread the motion.",
     "Write the file again: `animbridge convert IN.bvh OUT.bvh`."},
    {"entry_repeated", altered, playback,
     "OFFSET or CHANNELS appears twice in a block. The last one is used.",
     "Write the file again: `animbridge convert IN.bvh OUT.bvh`."},
    {"end_site_spelling", altered, playback,
     "End Site is spelled differently. Most other programs refuse the file.",
     "Write the file again: `animbridge convert IN.bvh OUT.bvh`."},
    {"braces_differ", altered, playback,
     "Braces do not match. Other programs may refuse the file or misread the hierarchy.",
     "Check the hierarchy, then write the file again: `animbridge convert IN.bvh OUT.bvh`."},
    {"decimal_comma", altered, playback,
     "Numbers have decimal commas. They are read as points; other programs may drop the decimals.",
     "Write the file again: `animbridge convert IN.bvh OUT.bvh`."},
    {"frame_count_differs", altered, playback,
     "The number of frames does not match Frames. All complete frames are read; other programs may cut off frames or refuse the file.",
     "Write the file again: `animbridge convert IN.bvh OUT.bvh`."},
    {"frame_incomplete", altered, playback,
     "The last frame is incomplete and is dropped.",
     "Export the file again: it may be cut off."},
    {"motion_missing", altered, playback,
     "The file has a skeleton but no motion.",
     "Export the file again if it should move; it may be cut off."},
    {"text_after_motion", altered, playback,
     "Text after the last frame is dropped.",
     "Write the file again: `animbridge convert IN.bvh OUT.bvh`."},
    {"text_after_nul", altered, playback,
     "The text ends at a NUL byte. Everything after it is dropped.",
     "Write the file again: `animbridge convert IN.bvh OUT.bvh`."},
    {"name_empty", risky, playback,
     "A joint has no name. Other programs may refuse the file or misread the hierarchy.",
     "Name the joint."},
    {"name_duplicate", altered, playback,
     "Several joints have the same name. Blender numbers them; other programs may confuse them.",
     "Give each joint a unique name."},
    {"name_with_blank", risky, playback,
     "The name contains spaces. Many programs read only its first word, or refuse the file.",
     "Remove the spaces."},
    {"channel_duplicate", altered, playback,
     "A joint has the same channel twice. Programs use the first, the last or both.",
     "Remove one of the two."},
    {"channel_scale", altered, playback,
     "The joint has scale channels. Most programs ignore them or refuse the file.",
     "Export without scale."},
    {"value_beyond_float", altered, playback,
     "The number is too large for single precision. Most programs read it as infinite.",
     "Correct the number."},
    {"frame_time_zero", risky, playback,
     "The frame time is 0. Programs choose their own rate, or fail.",
     "Set a frame time, such as 0.0333333 for 30 frames a second."},
    {"frame_time_negative", risky, playback,
     "The frame time is negative. Programs disagree about its meaning.",
     "Set a positive frame time."},
    {"frames_none", risky, playback,
     "The file has no frames. Some programs refuse it.",
     "Add a frame if other programs must read the file."},
    {"poser_bvh", advice, playback,
     "The BVH is one of Firestorm's poser: small offsets hold joints that the pose leaves at zero.",
     "To remove them, convert it to a pose: `animbridge convert IN.bvh OUT.xml --to pose`."},
    {"poser_bvh_metres", altered, playback,
     "The BVH is one of Firestorm 7.1.13's poser: its position is in metres and in other axes, so an upload misreads it.",
     "Convert it to a pose, which corrects it: `animbridge convert IN.bvh OUT.xml --to pose`."},
    {"upload_first_joint", rejected, upload,
     "Second Life refuses the upload: the first joint must be named hip, mPelvis or avatar_mPelvis.",
     "Rename the first joint to hip."},
    {"upload_rotations", rejected, upload,
     "Second Life refuses the upload: a joint has fewer than three rotation channels.",
     "Export all three rotations of each joint."},
    {"upload_channel_count", altered, upload,
     "Second Life misreads the motion: it expects three rotations, or three positions and three rotations.",
     "Export 6 channels for the root and 3 for every other joint."},
    {"upload_refused", rejected, upload,
     "Second Life refuses the upload.",
     "Correct the file, or convert it to .anim and upload that: `animbridge convert IN.bvh OUT.anim`."},
    {"upload_too_long", rejected, upload,
     "Second Life refuses animations longer than 60 seconds.",
     "Shorten the motion, or split it into parts."},
    {"upload_joint_positions", risky, upload,
     "Second Life reads positions of joints below the root as bone offsets in inches. The avatar collapses or flies apart.",
     "Export positions for the root only."},
    {"upload_name_cut", altered, upload,
     "Second Life reads only the first word of a name, and at most 79 characters.",
     "Use short names without spaces."},
    {"upload_few_frames", risky, upload,
     "Second Life uses the first frame as a reference and does not play it. With fewer than 3 frames, little or no motion is left.",
     "Add a reference frame at the start, and at least two frames after it."},
    {"frame_time_unusual", advice, strict,
     "The frame time is shorter than a millisecond or longer than a second.",
     "Check the frame rate."},
    {"frame_single", advice, strict,
     "The file has one frame: it is a pose, not a motion.",
     "Add frames if it should move."},
    {"nothing_moves", advice, strict,
     "All frames are the same.",
     "Check the export if the file should move."},
    {"rotation_partial", advice, strict,
     "The joint has only one or two rotation channels. Some programs expect three.",
     "Export all three rotations if another program misreads the file."},
    {"positions_on_joint", advice, strict,
     "A joint below the root has positions. Some programs replace its OFFSET with them, others add them.",
     "Export rotations only, or check the pose in the target program."},
    {"end_site_missing", advice, strict,
     "A joint without children has no end site. Programs guess the length of its bone.",
     "Add an end site."},
    {"offset_zero", advice, strict,
     "The joint and its only child or end site are at the same place. The bone has no length.",
     "Move the child or end site, unless the joints share a place on purpose."},
}};
// clang-format on

}  // namespace animbridge::bvh::file::rule_table

namespace animbridge::bvh::file {

/// The id of a rule; one that the table lacks does not compile.
consteval std::string_view rule(std::string_view id) { return id_in(rule_table::all_rules, id); }

}  // namespace animbridge::bvh::file

/// What the readers of both sections share.
namespace animbridge::bvh::file {

/// The name in the text after JOINT or End Site: without blanks around it, up to a brace that stands alone or
/// ends the line.
[[nodiscard]] std::string_view name_in(std::string_view line);

/// Quoted for messages, and shortened if long.
[[nodiscard]] std::string in_quotes(std::string_view found);

/// The text, an offset in it, and notes about it.
class Scanner {
public:
    Scanner(std::string_view text, Reading reading) : text_(text), reading_(reading) {}

    [[nodiscard]] bool lenient() const { return reading_ == Reading::lenient; }
    [[nodiscard]] std::string_view text() const { return text_; }
    [[nodiscard]] std::string_view rest() const { return text_.substr(offset_); }
    [[nodiscard]] std::size_t offset() const { return offset_; }
    void go_to(std::size_t offset) { offset_ = offset; }
    /// Looks for a NUL between here and `end`: an error in strict reading; in lenient reading the text ends
    /// there.
    [[nodiscard]] Result<void> end_at_nul(std::size_t end);

    /// Skips blanks and line ends; returns whether a word follows.
    bool skip_blanks();
    /// The next brace, or the text up to the next blank or brace; empty at the end of the text.
    [[nodiscard]] std::string_view peek();
    [[nodiscard]] std::string_view take();
    /// The offset of the next blank, or the end of the text.
    [[nodiscard]] std::size_t end_of_token() const;
    /// The text up to the next blank.
    [[nodiscard]] std::string_view take_token();
    /// Takes `word`, in any case, if it comes next; any text may follow it.
    [[nodiscard]] bool take_if(std::string_view word);
    /// Takes the name in the rest of the line and leaves a brace after it. Searches for each line's end only
    /// once, even if the line holds many names.
    [[nodiscard]] std::string_view take_name();
    /// Takes a number, like parse_number; lenient reading also accepts a decimal comma.
    [[nodiscard]] Result<double> take_number(std::string_view field);

    /// An error about the text at `offset`.
    [[nodiscard]] tl::unexpected<Error> fail_at(std::size_t offset, std::string_view field,
                                                std::string reason,
                                                ErrorCode code = ErrorCode::bad_value) const;
    /// An error: only `allowed` may come next.
    [[nodiscard]] tl::unexpected<Error> fail_here(std::string_view field, std::string_view allowed);

    /// Keeps the first notes of each rule and counts the rest, so that hostile files stay cheap.
    void note(std::string_view rule, std::size_t offset, std::string found);
    void note_comma(std::size_t offset, std::string_view found);
    [[nodiscard]] std::size_t commas() const;
    /// Drops all but the first `count` comma notes, because the text is read again.
    void forget_commas_after(std::size_t count);
    [[nodiscard]] std::vector<Note> take_notes();

private:
    /// A note whose line number is not known yet.
    struct PlacedNote {
        std::string_view rule;
        std::size_t offset = 0;
        std::string found;
    };
    /// The line that contains the last name.
    struct NameLine {
        std::size_t begin = 0;  ///< where the search for its end began
        std::size_t end = 0;
        std::size_t text_end = 0;  ///< without the blanks at the line's end
    };
    [[nodiscard]] const NameLine& name_line();
    [[nodiscard]] std::vector<std::int64_t> lines_of_notes() const;

    std::string_view text_;
    Reading reading_;
    std::size_t offset_ = 0;
    std::optional<NameLine> name_line_;
    std::vector<PlacedNote> notes_;
    std::map<std::string_view, std::size_t> note_counts_;
};

}  // namespace animbridge::bvh::file

namespace animbridge::bvh {

extern const Format format;

}  // namespace animbridge::bvh
