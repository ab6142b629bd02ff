// SPDX-License-Identifier: MIT
#include "rig/humanoid/joint_roles.h"

#include <algorithm>

#include "rig/humanoid/joint_name.h"

namespace animbridge::rig {

namespace {

constexpr std::size_t longest_name_with_role = 256;

bool has_role_pattern(const RigFile& rig, JointRole role, const std::string& pattern) {
    return std::any_of(rig.roles.begin(), rig.roles.end(), [&](const auto& each) {
        return each.first == role &&
               std::find(each.second.begin(), each.second.end(), pattern) != each.second.end();
    });
}

}  // namespace

JointRoles::JointRoles(const RigFile& rig) {
    for (const auto& [role, patterns] : rig.roles) {
        for (const std::string& pattern : patterns) {
            add(role, pattern);
        }
    }
}

JointRoles::JointRoles(std::span<const RigFile> rigs) {
    if (rigs.empty()) {
        return;
    }
    for (const auto& [role, patterns] : rigs.front().roles) {
        for (const std::string& pattern : patterns) {
            if (std::all_of(rigs.begin(), rigs.end(), [&, wanted = role](const RigFile& rig) {
                    return has_role_pattern(rig, wanted, pattern);
                })) {
                add(role, pattern);
            }
        }
    }
}

void JointRoles::add(JointRole role, const std::string& pattern) {
    const bool open_begin = pattern.starts_with('*');
    const bool open_end = pattern.size() > 1 && pattern.ends_with('*');
    const std::string text = plain_name(std::string_view(pattern).substr(
        open_begin ? 1 : 0, pattern.size() - (open_begin ? 1 : 0) - (open_end ? 1 : 0)));
    if (open_begin || open_end) {
        open_.push_back({text, open_begin, open_end, role});
    } else {
        whole_.emplace(text, role);
    }
}

JointRole JointRoles::of(std::string_view name) const {
    if (name.size() > longest_name_with_role) {
        return JointRole::none;
    }
    const std::string text = plain_name(name);
    if (const auto found = whole_.find(text); found != whole_.end()) {
        return found->second;
    }
    for (const Pattern& pattern : open_) {
        const bool fits = pattern.open_begin && pattern.open_end
                              ? text.find(pattern.text) != std::string::npos
                          : pattern.open_begin ? text.ends_with(pattern.text)
                                               : text.starts_with(pattern.text);
        if (fits) {
            return pattern.role;
        }
    }
    return JointRole::none;
}

std::vector<JointRole> JointRoles::of_all(const Skeleton& skeleton) const {
    std::vector<JointRole> roles;
    roles.reserve(skeleton.nodes.size());
    for (const Node& node : skeleton.nodes) {
        roles.push_back(of(node.name));
    }
    return roles;
}

}  // namespace animbridge::rig
