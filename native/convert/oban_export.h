// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/job.h"
#include "base/json.h"
#include "formats/oban/axes.h"
#include "formats/oban/reduce.h"
#include "rig/curves.h"

/// An object's motion as an OBAN.
namespace animbridge {

/// As ab_oban_document_from_samples describes them. What is not told is the base's, or a new file's.
struct ObanExportOptions {
    oban::Space space{};
    std::optional<std::uint32_t> flags{};
    std::optional<std::uint16_t> half_stop_frame{};
    std::optional<std::uint16_t> frame_length{};
    std::optional<std::string> name{};
    std::optional<oban::Container> container{};
    std::optional<oban::Bound> bound = oban::Bound{};  ///< none: every key stays
    bool mirrors = false;                              ///< a door: the motion given is the opening half
    bool is_camera = false;                            ///< only for the lines of the script
    oban::Affine object_base{};  ///< from curves: what the object shows besides location and rotation
    const oban::Document* base = nullptr;  ///< the file that the object came from
};

/// "axes" and "origin" of an import.
[[nodiscard]] Result<oban::Space> oban_space_from(const char* json_or_null);
[[nodiscard]] Result<ObanExportOptions> oban_export_options_from(const char* json_or_null);

struct ObanExport {
    oban::Document document{};
    Json report = Json::object();
};

/// Three location and four quaternion curves, linear, with common keys at whole frames of the file. Keys that
/// are as object_keys() makes them of the base's keep the base's bits.
/// ErrorCode::invalid_argument: the curves are others, or a blend by component of theirs is not the player's.
/// `kept`: the channels that stand as they were imported, and so need no curves.
struct KeptChannels {
    bool location = false;
    bool rotation = false;
};
[[nodiscard]] Result<ObanExport> export_oban(const rig::Timing& timing,
                                             std::span<const rig::CurveView> curves, KeptChannels kept,
                                             const ObanExportOptions& options);

/// World matrices, [frame][16], column-major, metres, at the file's frames. ErrorCode::bad_value names the
/// frame whose matrix places nothing, or whose scale, shear or mirroring is not the first one's.
[[nodiscard]] Result<ObanExport> export_sampled_oban(std::span<const float> matrices,
                                                     const ObanExportOptions& options, const Job& job);

}  // namespace animbridge
