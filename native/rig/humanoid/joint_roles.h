// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/clip/clip.h"
#include "rig/humanoid/rig_file.h"

namespace animbridge::rig {

/// The roles of joints without a slot, from patterns of their names.
class JointRoles {
public:
    /// Uses the patterns of one rig.
    explicit JointRoles(const RigFile& rig);
    /// If no rig fits: uses the patterns that all rigs agree on.
    explicit JointRoles(std::span<const RigFile> rigs);

    [[nodiscard]] JointRole of(std::string_view name) const;
    [[nodiscard]] std::vector<JointRole> of_all(const Skeleton& skeleton) const;

private:
    struct Pattern {
        std::string text;
        bool open_begin = false;
        bool open_end = false;
        JointRole role = JointRole::none;
    };
    void add(JointRole role, const std::string& pattern);

    std::unordered_map<std::string, JointRole> whole_;
    std::vector<Pattern> open_;
};

}  // namespace animbridge::rig
