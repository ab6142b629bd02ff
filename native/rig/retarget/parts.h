// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "model/clip/clip.h"
#include "rig/humanoid/found_rig.h"
#include "rig/retarget/options.h"

namespace animbridge::rig {

/// How a part's motion is distributed over its target joints.
enum class PartKind : std::uint8_t {
    limb,   ///< rigid: all joints point the same way, and only the twist is distributed
    chain,  ///< bends: the turn is distributed along its length
};

/// A part that both rigs have: the source's joints that move it, and the target's joints for it.
struct Part {
    std::string name;                     ///< the name of a slot or a chain, or of a chain with a number
    std::vector<std::size_t> source;      ///< joints, top first; at least one
    std::vector<std::size_t> target;      ///< joints, top first; at least one
    std::optional<std::size_t> parent{};  ///< index of the part above it
    std::optional<std::size_t> toward{};  ///< index of the part at whose head it points
    PartKind kind = PartKind::limb;
    std::string row{};     ///< the bending row that it belongs to, such as "spine" or "leftIndex"; "": none
    bool is_held = false;  ///< keeps the target's reference pose; the parts below move relative to it
    bool carries = false;  ///< its joint gets the body's path as a translation
};

struct Parts {
    std::vector<Part> parts;
    std::optional<std::size_t> body;          ///< the part with the body's path: the hips if both have them
    std::vector<std::string> only_in_source;  ///< names of slots and chains
    std::vector<std::string> only_in_target;

    [[nodiscard]] const Part* find(std::string_view name) const;
};

/// Some of the parts' names, for messages.
[[nodiscard]] std::string names_of(const Parts& parts);

/// Whether the node `upper` is `lower` or one of its ancestors.
[[nodiscard]] bool is_at_or_above(const Skeleton& skeleton, std::size_t upper, std::size_t lower);

/// Pairs the slots and chains of two rigs by their names; uses the skeleton of `clip` and which of its joints
/// have keys. ErrorCode::invalid_argument if a map names a joint that the skeleton lacks, or one joint twice,
/// or if `options` names an unknown slot; ErrorCode::rejected if the rigs have no part in common.
[[nodiscard]] Result<Parts> match_parts(const Clip& clip, const FoundRig& source_rig, const Skeleton& target,
                                        const FoundRig& target_rig, const RetargetOptions& options);

}  // namespace animbridge::rig
