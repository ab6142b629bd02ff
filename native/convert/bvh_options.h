// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "formats/bvh/placement.h"

/// The JSON objects of options that the BVH calls of animbridge.h take. Unknown members are
/// ErrorCode::bad_value.
namespace animbridge {

/// Reads an object's members by name. nullptr reads as an empty object.
using ReadMember = std::function<Result<void>(const Json& value)>;
[[nodiscard]] Result<void> read_members(const char* json_or_null,
                                        const std::map<std::string, ReadMember>& members);

/// "forward" and "up" are the file's axes that become Blender's +Y and +Z; by default -Z and Y.
struct BvhPlacementOptions {
    std::string forward = "-Z";
    std::string up = "Y";
    double scale = 1.0;
    bool may_be_auto = false;  ///< whether "auto" is a forward

    /// "auto" is the axis behind a character that looks along the file's +Z, or its -Y where Z is up.
    [[nodiscard]] Result<bvh::Placement> placement() const;
    /// How to read "forward", "up" and "scale" into this object, which must outlive the result.
    [[nodiscard]] std::map<std::string, ReadMember> members();
};

[[nodiscard]] Result<bvh::Placement> bvh_placement_from(const char* json_or_null);

struct BvhImportOptions {
    bvh::Placement placement{};
    bool by_rig_map = true;
    bool fit_height = false;
};
[[nodiscard]] Result<BvhImportOptions> bvh_import_options_from(const char* json_or_null);

/// Members of some type, with what is allowed told.
[[nodiscard]] ReadMember read_flag(std::string key, bool& into);
[[nodiscard]] ReadMember read_text(std::string key, std::string& into);
/// A number above 0 and at most 1e30.
[[nodiscard]] ReadMember read_positive(std::string key, double& into);
[[nodiscard]] ReadMember read_choice(std::string key, std::vector<std::string> allowed, std::string& into);

}  // namespace animbridge
