// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/job.h"
#include "base/json.h"
#include "convert/sl_export.h"
#include "formats/bvh/document.h"
#include "formats/bvh/placement.h"
#include "rig/curves.h"
#include "rig/samples.h"

/// An armature's motion as a BVH.
namespace animbridge {

enum class BvhPositions : std::uint8_t { root, moving, all };

/// As ab_bvh_document_from_curves describes them.
struct BvhExportOptions {
    bvh::Placement placement{};
    bool turns_to_facing = false;  ///< the placement is that of a character that looks along -Y
    double frame_time_seconds = 0;
    std::size_t frame_count = 0;
    double frame_step = 1.0;             ///< frames of the scene for one of the file
    std::string rotation_order = "ZXY";  ///< channel letters, or "native"
    BvhPositions positions = BvhPositions::moving;
    std::optional<std::vector<std::string>> bones{};  ///< none: all
    std::optional<std::vector<glm::dvec3>> tails{};   ///< per bone, armature space
    std::map<std::string, std::string> names{};       ///< bone: joint
    const bvh::Document* base = nullptr;              ///< the file that the armature came from
};

/// frame_time_seconds is by default frame_step / frames_per_second; frame_count must be given.
[[nodiscard]] Result<BvhExportOptions> bvh_export_options_from(const char* json_or_null,
                                                               const rig::Timing& timing);

struct BvhExport {
    bvh::Document document;
    Json report;
};

/// ErrorCode::bad_value names the bone and what is wrong with its curve; or an option that does not fit the
/// armature.
[[nodiscard]] Result<BvhExport> export_bvh(const rig::Armature& armature, const rig::Timing& timing,
                                           std::span<const rig::CurveView> curves,
                                           std::span<const UnchangedCurve> unchanged,
                                           const BvhExportOptions& options, const Job& job);
/// The samples stand at the file's frames.
[[nodiscard]] Result<BvhExport> export_sampled_bvh(const rig::Armature& armature, const rig::Timing& timing,
                                                   const rig::SampleView& samples,
                                                   const BvhExportOptions& options, const Job& job);

}  // namespace animbridge
