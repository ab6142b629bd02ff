// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/json/json.h"
#include "base/options/options.h"
#include "formats/bvh/file/file.h"
#include "formats/sl_anim/file/file.h"
#include "model/format/format.h"
#include "rig/exchange/exchange.h"

/// From .anim to a BVH from which the viewer's loader makes the same motion (docs/second-life-bvh.md, "Back
/// to BVH").
namespace animbridge::sl_anim_to_bvh {

/// The row in the table of bridges. Its report also has "max_position_error_mm", "max_rotation_error_degrees"
/// and "worst", from measure_frames, and "after_upload", from measure_upload. ErrorCode::rejected: the
/// frames' error exceeds the options' limit.
extern const Bridge bridge;

struct Options {
    std::optional<double> frames_per_second{};  ///< null: the coarsest grid that fits all keys, else 30
    /// Use names such as hip and abdomen if the viewer knows them; else mPelvis, mTorso, ...
    bool aliases = false;
    /// Move single frames by less than a degree where the viewer's loader would otherwise drop keys that
    /// matter. False: every frame is exact.
    bool hold_keys = true;
    StopBound stop{};
};

[[nodiscard]] std::span<const Option> options();

/// ErrorCode::bad_value with the member's name and what is allowed.
[[nodiscard]] Result<Options> options_from_json(const Json& json);

struct Converted {
    bvh::file::Document document;
    Json report = Json::object();  ///< from report_of
};

/// ErrorCode::rejected: the viewer refuses the .anim, or a BVH can hold none of its joints; bad_value: too
/// many frames. The root, the unit and the axes are as in the viewer's own BVH files. Frame 0 is at rest and
/// not part of the motion.
[[nodiscard]] Result<Converted> convert(const sl_anim::file::Document& document, const Options& options);

/// The report as text: what the BVH has and what it cannot hold. `give_back`, a member of the report, becomes
/// a line to type for the conversion back.
[[nodiscard]] std::string describe(const Json& report, const Json& give_back);

}  // namespace animbridge::sl_anim_to_bvh
