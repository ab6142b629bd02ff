// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "rig/armature/armature.h"
#include "rig/curves/curves.h"
#include "rig/exchange/exchange.h"

/// Retargets motion from a document or an armature to an armature.
namespace animbridge {

struct SceneRetarget {
    const AnyDocument* document = nullptr;  ///< null: the motion is that of `source`
    const rig::Armature* source = nullptr;
    rig::SampleView samples{};
    std::span<const rig::CurveView> curves{};  ///< instead of samples, with `frames`
    std::span<const double> frames{};          ///< of `curves`, for evaluating them; empty: `samples` are
                                               ///< used
    std::span<const float>
        source_pose{};  ///< [bone][16]: the source's reference pose; empty: as in the options
    const rig::Armature& target;
    std::span<const float> target_pose{};
    rig::Timing timing{};
    /// An object of retarget_options(), and "document": an object of the document's format for to_clip.
    const Json& options;
    const Job& job;
};

/// The curves for the target. ErrorCode::rejected: the rigs have too little in common, or the source is not a
/// person (require_person).
[[nodiscard]] Result<CurvesMade> retargeted_curves(const SceneRetarget& request);

}  // namespace animbridge
