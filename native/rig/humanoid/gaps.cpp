// SPDX-License-Identifier: MIT
#include "rig/humanoid/parts.h"

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>
#include <utility>

namespace animbridge::rig::humanoid {

namespace {

constexpr double score_by_name = 0.7;
constexpr double score_by_structure = 0.5;

/// The slot above on the same side: "leftUpperArm" for "leftLowerArm"; nullopt if the slot above is central.
/// Skips the four fingers' metacarpals, which few rigs have.
std::optional<std::size_t> same_side_parent(std::size_t slot) {
    const Slot& what = humanoid_slots()[slot];
    auto parent = find_slot(what.parent);
    if (parent && humanoid_slots()[*parent].name.ends_with("Metacarpal") &&
        what.name.find("Thumb") == std::string_view::npos) {
        parent = find_slot(humanoid_slots()[*parent].parent);
    }
    return parent && humanoid_slots()[*parent].side == what.side ? parent : std::nullopt;
}

/// Whether the neighbours of a sided slot confirm it: the part above, or the next part if the one above is
/// central, and for thumbs both.
bool is_confirmed(const SlotMap& map, std::size_t slot) {
    const Slot& what = humanoid_slots()[slot];
    const auto above = same_side_parent(slot);
    const auto next = find_slot(what.toward);
    if (what.side == Side::centre) {
        return true;
    }
    const bool is_thumb = what.name.find("Thumb") != std::string_view::npos && !what.toward.ends_with("Tip");
    const bool is_upper_arm = what.name.ends_with("UpperArm");
    // A rig without collarbones has its upper arms under the chest.
    const bool above_is_there = !above || is_upper_arm || map.at(*above).has_value();
    const bool next_is_needed = !above || is_thumb || is_upper_arm;
    return above_is_there && (!next_is_needed || !next || map.at(*next).has_value());
}

std::string sided_slot(Side side, const char* part) {
    return (side == Side::left ? "left" : "right") + std::string(part);
}

/// A slot between two others of the same limb.
struct Between {
    const char* above;
    const char* slot;
    const char* below;
};
constexpr std::array<Between, 3> betweens = {{{"UpperArm", "LowerArm", "Hand"},
                                              {"UpperLeg", "LowerLeg", "Foot"},
                                              {"Shoulder", "UpperArm", "LowerArm"}}};

constexpr std::array<const char*, 4> arm_tops = {"leftShoulder", "rightShoulder", "leftUpperArm",
                                                 "rightUpperArm"};

/// The only joint between two that has a length and no role.
std::optional<std::size_t> only_joint_between(const RestBody& body, const std::vector<JointRole>& roles,
                                              std::size_t above, std::size_t below) {
    std::optional<std::size_t> only;
    for (const std::size_t joint : body.path(above, below)) {
        if (joint == above || joint == below || body.is_at_parent(joint) || roles[joint] != JointRole::none) {
            continue;
        }
        if (only) {
            return std::nullopt;
        }
        only = joint;
    }
    return only;
}

/// Whether the next slot's joint is below this one, with no joint that has a length between them.
bool is_next_to(const SlotMap& map, const RestBody& body, std::size_t slot, std::size_t joint) {
    const auto next = find_slot(humanoid_slots()[slot].toward);
    const auto next_joint = next ? map.joint(*next) : std::nullopt;
    const auto above = map.slot_above(slot);
    if (!next_joint || !above || !body.is_above(joint, *next_joint) || *next_joint == joint) {
        return false;
    }
    const auto lengthless = [&](std::size_t from, std::size_t to) {
        const auto path = body.path(from, to);
        return std::ranges::all_of(
            path, [&](std::size_t each) { return each == from || each == to || body.is_at_parent(each); });
    };
    return lengthless(joint, *next_joint) && lengthless(*map.joint(*above), joint);
}

}  // namespace

std::vector<std::size_t> NameMeanings::of(std::size_t joint) const {
    std::vector<NameIndex::Found> found;
    index_.look_up(names_, joint, found);
    std::vector<std::size_t> slots;
    for (const NameIndex::Found& each : found) {
        const KnownName& known = index_.names()[each.name];
        const auto slot = known.is_chain ? std::nullopt : find_slot(rigs_[known.rig].slots[known.row].of);
        if (slot) {
            slots.push_back(*slot);
        }
    }
    std::ranges::sort(slots);
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
    return slots;
}

bool NameMeanings::differ_in_number(std::size_t one, std::size_t other) const {
    const auto words = [&](std::size_t joint) {
        std::string text = names_.written[joint];
        std::erase_if(text, [](char letter) { return letter >= '0' && letter <= '9'; });
        return text;
    };
    return names_.written[one] != names_.written[other] && words(one) == words(other);
}

bool NameMeanings::counts_on(std::size_t one, std::size_t other) const {
    const std::string& name = names_.written[one];
    const std::string& next = names_.written[other];
    return differ_in_number(one, other) && std::pair(name.size(), name) < std::pair(next.size(), next);
}

void drop_unconfirmed(SlotMap& map, const NameMeanings& meanings) {
    // Dropping one part may leave the next one without its neighbour.
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t slot = 0; slot < humanoid_slots().size(); ++slot) {
            if (map.at(slot) && !is_confirmed(map, slot) && meanings.of(*map.joint(slot)).size() > 1) {
                map.drop(slot, "the name means other parts too, and no part beside it confirms this one");
                changed = true;
            }
        }
    }
}

void fill_by_name(SlotMap& map, const RestBody& body, const NameMeanings& meanings,
                  const std::vector<bool>& open, const std::vector<JointRole>& roles) {
    std::vector<std::vector<std::size_t>> clear(humanoid_slots().size());
    std::vector<std::vector<std::size_t>> unclear(humanoid_slots().size());
    constexpr std::size_t most = 8;  // a name that more joints have is useless
    for (std::size_t joint = 0; joint < body.joint_count(); ++joint) {
        if (map.slot_of(joint) || roles[joint] != JointRole::none) {
            continue;
        }
        const auto slots = meanings.of(joint);
        for (const std::size_t slot : slots) {
            auto& joints = slots.size() == 1 ? clear[slot] : unclear[slot];
            if (!map.at(slot) && open[slot] && joints.size() < most) {
                joints.push_back(joint);
            }
        }
    }
    const auto fill = [&](std::size_t slot, const std::vector<std::size_t>& joints, FoundBy by, double score,
                          bool needs_neighbours) {
        std::vector<std::size_t> fitting;
        std::ranges::copy_if(joints, std::back_inserter(fitting), [&](std::size_t joint) {
            return !map.slot_of(joint) && is_in_place(map, body, slot, joint) &&
                   (!needs_neighbours || is_next_to(map, body, slot, joint));
        });
        if (!map.at(slot) && fitting.size() == 1) {
            map.set(slot, {fitting.front(), by, score});
        }
    };
    for (std::size_t slot = 0; slot < clear.size(); ++slot) {
        fill(slot, clear[slot], FoundBy::name, score_by_name, false);
    }
    for (std::size_t slot = 0; slot < unclear.size(); ++slot) {
        fill(slot, unclear[slot], FoundBy::structure, score_by_structure, true);
    }
}

void mend_neck(SlotMap& map, const RestBody& body, const std::vector<std::size_t>& neck_chain) {
    const auto neck = map.joint("neck");
    const auto head = map.joint("head");
    const auto carries_arms = [&](std::size_t joint) {
        return std::ranges::any_of(arm_tops, [&](const char* slot) {
            const auto arm = map.joint(slot);
            return arm && body.is_above(joint, *arm);
        });
    };
    if (!neck || !head || !carries_arms(*neck)) {
        return;
    }
    const double score = map.at(*find_slot("neck"))->score;
    for (const std::size_t joint : body.path(*neck, *head)) {
        const bool is_of_neck = std::ranges::find(neck_chain, joint) != neck_chain.end();
        if (is_of_neck && !map.slot_of(joint) && !carries_arms(joint)) {
            map.drop(*find_slot("neck"), "");
            map.set(*find_slot("neck"), {joint, FoundBy::convention, score});
            return;
        }
    }
}

void mend_legs(SlotMap& map, const RestBody& body, const NameMeanings& meanings) {
    constexpr double shortest = 0.1;  // of the bone above
    constexpr std::array<std::array<const char*, 3>, 2> rows = {
        {{"UpperLeg", "LowerLeg", ""}, {"LowerLeg", "Foot", "Toes"}}};
    const auto mend = [&](Side side, const std::array<const char*, 3>& row) {
        const std::size_t slot = *find_slot(sided_slot(side, row[1]));
        const auto above = map.joint(sided_slot(side, row[0]));
        const auto joint = map.joint(slot);
        const auto between = joint ? body.parent(*joint) : std::nullopt;
        if (!between || !above || *above == *between || map.slot_of(*between) ||
            !body.is_above(*above, *between)) {
            return;
        }
        const auto slots = meanings.of(*between);
        const double least = shortest * glm::length(body.head(*between) - body.head(*above));
        if (std::ranges::find(slots, slot) == slots.end() ||
            !(glm::length(body.head(*joint) - body.head(*between)) > least)) {
            return;
        }
        const SlotMap::Pair pair = *map.at(slot);
        map.drop(slot, "");
        map.set(slot, {*between, FoundBy::name, score_by_name});
        const auto next = find_slot(sided_slot(side, row[2]));
        if (next && !map.at(*next)) {
            map.set(*next, pair);
        }
    };
    for (const auto& row : rows) {
        mend(Side::left, row);
        mend(Side::right, row);
    }
}

void fill_root(SlotMap& map, const RestBody& body, const NameMeanings& meanings) {
    const std::size_t root = *find_slot("root");
    auto top = map.joint("hips");
    if (!top || map.at(root)) {
        return;
    }
    while (body.parent(*top)) {
        top = body.parent(*top);
    }
    const auto slots = map.slot_of(*top) ? std::vector<std::size_t>() : meanings.of(*top);
    if (std::ranges::find(slots, root) != slots.end()) {
        map.set(root, {*top, FoundBy::name, score_by_name});
    }
}

void fill_by_structure(SlotMap& map, const RestBody& body, const JointNames& names,
                       const std::vector<JointRole>& roles) {
    for (const Side side : {Side::left, Side::right}) {
        for (const Between& between : betweens) {
            const std::size_t slot = *find_slot(sided_slot(side, between.slot));
            const auto above = map.joint(sided_slot(side, between.above));
            const auto below = map.joint(sided_slot(side, between.below));
            if (map.at(slot) || !above || !below) {
                continue;
            }
            const auto joint = only_joint_between(body, roles, *above, *below);
            if (joint && !map.slot_of(*joint) && names.sides[*joint] == side) {
                map.set(slot, {*joint, FoundBy::structure, score_by_structure});
            }
        }
    }
}

namespace {

/// Whether the joint is below one that has a slot, other than the root.
bool hangs_below_part(const SlotMap& map, const RestBody& body, std::size_t joint) {
    for (std::size_t slot = 0; slot < humanoid_slots().size(); ++slot) {
        const auto part = map.joint(slot);
        if (part && humanoid_slots()[slot].name != "root" && body.is_above(*part, joint)) {
            return true;
        }
    }
    return false;
}

}  // namespace

void fill_severed(SlotMap& map, const RestBody& body, const NameMeanings& meanings) {
    constexpr std::size_t most_joints = 4096;  // as for candidates
    for (const char* end : {"leftFoot", "rightFoot", "leftHand", "rightHand"}) {
        const std::size_t slot = *find_slot(end);
        const std::size_t lower_slot = *find_slot(humanoid_slots()[slot].parent);
        const auto upper = map.joint(humanoid_slots()[lower_slot].parent);
        const auto lower = map.joint(lower_slot);
        if (map.at(slot) || !upper || !lower || !body.children(*lower).empty()) {
            continue;
        }
        const double bone = glm::length(body.head(*lower) - body.head(*upper));
        std::vector<std::size_t> near;
        for (std::size_t joint = 0; joint < std::min(body.joint_count(), most_joints); ++joint) {
            constexpr double nearest = 0.5;
            constexpr double farthest = 1.8;
            const double distance = glm::length(body.head(joint) - body.head(*lower));
            if (map.slot_of(joint) || !(distance > nearest * bone && distance < farthest * bone)) {
                continue;
            }
            const auto slots = meanings.of(joint);
            if (!hangs_below_part(map, body, joint) && std::ranges::find(slots, slot) != slots.end()) {
                near.push_back(joint);
            }
        }
        if (near.size() != 1) {
            continue;
        }
        map.set(slot, {near.front(), FoundBy::name, score_by_name});
        const auto toes = find_slot(sided_slot(humanoid_slots()[slot].side, "Toes"));
        for (const std::size_t child : body.children(near.front())) {
            const auto slots = meanings.of(child);
            if (std::string_view(end).ends_with("Foot") && !map.at(*toes) && !map.slot_of(child) &&
                std::ranges::find(slots, *toes) != slots.end()) {
                map.set(*toes, {child, FoundBy::name, score_by_name});
            }
        }
    }
}

namespace {

bool is_finger(const Slot& slot) {
    constexpr std::array<std::string_view, 5> fingers = {"Thumb", "Index", "Middle", "Ring", "Little"};
    return std::ranges::any_of(
        fingers, [&](std::string_view finger) { return slot.name.find(finger) != std::string_view::npos; });
}

bool has_fingers(const SlotMap& map, Side side) {
    for (std::size_t slot = 0; slot < humanoid_slots().size(); ++slot) {
        const Slot& what = humanoid_slots()[slot];
        if (what.side == side && is_finger(what) && map.at(slot)) {
            return true;
        }
    }
    return false;
}

/// Tips, palms, roots, eyes and jaws are optional, and never reported as missing.
bool is_extra(const Slot& slot) {
    return slot.name == "root" || slot.name == "jaw" || slot.name.ends_with("Eye") ||
           slot.name.ends_with("Tip") || slot.name.ends_with("Palm") || slot.name.ends_with("Heel") ||
           (slot.name.ends_with("Metacarpal") && slot.name.find("Thumb") == std::string_view::npos);
}

/// Whether each slot is reported if it is missing.
std::vector<bool> wanted_slots(const SlotMap& map, const RigFile* rig) {
    std::vector<bool> wanted(humanoid_slots().size());
    bool is_body = rig == nullptr;
    for (const RigNames& row : rig != nullptr ? rig->slots : std::vector<RigNames>()) {
        if (const auto slot = find_slot(row.of)) {
            const Slot& what = humanoid_slots()[*slot];
            is_body = is_body || row.of == "hips";
            wanted[*slot] = !is_extra(what) && (!is_finger(what) || has_fingers(map, what.side));
        }
    }
    for (std::size_t slot = 0; slot < wanted.size(); ++slot) {
        wanted[slot] = wanted[slot] || (is_body && humanoid_slots()[slot].required);
    }
    return wanted;
}

constexpr std::size_t most_candidates = 3;

/// For each slot, a few joints without a slot whose names may mean it.
std::vector<std::vector<std::size_t>> by_meaning(const SlotMap& map, const RestBody& body,
                                                 const NameMeanings& meanings) {
    std::vector<std::vector<std::size_t>> joints(humanoid_slots().size());
    constexpr std::size_t most_joints = 4096;  // beyond this, a list of candidates is useless
    for (std::size_t joint = 0; joint < std::min(body.joint_count(), most_joints); ++joint) {
        if (map.slot_of(joint)) {
            continue;
        }
        for (const std::size_t slot : meanings.of(joint)) {
            if (joints[slot].size() < most_candidates) {
                joints[slot].push_back(joint);
            }
        }
    }
    return joints;
}

void add_children_of_above(std::vector<std::size_t>& candidates, const SlotMap& map, const RestBody& body,
                           const JointNames& names, std::size_t slot) {
    const auto above = map.slot_above(slot);
    if (!above) {
        return;
    }
    const auto& children = body.children(*map.joint(*above));
    for (std::size_t i = 0; i < children.size() && candidates.size() < most_candidates; ++i) {
        const std::size_t child = children[i];
        const bool is_new = std::ranges::find(candidates, child) == candidates.end();
        if (is_new && !map.slot_of(child) && names.sides[child] == humanoid_slots()[slot].side) {
            candidates.push_back(child);
        }
    }
}

}  // namespace

std::vector<MissingSlot> missing_slots(const SlotMap& map, const RestBody& body, const JointNames& names,
                                       const NameMeanings& meanings, const RigFile* rig) {
    const auto wanted = wanted_slots(map, rig);
    auto candidates = by_meaning(map, body, meanings);
    std::vector<MissingSlot> missing;
    for (std::size_t slot = 0; slot < wanted.size(); ++slot) {
        if (!wanted[slot] || map.at(slot)) {
            continue;
        }
        add_children_of_above(candidates[slot], map, body, names, slot);
        const std::string& why = map.why(slot);
        missing.push_back({std::string(humanoid_slots()[slot].name), candidates[slot],
                           !why.empty()     ? why
                           : rig == nullptr ? "the joints' names fit no known rig"
                                            : "no joint has a name that stands for this part alone"});
    }
    return missing;
}

}  // namespace animbridge::rig::humanoid
