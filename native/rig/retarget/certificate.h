// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "base/base.h"
#include "rig/retarget/feet.h"
#include "rig/retarget/report.h"
#include "rig/retarget/target_motion.h"

namespace animbridge::rig {

/// The finished clip, and what it is measured against.
struct CertificateInput {
    const Clip& finished;  ///< over the target's skeleton
    const Parts& parts;
    const Skeleton& source_skeleton;
    const Posture& source;  ///< the references, aligned
    const Alignment& alignment;
    const std::optional<BodyPath>& path;
    const SourceMotion& motion;
    const TargetMotion& target;  ///< for bases and references; its numbers are not used
    const std::vector<FootContacts>& contacts;
    const std::vector<double>& unpinned_slides;  ///< per entry of `contacts`
};

/// Plays the finished clip at all times of the motion and writes its differences from the source into the
/// report: for each part, the body's path, the feet and the hands.
[[nodiscard]] Result<void> certify(const CertificateInput& input, RetargetReport& report, const Job& job);

}  // namespace animbridge::rig
