// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "formats/format.h"
#include "model/skeleton.h"
#include "rig/humanoid/find_rig.h"

/// Which joints of a document are which parts of a body.
namespace animbridge {

struct RigOfDocument {
    Skeleton skeleton;  ///< its aliases are static
    rig::FoundRig rig;
};

/// `own_json`: a rig file's text, for names of the caller's own; nullopt: the built-in rigs.
/// ErrorCode::invalid_argument: the format has no skeleton. ErrorCode::bad_value: the rig file is wrong, or
/// names no joint.
[[nodiscard]] Result<RigOfDocument> rig_of(const AnyDocument& document,
                                           const std::optional<std::string>& own_json, rig::RigUse use);

}  // namespace animbridge
