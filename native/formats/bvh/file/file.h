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

/// BVH as a document: read (strict or lenient), write, JSON (docs/bvh.md). Positions and offsets are in the
/// file's own unit and axes, which a BVH does not state; rotations are in degrees. Errors name the line and
/// column.
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

/// Parses a BVH in any of the dialects of docs/bvh.md. Nothing recurses, and memory is at most 10 times the
/// input. Strict reading refuses decimal commas and a wrong number of frames; lenient reading keeps the
/// complete frames and adds notes. Numbers equal strtod's in the C locale, bit for bit; numbers that are not
/// finite are errors.
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

/// The ids of the rules, which docs/findings.md explains.
namespace animbridge::bvh::file::rule {

// The reader's notes: what it always accepts, or only when lenient.
inline constexpr std::string_view offset_missing = "offset_missing";
inline constexpr std::string_view channels_missing = "channels_missing";
inline constexpr std::string_view channels_after_children = "channels_after_children";
inline constexpr std::string_view channel_count_differs = "channel_count_differs";
inline constexpr std::string_view entry_repeated = "entry_repeated";
inline constexpr std::string_view end_site_spelling = "end_site_spelling";
inline constexpr std::string_view braces_differ = "braces_differ";
inline constexpr std::string_view decimal_comma = "decimal_comma";
inline constexpr std::string_view frame_count_differs = "frame_count_differs";
inline constexpr std::string_view frame_incomplete = "frame_incomplete";
inline constexpr std::string_view motion_missing = "motion_missing";
inline constexpr std::string_view text_after_motion = "text_after_motion";
inline constexpr std::string_view text_after_nul = "text_after_nul";

// Findings about the document.
inline constexpr std::string_view name_empty = "name_empty";
inline constexpr std::string_view name_duplicate = "name_duplicate";
inline constexpr std::string_view name_with_blank = "name_with_blank";
inline constexpr std::string_view channel_duplicate = "channel_duplicate";
inline constexpr std::string_view channel_scale = "channel_scale";
inline constexpr std::string_view value_beyond_float = "value_beyond_float";
inline constexpr std::string_view frame_time_zero = "frame_time_zero";
inline constexpr std::string_view frame_time_negative = "frame_time_negative";
inline constexpr std::string_view frames_none = "frames_none";
inline constexpr std::string_view upload_first_joint = "upload_first_joint";
inline constexpr std::string_view upload_rotations = "upload_rotations";
inline constexpr std::string_view upload_channel_count = "upload_channel_count";
inline constexpr std::string_view upload_refused = "upload_refused";
inline constexpr std::string_view upload_too_long = "upload_too_long";
inline constexpr std::string_view upload_joint_positions = "upload_joint_positions";
inline constexpr std::string_view upload_name_cut = "upload_name_cut";
inline constexpr std::string_view upload_few_frames = "upload_few_frames";
inline constexpr std::string_view frame_time_unusual = "frame_time_unusual";
inline constexpr std::string_view frame_single = "frame_single";
inline constexpr std::string_view nothing_moves = "nothing_moves";
inline constexpr std::string_view rotation_partial = "rotation_partial";
inline constexpr std::string_view positions_on_joint = "positions_on_joint";
inline constexpr std::string_view end_site_missing = "end_site_missing";
inline constexpr std::string_view offset_zero = "offset_zero";

}  // namespace animbridge::bvh::file::rule

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
