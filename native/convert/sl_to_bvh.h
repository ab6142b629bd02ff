// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "base/json.h"
#include "convert/bridges.h"
#include "formats/bvh/document.h"
#include "formats/sl_anim/document.h"

/// From .anim to a BVH that the viewer's loader makes the same motion of (docs/second-life-bvh.md, "Back to
/// BVH").
namespace animbridge::sl_to_bvh {

struct Options {
    std::optional<double> frames_per_second{};  ///< none: the coarsest grid that fits all keys, else 30
    bool aliases =
        false;  ///< hip, abdomen, ... where the viewer knows such a name; else mPelvis, mTorso, ...
    /// Single frames may be off by less than a degree, so that the viewer's loader keeps the keys that it
    /// would drop to the motion's harm; else every frame is exact.
    bool hold_keys = true;
};

/// {"frames_per_second": number above 0, "names": "joints" or "aliases", "hold_keys": bool}, each member
/// optional; an ErrorCode::bad_value names the member otherwise.
[[nodiscard]] Result<Options> options_from_json(const Json& json);

struct Converted {
    bvh::Document document;
    Json report = Json::object();  ///< as report_of has it
};

/// ErrorCode::rejected: the viewer would refuse the .anim, or no joint of it can be in a BVH; bad_value: too
/// many frames. Hips, inches and axes are as the viewer's own BVH files have them; frame 0 is at rest, and is
/// no part of the motion.
[[nodiscard]] Result<Converted> convert(const sl_anim::Document& document, const Options& options);

/// The row of the table of bridges. Its report has also "after_upload": as measure_upload has it.
[[nodiscard]] Result<Bridged> bridge(const BridgeInput& input);

}  // namespace animbridge::sl_to_bvh
