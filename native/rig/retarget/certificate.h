// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "base/job.h"
#include "base/result.h"
#include "rig/retarget/feet.h"
#include "rig/retarget/report.h"
#include "rig/retarget/target_motion.h"

namespace animbridge::rig {

/// What the finished clip is measured against.
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
    const std::vector<double>& unpinned_slides;  ///< per contacts' entry
};

/// Plays the finished clip at all times of the motion and writes what differs from the source into the
/// report: per part, of the body's path, of the feet and of the hands.
[[nodiscard]] Result<void> certify(const CertificateInput& input, RetargetReport& report, const Job& job);

}  // namespace animbridge::rig
