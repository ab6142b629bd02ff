// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include "base/options.h"
#include "formats/bvh/placement.h"

/// The JSON options of the BVH calls in animbridge.h; unknown members are ErrorCode::bad_value.
namespace animbridge::bvh {

/// "forward" and "up" are the file's axes that become Blender's +Y and +Z, by default -Z and Y.
struct PlacementOptions {
    std::string forward = "-Z";
    std::string up = "Y";
    double scale = 1.0;
    bool may_be_auto = false;  ///< whether "auto" is allowed for "forward"

    /// The placement that the options describe. "auto" means that the character looks along the file's +Z, or
    /// along -Y if Z is up.
    [[nodiscard]] Result<Placement> placement() const;
    /// Readers that put "forward", "up" and "scale" into this object, which must outlive them.
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
