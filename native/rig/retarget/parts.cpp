// SPDX-License-Identifier: MIT
#include "rig/retarget/parts.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace animbridge::rig::retarget {

namespace {

/// Builds the parts of two rigs.
class PartMatcher {
public:
    PartMatcher(const Skeleton& source, const humanoid::FoundRig& source_rig,
                const humanoid::FoundRig& target_rig)
        : source_(source), source_rig_(source_rig), target_rig_(target_rig), rows_(slot_rows()) {}

    Parts match() {
        for (const humanoid::Slot& slot : humanoid::humanoid_slots()) {
            add_humanoid_slot(std::string(slot.name));
        }
        add_own_slots();
        add_own_chains();
        link_humanoid();
        link_own();
        return std::move(result_);
    }

private:
    void add_humanoid_slot(const std::string& slot) {
        const auto row = std::ranges::find_if(rows_, [&](const SlotRow& candidate) {
            return std::ranges::find(candidate.slots, slot) != candidate.slots.end();
        });
        const bool is_chain = row != rows_.end() && (found_chain_named(source_rig_, row->name) != nullptr ||
                                                     found_chain_named(target_rig_, row->name) != nullptr);
        if (is_chain) {
            if (done_rows_.insert(row->name).second) {
                add_row(*row);
            }
            return;
        }
        add_limb(slot, row != rows_.end() ? row->name : std::string());
    }

    void add_limb(const std::string& slot, const std::string& row) {
        seen_.insert(slot);
        std::vector<std::size_t> source = joints_of_slot(source_rig_, slot);
        std::vector<std::size_t> target = joints_of_slot(target_rig_, slot);
        if (note_one_sided(slot, source, target)) {
            return;
        }
        first_of_[slot] = last_of_[slot] = result_.parts.size();
        result_.parts.push_back({slot, std::move(source), std::move(target)});
        result_.parts.back().row = row;
    }

    /// Returns true if only one side has joints.
    bool note_one_sided(const std::string& name, const std::vector<std::size_t>& source,
                        const std::vector<std::size_t>& target) {
        if (!source.empty() && target.empty()) {
            result_.only_in_source.push_back(name);
        }
        if (source.empty() && !target.empty()) {
            result_.only_in_target.push_back(name);
        }
        return source.empty() || target.empty();
    }

    /// Adds a row of joints on each side: one to one if their numbers are equal, else as one part.
    void add_row(const SlotRow& row) {
        seen_.insert(row.name);
        seen_.insert(row.slots.begin(), row.slots.end());
        const std::vector<std::size_t> source = joints_of_row(source_rig_, row);
        const std::vector<std::size_t> target = joints_of_row(target_rig_, row);
        if (note_one_sided(row.name, source, target)) {
            return;
        }
        const std::size_t first = result_.parts.size();
        if (source.size() == target.size()) {
            for (std::size_t i = 0; i < source.size(); ++i) {
                add_link(row.name, i, source[i], target[i], first);
            }
        } else {
            result_.parts.push_back({row.name, source, target, {}, {}, PartKind::chain, row.name});
        }
        for (const std::string& slot : row.slots) {
            first_of_.emplace(slot, first);
            last_of_[slot] = result_.parts.size() - 1;
        }
        row_ends_.push_back({first, result_.parts.size() - 1, row.slots});
        first_of_.emplace(row.name, first);
        last_of_[row.name] = result_.parts.size() - 1;
    }

    /// One joint to one joint, in a row that begins at the part `first`.
    void add_link(const std::string& row, std::size_t index, std::size_t source, std::size_t target,
                  std::size_t first) {
        std::string name = slot_at(source_rig_, source);
        if (name.empty() || name != slot_at(target_rig_, target)) {
            name = index == 0 ? row : row + " " + std::to_string(index + 1);
        }
        if (humanoid::find_slot(name)) {
            first_of_[name] = last_of_[name] = result_.parts.size();
        }
        Part part{name, {source}, {target}};
        part.row = row;
        if (result_.parts.size() > first) {
            part.parent = result_.parts.size() - 1;
            result_.parts.back().toward = result_.parts.size();
        }
        result_.parts.push_back(std::move(part));
    }

    /// Adds the slots of the caller's rig file that no body has.
    void add_own_slots() {
        for (const humanoid::FoundSlot& slot : source_rig_.slots) {
            if (!humanoid::find_slot(slot.slot) && !seen_.contains(slot.slot)) {
                add_limb(slot.slot, {});
            }
        }
        for (const humanoid::FoundSlot& slot : target_rig_.slots) {
            if (!humanoid::find_slot(slot.slot) && seen_.insert(slot.slot).second) {
                result_.only_in_target.push_back(slot.slot);
            }
        }
    }

    void add_own_chains() {
        for (const humanoid::FoundChain& chain : source_rig_.chains) {
            if (!seen_.contains(chain.name) && !humanoid::find_slot(chain.name)) {
                add_row({chain.name, {}});
            }
        }
        for (const humanoid::FoundChain& chain : target_rig_.chains) {
            if (!humanoid::find_slot(chain.name) && seen_.insert(chain.name).second) {
                result_.only_in_target.push_back(chain.name);
            }
        }
    }

    [[nodiscard]] std::optional<std::size_t> carrying_part(std::string_view slot) const {
        for (auto index = humanoid::find_slot(slot); index;) {
            const std::string parent(humanoid::humanoid_slots()[*index].parent);
            if (const auto found = last_of_.find(parent); found != last_of_.end()) {
                return found->second;
            }
            index = humanoid::find_slot(parent);
        }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<std::size_t> pointed_at(std::string_view slot) const {
        for (auto index = humanoid::find_slot(slot); index;) {
            const std::string toward(humanoid::humanoid_slots()[*index].toward);
            if (const auto found = first_of_.find(toward); found != first_of_.end()) {
                return found->second;
            }
            index = humanoid::find_slot(toward);
        }
        // A neck points at the head, although the table has no line for it if nothing else does.
        const bool is_neck = slot == "neck" || slot == "upperChest" || slot == "chest" || slot == "spine";
        const auto head = first_of_.find("head");
        return is_neck && head != first_of_.end() ? std::optional(head->second) : std::nullopt;
    }

    void link_humanoid() {
        for (const auto& [first, last, slots] : row_ends_) {
            if (slots.empty()) {
                continue;
            }
            result_.parts[first].parent = carrying_part(slots.front());
            result_.parts[last].toward = pointed_at(slots.back());
        }
        for (Part& part : result_.parts) {
            if (humanoid::find_slot(part.name) && !is_in_row(part)) {
                part.parent = carrying_part(part.name);
                part.toward = pointed_at(part.name);
            }
        }
    }

    [[nodiscard]] bool is_in_row(const Part& part) const {
        const auto index = static_cast<std::size_t>(&part - result_.parts.data());
        return std::ranges::any_of(
            row_ends_, [&](const RowEnd& row) { return row.first <= index && index <= row.last; });
    }

    /// The parent of a part that is not among the slots: the nearest part above it in the source's tree.
    void link_own() {
        for (std::size_t i = 0; i < result_.parts.size(); ++i) {
            Part& part = result_.parts[i];
            if (!part.parent && !humanoid::find_slot(part.name) && !is_humanoid_row(i)) {
                part.parent = nearest_above(i);
            }
        }
    }

    [[nodiscard]] bool is_humanoid_row(std::size_t index) const {
        return std::ranges::any_of(row_ends_, [&](const RowEnd& row) {
            return row.first <= index && index <= row.last && !row.slots.empty();
        });
    }

    [[nodiscard]] std::optional<std::size_t> nearest_above(std::size_t index) const {
        for (auto node = source_.nodes[result_.parts[index].source.front()].parent; node;
             node = source_.nodes[*node].parent) {
            for (std::size_t other = 0; other < result_.parts.size(); ++other) {
                const auto& joints = result_.parts[other].source;
                if (other != index && std::ranges::find(joints, *node) != joints.end()) {
                    return other;
                }
            }
        }
        return std::nullopt;
    }

    struct RowEnd {
        std::size_t first = 0;
        std::size_t last = 0;
        std::vector<std::string> slots;
    };

    const Skeleton& source_;
    const humanoid::FoundRig& source_rig_;
    const humanoid::FoundRig& target_rig_;
    std::vector<SlotRow> rows_;
    Parts result_;
    std::set<std::string> done_rows_;
    std::set<std::string> seen_;
    std::map<std::string, std::size_t> first_of_;  ///< the first part of a slot or row
    std::map<std::string, std::size_t> last_of_;
    std::vector<RowEnd> row_ends_;
};

Result<void> check_map(const Skeleton& skeleton, const humanoid::FoundRig& rig, std::string_view which) {
    const auto check = [&](std::size_t joint, const std::string& name) -> Result<void> {
        if (joint >= skeleton.nodes.size()) {
            return fail(ErrorCode::invalid_argument, "the " + std::string(which) + "'s rig map gives \"" +
                                                         without_controls(name) + "\" the joint " +
                                                         std::to_string(joint) + ", but the skeleton has " +
                                                         std::to_string(skeleton.nodes.size()));
        }
        return {};
    };
    for (const humanoid::FoundSlot& slot : rig.slots) {
        TRY_VOID(check(slot.joint, slot.slot));
    }
    for (const humanoid::FoundChain& chain : rig.chains) {
        for (const std::size_t joint : chain.joints) {
            TRY_VOID(check(joint, chain.name));
        }
    }
    return {};
}

/// Each joint moves only one part; otherwise two parts would write the same track.
Result<void> check_joints_once(const Skeleton& target, const Parts& parts) {
    std::map<std::size_t, std::string> owner;
    for (const Part& part : parts.parts) {
        for (const std::size_t joint : part.target) {
            const auto [found, is_new] = owner.emplace(joint, part.name);
            if (!is_new) {
                return fail(ErrorCode::invalid_argument,
                            "the target's joint \"" + without_controls(target.nodes[joint].name) +
                                "\" is mapped to \"" + without_controls(found->second) + "\" and to \"" +
                                without_controls(part.name) + "\"; a joint can be one of them");
            }
        }
    }
    return {};
}

bool hangs_on_nothing(const Skeleton& target, const Part& part) {
    return !part.parent && !target.nodes[part.target.front()].parent;
}

std::optional<std::size_t> body_of(const Skeleton& source, const Skeleton& target, const Parts& parts) {
    for (const std::string_view name : {"hips", "root"}) {
        if (const Part* part = parts.find(name)) {
            return static_cast<std::size_t>(part - parts.parts.data());
        }
    }
    for (std::size_t i = 0; i < parts.parts.size(); ++i) {
        const Part& top = parts.parts[i];
        const bool is_top = std::ranges::all_of(parts.parts, [&](const Part& part) {
            return is_at_or_above(source, top.source.front(), part.source.front()) &&
                   is_at_or_above(target, top.target.front(), part.target.front());
        });
        if (is_top && !humanoid::find_slot(top.name)) {
            return i;
        }
    }
    // Hands without a parent move freely.
    const auto free =
        std::ranges::find_if(parts.parts, [&](const Part& part) { return hangs_on_nothing(target, part); });
    return free == parts.parts.end() ? std::nullopt
                                     : std::optional(static_cast<std::size_t>(free - parts.parts.begin()));
}

Result<void> hold_unselected(Parts& parts, const std::vector<std::string>& slots) {
    for (const std::string& slot : slots) {
        if (parts.find(slot) == nullptr) {
            return fail(ErrorCode::invalid_argument, "no part that both rigs have is called \"" +
                                                         without_controls(slot) + "\"; they have " +
                                                         names_of(parts));
        }
    }
    for (Part& part : parts.parts) {
        part.is_held = !slots.empty() && std::ranges::find(slots, part.name) == slots.end();
    }
    return {};
}

/// Holds the parts that do not move by themselves: neither their joints nor those between them and the part
/// above have keys.
void hold_unkeyed(const Clip& source, Parts& parts) {
    std::vector<bool> has_keys(source.skeleton.nodes.size());
    for (const Track& track : source.tracks) {
        has_keys[track.node] = has_keys[track.node] || track.key_count() > 0;
    }
    std::vector<const Part*> owner(source.skeleton.nodes.size());
    for (const Part& part : parts.parts) {
        for (const std::size_t joint : part.source) {
            owner[joint] = &part;
        }
    }
    for (Part& part : parts.parts) {
        bool is_keyed = false;
        for (std::optional<std::size_t> node = part.source.back();
             node && (owner[*node] == nullptr || owner[*node] == &part);
             node = source.skeleton.nodes[*node].parent) {
            is_keyed = is_keyed || has_keys[*node];
        }
        part.is_held = part.is_held || !is_keyed;
    }
}

}  // namespace

bool is_at_or_above(const Skeleton& skeleton, std::size_t upper, std::size_t lower) {
    for (std::optional<std::size_t> node = lower; node; node = skeleton.nodes[*node].parent) {
        if (*node == upper) {
            return true;
        }
    }
    return false;
}

std::string names_of(const Parts& parts) {
    std::vector<std::string> names;
    std::ranges::transform(parts.parts, std::back_inserter(names),
                           [](const Part& part) { return part.name; });
    return some_of(names, 20);
}

const Part* Parts::find(std::string_view name) const {
    const auto found = std::ranges::find_if(parts, [&](const Part& part) { return part.name == name; });
    return found == parts.end() ? nullptr : &*found;
}

Result<Parts> match_parts(const Clip& clip, const humanoid::FoundRig& source_rig, const Skeleton& target,
                          const humanoid::FoundRig& target_rig, const RetargetOptions& options) {
    const Skeleton& source = clip.skeleton;
    TRY_VOID(check_map(source, source_rig, "source"));
    TRY_VOID(check_map(target, target_rig, "target"));
    Parts parts = PartMatcher(source, source_rig, target_rig).match();
    if (parts.parts.empty()) {
        return fail(ErrorCode::rejected,
                    "the two rigs have no part in common, so there is nothing to retarget. Name the joints "
                    "in rig files "
                    "(command: --rig, --target-rig; library: source_rig, target_rig)");
    }
    TRY_VOID(check_joints_once(target, parts));
    TRY_VOID(hold_unselected(parts, options.slots));
    if (options.only_keyed) {
        hold_unkeyed(clip, parts);
    }
    parts.body = body_of(source, target, parts);
    if (parts.body) {
        Part& body = parts.parts[*parts.body];
        body.carries = !body.is_held;
        for (Part& part : parts.parts) {
            const bool is_free = part.name == "root" || hangs_on_nothing(target, part);
            part.carries = part.carries || (is_free && !part.is_held);
        }
    } else {
        // Without a body, the top of each group stays: a hand keeps its place on the target's arm.
        for (const Part& part : parts.parts) {
            if (part.parent && !parts.parts[*part.parent].parent) {
                parts.parts[*part.parent].is_held = true;
            }
        }
    }
    return parts;
}

}  // namespace animbridge::rig::retarget
