// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "base/options/options.h"
#include "model/compare/compare.h"
#include "model/format/format.h"
#include "rig/armature/armature.h"
#include "rig/curves/curves.h"

/// What a format and a scene hand each other: requests and answers of the row's functions, poses in bulk, and
/// the stop of an export that is far off.
namespace animbridge {

// A format's functions for scenes: they make curves for an armature or object from a document, and documents
// from curves or poses.

/// A document as a clip.
struct ClipMade {
    Clip clip;
    std::vector<std::string> left_out{};  ///< what a clip cannot hold, in words
    std::vector<std::string> warnings{};  ///< sentences: what the clip holds only inexactly
    std::string name{};                   ///< the animation's name, if the file has one
    // Sentences about the size, which retargeting changes.
    std::string size_note{};                  ///< the size that was found
    std::string size_warning{};               ///< the size that was guessed
    FrameKeys frames{};                       ///< how the document's curves were sampled
    std::optional<double> metres_per_unit{};  ///< of a file without a unit
};

/// The options of the format's "to_clip" for reading a file without a unit at a body's size.
[[nodiscard]] Json at_body_size(const Format& format, Json to_clip);

struct ClipOfScene;

/// A clip that becomes a document. The report has "left_out", in words, besides how exact the document is:
/// "max_position_error_mm" and "max_rotation_error_degrees".
struct ClipRequest {
    const Clip& clip;
    const Json& options;  ///< an object, as the format's table for "from_clip" describes it, or that for
                          ///< "from_curves" or "from_samples" where the clip is of a scene
    const Job& job;
    const ClipOfScene* scene = nullptr;   ///< null: the clip is of a document
    std::vector<std::string> left_out{};  ///< with which the report's "left_out" begins: ClipMade's
};

/// What the clip lacks, and what a format without properties leaves out of it, if it can hold these markers.
[[nodiscard]] std::vector<std::string> left_out_of(const ClipRequest& request,
                                                   std::span<const std::string_view> markers);

/// The names of the joints, not roots, that leave their rest position: a report's "moved_joints".
[[nodiscard]] Json moved_joints_json(const Clip& clip);

/// The markers of a loop, in clips of formats that have one.
inline constexpr std::array<std::string_view, 2> loop_markers = {"loop_in", "loop_out"};

/// The times at which the clip's loop begins and ends.
struct Loop {
    double in_seconds = 0;
    double out_seconds = 0;
};
/// nullopt if the clip lacks one of the markers.
[[nodiscard]] std::optional<Loop> loop_of(const Clip& clip);

/// If `rig` is null, an object's motion is requested.
struct ToCurves {
    const rig::armature::SceneRig* rig = nullptr;
    rig::curves::Timing timing{};
    const Json& options;  ///< an object, described by the format
    const Job& job;
};

struct CurvesMade {
    rig::curves::CurvesFromClip result;
    Json report = Json::object();
};

/// The report on an import of a clip's curves: "matched", "unmatched_joints", "close_keys", "warnings",
/// "duration_seconds", "frame_end".
[[nodiscard]] Json clip_curves_report(const Clip& clip, const rig::armature::BoneMap& map,
                                      const rig::armature::Armature& armature,
                                      const rig::curves::Timing& timing,
                                      const rig::curves::CurvesFromClip& made);

/// The motion of a scene that is to become a document.
struct SceneMotion {
    const rig::armature::SceneRig* rig = nullptr;  ///< null: of an object
    rig::curves::Timing timing{};
    std::span<const rig::curves::CurveView> curves{};
    std::span<const rig::curves::UnchangedCurve> unchanged{};  ///< channels that are as they were imported
    const rig::curves::SampleView* samples = nullptr;  ///< evaluated poses; null: the curves say it all
    const AnyDocument* template_document = nullptr;    ///< what the scene was imported from; may be null
    const Json& options;
    const Job& job;
};

/// The frames of a format with a value at each frame.
struct ExportFrames {
    std::size_t count = 0;
    double step = 1.0;     ///< frames of the scene from one to the next
    double seconds = 0.0;  ///< of the file, from one to the next
    /// Per bone, frame by frame: what the template says of channels that are as they were imported.
    std::vector<rig::curves::BoneMotion> kept{};
};

/// An armature's bones as the joints of a clip.
struct ExportRig {
    rig::armature::Armature armature;  ///< with the facing that counts
    Skeleton skeleton{};
    rig::armature::BoneMap map{};
    std::size_t root = 0;  ///< the joint that carries the motion of the object
    double duration_seconds = 0;
    bool needs_resting = true;   ///< bones that stand still get keys, unless the samples say which bones do
    double keys_per_frame = 1;   ///< of curves, where a segment is not straight
    double shown_per_frame = 1;  ///< as in rig::curves::shown_by_curves
    std::optional<ExportFrames> frames{};  ///< null: keys are where the scene has them
};

/// A clip of a scene's motion, and what else is known about it.
struct ClipOfScene {
    const SceneMotion& motion;
    ExportRig rig;
    Clip clip{};
    std::optional<Clip> between{};  ///< what curves show between the clip's keys too; null: the clip says it
    std::vector<rig::curves::ChannelValues> values{};  ///< of curves at frames: Euler angles keep whole turns
    std::vector<rig::curves::MovedJoint> moved{};      ///< of samples
    std::vector<std::string> left_out{};  ///< of samples: sentences on motion that the clip does not have

    /// What the scene shows over time: the document is measured against it.
    [[nodiscard]] const Clip& shown() const { return between ? *between : clip; }
};

/// An export with a larger error is a mistake, not a loss of precision.
inline constexpr double usual_stop_mm = 20.0;

/// The row "stop_above_mm" of a table of exports, which playback::document_of reads.
template <typename Target>
inline constexpr std::array<OptionRow<Target>, 1> stop_rows = {{
    {{.name = "stop_above_mm",
      .type = OptionType::number,
      .high = largest_scene_number,
      .standard = "20",
      .unit = "mm",
      .zero = "never stop",
      .help = "Make no file if a joint or the object is farther than this from where the scene shows it, or "
              "turned by more than 5 degrees, unless the tolerance is larger"},
     [](Target& /*target*/, const Json& /*value*/) {}},
}};

/// The same for the rotation of a joint, in a file that a conversion makes.
inline constexpr double usual_stop_degrees = 5.0;

/// The largest error of a file; 0: never stop.
struct StopBound {
    double millimetres = usual_stop_mm;
    double degrees = usual_stop_degrees;

    [[nodiscard]] bool allows(const WorstDifference& worst) const;
};

/// The rows "stop_above_mm" and "stop_above_degrees" of a conversion, for any Target with `stop`. Only the
/// table of retargeting has the command's flag.
template <typename Target>
inline constexpr std::array<OptionRow<Target>, 2> clip_stop_rows = {{
    {{.name = "stop_above_mm",
      .type = OptionType::number,
      .high = largest_scene_number,
      .standard = "20",
      .unit = "mm",
      .zero = "never stop",
      .help = "Make no file if a joint of it is farther than this from where it is meant to be, or turned "
              "farther than stop_above_degrees says"},
     [](Target& target, const Json& value) { target.stop.millimetres = value.get<double>(); }},
    {{.name = "stop_above_degrees",
      .type = OptionType::number,
      .high = largest_scene_number,
      .standard = "5",
      .unit = "degrees",
      .zero = "never stop",
      .help = "Make no file if a joint of it is turned farther than this from how it is meant to be; in the "
              "command, the number after the comma of --stop-above"},
     [](Target& target, const Json& value) { target.stop.degrees = value.get<double>(); }},
}};

/// A report's "worst".
[[nodiscard]] Json worst_json(const WorstDifference& worst);

/// The converted document. ErrorCode::rejected if it is too far from `motion` ("the retargeted motion"):
/// names the joint, the time, the causes and what to do.
[[nodiscard]] Result<Made> unless_too_far(Made made, const StopBound& bound, std::string_view motion);

}  // namespace animbridge
