// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/options/options.h"
#include "editing/editing.h"
#include "formats/sl_pose/play/play.h"
#include "model/findings/findings.h"

/// Poses as files: joints as the one or the other viewer would save them, and a file of the one as one of the
/// other's.
namespace animbridge::sl_pose::edit {

inline constexpr std::array<std::string_view, 2> program_names = {"firestorm", "blackdragon"};

/// The option "pose_format", for any Target with `program`.
template <typename Target>
inline constexpr std::array<OptionRow<Target>, 1> program_rows = {{
    {{.name = "pose_format",
      .type = OptionType::choice,
      .command_name = "--pose-format",
      .value_name = "PROGRAM",
      .choices = {"firestorm", "blackdragon"},
      .without = "that of the input; Firestorm if the input is not a pose",
      .help = "The viewer that the pose is for: each takes the other's files for another pose"},
     [](Target& target, const Json& value) {
         target.program = value_named<pose::Program>(program_names, value.get<std::string_view>());
     }},
}};

/// What the viewer is told to load.
enum class Load : std::uint8_t {
    all,        ///< everything that the file says
    plain,      ///< as the viewer's button does: Black Dragon leaves out scales
    rotations,  ///< only those
};
inline constexpr std::array<std::string_view, 3> load_names = {"all", "plain", "rotations"};

/// The option "load", for any Target with `load`.
template <typename Target>
inline constexpr std::array<OptionRow<Target>, 1> load_rows = {{
    {{.name = "load",
      .type = OptionType::choice,
      .command_name = "--load",
      .value_name = "PARTS",
      .choices = {"all", "plain", "rotations"},
      .standard = "all",
      .help = "What is loaded of a pose: everything, what the viewer's button loads (Black Dragon leaves out "
              "scales), or rotations only"},
     [](Target& target, const Json& value) {
         target.load = value_named<Load>(load_names, value.get<std::string_view>()).value_or(Load::all);
     }},
}};
[[nodiscard]] std::span<const Option> load_options();

/// The document with what is loaded of it, and nothing else.
[[nodiscard]] file::Document loaded(const file::Document& document, Load load);

/// What a viewer's arithmetic leaves of 0.
inline constexpr double residue = 1e-6;

/// Numbers smaller than `least` are 0.
[[nodiscard]] glm::dvec3 without_residues(const glm::dvec3& numbers, double least);

/// A new file, and what it cannot hold, in words.
struct Written {
    file::Document document;
    std::vector<std::string> left_out{};
};

/// Whether the position is the joint's own. One of Black Dragon and Firestorm 3 that is within half a
/// millimetre of the rest position may be the saver's body shape, and is not.
[[nodiscard]] bool has_own_position(const play::Shown& joint, bool may_hold_shape);

/// `joints` as the viewer saves them. Firestorm 8 writes each of its joints; those that are not given are at
/// rest, and `free` ones are off. Black Dragon 3 writes what is given. Residues become 0: under a millionth,
/// and under half a millimetre of a position that may be the saver's body shape.
[[nodiscard]] Written written(std::span<const play::Shown> joints, pose::Program program,
                              bool may_hold_shape = false);

// ---- in the document itself: what is not touched keeps its text ----

/// A triple of reals.
[[nodiscard]] file::Value triple_value(const glm::dvec3& numbers);
/// The same without residues of rounding.
[[nodiscard]] file::Value triple_value(const pose::Triple& numbers);

/// An entry at rest for a joint that the pose's file lacks, with the members of its version.
[[nodiscard]] file::Value new_entry(std::size_t joint, const pose::Pose& pose);

/// The document with other numbers for these joints, as its program stores them. They are then on, as any
/// joint that is changed. The pose is not a difference.
[[nodiscard]] file::Document with_joints(const file::Document& document, std::span<const play::Shown> joints);

/// For the row's "tools": parts and mirror. ErrorCode::invalid_argument: a tool that needs time.
/// ErrorCode::rejected: a difference pose.
[[nodiscard]] Result<file::Document> with_tools(const file::Document& document, editing::Tools& left,
                                                Json& rows);

/// For the row's "with_tracks": the first keys of the tracks.
[[nodiscard]] Result<file::Document> with_tracks(const file::Document& document, const Clip& changed);

// ---- the row's edits ----

/// The option "on_tpose", for any Target with `on_t_pose`.
template <typename Target>
inline constexpr std::array<OptionRow<Target>, 1> t_pose_rows = {{
    {{.name = "on_tpose",
      .type = OptionType::flag,
      .command_name = "--on-tpose",
      .standard = "false",
      .help = "Convert a difference pose on the T-pose, without the animations that it is a difference to"},
     [](Target& target, const Json& value) { target.on_t_pose = value.get<bool>(); }},
}};

/// The option "hand", for any Target with `hand`: "left" or "right"; empty: the whole pose.
template <typename Target>
inline constexpr std::array<OptionRow<Target>, 1> hand_rows = {{
    {{.name = "hand",
      .type = OptionType::choice,
      .command_name = "--hand",
      .value_name = "SIDE",
      .choices = {"left", "right"},
      .without = "the whole pose",
      .help = "Take one hand of a pose or of a hand preset: the rotations of its fingers, and nothing else"},
     [](Target& target, const Json& value) { target.hand = value.get<std::string>(); }},
}};

/// What the viewer takes of a file as a hand preset: rotations of joints by their names, on a base of zero.
[[nodiscard]] std::vector<play::Shown> hand_in(const pose::Pose& pose, std::string_view side);

/// ErrorCode::rejected: there is none of the pose, or of this hand.
[[nodiscard]] Result<void> require_joints(std::span<const play::Shown> joints, const std::string& hand);

/// The table of edits.
[[nodiscard]] std::span<const Option> edit_options();

/// What is loaded of the pose, for the program that the edits name; else for its own. ErrorCode::rejected: a
/// difference, unless the edits ask for it on the T-pose. The report has "left_out".
[[nodiscard]] Result<Made> edited(const file::Document& document, const Json& edits);

}  // namespace animbridge::sl_pose::edit
