// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/job.h"
#include "base/option.h"
#include "formats/bvh/document.h"
#include "formats/bvh/placement.h"
#include "formats/motion.h"
#include "rig/curves.h"
#include "rig/samples.h"

/// Exports an armature's motion to a BVH.
namespace animbridge::bvh {

enum class Positions : std::uint8_t { root, moving, all };

/// The options of an export, described in animbridge.h at ab_document_from_curves.
struct ExportOptions {
    Placement placement{};
    bool turns_to_facing = false;  ///< `forward` is "auto": turn the placement to the character's facing
    double frame_time_seconds = 0;
    std::size_t frame_count = 0;
    double frame_step = 1.0;             ///< scene frames per file frame
    std::string rotation_order = "ZXY";  ///< channel letters, or "native"
    Positions positions = Positions::moving;
    std::optional<std::vector<std::string>> bones{};  ///< null for all bones
    std::optional<std::vector<glm::dvec3>> tails{};   ///< per bone, in armature space
    std::map<std::string, std::string> names{};       ///< joint names by bone name
    const Document* template_document = nullptr;      ///< not owned, may be null
    double stop_above_mm = usual_stop_mm;             ///< 0: an export never stops because of its error
};

[[nodiscard]] std::span<const Option> export_options();
/// frame_time_seconds defaults to frame_step / frames_per_second; frame_count must be given.
[[nodiscard]] Result<ExportOptions> export_options_from(const Json& json, const rig::Timing& timing);

struct Export {
    Document document;
    Json report;
    WorstDifference worst{};
};

/// Exports F-curves. ErrorCode::bad_value names the bone and the error in its curve, or the option that does
/// not fit the armature.
[[nodiscard]] Result<Export> export_curves(const rig::Armature& armature, const rig::Timing& timing,
                                           std::span<const rig::CurveView> curves,
                                           std::span<const rig::UnchangedCurve> unchanged,
                                           const ExportOptions& options, const Job& job);
/// Exports evaluated poses, sampled at the file's frames.
[[nodiscard]] Result<Export> export_samples(const rig::Armature& armature, const rig::Timing& timing,
                                            const rig::SampleView& samples, const ExportOptions& options,
                                            const Job& job);

}  // namespace animbridge::bvh
