// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <span>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "base/options/options.h"
#include "convert/rig_of.h"
#include "rig/retarget/retarget.h"

/// Retargets motion from one skeleton to another, with options as JSON.
namespace animbridge {

/// The options of retargeting.
[[nodiscard]] std::span<const Option> retarget_options();

/// A skeleton to move, and the roles of its joints.
struct RigTarget {
    Skeleton skeleton;
    rig::FoundRig rig;
    std::vector<glm::dquat> reference{};  ///< as in RigMotion; the meaning of "automatic"
};

/// The rig files in the options "source_rig" and "target_rig". ErrorCode::bad_value names an option that is
/// not allowed.
struct GivenRigs {
    RigText source;
    RigText target;
};
[[nodiscard]] Result<GivenRigs> given_rigs(const Json& options);

/// A local rotation per joint, which replaces "source_reference" or "target_reference"; empty: as in the
/// options.
struct ReferencePoses {
    std::vector<glm::dquat> source{};
    std::vector<glm::dquat> target{};
    std::vector<glm::dquat> target_axes{};  ///< as in rig::RetargetOptions
};

/// ErrorCode::rejected if the source is not a person (why_no_person), unless the options have "force", a rig
/// file for the source, or the names of parts.
[[nodiscard]] Result<void> require_person(const RigMotion& source, const Json& options);

/// ErrorCode::rejected if the target has under half of the limbs that the source moves, unless the options
/// have "force" or the names of parts.
[[nodiscard]] Result<void> require_limbs(const RigMotion& source, const rig::FoundRig& target,
                                         const Json& options);

/// The error, with the option instead of a file's name if it is about that option's rig file. `text`: the
/// option's; empty: it was not given.
[[nodiscard]] Error in_rig_text(Error error, const RigText& text, const std::string& option);

/// Whether the options of retargeting limit a file's error.
[[nodiscard]] bool has_bounds(const Json& retarget);
/// Moves those limits from an object to the options of a conversion without retargeting: "force" becomes
/// bounds of 0. Returns the rest; null if nothing is left.
[[nodiscard]] Json take_bounds(const Json& retarget, Json& options);

/// The document, unless its report's errors exceed the options' "stop_above_mm" or "stop_above_degrees" and
/// there is no "force": ErrorCode::rejected.
[[nodiscard]] Result<Made> unless_too_far_off(Made made, const Json& options);

/// `options`: an object with the options of the table. ErrorCode::bad_value names an option that is not
/// allowed; ErrorCode::rejected: the rigs have too little in common, and the message says what to do.
[[nodiscard]] Result<rig::Retargeted> retargeted(const RigMotion& source, const RigTarget& target,
                                                 const Json& options, const Job& job,
                                                 const ReferencePoses& poses = {});

}  // namespace animbridge
