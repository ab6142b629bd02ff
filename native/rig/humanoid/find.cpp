// SPDX-License-Identifier: MIT
#include "rig/humanoid/humanoid.h"

#include <algorithm>
#include <array>
#include <glm/vec3.hpp>
#include <initializer_list>
#include <unordered_map>

#include "rig/humanoid/parts.h"
#include "rig/humanoid/shape.h"

namespace animbridge::rig::humanoid {

namespace {

/// Slots that the convention leaves open. If a convention fits, it defines the torso: a "chest" of another
/// convention would be something else.
std::vector<bool> open_slots(const RigFile* rig) {
    std::vector<bool> open(humanoid_slots().size(), true);
    for (const char* torso : {"hips", "spine", "chest", "upperChest", "neck", "head", "root"}) {
        open[*find_slot(torso)] = rig == nullptr || std::string_view(torso) == "root";
    }
    return open;
}

/// Whether the map may be that of a body although its rig is one of controls: its joints are each other's
/// parents, or it has so few of the required parts that the names are those of another rig.
bool may_have_shape(SlotMap map, const RestBody& body) {
    constexpr std::size_t whole_body = 13;  // of VRM's 15 required parts
    const std::size_t count = map.count_required();
    drop_misplaced(map, body);
    return count < whole_body || map.count_required() == count;
}

/// By names alone, a body must be recognisable; else the names mean something else.
bool is_body_without_convention(const SlotMap& map) {
    constexpr std::size_t fewest_required = 8;
    const bool has_legs = map.joint("leftUpperLeg") && map.joint("rightUpperLeg");
    const bool has_arms = map.joint("leftLowerArm") && map.joint("rightLowerArm");
    return map.joint("hips") && has_legs && has_arms && map.count_required() >= fewest_required;
}

/// The parts of a search that the steps share.
struct RigSearch {
    RigSearch(const Skeleton& of, std::span<const RigFile> known_rigs, std::span<const Side> given_sides = {})
        : skeleton(of),
          rigs(known_rigs),
          body(of),
          names(of, given_sides),
          index(known_rigs),
          matches(of, names, index, known_rigs),
          meanings(names, index, known_rigs) {}

    const Skeleton& skeleton;
    std::span<const RigFile> rigs;
    RestBody body;
    JointNames names;
    NameIndex index;
    NameMatches matches;
    NameMeanings meanings;
};

/// The joints' sides from the caller's file. So one joint is enough to identify a hand whose names are the
/// same on both sides.
std::vector<Side> sides_of(const SlotMap& given, std::size_t joint_count) {
    std::vector<Side> sides(joint_count, Side::centre);
    for (std::size_t joint = 0; joint < joint_count; ++joint) {
        if (const auto slot = given.slot_of(joint)) {
            sides[joint] = humanoid_slots()[*slot].side;
        }
    }
    return sides;
}

void add_given(SlotMap& map, const SlotMap& given) {
    for (std::size_t slot = 0; slot < humanoid_slots().size(); ++slot) {
        if (given.at(slot)) {
            if (const auto other = map.slot_of(given.at(slot)->joint)) {
                map.drop(*other, "the rig file gives its joint another part");
            }
            map.drop(slot, "");
            map.set(slot, *given.at(slot));
        }
    }
}

std::vector<std::size_t> chain_named(std::string_view name, const RigMatch& match, const RigFile& rig) {
    for (std::size_t row = 0; row < rig.chains.size(); ++row) {
        if (rig.chains[row].of == name) {
            return match.chains[row];
        }
    }
    return {};
}

/// The middle between a part of both sides; nullopt: one is missing.
std::optional<glm::dvec3> middle_of(const SlotMap& map, const RestBody& body, const std::string& part) {
    const auto left = map.joint("left" + part);
    const auto right = map.joint("right" + part);
    return left && right ? std::optional(0.5 * (body.head(*left) + body.head(*right))) : std::nullopt;
}

/// Whether names know the arms and legs of a body that stands upright, and no joint above these.
bool is_headless_person(const SlotMap& map, const RestBody& body) {
    constexpr double upright = 0.9;
    const auto legs = middle_of(map, body, "UpperLeg");
    const auto feet = middle_of(map, body, "Foot");
    const auto arms = middle_of(map, body, "UpperArm");
    return legs && feet && arms && middle_of(map, body, "Hand") && !map.joint("neck") && !map.joint("head") &&
           cosine(*legs - *feet, *arms - *legs) > upright;
}

/// The shape's opinion of the body. Returns whether it is that of a person.
bool see_shape(const RigSearch& search, SlotMap& map, FoundRig& found) {
    const auto shape = find_shape(search.body, search.names, found.roles);
    if (!shape || !is_same_body(map, *shape, search.body)) {
        return false;
    }
    // A head may hang before the chest: its name says where it is.
    const auto head = map.joint("head");
    const bool has_head = head && search.body.is_above(shape->arms_at, *head);
    const bool is_person = has_head || is_headless_person(map, search.body) || shape->are_limbs_named;
    found.looks_like = shape->lacks_head && is_person ? "" : shape->looks_like;
    if (!found.looks_like.empty()) {
        return false;
    }
    agree(map, *shape, search.body, search.meanings);
    drop_misplaced(map, search.body);
    if (!shape->sides_by_name && map.joint("leftUpperLeg")) {
        found.warnings.emplace_back(
            "No name says left or right. The sides are those of the body's feet, knees and elbows; if these "
            "say "
            "nothing, those of a body that faces the file's front. If they are wrong, swap them (command: "
            "--swap-sides).");
    } else if (!shape->sides_are_known) {
        found.warnings.emplace_back(
            "Neither the names nor the rest pose say which side is the left one. Name its joints in a rig "
            "file.");
    }
    return true;
}

/// Whether the parts that names know are those of an animal: its spine lies across its legs, or its arms are
/// beside its legs where these point nowhere.
bool lies_flat(const SlotMap& map, const RestBody& body) {
    const auto place_of = [&](std::initializer_list<std::string> slots) -> std::optional<glm::dvec3> {
        for (const std::string& slot : slots) {
            if (const auto joint = map.joint(slot)) {
                return body.head(*joint);
            }
        }
        return std::nullopt;
    };
    glm::dvec3 legs(0);
    for (const std::string side : {"left", "right"}) {
        const auto upper = place_of({side + "UpperLeg"});
        const auto end = place_of({side + "Foot", side + "LowerLeg"});
        legs += upper && end ? *end - *upper : glm::dvec3(0);
    }
    const auto hind = middle_of(map, body, "UpperLeg");
    const auto hips = place_of({"hips", "spine"});
    const auto top = place_of({"neck", "head"});
    if (legs != glm::dvec3(0)) {
        return top && (hips || hind) && is_across(legs, *top - (hips ? *hips : *hind));
    }
    const auto front = middle_of(map, body, "UpperArm");
    return hind && front && is_across({0, 0, -1}, *front - *hind);
}

/// Whether joints on both sides are called wings, and no joint is an arm.
bool has_wings_as_arms(const SlotMap& map, const JointNames& names) {
    std::array<bool, 3> has{};
    for (std::size_t joint = 0; joint < names.tokens.size(); ++joint) {
        has.at(static_cast<std::size_t>(names.sides[joint])) |= names.has_word(joint, "wing");
    }
    const auto is_arm = [&](const char* slot) { return map.joint(slot).has_value(); };
    return has.at(static_cast<std::size_t>(Side::left)) && has.at(static_cast<std::size_t>(Side::right)) &&
           !is_arm("leftUpperArm") && !is_arm("leftLowerArm") && !is_arm("leftHand");
}

/// What the parts that names know have that no person has; "": nothing.
const char* strange_parts(const SlotMap& map, const RestBody& body, const JointNames& names) {
    const auto head = map.joint("head");
    const auto arm = map.joint("leftUpperArm");
    if (head && arm && body.is_above(*head, *arm)) {
        return "arms that hang on its head";
    }
    return map.joint("leftUpperLeg") && has_wings_as_arms(map, names) ? "wings in place of arms"
           : lies_flat(map, body)                                     ? "a spine that lies flat"
                                                                      : "";
}

/// Where most joints have a rig's names as they are, those that lack its prefix are of another skeleton.
void drop_without_prefix(SlotMap& map) {
    constexpr double with_prefix = 0.96;
    std::size_t with = 0;
    std::vector<std::size_t> without;
    for (std::size_t slot = 0; slot < humanoid_slots().size(); ++slot) {
        const bool has = map.at(slot) && map.at(slot)->score > with_prefix;
        with += has ? 1 : 0;
        if (map.at(slot) && !has) {
            without.push_back(slot);
        }
    }
    if (with >= 3 * without.size()) {
        for (const std::size_t slot : without) {
            map.drop(slot, "the joint lacks the prefix that the names of the other parts have");
        }
    }
}

/// Whether names know the arms of a person whose legs they know in part: a head, both arms, and a joint of a
/// leg on each side below them; no wings and no tail.
bool has_clear_arms(const SlotMap& map, const RigSearch& search) {
    const auto upper = middle_of(map, search.body, "UpperArm");
    bool is_animal = false;
    for (std::size_t joint = 0; joint < search.names.tokens.size(); ++joint) {
        is_animal |= search.names.has_word(joint, "wing") || search.names.has_word(joint, "tail");
    }
    if (is_animal || !map.joint("head") || !upper || !middle_of(map, search.body, "LowerArm")) {
        return false;
    }
    const auto has_leg = [&](const std::string& side) {
        const std::size_t slot = *find_slot(side + "UpperLeg");
        for (std::size_t joint = 0; joint < search.body.joint_count(); ++joint) {
            const auto slots = search.meanings.of(joint);
            if (search.body.head(joint).z < upper->z && std::ranges::find(slots, slot) != slots.end()) {
                return true;
            }
        }
        return false;
    };
    return has_leg("left") && has_leg("right");
}

/// Drops upper legs that begin in one place: joints of the hips have their names.
void drop_legs_in_one_place(SlotMap& map, const RestBody& body) {
    constexpr double apart = 0.02;
    const std::size_t slot = *find_slot("leftUpperLeg");
    const auto left = map.joint(slot);
    const auto right = map.joint(mirrored_slot(slot));
    if (left && right && glm::length(body.head(*left) - body.head(*right)) < apart * body.height_metres()) {
        map.drop(slot, "both legs' joints are in one place");
        map.drop(mirrored_slot(slot), "both legs' joints are in one place");
    }
}

/// Applies conventions, gaps and checks. `chosen` becomes the convention.
SlotMap find_slots(const RigSearch& search, RigUse use, std::optional<RigMatch>& chosen, FoundRig& found) {
    chosen = choose_rig(search.matches, search.rigs, search.names, search.body, use);
    const RigFile* rig = chosen ? &search.rigs[chosen->rig] : nullptr;
    SlotMap map = chosen ? map_of(*chosen, *rig, search.body.joint_count(), FoundBy::convention)
                         : SlotMap(search.body.joint_count());
    found.roles = (rig != nullptr ? JointRoles(*rig) : JointRoles(search.rigs)).of_all(search.names);
    for (std::size_t joint = 0; joint < found.roles.size(); ++joint) {
        if (search.body.is_attachment(joint)) {
            found.roles[joint] = JointRole::attachment;
        }
    }
    const bool is_tree = rig == nullptr || !rig->loose;
    if (!is_tree) {
        drop_without_prefix(map);
    } else {
        drop_misplaced(map, search.body);
        drop_unconfirmed(map, search.meanings);
        mend_neck(map, search.body, chosen ? chain_named("neck", *chosen, *rig) : std::vector<std::size_t>());
        fill_by_name(map, search.body, search.meanings, open_slots(rig), found.roles);
        fill_by_structure(map, search.body, search.names, found.roles);
        fill_root(map, search.body, search.meanings);
        drop_misplaced(map, search.body);
    }
    const bool has_body = (is_tree || may_have_shape(map, search.body)) && see_shape(search, map, found);
    if (!has_body && rig == nullptr) {
        drop_legs_in_one_place(map, search.body);
    }
    if (!has_body && found.looks_like.empty()) {
        found.looks_like = strange_parts(map, search.body, search.names);
    }
    mend_legs(map, search.body, search.meanings);
    fill_severed(map, search.body, search.meanings);
    const auto named_left = map.joint("leftUpperLeg");
    if (auto warning = check_sides(map, search.body); !warning.empty()) {
        found.warnings.push_back(std::move(warning));
    }
    found.swaps_sides = named_left && map.joint("rightUpperLeg") == named_left;
    // Names that leave no joint for a shape's hips belong to another body.
    if (rig == nullptr &&
        (has_body ? !map.joint("hips") : !is_body_without_convention(map) && !has_clear_arms(map, search))) {
        map.clear();
    }
    return map;
}

/// Warns if the file is one hand and nothing says which. Returns whether it is: a hand has no other parts.
bool warn_of_hand_without_side(FoundRig& found, const RigSearch& search) {
    constexpr std::size_t hand_joints = 12;
    std::vector<std::size_t> joints;
    for (std::size_t joint = 0; joint < search.names.tokens.size(); ++joint) {
        if (search.names.sides[joint] == Side::centre &&
            search.index.is_shared(search.names.tokens[joint], search.names.shared)) {
            joints.push_back(joint);
        }
    }
    if (joints.size() < hand_joints) {
        return false;
    }
    // Parents come first, so this is the wrist if the joints form a hierarchy.
    found.warnings.push_back(
        "The names are those of a hand, and none says left or right. Add the side to the names, or say "
        "which hand it is in a rig file, for example {\"animbridge_rig\": 1, \"built_in\": true, \"slots\": "
        "{\"leftHand\": [\"" +
        search.skeleton.nodes[joints.front()].name + "\"]}}.");
    found.is_hand_without_side = true;
    return true;
}

/// Whether the skeleton also has the bones of the other use.
bool has_other_use(const RigSearch& search, const RigFile& rig) {
    for (std::size_t other = 0; other < search.rigs.size(); ++other) {
        const RigFile& file = search.rigs[other];
        if (file.use && *file.use != *rig.use && is_enough(search.matches.match(other), file)) {
            return true;
        }
    }
    return false;
}

void say_convention(FoundRig& found, const RigSearch& search, const RigFile& rig, double score) {
    found.convention = rig.id;
    found.score = score;
    if (rig.use && has_other_use(search, rig)) {
        found.warnings.emplace_back(
            *rig.use == RigUse::source
                ? "The rig has a set of bones that deform and a set of controls. The deforming "
                  "bones are mapped, for motion that is read from the rig."
                : "The rig has a set of bones that deform and a set of controls. The controls "
                  "are mapped, for motion that is put onto the rig.");
    }
}

void list_slots(FoundRig& found, const SlotMap& map) {
    for (std::size_t slot = 0; slot < humanoid_slots().size(); ++slot) {
        if (const auto& pair = map.at(slot)) {
            found.slots.push_back(
                {std::string(humanoid_slots()[slot].name), pair->joint, pair->by, pair->score});
        }
    }
}

void list_unmapped(FoundRig& found) {
    std::vector<bool> is_used(found.roles.size());
    for (const FoundSlot& slot : found.slots) {
        is_used[slot.joint] = true;
        found.roles[slot.joint] = JointRole::none;
    }
    for (const FoundChain& chain : found.chains) {
        for (const std::size_t joint : chain.joints) {
            is_used[joint] = true;
        }
    }
    for (std::size_t joint = 0; joint < is_used.size(); ++joint) {
        if (!is_used[joint] && found.roles[joint] == JointRole::none) {
            found.unmapped.push_back(joint);
        }
    }
}

void take_reference(FoundRig& found, const RigFile& rig, const Skeleton& skeleton) {
    if (rig.reference.empty()) {
        return;
    }
    std::unordered_map<std::string_view, glm::dquat> turns;
    for (const auto& [name, turn] : rig.reference) {
        turns.emplace(without_namespace(name), turn);
    }
    found.reference_local.resize(skeleton.nodes.size());
    for (std::size_t joint = 0; joint < skeleton.nodes.size(); ++joint) {
        if (const auto turn = turns.find(without_namespace(skeleton.nodes[joint].name));
            turn != turns.end()) {
            found.reference_local[joint] = turn->second;
        }
    }
}

/// The slots of the caller's file, in the file's order if they are not parts of a body.
void list_own_slots(FoundRig& found, const RigMatch& match, const RigFile& own) {
    for (std::size_t row = 0; row < own.slots.size(); ++row) {
        if (match.slots[row]) {
            found.slots.push_back({own.slots[row].of, match.slots[row]->joint, FoundBy::given, 1});
        } else {
            found.missing.push_back({own.slots[row].of, {}, "no joint has one of its names"});
        }
    }
}

struct OwnMatch {
    RigMatch match;
    double score = 0;  ///< the share of the file's slots and chains that were found
};

/// Matches the caller's file.
Result<OwnMatch> match_own(const Skeleton& skeleton, const RigFile& own) {
    const RigSearch search(skeleton, {&own, 1});
    OwnMatch made{search.matches.match(0), 0};
    const auto slots =
        std::ranges::count_if(made.match.slots, [](const auto& pair) { return pair.has_value(); });
    const auto chains =
        std::ranges::count_if(made.match.chains, [](const auto& joints) { return !joints.empty(); });
    made.score = static_cast<double>(slots + chains) /
                 static_cast<double>(std::max<std::size_t>(own.slots.size() + own.chains.size(), 1));
    if (slots + chains == 0) {
        return fail(
            Error{ErrorCode::bad_value,
                  "found none of the rig file's names in the skeleton; allowed are names of its joints",
                  {},
                  "slots"});
    }
    return made;
}

void finish(FoundRig& found, const RigSearch& search, const SlotMap& map, const RigMatch* match,
            const RigFile* rig) {
    found.chains = find_chains(map, search.body, search.names, found.roles, match, rig);
    found.facing = facing_of(map, search.body);
    found.height_metres = search.body.height_metres();
    if (rig != nullptr) {
        take_reference(found, *rig, search.skeleton);
    }
    list_unmapped(found);
}

/// Uses the caller's file first, and the known rigs for its gaps if the file asks for that.
Result<FoundRig> find_with_own(const Skeleton& skeleton, std::span<const RigFile> known, const RigFile& own,
                               RigUse use) {
    TRY(const auto made, match_own(skeleton, own));
    FoundRig found;
    const SlotMap given = own.is_humanoid() ? map_of(made.match, own, skeleton.nodes.size(), FoundBy::given)
                                            : SlotMap(skeleton.nodes.size());
    const RigSearch search(skeleton, known, sides_of(given, skeleton.nodes.size()));
    SlotMap map(skeleton.nodes.size());
    std::optional<RigMatch> chosen;
    if (own.is_humanoid()) {
        if (own.built_in) {
            map = find_slots(search, use, chosen, found);
            found.looks_like.clear();  // who names parts knows what the body is
        }
        add_given(map, given);
        list_slots(found, map);
        found.missing = missing_slots(map, search.body, search.names, search.meanings, &own);
    } else {
        list_own_slots(found, made.match, own);
    }
    found.roles = JointRoles(own).of_all(search.names);
    found.convention = own.id;
    found.score = made.score;
    finish(found, search, map, &made.match, &own);
    return found;
}

/// Uses the known rigs alone.
FoundRig find_with_known(const Skeleton& skeleton, std::span<const RigFile> known, RigUse use) {
    FoundRig found;
    const RigSearch search(skeleton, known);
    std::optional<RigMatch> chosen;
    const SlotMap map = find_slots(search, use, chosen, found);
    const RigFile* rig = chosen ? &known[chosen->rig] : nullptr;
    bool may_be_body = skeleton.nodes.size() > 1;
    if (rig != nullptr) {
        say_convention(found, search, *rig, chosen->score);
    } else if (!may_be_body) {
        found.warnings.emplace_back("The skeleton is a single node, so it has no body.");
    } else {
        may_be_body = !warn_of_hand_without_side(found, search);
    }
    list_slots(found, map);
    if (may_be_body) {
        found.missing = missing_slots(map, search.body, search.names, search.meanings, rig);
    }
    finish(found, search, map, chosen ? &*chosen : nullptr, rig);
    return found;
}

bool has_several_roots(const Skeleton& skeleton) {
    return std::ranges::count_if(skeleton.nodes, [](const Node& node) { return !node.parent; }) > 1;
}

/// The skeleton with one more joint, the first, at the origin and above all others.
Skeleton below_one_root(const Skeleton& skeleton) {
    Skeleton joined;
    joined.nodes.emplace_back().name = "_";
    for (Node node : skeleton.nodes) {
        node.parent = node.parent ? *node.parent + 1 : 0;
        joined.nodes.push_back(std::move(node));
    }
    return joined;
}

/// Whether the parts are those of a person, by a convention or by whole arms or legs; or by both without
/// their ends, and a spine between them. Animals in pieces have less.
bool is_clear_person(const FoundRig& found) {
    const auto has_both = [&](const std::string& part) {
        return found.joint_of("left" + part) && found.joint_of("right" + part);
    };
    return found.joint_of("hips") && found.looks_like.empty() &&
           (!found.convention.empty() || has_both("Hand") || has_both("Foot") ||
            (found.joint_of("spine") && has_both("LowerArm") && has_both("LowerLeg")));
}

/// Takes the first joint out of what was found below one root.
void remove_root(FoundRig& found) {
    std::erase_if(found.slots, [](const FoundSlot& slot) { return slot.joint == 0; });
    for (FoundSlot& slot : found.slots) {
        --slot.joint;
    }
    const auto shift = [](std::vector<std::size_t>& joints) {
        std::erase(joints, 0U);
        std::ranges::for_each(joints, [](std::size_t& joint) { --joint; });
    };
    for (FoundChain& chain : found.chains) {
        shift(chain.joints);
    }
    for (MissingSlot& slot : found.missing) {
        shift(slot.candidates);
    }
    shift(found.unmapped);
    found.roles.erase(found.roles.begin());
    if (!found.reference_local.empty()) {
        found.reference_local.erase(found.reference_local.begin());
    }
}

}  // namespace

Result<FoundRig> find_rig(const Skeleton& skeleton, std::span<const RigFile> known, const RigFile* own,
                          RigUse use) {
    if (own != nullptr) {
        return find_with_own(skeleton, known, *own, use);
    }
    FoundRig found = find_with_known(skeleton, known, use);
    if (!found.joint_of("hips") && has_several_roots(skeleton)) {
        // Legs and torso may have no joint above them: what carried them in the program was none.
        FoundRig joined = find_with_known(below_one_root(skeleton), known, use);
        remove_root(joined);
        joined.height_metres = found.height_metres;
        if (is_clear_person(joined)) {
            return joined;
        }
    }
    return found;
}

void swap_sides(FoundRig& rig) {
    const auto exchange = [](std::string& name) {
        if (const auto slot = find_slot(name)) {
            name = humanoid_slots()[mirrored_slot(*slot)].name;
            return;
        }
        // A slot of the caller's own, such as "mHindLimb1Left".
        for (const auto& [own, other] : {std::pair<std::string_view, std::string_view>("Left", "Right"),
                                         std::pair<std::string_view, std::string_view>("Right", "Left")}) {
            if (name.ends_with(own)) {
                name = name.substr(0, name.size() - own.size()) + std::string(other);
                return;
            }
        }
    };
    for (FoundSlot& slot : rig.slots) {
        exchange(slot.slot);
    }
    std::ranges::stable_sort(rig.slots, {}, [](const FoundSlot& slot) { return find_slot(slot.slot); });
    for (FoundChain& chain : rig.chains) {
        exchange(chain.name);
    }
    for (MissingSlot& slot : rig.missing) {
        exchange(slot.slot);
    }
    if (rig.facing) {
        *rig.facing = -*rig.facing;
    }
}

}  // namespace animbridge::rig::humanoid
