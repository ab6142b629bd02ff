// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/option.h"
#include "formats/motion.h"
#include "formats/mrtk/assemble.h"
#include "formats/mrtk/document.h"

/// Exports a scene to a recording.
namespace animbridge::mrtk {

struct ExportOptions {
    Version version = Version::automatic;
    double stop_above_mm = usual_stop_mm;
    bool keep_others = true;  ///< keep the template's poses that no exported bone shows
    double max_position_mm = 0.1;
    double max_rotation_degrees = 0.02;
    std::string rig{};                               ///< the text of a rig file; empty: find the hands
    std::optional<std::vector<glm::dvec3>> tails{};  ///< per bone, in armature space
    std::optional<std::vector<std::string>> marker_names{};
    std::vector<double> marker_seconds{};
    /// By switch: the times at which it changes, first to on; none: those of the template.
    std::array<std::optional<std::vector<double>>, switch_count> switches{};
};

/// The tables of "from_curves" and "from_samples".
[[nodiscard]] std::span<const Option> curve_export_options();
[[nodiscard]] std::span<const Option> sample_export_options();
[[nodiscard]] Result<ExportOptions> curve_options_from(const Json& options);
[[nodiscard]] Result<ExportOptions> sample_options_from(const Json& options);

/// The markers of the new file: the template's if none are given. A given marker that is one of the
/// template's, on the same frame, keeps its time bit for bit.
[[nodiscard]] Result<std::vector<NewMarker>> new_markers(const ExportOptions& options,
                                                         const Document* template_document,
                                                         const rig::Timing& timing);

/// The document with its report, measured against the clip that the scene shows. ErrorCode::rejected: the
/// error exceeds stop_above_mm.
[[nodiscard]] Result<Made> measured_export(Document document, const Clip& shown, const ExportOptions& options,
                                           const rig::Timing& timing, std::vector<std::string> warnings,
                                           const Job& job);

[[nodiscard]] Result<Made> from_curves(const FromCurves& request);
[[nodiscard]] Result<Made> from_samples(const FromSamples& request);

}  // namespace animbridge::mrtk
