// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/job.h"
#include "base/option.h"
#include "formats/motion.h"
#include "formats/oban/axes.h"
#include "formats/oban/reduce.h"
#include "rig/curves.h"

/// Exports an object's motion to an OBAN.
namespace animbridge::oban {

/// The options, described in animbridge.h at ab_document_from_samples. Empty ones keep the value of the
/// template or of a new file.
struct ExportOptions {
    Space space{};
    std::optional<std::uint32_t> flags{};
    std::optional<std::uint16_t> half_stop_frame{};
    std::optional<std::uint16_t> frame_length{};
    std::optional<std::string> name{};
    std::optional<Container> container{};
    std::optional<Bound> bound = Bound{};  ///< null: every key stays
    bool mirrors = false;                  ///< a door: the motion is its opening half
    bool is_camera = false;                ///< only for the script lines of the report
    Affine object_base{};                  ///< from curves: the object's matrix besides location and rotation
    const Document* template_document = nullptr;  ///< may be null
    double stop_above_mm = usual_stop_mm;         ///< 0: an export never stops because of its error
};

/// "axes" and "origin".
[[nodiscard]] std::span<const Option> import_options();
[[nodiscard]] std::span<const Option> export_options();

[[nodiscard]] Result<Space> space_from(const Json& json);
[[nodiscard]] Result<ExportOptions> export_options_from(const Json& json);

struct Export {
    Document document{};
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
[[nodiscard]] Result<Export> export_curves(const rig::Timing& timing, std::span<const rig::CurveView> curves,
                                           UnchangedChannels unchanged, const ExportOptions& options);

/// `matrices`: world matrices at the file's frames, [frame][16], column-major, in metres.
/// ErrorCode::bad_value names the frame whose matrix has no volume, or whose scale, shear or mirroring
/// differs from the first frame's.
[[nodiscard]] Result<Export> export_samples(std::span<const float> matrices, const ExportOptions& options,
                                            const Job& job);

}  // namespace animbridge::oban
