// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "rig/humanoid/rig_match.h"
#include "rig/humanoid/slot_map.h"

/// Fills and corrects what the names of a convention leave open.
namespace animbridge::rig {

/// The slots that a joint's name means in any rig: each once, in the order of humanoid_slots().
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

/// Drops slots whose joint's name has several meanings, unless a neighbour confirms this one.
void drop_unconfirmed(SlotMap& map, const NameMeanings& meanings);

/// Fills empty slots by names that mean one slot in all rigs, and by names with several meanings if the
/// joints above and below leave only one. `open`: per slot, whether it may be filled; `roles`: joints with a
/// role get no slot.
void fill_by_name(SlotMap& map, const RestBody& body, const NameMeanings& meanings,
                  const std::vector<bool>& open, const std::vector<JointRole>& roles);

/// Moves the neck up if its joint carries the arms: then that joint is the last of the spine (Rigify's
/// metarig in MPFB). `neck_chain`: joints of the convention's neck.
void mend_neck(SlotMap& map, const RestBody& body, const std::vector<std::size_t>& neck_chain);

/// Fills the root with the joint above all others of the body, if its name may mean the root.
void fill_root(SlotMap& map, const RestBody& body, const NameMeanings& meanings);

/// Fills a limb's middle or upper part with the only joint between its neighbours, if it is on their side.
void fill_by_structure(SlotMap& map, const RestBody& body, const JointNames& names,
                       const std::vector<JointRole>& roles);

}  // namespace animbridge::rig
