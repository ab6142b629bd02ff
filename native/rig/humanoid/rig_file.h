// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "rig/humanoid/found_rig.h"

/// Rig files: the names of a rig's joints, as data (docs/rig-maps.md).
namespace animbridge::rig {

/// The role of a rig in a retarget.
enum class RigUse : std::uint8_t { source, target };

/// An entry of the file, and the names that belong to it.
struct RigNames {
    std::string of;
    std::vector<std::string> names;  ///< as in files of the rig; the preferred one first
};

struct RigFile {
    std::string id;
    std::string title;
    std::string source;
    std::string licence;
    std::string note;
    std::int64_t rank = 1000;           ///< if several rigs are equally good, the lowest is reported
    std::optional<RigUse> use;          ///< if the names are of bones for one purpose only
    bool loose = false;                 ///< the joints of slots are not each other's parents
    bool built_in = false;              ///< the built-in rigs fill the gaps that this file leaves
    std::vector<std::string> prefixes;  ///< what may precede every name
    std::vector<RigNames> slots;        ///< per slot: its names
    std::vector<RigNames> parents;      ///< per name: names of joints above it, of which one is expected
    std::vector<RigNames> chains;       ///< per chain: its joints, top first
    std::vector<std::pair<JointRole, std::vector<std::string>>> roles;  ///< patterns: '*' only at the ends
    std::vector<std::pair<std::string, glm::dquat>> reference;  ///< joint, local rotation in clip space

    /// Whether it has slots, and all of them are parts of a humanoid body.
    [[nodiscard]] bool is_humanoid() const;
};

/// Reads a rig file. ErrorCode::bad_value names the member at fault: unknown, missing, of another type, or
/// too long.
[[nodiscard]] Result<RigFile> read_rig_file(std::string_view json);

/// What the readers of rig files and of rig maps share. ErrorCode::bad_value names the member.
[[nodiscard]] Error rig_member_error(std::string reason, std::string member);
/// Text that is not empty.
[[nodiscard]] Result<std::string> rig_text(const Json& value, const std::string& member);
[[nodiscard]] Result<std::vector<std::string>> rig_texts(const Json& value, const std::string& member,
                                                         std::size_t most);
[[nodiscard]] Result<bool> rig_switch(const Json& root, const char* member);
/// Version 1, in the first of the `known` members, and no unknown ones. `what`: "a rig file".
[[nodiscard]] Result<void> check_rig_members(const Json& root, std::span<const std::string_view> known,
                                             std::string_view what);

/// The rigs that come with the library; read at the first call.
[[nodiscard]] const std::vector<RigFile>& built_in_rigs();

/// The texts of built_in_rigs(), in the same order.
[[nodiscard]] std::span<const std::string_view> built_in_rig_texts();

}  // namespace animbridge::rig
