// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/options/options.h"
#include "formats/mrtk/edit/edit.h"
#include "formats/mrtk/file/file.h"
#include "rig/exchange/exchange.h"

/// A recording to an armature and back, and the row's ways through a clip.
namespace animbridge::mrtk::scene {

// Exports a scene to a recording.

struct ExportOptions {
    edit::Version version = edit::Version::automatic;
    bool keep_others = true;  ///< the template's poses that no exported bone shows
    double max_position_mm = 0.1;
    double max_rotation_degrees = 0.02;
    std::string rig{};                               ///< the text of a rig file; empty: find the hands
    std::optional<std::vector<glm::dvec3>> tails{};  ///< per bone, in armature space
    std::optional<std::vector<std::string>> marker_names{};
    std::vector<double> marker_seconds{};
    /// By switch: the times at which it changes, first to on; none: those of the template.
    std::array<std::optional<std::vector<double>>, file::switch_count> switches{};
};

/// The tables of "from_curves" and "from_samples".
[[nodiscard]] std::span<const Option> curve_export_options();
[[nodiscard]] std::span<const Option> sample_export_options();
[[nodiscard]] Result<ExportOptions> curve_options_from(const Json& options);
[[nodiscard]] Result<ExportOptions> sample_options_from(const Json& options);

/// The markers of the new file: the template's if none are given. A given marker that is one of the
/// template's, on the same frame, keeps its time bit for bit.
[[nodiscard]] Result<std::vector<edit::NewMarker>> new_markers(const ExportOptions& options,
                                                               const file::Document* template_document,
                                                               const rig::curves::Timing& timing);

/// Without the keys that lines do not need.
[[nodiscard]] Clip with_needed_keys(Clip clip, const ExportOptions& bounds);

/// The document with its report, measured against the clip that the scene shows.
[[nodiscard]] Result<Made> measured_export(file::Document document, const Clip& shown,
                                           std::vector<std::string> warnings, const Job& job);

[[nodiscard]] Result<Made> from_curves(const SceneMotion& request);
[[nodiscard]] Result<Made> from_samples(const SceneMotion& request);

// The scene functions of the format's row; formats/motion.h describes them.

/// The bones that play a recording, in the form of ab_skeleton_json; without a document, two flat hands.
[[nodiscard]] Result<Json> skeleton(const AnyDocument* document, const Json& options);
[[nodiscard]] Result<CurvesMade> to_curves(const file::Document& document, const ToCurves& request);

// The functions of the format's row that convert through a clip, with their options.

/// The hands with a hierarchy of bones, or each pose separately.
[[nodiscard]] Result<ClipMade> document_to_clip(const file::Document& document, const Json& options);
[[nodiscard]] std::span<const Option> to_clip_options();

/// Uses the nodes with a recording's names. For a character (is_character()), uses the hands that
/// found_hands() finds, and puts its findings into the report's "hands" and "warnings".
/// ErrorCode::invalid_argument: there are neither hands nor such names.
[[nodiscard]] Result<Made> document_from_clip(const ClipRequest& request);
[[nodiscard]] std::span<const Option> from_clip_options();

/// Whether the nodes are a recording's rather than a character's.
[[nodiscard]] bool takes(const Clip& clip);

}  // namespace animbridge::mrtk::scene
