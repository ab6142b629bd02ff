// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/job.h"
#include "base/option.h"
#include "formats/oban/axes.h"
#include "formats/oban/reduce.h"
#include "rig/curves.h"

/// An object's motion as an OBAN.
namespace animbridge::oban {

/// As ab_document_from_samples describes them. What is not told is the base's, or a new file's.
struct ExportOptions {
    Space space{};
    std::optional<std::uint32_t> flags{};
    std::optional<std::uint16_t> half_stop_frame{};
    std::optional<std::uint16_t> frame_length{};
    std::optional<std::string> name{};
    std::optional<Container> container{};
    std::optional<Bound> bound = Bound{};  ///< none: every key stays
    bool mirrors = false;                  ///< a door: the motion given is the opening half
    bool is_camera = false;                ///< only for the lines of the script
    Affine object_base{};            ///< from curves: what the object shows besides location and rotation
    const Document* base = nullptr;  ///< the file that the object came from
};

/// "axes" and "origin".
[[nodiscard]] std::span<const Option> import_options();
[[nodiscard]] std::span<const Option> export_options();

[[nodiscard]] Result<Space> space_from(const Json& json);
[[nodiscard]] Result<ExportOptions> export_options_from(const Json& json);

struct Export {
    Document document{};
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
[[nodiscard]] Result<Export> export_curves(const rig::Timing& timing, std::span<const rig::CurveView> curves,
                                           KeptChannels kept, const ExportOptions& options);

/// World matrices, [frame][16], column-major, metres, at the file's frames. ErrorCode::bad_value names the
/// frame whose matrix places nothing, or whose scale, shear or mirroring is not the first one's.
[[nodiscard]] Result<Export> export_samples(std::span<const float> matrices, const ExportOptions& options,
                                            const Job& job);

}  // namespace animbridge::oban
