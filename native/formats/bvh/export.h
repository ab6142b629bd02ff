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
#include "rig/curves.h"
#include "rig/samples.h"

/// An armature's motion as a BVH.
namespace animbridge::bvh {

enum class Positions : std::uint8_t { root, moving, all };

/// As ab_document_from_curves describes them.
struct ExportOptions {
    Placement placement{};
    bool turns_to_facing = false;  ///< the placement is that of a character that looks along -Y
    double frame_time_seconds = 0;
    std::size_t frame_count = 0;
    double frame_step = 1.0;             ///< frames of the scene for one of the file
    std::string rotation_order = "ZXY";  ///< channel letters, or "native"
    Positions positions = Positions::moving;
    std::optional<std::vector<std::string>> bones{};  ///< none: all
    std::optional<std::vector<glm::dvec3>> tails{};   ///< per bone, armature space
    std::map<std::string, std::string> names{};       ///< bone: joint
    const Document* base = nullptr;                   ///< the file that the armature came from
};

[[nodiscard]] std::span<const Option> export_options();
/// frame_time_seconds is by default frame_step / frames_per_second; frame_count must be given.
[[nodiscard]] Result<ExportOptions> export_options_from(const Json& json, const rig::Timing& timing);

struct Export {
    Document document;
    Json report;
};

/// ErrorCode::bad_value names the bone and what is wrong with its curve; or an option that does not fit the
/// armature.
[[nodiscard]] Result<Export> export_curves(const rig::Armature& armature, const rig::Timing& timing,
                                           std::span<const rig::CurveView> curves,
                                           std::span<const rig::UnchangedCurve> unchanged,
                                           const ExportOptions& options, const Job& job);
/// The samples stand at the file's frames.
[[nodiscard]] Result<Export> export_samples(const rig::Armature& armature, const rig::Timing& timing,
                                            const rig::SampleView& samples, const ExportOptions& options,
                                            const Job& job);

}  // namespace animbridge::bvh
