// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <string>
#include <vector>

#include "formats/format.h"
#include "model/clip.h"
#include "rig/humanoid/find_rig.h"

/// Which joints of a document are which parts of a body.
namespace animbridge {

/// The text of a caller's rig file; empty: none, so only the built-in rigs are known.
using RigText = std::string;

/// ErrorCode::bad_value: the rig file is wrong, or names no joint.
[[nodiscard]] Result<rig::FoundRig> rig_of(const Skeleton& skeleton, const RigText& own, rig::RigUse use);

/// A motion, and what its joints are.
struct RigMotion {
    Clip clip;
    rig::FoundRig rig;
    /// Per joint a local rotation: the pose in which the rig was found, where the rest pose is not a posture;
    /// empty: found at rest.
    std::vector<glm::dquat> reference{};
    /// "up" and "forward" of the format's "to_clip", where they are not the usual ones; empty: they are.
    Json axes = Json::object();
};

/// The document's motion with its rig: the caller's, else the one that the document names itself, else as
/// found. If no body stands at rest, in the pose that the rig file stores. If none stands there, either its
/// frames or its rest pose say which way is up. A body that stands in at least half of its frames does so in
/// the usual axes, and the first of these frames is its reference pose. Otherwise, for a format that takes
/// axes ("up" of "to_clip"), it has those in which it stands at rest, unless its knees or elbows would bend
/// backwards from there. The rig's warnings say what was taken. `to_clip`: options of the format for
/// "to_clip". ErrorCode::invalid_argument: the format has no skeleton. ErrorCode::bad_value: the rig file is
/// wrong, or names no joint.
[[nodiscard]] Result<RigMotion> motion_with_rig(const AnyDocument& document, const Json& to_clip,
                                                const RigText& own, rig::RigUse use);

/// The same for a clip that the caller has made of the document with these options.
[[nodiscard]] Result<RigMotion> motion_with_rig(const AnyDocument& document, const Clip& clip,
                                                const Json& to_clip, const RigText& given, rig::RigUse use);

/// Whether the format's clips may have other axes than usual ("up" of "to_clip"), and the options name none.
[[nodiscard]] bool takes_axes(const Format& format, const Json& to_clip);

/// "up" and "forward" of a document whose body stands along another axis than usual; else an empty object.
/// `at_rest`: what the format's "skeleton" says in the usual axes. Only a body that does not stand there
/// takes the time to read the motion.
[[nodiscard]] Result<Json> standing_axes(const AnyDocument& document, const Json& at_rest);

}  // namespace animbridge
