// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "rig/humanoid/rig_match.h"
#include "rig/humanoid/slot_map.h"

/// What a convention's names leave open.
namespace animbridge::rig {

/// What a joint's name means in any rig: slots, each once, in the order of humanoid_slots().
class NameMeanings {
public:
    NameMeanings(const Skeleton& skeleton, const JointNames& names, const NameIndex& index,
                 std::span<const RigFile> rigs)
        : skeleton_(skeleton), names_(names), index_(index), rigs_(rigs) {}

    [[nodiscard]] std::vector<std::size_t> of(std::size_t joint) const;

private:
    const Skeleton& skeleton_;
    const JointNames& names_;
    const NameIndex& index_;
    std::span<const RigFile> rigs_;
};

/// Drops slots whose joint's name means several things, where nothing beside it confirms this one.
void drop_unconfirmed(SlotMap& map, const NameMeanings& meanings);

/// Fills empty slots by names that mean one thing in all rigs, and by those that mean several where the joint
/// above and the one below leave one. `open`: per slot whether it may be filled; `roles`: joints with a role
/// get none.
void fill_by_name(SlotMap& map, const RestBody& body, const NameMeanings& meanings,
                  const std::vector<bool>& open, const std::vector<JointRole>& roles);

/// Moves the neck up where its joint carries the arms: then it is the spine's last (Rigify's metarig in
/// MPFB). `neck_chain`: joints of the convention's neck.
void mend_neck(SlotMap& map, const RestBody& body, const std::vector<std::size_t>& neck_chain);

/// The joint above all others of the body, if its name may mean the root.
void fill_root(SlotMap& map, const RestBody& body, const NameMeanings& meanings);

/// Fills a limb's middle or upper part that stands alone between two others, where its side is theirs.
void fill_by_structure(SlotMap& map, const RestBody& body, const JointNames& names,
                       const std::vector<JointRole>& roles);

}  // namespace animbridge::rig
