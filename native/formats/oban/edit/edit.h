// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "base/options/options.h"
#include "editing/editing.h"
#include "formats/oban/file/file.h"
#include "formats/oban/play/play.h"

/// An OBAN in another container, with other header values or fewer keys, and its summary.
namespace animbridge::oban::edit {

// Makes documents from other documents: in another container, or with other header values.

/// A document in another container. docs/oban-format.md lists what each container can hold.
struct Changed {
    file::Document document{};
    /// What the new container cannot hold: fields ("res_id", "lev_id", "padding", "nan_payload", "tail"),
    /// "name", and "layout" (bytes around the record of a .oni that differ from those of a new one).
    std::vector<std::string_view> left_behind{};
};

/// Appends the field unless the list already has it.
void add_once(std::vector<std::string_view>& fields, std::string_view field);

/// Converts to another container; a .oni or XML that is already in it stays unchanged. To a .oni:
/// ErrorCode::invalid_argument if the document has no name and `name_if_none` cannot be stored. To XML:
/// ErrorCode::rejected for more than max_keys keys.
[[nodiscard]] Result<Changed> in_container(const file::Document& document, file::Container container,
                                           std::string_view name_if_none);

/// Replaces the document's record. The bytes around the record of a .oni stay if resized() can keep them;
/// otherwise this makes a new file. Errors: those of new_oni.
[[nodiscard]] Result<Changed> with_record(const file::Document& document, file::Record record);

/// Makes a new .oni with another record and name. Left behind: "res_id", "lev_id" and "layout", if they
/// differ from a new file's.
[[nodiscard]] Result<Changed> made_anew(const file::Document& document, file::Record record,
                                        std::string_view name);

/// The names of what XML cannot hold.
[[nodiscard]] std::vector<std::string_view> left_behind_in_xml(const file::Document& document);

/// The values that an edit can change.
[[nodiscard]] std::span<const Option> edit_options();

/// Keys and everything that `edits` does not name stay bit for bit. A .oni that gets another name becomes a
/// new file. Reports what a new file or container cannot hold. ErrorCode::bad_value with the member's name.
[[nodiscard]] Result<Changed> edit(const file::Document& document, const Json& edits);

/// Keeps the frames around the times of `trim`; see Format::Edits::trimmed. Keys inside keep their values bit
/// for bit; a cut between two keys gets a key with what the game shows there.
[[nodiscard]] Result<file::Document> trimmed(const file::Document& document, const Trim& trim);

/// The tools that whole frames allow (Format::Edits::tools): speed, reversing and holding. Keys keep their
/// values; of keys that meet at a frame, the later one stays. ErrorCode::rejected: more frames than the game
/// plays.
[[nodiscard]] Result<file::Document> with_tools(const file::Document& document, editing::Tools& left,
                                                Json& rows);

// Drops keys from a motion that is known at every frame.

/// How far the player may deviate at every frame.
struct Bound {
    double position_mm = 1.0;
    double rotation_degrees = 0.05;
};

/// What a frame must show, in the file's axes and units.
struct Shown {
    glm::dquat rotation{1, 0, 0, 0};  ///< of unit length
    glm::dvec3 pivot{0};              ///< the key's position, the centre of its rotation
    /// A(f) 0, the vertices' origin; equals the pivot unless Base has a translation.
    glm::dvec3 origin{0};
};

/// How far a pose is from what the frame must show.
struct Stray {
    double position_mm = 0;  ///< the larger of pivot and origin
    double rotation_degrees = 0;
};
[[nodiscard]] Stray stray_of(const play::Pose& pose, const glm::dvec3& base_translation, const Shown& shown);

/// A motion frame by frame. frames[i] is the possible key at frame i, in the file's floats, with time i and a
/// consistent sign; shown[i] is what that frame must show.
struct Motion {
    std::vector<file::Key> frames;
    std::vector<Shown> shown;
    glm::dvec3 base_translation{0};
};

/// The frames that must be keys: the first, the last, and as many between as the player needs, with these
/// floats, to stay within the bound at every other frame. None of those between can be dropped alone. Keys
/// themselves are as exact as single precision allows. `is_mirrored`: the second half is the first one
/// backwards, and so are its keys, except for keys around the middle that are not needed. The result is the
/// same on every machine. ErrorCode::cancelled.
[[nodiscard]] Result<std::vector<file::Key>> reduce(const Motion& motion, const Bound& bound,
                                                    bool is_mirrored, const Job& job);

/// The report of `info` on a file (docs/oban-format.md).
[[nodiscard]] Json info(const file::Document& document);

// Text for the reports about an OBAN. `file`: its name.

[[nodiscard]] std::string describe(const std::string& file, const Json& info);
[[nodiscard]] std::string describe_poses(const Json& report);
/// A line that lists what the file cannot hold; empty if it holds everything.
[[nodiscard]] std::string describe_left_behind(const Json& report, bool is_measured);

}  // namespace animbridge::oban::edit
