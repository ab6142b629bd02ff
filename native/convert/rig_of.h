// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <string>
#include <vector>

#include "model/clip/clip.h"
#include "model/format/format.h"
#include "rig/humanoid/humanoid.h"

/// Which joints of a document are which parts of a body.
namespace animbridge {

/// The text of a caller's rig file; empty: none, so only the built-in rigs are known.
using RigText = std::string;

/// ErrorCode::bad_value: the rig file is wrong, or names no joint.
[[nodiscard]] Result<rig::FoundRig> rig_of(const Skeleton& skeleton, const RigText& own, rig::RigUse use);

/// A motion, and the roles of its joints.
struct RigMotion {
    Clip clip;
    rig::FoundRig rig;
    /// A local rotation per joint: the pose in which the rig was found, if that is not the rest pose; empty:
    /// the rest pose.
    std::vector<glm::dquat> reference{};
    /// "up" and "forward" for the format's "to_clip", if they are not the usual ones; else empty.
    Json axes = Json::object();
};

/// The document's motion with its rig: the caller's, else the one that the document names itself, else the
/// one that is found. If no body stands at rest, the pose that the rig file stores is tried. If none stands
/// there, either its frames or its rest pose define which way is up. A body that stands in at least half of
/// its frames has the usual axes, and the first of these frames is its reference pose. Otherwise, for a
/// format that takes axes ("up" of "to_clip"), it has those in which it stands at rest, unless its knees or
/// elbows would then bend backwards. The rig's warnings say what was chosen. `to_clip`: options of the format
/// for "to_clip". ErrorCode::invalid_argument: the format has no skeleton. ErrorCode::bad_value: the rig file
/// is wrong, or names no joint.
[[nodiscard]] Result<RigMotion> motion_with_rig(const AnyDocument& document, const Json& to_clip,
                                                const RigText& own, rig::RigUse use);

/// As above, for a clip that the caller has made from the document with these options.
[[nodiscard]] Result<RigMotion> motion_with_rig(const AnyDocument& document, const Clip& clip,
                                                const Json& to_clip, const RigText& given, rig::RigUse use);

/// Whether the format's clips may have unusual axes ("up" of "to_clip"), and the options name none.
[[nodiscard]] bool takes_axes(const Format& format, const Json& to_clip);

/// "up" and "forward" of a document whose body stands along another axis than usual; else an empty object.
/// `at_rest`: the result of the format's "skeleton" in the usual axes. The motion is read, which takes time,
/// only if the body does not stand there.
[[nodiscard]] Result<Json> standing_axes(const AnyDocument& document, const Json& at_rest);

}  // namespace animbridge
