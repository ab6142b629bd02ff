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

/// `joints` as the viewer saves them. Firestorm 8 writes each of its joints; those that are not given are at
/// rest, and `free` ones are off. Black Dragon 3 writes what is given. Residues become 0: under a millionth,
/// and under half a millimetre of a position that may be the saver's body shape.
[[nodiscard]] Written written(std::span<const play::Shown> joints, pose::Program program,
                              bool may_hold_shape = false);

/// The document with other numbers for these joints, as its program stores them. The rest of it stays, but a
/// text that no viewer writes becomes one that they write. The pose is not a difference.
[[nodiscard]] file::Document with_joints(const file::Document& document, std::span<const play::Shown> joints);

/// The table of edits.
[[nodiscard]] std::span<const Option> edit_options();

/// What is loaded of the pose, for the program that the edits name; else for its own. ErrorCode::rejected: a
/// difference for the other program. The report has "left_out".
[[nodiscard]] Result<Made> edited(const file::Document& document, const Json& edits);

}  // namespace animbridge::sl_pose::edit
