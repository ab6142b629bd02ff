// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "formats/sl_anim/file/file.h"
#include "model/findings/findings.h"
#include "model/format/format.h"

/// What the viewer and the asset servers do with a `.anim` (docs/second-life-format.md, "What an upload
/// changes"): the findings of a check, the file that an upload stores, and what each grid refuses. Findings
/// are no errors; only the require_ functions fail.
namespace animbridge::sl_anim::check {

// ---- the check ----

struct CheckOptions {
    CheckLevel level = CheckLevel::strict;
    std::string asset_id{};  ///< the id under which the file is stored, "" if unknown; two rules depend on it
    std::string purpose{};   ///< one of purpose_names, "" if unknown; rules about a purpose depend on it
};

/// What an animation may be for.
inline constexpr std::array<std::string_view, 8> purpose_names = {"pose", "dance",   "stand", "walk",
                                                                  "sit",  "gesture", "hold",  "deformer"};

/// Every finding of the viewer's rules, in file order, each rule once.
[[nodiscard]] std::vector<Finding> check(const file::Document& document, const CheckOptions& options);

/// {"redundant_bytes", "stop_delay_seconds": how long a loop plays on after a stop, "outro_seconds": how long
/// something moves then}; empty if the viewer does not load the document.
[[nodiscard]] Json measures(const file::Document& document);

/// Checks::facts_for_set and Checks::in_set of the format's row: what animations of one avatar, such as those
/// of an AO, do to each other.
[[nodiscard]] Json facts_for_set(const file::Document& document);
[[nodiscard]] std::vector<std::vector<Finding>> in_set(std::span<const SetMember> members, CheckLevel level,
                                                       std::string_view purpose);

/// The table of rules that docs/findings.md lists.
[[nodiscard]] std::span<const Rule> rules();

/// A joint, or the whole file, that breaks a rule about what the wearer sees.
struct Place {
    std::string found;         ///< how bad it is: a number with its unit
    std::string_view joint{};  ///< the viewer's name
    std::optional<double> seconds{};
    double size = 0;           ///< decides which place is the worst
    double begin_seconds = 0;  ///< of faults of keys: the keys on both sides of the fault
    double end_seconds = 0;
};
using Places = std::vector<Place>;

/// All places that break one of these rules, at every level and for every purpose; empty for other rules. The
/// document must have no finding of class *rejected* at level playback.
[[nodiscard]] Places places_of(const file::Document& document, std::string_view rule_id);

// ---- what an upload stores ----

/// The asset that an x86-64 viewer without fused multiply-add writes after it loads this file, bit for bit.
/// Where the viewer writes uninitialised memory (after the NUL of volume names), the asset has zeros. The
/// document must have no finding of class *rejected* at level playback.
[[nodiscard]] file::Document stored_form(const file::Document& document);

struct UploadPrediction {
    std::vector<Finding> findings;  ///< at level upload
    /// Null if the viewer refuses the upload; a finding of class *rejected* says why.
    std::optional<file::Document> stored;
};

/// What the viewer would store after an upload of this file.
[[nodiscard]] UploadPrediction predict_upload(const file::Document& document);

// ---- what a grid refuses ----

inline constexpr std::size_t max_upload_bytes = 250'000;  ///< the most that the asset servers accept
inline constexpr float max_duration_seconds = 60.0F;      ///< the longest that the viewer accepts
inline constexpr std::size_t max_joints = 216;            ///< the most joint records that the viewer accepts

/// The target program of every check, for messages.
inline constexpr std::string_view viewer_name = "Second Life";

/// The program that will play the file. The numbers are those of AB_TARGET_* in animbridge.h.
enum class Grid : std::int32_t {
    second_life = 0,  ///< refuses more than 60 s and 250,000 bytes
    opensim = 1,      ///< grids set their own limits, so exceeding Second Life's is only reported
};

/// Reads the value of the option "grid".
[[nodiscard]] Grid target_from(const Json& grid);

/// Adds to a conversion's report the target's name ("made_for") and the ids of findings that only other
/// targets reject ("only_reported"). Adds nothing for Second Life, which rejects whatever the check rejects.
void report_target(Grid target, Made& made);

/// The limits of an export.
struct Limits {
    Grid target = Grid::second_life;
    std::uint64_t fit_bytes = 0;  ///< 0: no limit; otherwise keys are dropped until the file fits
};

/// The size of the file, or of what the viewer stores if that is larger: an upload may rename joints.
[[nodiscard]] std::size_t counted_bytes(const file::Document& document);

/// ErrorCode::rejected if the viewer refuses to load the file: nothing may play it or convert it to what
/// plays.
[[nodiscard]] Result<void> require_playable(const file::Document& document);

/// ErrorCode::rejected if the target refuses the duration, the file's size, or what else the viewer refuses
/// when it loads a file; the reason says by how much, and what helps.
[[nodiscard]] Result<void> require_duration(float duration_seconds, Grid target);
[[nodiscard]] Result<void> require_size(const file::Document& document, Grid target);
[[nodiscard]] Result<void> require_accepted(const file::Document& document, Grid target);

}  // namespace animbridge::sl_anim::check
