// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <span>
#include <vector>

#include "base/job.h"
#include "base/json.h"
#include "base/option.h"
#include "convert/rig_of.h"
#include "rig/retarget/retarget.h"

/// Motion from one skeleton onto another, with its options as JSON.
namespace animbridge {

/// The table of a retargeting's options.
[[nodiscard]] std::span<const Option> retarget_options();

/// A skeleton to move, and what its joints are.
struct RigTarget {
    Skeleton skeleton;
    rig::FoundRig rig;
    std::vector<glm::dquat> reference{};  ///< as in RigMotion: what "automatic" stands for
};

/// The rig files that the options' "source_rig" and "target_rig" hold. ErrorCode::bad_value names an option
/// that is not allowed.
struct GivenRigs {
    RigText source;
    RigText target;
};
[[nodiscard]] Result<GivenRigs> given_rigs(const Json& options);

/// Per joint a local rotation, in place of what "source_reference" and "target_reference" name; empty: as
/// they say.
struct ReferencePoses {
    std::vector<glm::dquat> source{};
    std::vector<glm::dquat> target{};
    std::vector<glm::dquat> target_axes{};  ///< as in rig::RetargetOptions
};

/// ErrorCode::rejected if the source is not a person (why_no_person), unless the options say "force", have a
/// rig file for the source or name the parts.
[[nodiscard]] Result<void> require_person(const RigMotion& source, const Json& options);

/// ErrorCode::rejected if the target has under half of the limbs that the source moves, unless the options
/// say "force" or name the parts.
[[nodiscard]] Result<void> require_limbs(const RigMotion& source, const rig::FoundRig& target,
                                         const Json& options);

/// The error, with the option in place of a file's name if it is about that option's rig file. `text`: the
/// option's; empty: none was given.
[[nodiscard]] Error in_rig_text(Error error, const RigText& text, const std::string& option);

/// Whether options of a retargeting say how far off a file may be.
[[nodiscard]] bool has_bounds(const Json& retarget);
/// Moves that from an object to the options of a way that retargets nothing: "force" becomes bounds of 0.
/// Returns the rest; null if nothing is left.
[[nodiscard]] Json take_bounds(const Json& retarget, Json& options);

/// The document, unless its report's errors are above the options' "stop_above_mm" or "stop_above_degrees"
/// and they do not say "force": ErrorCode::rejected.
[[nodiscard]] Result<Made> unless_too_far_off(Made made, const Json& options);

/// `options`: an object, as the table describes it. ErrorCode::bad_value names an option that is not allowed;
/// ErrorCode::rejected: the rigs have too little in common, and the message says what to do.
[[nodiscard]] Result<rig::Retargeted> retargeted(const RigMotion& source, const RigTarget& target,
                                                 const Json& options, const Job& job,
                                                 const ReferencePoses& poses = {});

}  // namespace animbridge
