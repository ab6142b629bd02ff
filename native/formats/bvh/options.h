// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include "base/options.h"
#include "formats/bvh/placement.h"

/// The JSON objects of options that the BVH calls of animbridge.h take. Unknown members are
/// ErrorCode::bad_value.
namespace animbridge::bvh {

/// "forward" and "up" are the file's axes that become Blender's +Y and +Z; by default -Z and Y.
struct PlacementOptions {
    std::string forward = "-Z";
    std::string up = "Y";
    double scale = 1.0;
    bool may_be_auto = false;  ///< whether "auto" is a forward

    /// "auto" is the axis behind a character that looks along the file's +Z, or its -Y where Z is up.
    [[nodiscard]] Result<Placement> placement() const;
    /// How to read "forward", "up" and "scale" into this object, which must outlive the result.
    [[nodiscard]] std::map<std::string, ReadMember> members();
};

[[nodiscard]] Result<Placement> placement_from(const Json& json);

struct ImportOptions {
    Placement placement{};
    bool by_rig_map = true;
    bool fit_height = false;
};
[[nodiscard]] Result<ImportOptions> import_options_from(const Json& json);

}  // namespace animbridge::bvh
