// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "base/options/options.h"
#include "formats/oban/edit/edit.h"
#include "formats/oban/file/file.h"
#include "formats/oban/play/play.h"
#include "rig/curves/curves.h"
#include "rig/exchange/exchange.h"

/// An OBAN to an object and back, and the row's ways through a clip.
namespace animbridge::oban::scene {

// An OBAN as F-curves of an object.

struct Curves {
    std::vector<rig::curves::BoneCurves> curves{};  ///< location and quaternion curves of no_bone
    Json report = Json::object();                   ///< described in animbridge.h at ab_curves_from_document
};

/// One linear key per key of the file. Keeps the length of each rotation, because the player also blends
/// rotations of unequal length. ErrorCode::rejected if the record cannot be played; ErrorCode::bad_value: a
/// position that Blender's single precision cannot hold.
[[nodiscard]] Result<Curves> to_curves(const file::Document& document, const rig::curves::Timing& timing,
                                       const play::Space& space);

/// The keys in the object's space. The sign of each rotation makes Blender's blend by component take the
/// player's path.
[[nodiscard]] std::vector<play::ObjectKey> object_keys(const file::Record& record, const play::Space& space);

/// The scene frame of a file's frame.
[[nodiscard]] inline double scene_frame(const rig::curves::Timing& timing, double file_frame) {
    return timing.frame_at(file_frame / file::frames_per_second);
}

/// Adds "base", "base_scale" and "base_matrix" of ab_curves_report to a report.
void put_base(Json& report, const play::Affine& object_base);

// Splits an object's matrices into a constant part, which becomes Base, and a rotation.

/// Scale and shear are constant if they change by a smaller fraction than this: 1 mm on 10 m, and a hundred
/// times the float noise of an object below a few parents.
inline constexpr double constant_tolerance = 1e-4;
/// A Base within this tolerance is considered equal: ten times the same noise.
inline constexpr double same_base_tolerance = 1e-5;

/// The Base of A(f), from one matrix per frame in the file's space. Only the linear parts matter, so
/// positions far from the origin do no harm.
///
/// `template_base` is Base before this export. It stays, including its translation, while scale, shear and
/// mirroring are within same_base_tolerance. A new Base is symmetric (from a polar decomposition) and has no
/// translation. Within the same tolerance it becomes diagonal, and its scale 1 or a round number. It mirrors
/// along X.
///
/// ErrorCode::bad_value names the frame whose matrix is not finite or is flat, or whose scale, shear or
/// mirroring differs from the first frame's.
[[nodiscard]] Result<play::Affine> constant_base(std::span<const play::Affine> frames,
                                                 const std::optional<play::Affine>& template_base);

/// The rotation R in A = T R Base.
[[nodiscard]] glm::dquat rotation_before(const glm::dmat3& linear, const glm::dmat3& base_inverse);

// Exports an object's motion to an OBAN.

/// The options, described in animbridge.h at ab_document_from_samples. Empty ones keep the value of the
/// template or of a new file.
struct ExportOptions {
    play::Space space{};
    std::optional<std::uint32_t> flags{};
    std::optional<std::uint16_t> half_stop_frame{};
    std::optional<std::uint16_t> frame_length{};
    std::optional<std::string> name{};
    std::optional<file::Container> container{};
    std::optional<edit::Bound> bound = edit::Bound{};  ///< null: every key stays
    bool mirrors = false;                              ///< a door: the motion is its opening half
    bool is_camera = false;                            ///< only for the script lines of the report
    play::Affine object_base{};  ///< from curves: the object's matrix besides location and rotation
    const file::Document* template_document = nullptr;  ///< the template; may be null
};

/// "axes" and "origin".
[[nodiscard]] std::span<const Option> import_options();
[[nodiscard]] std::span<const Option> export_options();

[[nodiscard]] Result<play::Space> space_from(const Json& json);
[[nodiscard]] Result<ExportOptions> export_options_from(const Json& json);

struct Export {
    file::Document document{};
    Json report = Json::object();
    WorstDifference worst{};
};

/// Channels that have not changed since the import, and so need no curves.
struct UnchangedChannels {
    bool location = false;
    bool rotation = false;
};

/// Needs three location and four quaternion curves: linear, with common keys at whole frames of the file.
/// Keys that still equal the template's (as object_keys() makes them) keep its bits.
/// ErrorCode::invalid_argument: other curves, or curves that Blender blends by component, unlike the player.
[[nodiscard]] Result<Export> export_curves(const rig::curves::Timing& timing,
                                           std::span<const rig::curves::CurveView> curves,
                                           UnchangedChannels unchanged, const ExportOptions& options);

/// `matrices`: world matrices at the file's frames, [frame][16], column-major, in metres.
/// ErrorCode::bad_value names the frame whose matrix has no volume, or whose scale, shear or mirroring
/// differs from the first frame's.
[[nodiscard]] Result<Export> export_samples(std::span<const float> matrices, const ExportOptions& options,
                                            const Job& job);

// Converts an OBAN to an object and back; fills those members of the format's row.

[[nodiscard]] Result<CurvesMade> to_scene_curves(const file::File& file, const ToCurves& request);
/// Uses the samples' object matrices, at the file's frames.
[[nodiscard]] Result<Made> from_scene(const SceneMotion& motion);

/// Always 1: the object, posed in the file's axes and unit.
[[nodiscard]] Result<std::vector<std::string>> played_joints(const file::File& file);
[[nodiscard]] Result<void> play(const file::File& file, std::span<const double> times_seconds,
                                std::optional<double> stop_seconds, const PoseArrays& out);

// Converts an OBAN to the neutral clip and back, for conversions without an exact bridge.

/// "camera": whether the moving object is a camera. One node moves; if Base turns or moves the object, a
/// second one rests below it. Axes are Blender's. ErrorCode::rejected if the record cannot be played.
[[nodiscard]] Result<ClipMade> file_to_clip(const file::File& file, const Json& options);

/// "joint": the joint whose motion to use, for clips with more than one chain. ErrorCode::bad_value: there is
/// no such joint, or there are more frames than an OBAN can have. ErrorCode::invalid_argument: no joint is
/// named and there are several chains.
[[nodiscard]] Result<Made> file_from_clip(const ClipRequest& request);
[[nodiscard]] std::span<const Option> to_clip_options();
[[nodiscard]] std::span<const Option> from_clip_options();

}  // namespace animbridge::oban::scene
