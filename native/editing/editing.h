// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "base/options/options.h"
#include "model/clip/clip.h"
#include "model/format/format.h"
#include "rig/armature/armature.h"
#include "rig/curves/curves.h"
#include "rig/humanoid/humanoid.h"

/// Tools on a clip, for every format: cut, speed, mirror, loops, parts of the body (docs/clip-tools.md). A
/// format does what it can do exactly on its own document; the rest goes through its clip. Times are seconds,
/// places metres, in clip space.
namespace animbridge::editing {

// ---- what is asked for ----

/// A new time for an old one.
struct TimePair {
    double old_seconds = 0;
    double new_seconds = 0;
};

/// An edit of one joint's pose at one time, spread over the clip.
struct BlendEdit {
    std::string joint;
    glm::dvec3 degrees{0};  ///< about the bone's own axes: x first, then y, then z
    double at_seconds = 0;
    std::optional<double> falloff_seconds{};  ///< to either side; none: the whole clip
};

struct LoopPoints {
    bool is_best = false;  ///< those that match best
    double in_seconds = 0;
    double out_seconds = 0;
};

enum class Filter : std::uint8_t { savgol, one_euro };

/// How much longer the path of the body becomes.
struct PathScale {
    double horizontal = 1;
    double vertical = 1;
};

/// The tools, in the order in which they are applied, whatever the order in which they are given.
struct Tools {
    std::vector<std::string> keep_parts{};
    std::vector<std::string> leave_out{};
    bool mirror = false;
    bool reverse = false;
    std::optional<double> speed{};
    std::optional<double> duration_seconds{};
    std::optional<double> beats_per_minute{};
    std::vector<TimePair> retime{};  ///< ascending
    double hold_first_seconds = 0;
    double hold_last_seconds = 0;
    std::optional<LoopPoints> loop_points{};
    bool no_travel = false;
    std::optional<double> travel_metres_per_second{};
    std::optional<PathScale> root_scale{};
    std::optional<double> smooth_degrees{};
    std::optional<double> smooth_mm{};  ///< none: twice the degrees
    Filter filter = Filter::savgol;
    std::vector<BlendEdit> blend_edits{};
    bool close_loop = false;
    std::optional<double> start_at_seconds{};

    /// Whether a tool is left that changes more than the loop's points.
    [[nodiscard]] bool any() const;
};

/// Their options. docs/options.md lists them under "Clip tools".
[[nodiscard]] std::span<const Option> tool_options();

/// Whether one of the members is a tool.
[[nodiscard]] bool has_tools(const Json& edits);

// ---- a document ----

/// Whether the result is compared with the exact motion, which takes as long as the tools do.
enum class Difference : std::uint8_t { not_measured, measured };

/// The document after the tools that `edits` names, and then the format's own edits. The report is that of
/// AnyDocument::edited, and if there were tools, "tools": [{"tool", "what": a sentence, and its numbers}] and
/// "largest_difference" between the file and what all tools together make of the motion: {"position_mm" of
/// any joint, "position_joint", "rotation_degrees", "rotation_joint"}, or null; not for one tool that the
/// format does on its own numbers. ErrorCode::bad_value names the member at fault; ErrorCode::rejected: the
/// motion does not allow it.
[[nodiscard]] Result<Made> edited(const AnyDocument& document, const Json& edits, const Job& job = {},
                                  Difference difference = Difference::measured);

// ---- how well a motion plays (docs/clip-tools.md, "How good is it") ----

/// {"seconds", "keys", "shake_degrees", "largest_shake_degrees", "shakiest_joint",
/// "jitter_degrees_per_second3", "loop": {"in_seconds", "out_seconds", "seam_degrees", "seam_mm",
/// "seam_joint"}, "travel": {"way_metres", "metres_per_second", "heading_degrees"}, or null without
/// positions, "feet": {"contact_seconds", "slide_mm_per_second", "depth_mm", "float_mm",
/// "implied_metres_per_second": how fast the ground passes below a body that walks in place}, or null without
/// a leg, "overlap": as overlap_of}. ErrorCode::cancelled.
[[nodiscard]] Result<Json> quality_of(const Clip& clip, const rig::humanoid::FoundRig& rig,
                                      const Job& job = {});

// ---- for formats that do some of them exactly (Format::Edits::tools) ----

/// What a tool did: a row of the report.
[[nodiscard]] Json done(std::string_view tool, std::string what, const Json& numbers = Json::object());

/// How many times faster it becomes by `speed`, `duration_seconds` and `beats_per_minute`, which are taken
/// out of the tools; nullopt: none of them is given. `loop_seconds`: the length that holds whole beats.
[[nodiscard]] Result<std::optional<double>> take_speed(Tools& tools, double duration_seconds,
                                                       double loop_seconds);

/// Whether a joint stays after keep_parts and leave_out. A word is a part of the body, a side, or a joint's
/// name, in which "*" stands for any text.
class Parts {
public:
    /// ErrorCode::bad_value: no joint and no part has the name. `rig`: of the same joints; null: only names.
    /// `own_names`: how the file spells them; empty: the same.
    static Result<Parts> from(const Tools& tools, std::span<const std::string> joints,
                              const rig::humanoid::FoundRig* rig,
                              std::span<const std::string> own_names = {});

    [[nodiscard]] bool rotates(std::size_t joint) const { return rotates_[joint]; }
    [[nodiscard]] bool moves(std::size_t joint) const { return moves_[joint]; }

private:
    std::vector<bool> rotates_;
    std::vector<bool> moves_;
};

/// The slowest moment of the last fifth of a part: there a cut shows least.
[[nodiscard]] double slowest_moment(const Clip& clip, const TrimSpan& part);

// ---- F-curves of an armature ----

/// The F-curves of a scene's Action. Those of bones are what moves the bone in its rotation mode; all others
/// are properties, each with a name of its own, which only the tools that change times change.
struct CurveEdits {
    const rig::armature::Armature& armature;  ///< upright, so that Z is up
    std::span<const rig::curves::CurveView> curves;
    rig::curves::Timing timing;  ///< frame_start: where the Action begins
    const Json& options;         ///< as in ab_curves_edit
};

struct EditedCurves {
    rig::curves::CurvesFromClip result;  ///< what changed; without keys: what goes
    Json report;
};

/// Tools on F-curves: their keys stay keys, and what a tool does not touch is not in the result.
/// ErrorCode::bad_value names the member, or the bone and the error in its curve; ErrorCode::rejected: the
/// motion does not allow it.
[[nodiscard]] Result<EditedCurves> edited_curves(const CurveEdits& given, const Job& job = {});

/// The name of the joint on the other side; the name itself if it has no side.
[[nodiscard]] std::string mirrored_name(std::string_view name);

}  // namespace animbridge::editing
