// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <glm/vec3.hpp>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "base/options/options.h"
#include "editing/editing.h"
#include "formats/bvh/clip/clip.h"
#include "formats/bvh/file/file.h"
#include "model/clip/clip.h"
#include "model/compare/compare.h"
#include "rig/armature/armature.h"
#include "rig/curves/curves.h"
#include "rig/exchange/exchange.h"

/// A BVH to an armature and back, without a clip where Euler angles say more, and the row's ways through a
/// clip.
namespace animbridge::bvh::scene {

// Converts a BVH to curves on the bones of an armature.

struct Curves {
    rig::curves::CurvesFromClip result;  ///< curves and warnings
    double scale = 1.0;                  ///< scale of positions: the placement's, or the ratio of heights
    double duration_seconds = 0.0;
};

/// The curves that play the file on the matched bones, with a key at each frame.
///
/// In world space, each bone's rotation from its rest pose equals the joint's rotation from the file's rest
/// pose. Joints without a bone pass their motion on to the bones below. Rotation curves use the bone's own
/// channel: the file's own angles if they mean the same on the bone, otherwise continuous signs and angles.
///
/// Bones get location curves if their joints have position channels. Locations are relative to the joint's
/// rest position. If a root rests elsewhere on the armature than in the file, they are relative to its OFFSET
/// or to its standing height, whichever is nearer to its highest frame. With `fit_height`, the ratio of hip
/// heights scales positions instead of the placement.
///
/// A file without a frame time plays one frame per scene frame. ErrorCode::bad_value: a number beyond
/// largest_number.
[[nodiscard]] Result<Curves> to_curves(const file::Document& document, const clip::Placement& placement,
                                       bool fit_height, const rig::armature::Armature& armature,
                                       const rig::armature::JointMatch& match,
                                       const rig::curves::Timing& timing);

// Exports an armature's motion to a BVH.

enum class Positions : std::uint8_t { root, moving, all };

/// The options of an export, described in animbridge.h at ab_document_from_curves.
struct ExportOptions {
    clip::Placement placement{};
    double frame_time_seconds = 0;
    std::size_t frame_count = 0;
    double frame_step = 1.0;             ///< scene frames per file frame
    std::string rotation_order = "ZXY";  ///< channel letters, or "native"
    Positions positions = Positions::moving;
    std::optional<std::vector<std::string>> bones{};    ///< null for all bones
    std::optional<std::vector<glm::dvec3>> tails{};     ///< per bone, in armature space
    std::map<std::string, std::string> names{};         ///< joint names by bone name
    const file::Document* template_document = nullptr;  ///< the template; not owned, may be null
};

[[nodiscard]] std::span<const Option> export_options();
/// frame_time_seconds defaults to frame_step / frames_per_second; frame_count must be given. With the forward
/// "auto", the placement is turned to the character's facing.
[[nodiscard]] Result<ExportOptions> export_options_from(const SceneMotion& motion);

/// The exported bones and the file's frames; the armature's facing does not count. ErrorCode::bad_value:
/// names the option that does not fit the armature.
[[nodiscard]] Result<ExportRig> export_rig(const SceneMotion& motion);
[[nodiscard]] Result<Made> document_from_scene(const ClipOfScene& scene);

// The tables of options for the BVH calls in animbridge.h.

/// "forward" and "up" are the file's axes that become Blender's +Y and +Z.
struct PlacementOptions {
    std::string forward{};
    std::string up{};
    double scale = 1.0;

    /// The placement that the options describe. With "auto", the character faces along the file's +Z, or
    /// along -Y if Z is up.
    [[nodiscard]] Result<clip::Placement> placement() const;
};

/// Rows for any Target that is a PlacementOptions. Only exports have the forward "auto".
template <typename Target>
[[nodiscard]] constexpr std::array<OptionRow<Target>, 3> placement_rows(bool may_be_auto) {
    Option forward = {.name = "forward",
                      .type = OptionType::choice,
                      .choices = {"X", "Y", "Z", "-X", "-Y", "-Z"},
                      .standard = "-Z",
                      .help =
                          "The file's axis that becomes Blender's +Y; with -Z, characters that look along "
                          "the file's +Z look along -Y, into Blender's front view"};
    if (may_be_auto) {
        forward.choices[6] = "auto";
        forward.help =
            "The file's axis that becomes Blender's +Y. With auto, the character looks along the file's +Z, "
            "or its -Y where Z is up";
    }
    return {{
        {forward, [](Target& options, const Json& value) { options.forward = value.get<std::string>(); }},
        {{.name = "up",
          .type = OptionType::choice,
          .choices = {"X", "Y", "Z", "-X", "-Y", "-Z"},
          .standard = "Y",
          .help = "The file's axis that becomes Blender's +Z"},
         [](Target& options, const Json& value) { options.up = value.get<std::string>(); }},
        {{.name = "scale",
          .type = OptionType::number,
          .high = largest_scene_number,
          .above_low = true,
          .standard = "1",
          .unit = "m",
          .help = "Metres for one unit of the file: 0.01 for centimetres, 0.0254 for inches"},
         [](Target& options, const Json& value) { options.scale = value.get<double>(); }},
    }};
}

/// The row "frames_per_second" for any Target with such a member. Slower rates give useless frame times;
/// faster ones need more frames than are written.
template <typename Target>
[[nodiscard]] constexpr std::array<OptionRow<Target>, 1> rate_rows(std::string_view without,
                                                                   std::string_view help) {
    return {{
        {{.name = "frames_per_second",
          .type = OptionType::number,
          .command_name = "--fps",
          .value_name = "RATE",
          .low = 0.01,
          .high = 100'000,
          .without = without,
          .unit = "frames per second",
          .help = help},
         [](Target& options, const Json& value) { options.frames_per_second = value.get<double>(); }},
    }};
}

[[nodiscard]] std::span<const Option> skeleton_options();
[[nodiscard]] Result<clip::Placement> placement_from(const Json& json);

struct ImportOptions {
    clip::Placement placement{};
    bool by_rig_map = true;
    bool fit_height = false;
};
[[nodiscard]] std::span<const Option> import_options();
[[nodiscard]] Result<ImportOptions> import_options_from(const Json& json);

// A BVH's joints, and the C interface's reports about them.

/// Described in animbridge.h at ab_skeleton_json.
[[nodiscard]] Result<Json> skeleton_json(const file::Document& document, const clip::Placement& placement);

/// The report of ab_curves_from_document. `axes`: the axes that the curves were made with.
[[nodiscard]] Json curves_report(const file::Document& document, const rig::armature::Armature& armature,
                                 const clip::Axes& axes, const rig::armature::JointMatch& match,
                                 const rig::curves::Timing& timing, const Curves& made);

/// The file's joints with the names of bone_names.
[[nodiscard]] std::vector<rig::armature::NamedJoint> named_joints(const file::Document& document);

/// The largest errors of `shown` against `wanted` at these times. Both clips have the same nodes, at least
/// one; where none is off, the first is named.
[[nodiscard]] WorstDifference worst_errors(const Clip& wanted, const Clip& shown,
                                           std::span<const double> times);

/// The times at which a document is compared with the clip that it was made from: its frames, the clip's keys
/// from 0 on and the midpoints between them; also times along the clip's curves.
struct ComparedTimes {
    std::vector<double> even;     ///< all except `jumping`
    std::vector<double> jumping;  ///< inside the frames in which the clip jumps but a BVH moves evenly
    std::size_t jumps = 0;        ///< the number of those frames
};
/// `jump_seconds`: motion that takes less time is a jump too.
[[nodiscard]] ComparedTimes compared_times(const file::Document& document, const Clip& wanted,
                                           double jump_seconds = 0.0);

/// A document's clip after it is written and read back, and its largest errors at times.
struct MeasuredFile {
    Clip shown;
    WorstDifference worst;
};
/// `placement` is as in to_clip.
[[nodiscard]] Result<MeasuredFile> measured_file(const file::Document& document,
                                                 const clip::Placement& placement, const Clip& wanted,
                                                 std::span<const double> times);

// Converts a BVH to an armature and back; fills those members of the format's row.

[[nodiscard]] Result<CurvesMade> to_scene_curves(const file::File& file, const ToCurves& request);

/// Poses along the file's axes and in its unit, between frames interpolated linearly; ease weights are 1. A
/// file without a frame time plays one frame a second.
[[nodiscard]] Result<std::vector<std::string>> played_joints(const file::File& file);
[[nodiscard]] Result<void> play(const file::File& file, std::span<const double> times_seconds,
                                std::optional<double> stop_seconds, const PoseArrays& out);

// Converts a BVH to the neutral clip and back, for conversions without an exact bridge.

/// Axes as in an import; the scale may be "auto" (human_scale), which is 1 without a body.
/// ErrorCode::bad_value: a position or time beyond 1e30.
[[nodiscard]] Result<ClipMade> file_to_clip(const file::File& file, const Json& options);

/// Has the same options, a frame rate and a limit for the file's error, measured between frames too. Without
/// a rate, the rate rises by whole multiples until the file is within the limit. The joints are the clip's
/// nodes, depth first, with positions for roots and for nodes that move. ErrorCode::bad_value: more numbers
/// than most_motion_numbers. ErrorCode::rejected: the error exceeds the limit.
[[nodiscard]] Result<Made> file_from_clip(const ClipRequest& request);

/// The file with the columns of these tracks in place of its own; all other numbers stay. `changed`: over the
/// skeleton of file_to_clip with the same options. A joint shows what its channels can.
[[nodiscard]] Result<file::Document> with_tracks(const file::File& file, const Clip& changed,
                                                 const Json& to_clip);

/// The tools that frames allow exactly (Format::Edits::tools): speed, reversing and holding.
[[nodiscard]] Result<file::Document> with_tools(file::Document document, editing::Tools& left, Json& rows);

[[nodiscard]] std::span<const Option> to_clip_options();
[[nodiscard]] std::span<const Option> from_clip_options();

/// The most numbers in the frames of a file made from a clip: 400 MB.
inline constexpr double most_motion_numbers = 50e6;

}  // namespace animbridge::bvh::scene
