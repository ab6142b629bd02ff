// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <glm/gtc/quaternion.hpp>
#include <optional>
#include <vector>

#include "rig/retarget/alignment.h"
#include "rig/retarget/motion.h"
#include "rig/retarget/parts.h"
#include "rig/retarget/posture.h"

namespace animbridge::rig {

/// The motion of each part, as turns in the source's directions relative to the reference pose: one for each
/// of the part's target joints.
class PartDeltas {
public:
    /// `alignment` has the target's reference.
    PartDeltas(const Parts& parts, const Posture& source, const Skeleton& target_skeleton,
               const Alignment& alignment);

    /// Frames must ascend: the twist of a limb continues from the previous frame.
    void compute(const SourceMotion& motion, std::size_t frame);

    /// The turn of the part's target joint `index`, at the last computed frame.
    [[nodiscard]] const glm::dquat& of(std::size_t part, std::size_t index) const {
        return turns_[first_[part] + index];
    }

    /// The nodes of the source that the parts need.
    [[nodiscard]] static std::vector<std::size_t> source_nodes(const Parts& parts);

private:
    [[nodiscard]] glm::dquat whole_delta(std::size_t part, const SourceMotion& motion,
                                         std::size_t frame) const;
    void spread_chain(std::size_t part, const SourceMotion& motion, std::size_t frame);
    void spread_twist(std::size_t part);
    void close_limb(std::size_t part);
    [[nodiscard]] glm::dquat carrying_delta(std::size_t part) const;

    const Parts& parts_;
    const Posture& source_;
    std::vector<std::size_t> first_;                 ///< per part: its index in turns_
    std::vector<std::optional<glm::dvec3>> points_;  ///< per part: direction of its source in the reference
    /// Per part: the direction of its target in the reference, in the source's directions. Without an
    /// alignment it differs from the source's.
    std::vector<std::optional<glm::dvec3>> twist_axes_;
    std::vector<std::vector<double>> source_shares_;  ///< per part: where each source joint is on it, 0 to 1
    std::vector<std::vector<double>> target_shares_;
    /// Per part: for a limb in several target bones these bones, in the source's directions; else empty.
    std::vector<std::vector<glm::dvec3>> limb_bones_;
    std::vector<glm::dquat> turns_;
    std::vector<glm::dquat>
        whole_;  ///< per part: the turn of its last source joint, pointing where the part does
    std::vector<glm::dquat> last_twist_;  ///< per part, to keep its sign
};

}  // namespace animbridge::rig
