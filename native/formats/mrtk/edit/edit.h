// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "base/options/options.h"
#include "formats/mrtk/curves/curves.h"
#include "formats/mrtk/file/file.h"

/// Changes of a recording: version, repairs, cuts, joins, and new files of given curves (docs/mrtk.md,
/// "Edit").
namespace animbridge::mrtk::edit {

// ---- edits ----

struct Edited {
    file::Document document{};
    Json report = Json::object();  ///< a member for each change that was requested
};

/// Makes only the changes that `edits` requests (edit_options()), in their order; without any, the document
/// stays unchanged. ErrorCode::bad_value: an option. ErrorCode::rejected: the recording cannot be played, and
/// the change needs its poses.
[[nodiscard]] Result<Edited> edit(const file::Document& document, const Json& edits);
[[nodiscard]] std::span<const Option> edit_options();

/// The part of a recording, moved to 0 seconds: whole or cut curves, which play as before. A curve that is
/// cut no longer repeats. Errors: as in Trim::in; ErrorCode::rejected if the recording cannot be played.
[[nodiscard]] Result<file::Document> trimmed(const file::Document& document, const Trim& trim);

/// The report of `edit`, as text for people.
[[nodiscard]] std::string describe_edit(const Json& report);

struct Joined {
    file::Document document{};
    Json report = Json::object();
};

/// Joins recordings one after another, each from its 0 on, holding the last pose for "gap_seconds" between
/// them. Keys at the seams keep every curve as it plays in its own recording. Markers move along. The version
/// is that of all recordings; if they differ, 1.1, unless a curve of 1.0 is not made of lines. Drops trailing
/// bytes. ErrorCode::invalid_argument: fewer than two. ErrorCode::rejected: one cannot be played.
[[nodiscard]] Result<Joined> join(std::span<const file::Document* const> documents, const Json& options);
[[nodiscard]] std::span<const Option> join_options();

// ---- new files of given curves ----

struct NewMarker {
    RawFloat time;
    std::string name;
};

/// The content of a new file.
struct NewRecording {
    curves::LooseCurves curves = curves::LooseCurves(file::curve_count);
    std::vector<NewMarker> markers{};

    [[nodiscard]] bool has_keys(file::Section section) const;
    [[nodiscard]] bool is_empty() const;
    /// Gives each hand that has joints but no keys of "tracked" a key from which it is tracked and does not
    /// pinch. MRTK shows no other hand.
    void track_hands();
};

enum class Version : std::uint8_t {
    automatic,  ///< 1.0 if there is a curved segment or a step, and no gaze; else 1.1
    v1_0,
    v1_1,
};

/// The file. `like`: the file that it continues, or null. If the version is the same, that file's layout,
/// flags and bytes after the end stay; `automatic` means its version if that can hold everything. Adds to
/// `lost`, in words, what the version cannot hold.
[[nodiscard]] file::Document assembled(NewRecording recording, Version version, const file::Document* like,
                                       std::vector<std::string>& lost);

/// The row "version" in a table of exports, for any Target with a `version`.
template <typename Target>
[[nodiscard]] constexpr OptionRow<Target> version_row() {
    return {
        {.name = "version",
         .type = OptionType::choice,
         .command_name = "--mrtk-version",
         .choices = {"auto", "1.0", "1.1"},
         .standard = "auto",
         .help = "Version of the file. auto: 1.0 if curves bend between keys and there is no gaze, otherwise "
                 "1.1. 1.0: for MRTK 2.0 to 2.8, without gaze. 1.1: for MRTK 2.6 to 2.8, with straight lines "
                 "between keys"},
        [](Target& target, const Json& value) {
            target.version = value == "1.0"   ? Version::v1_0
                             : value == "1.1" ? Version::v1_1
                                              : Version::automatic;
        }};
}

// ---- one version of the format to the other ----

/// Segments that tangents cannot express become lines of at most this length: vertical handles, arcs.
inline constexpr double longest_line_seconds = 1.0 / 120.0;
/// In segments longer than this many lines, the lines are longer, so that keys do not outgrow a file whose
/// times are far apart.
inline constexpr int most_lines = 1200;

/// The number of lines of longest_line_seconds for a segment of this length.
[[nodiscard]] int lines_of(double seconds);

/// What the other version cannot hold, and what replaces it.
struct VersionChange {
    std::int32_t from = 0;
    std::int32_t to = 0;
    file::Layout from_layout = file::Layout::specified;
    std::size_t curved_segments = 0;  ///< those that became straight lines
    std::size_t line_keys = 0;        ///< keys that were inserted, so that the lines follow the curves
    std::size_t steps = 0;            ///< those that a key just before the jump keeps
    std::size_t gaze_keys = 0;        ///< those that were left out
    std::size_t empty_sections = 0;   ///< those that the file omitted and now has without keys
};
[[nodiscard]] Json version_json(const VersionChange& change);

/// Makes `like` a document of the minor version and the specified layout, and fits the curves to it. 1.1 has
/// only straight lines, so curved segments become lines that are close to them; 1.0 has no gaze, and all
/// other sections.
[[nodiscard]] VersionChange change_version(file::Document& like, curves::LooseCurves& curves,
                                           std::int32_t minor);

/// Whether every segment of the curves is a straight line.
[[nodiscard]] bool is_all_lines(const curves::LooseCurves& curves);

// ---- repairs of rotations ----

struct ContinuedSigns {
    std::size_t keys = 0;       ///< keys whose quaternion was negated
    std::size_t rotations = 0;  ///< rotations that have such keys
    std::size_t skipped = 0;    ///< rotations whose four curves have different key times
};
/// Negates each quaternion that points away from the one before it, with its tangents.
ContinuedSigns continue_signs(curves::LooseCurves& curves);

/// Makes each zero quaternion the identity: W becomes 1. Returns the number of keys. Rotations whose four
/// curves have different key times stay.
std::size_t repair_zero_rotations(curves::LooseCurves& curves);

/// What was restored of the W that MRTK 2.6.0 to 2.7.2 lose (docs/mrtk-format.md, "Lost W"), and how its sign
/// was chosen.
struct RestoredW {
    std::size_t rotations = 0;
    std::size_t keys = 0;
    std::size_t by_child = 0;       ///< rotations whose +Z points at the next joint, and continuity
    std::size_t by_twin = 0;        ///< the palm near the wrist's rotation, a tip near that of its neighbour
    std::size_t by_continuity = 0;  ///< there was no other evidence
};

/// Gives W a key at every key of X in each rotation that has_lost_w. The size of W follows from the length of
/// 1. `document` is the source of the curves, and must be playable.
RestoredW restore_w(const file::Document& document, curves::LooseCurves& curves);

}  // namespace animbridge::mrtk::edit
