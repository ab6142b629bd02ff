// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <glm/geometric.hpp>
#include <string>
#include <utility>

#include "rig/humanoid/humanoid.h"
#include "rig/humanoid/parts.h"

namespace animbridge::rig::humanoid {

namespace {

/// By how much a limb may be divided better by its shape than by its names before the names are wrong.
constexpr double clearly_better = 0.8;
constexpr double shape_score = 0.6;

/// The index of the joint in the limb, or of one at its place; nullopt: it is elsewhere.
std::optional<std::size_t> index_in(const ShapedLimb& limb, const RestBody& body, std::size_t joint) {
    constexpr double near = 0.03;  // of the limb
    const double size = glm::length(body.head(limb.joints.back()) - body.head(limb.joints.front()));
    std::optional<std::size_t> nearest;
    double least = near * size;
    for (std::size_t i = 0; i < limb.joints.size(); ++i) {
        const double distance = glm::length(body.head(limb.joints[i]) - body.head(joint));
        if (limb.joints[i] == joint) {
            return i;
        }
        if (distance <= least) {
            least = distance;
            nearest = i;
        }
    }
    return nearest;
}

/// How many of the map's arms and legs are in the shape's limbs of the same side, and of the other side.
struct Overlap {
    std::size_t named = 0;
    std::size_t same = 0;
    std::size_t other = 0;
};
Overlap overlap_of(const SlotMap& map, const BodyShape& shape, const RestBody& body) {
    Overlap overlap;
    for (std::size_t i = 0; i < shape.limbs.size(); ++i) {
        for (std::size_t part = 0; part < 3; ++part) {
            const auto joint = map.joint(part_slot(shape.limbs.at(i), part));
            overlap.named += joint ? 1 : 0;
            overlap.same += joint && index_in(shape.limbs.at(i), body, *joint) ? 1 : 0;
            overlap.other += joint && index_in(shape.limbs.at(i ^ 1U), body, *joint) ? 1 : 0;
        }
    }
    return overlap;
}

void exchange_sides(BodyShape& shape, std::size_t joint_count) {
    shape.map = with_swapped_sides(shape.map, joint_count);
    for (ShapedLimb& limb : shape.limbs) {
        limb.side = limb.side == Side::left ? Side::right : Side::left;
    }
}

/// Gives a slot the shape's joint, whatever has it now.
void take(SlotMap& map, std::size_t slot, const SlotMap::Pair& pair) {
    if (const auto other = map.slot_of(pair.joint); other && *other != slot) {
        map.drop(*other, "by the shape of the body, its joint is another part");
    }
    map.drop(slot, "");
    map.set(slot, pair);
}

void fill(SlotMap& map, const BodyShape& shape, std::size_t slot) {
    const auto joint = shape.map.joint(slot);
    if (!map.at(slot) && joint && !map.slot_of(*joint) && shape.roles[*joint] == JointRole::none) {
        map.set(slot, *shape.map.at(slot));
    }
}

/// The indices in the limb of its parts by their names. A name that means the part somewhere counts if no
/// other joint of the limb has one. A shoulder may be the upper arm or above it: that says nothing.
std::array<std::optional<std::size_t>, 3> parts_by_name(SlotMap& map, const ShapedLimb& limb,
                                                        const RestBody& body, const NameMeanings& meanings) {
    std::array<std::optional<std::size_t>, 3> named{};
    for (std::size_t part = 0; part < 3; ++part) {
        const std::size_t slot = part_slot(limb, part);
        if (const auto joint = map.joint(slot)) {
            named.at(part) = index_in(limb, body, *joint);
            if (!named.at(part)) {
                map.drop(slot, "by the shape of the body, the joint with its name is not in this limb");
            }
        }
        if (named.at(part)) {
            continue;
        }
        std::size_t count = 0;
        const auto shoulder = limb.is_arm ? find_slot(slot_of(limb, "Shoulder")) : std::nullopt;
        for (std::size_t i = 0; i < limb.joints.size(); ++i) {
            const auto slots = meanings.of(limb.joints[i]);
            const bool is_shoulder = shoulder && std::ranges::find(slots, *shoulder) != slots.end();
            if (!map.slot_of(limb.joints[i]) && !is_shoulder &&
                std::ranges::find(slots, slot) != slots.end()) {
                named.at(part) = i;
                ++count;
            }
        }
        named.at(part) = count == 1 ? named.at(part) : std::nullopt;
    }
    return named;
}

/// Whether one convention names all parts of the limb, in their order: shapes divide the legs of dogs and
/// birds elsewhere.
bool is_named_wholly(const SlotMap& map, const ShapedLimb& limb,
                     const std::array<std::optional<std::size_t>, 3>& named) {
    for (std::size_t part = 0; part < 3; ++part) {
        const auto& pair = map.at(part_slot(limb, part));
        if (!named.at(part) || !pair || pair->by != FoundBy::convention ||
            (part > 0 && *named.at(part) <= *named.at(part - 1))) {
            return false;
        }
    }
    return true;
}

/// Of a limb of two joints, the second one is the hand or the foot if that is its name.
void name_end(ShapedLimb& limb, const NameMeanings& meanings) {
    if (limb.score > 0 || !limb.parts[1] || limb.parts[2]) {
        return;
    }
    const auto slots = meanings.of(*limb.parts[1]);
    const auto means = [&](std::size_t part) {
        return std::ranges::find(slots, part_slot(limb, part)) != slots.end();
    };
    if (means(2) && !means(1)) {
        std::swap(limb.parts[1], limb.parts[2]);
    }
}

/// Sets the parts that names and shape agree on, or that one of them knows better.
void agree_on_limb(SlotMap& map, ShapedLimb limb, const RestBody& body, const NameMeanings& meanings) {
    const auto named = parts_by_name(map, limb, body, meanings);
    if (limb.is_arm && named[0] && named[2] == *named[0] + 1 &&
        map.at(*find_slot(slot_of(limb, "Shoulder")))) {
        return;  // shoulder, upper arm and hand by their names: nothing is left for a lower arm
    }
    const std::size_t below_hand = limb.palm ? 2 : 1;  // fingers may part just below it
    const bool holds = limb.is_arm && named[2] && *named[2] > 1 && *named[2] + below_hand <= limb.last;
    const bool is_known = holds && named[0] && named[1] && *named[0] < *named[1] && *named[1] < *named[2];
    if (holds) {
        limb.last = *named[2];  // what goes on below a hand is held by it
        limb.palm.reset();
        limb.choose(body, {std::nullopt, std::nullopt, named[2]});
    }
    const double best = limb.score;
    name_end(limb, meanings);
    const auto by_shape = limb.parts;
    bool differs = false;
    bool contradicts = false;
    for (std::size_t part = 0; part < 3; ++part) {
        const auto at = by_shape.at(part) ? index_in(limb, body, *by_shape.at(part)) : std::nullopt;
        const bool is_other = named.at(part) && named.at(part) != at;
        differs = differs || is_other;
        contradicts = contradicts || (is_other && map.at(part_slot(limb, part)));
    }
    if (best == 0 && (contradicts || map.at(part_slot(limb, 0)))) {
        return;  // a limb of one or two joints, which names know better: what hangs on it may be a weapon
    }
    if (named[0] && named[1] && !named[2] && *named[0] < *named[1] && *named[1] >= limb.last) {
        return;  // by its names, the limb ends at its lower part: nothing is left for a hand or a foot
    }
    if (differs && best > 0) {
        limb.choose(body, named);
    }
    const bool fits_names = limb.score > 0 && (is_known || limb.score >= best - clearly_better ||
                                               is_named_wholly(map, limb, named));
    limb.parts = fits_names ? limb.parts : by_shape;
    for (std::size_t part = 0; part < 3; ++part) {
        const std::size_t slot = part_slot(limb, part);
        if (named.at(part) && fits_names && map.at(slot)) {
            SlotMap::Pair pair = *map.at(slot);
            pair.score = 1;
            map.set(slot, pair);
        } else if (limb.parts.at(part) && map.joint(slot) != limb.parts.at(part)) {
            take(map, slot, {*limb.parts.at(part), FoundBy::shape, shape_score});
        }
    }
}

void agree_on_ends(SlotMap& map, const BodyShape& shape, const ShapedLimb& limb, const RestBody& body) {
    const std::size_t near = *find_slot(slot_of(limb, limb.is_arm ? "Shoulder" : "Toes"));
    const auto beside = map.joint(limb.is_arm ? part_slot(limb, 0) : part_slot(limb, 2));
    if (const auto joint = map.joint(near)) {
        const bool is_right = beside && *beside != *joint &&
                              (limb.is_arm ? body.is_above(*joint, *beside) : body.is_above(*beside, *joint));
        if (!is_right) {
            map.drop(near, "by the shape of the body, the joint with its name is not beside this limb");
        }
    }
    if (beside == shape.map.joint(limb.is_arm ? part_slot(limb, 0) : part_slot(limb, 2))) {
        fill(map, shape, near);
    }
}

/// A hand whose fingers no name knows gets those of the shape.
void fill_fingers(SlotMap& map, const BodyShape& shape, Side side) {
    const auto slots = humanoid_slots();
    const auto is_finger = [&](std::size_t slot) {
        return slots[slot].side == side &&
               (slots[slot].name.find("Thumb") != std::string_view::npos ||
                slots[slot].name.ends_with("Proximal") || slots[slot].name.ends_with("Intermediate") ||
                slots[slot].name.ends_with("Distal"));
    };
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
        if (is_finger(slot) && map.at(slot)) {
            return;
        }
    }
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
        if (is_finger(slot)) {
            fill(map, shape, slot);
        }
    }
}

/// Whether a joint can be the hips: it carries the legs, or neither legs nor arms (a leaf beside them).
bool can_be_hips(const BodyShape& shape, const RestBody& body, std::size_t joint) {
    const auto carries = [&](const ShapedLimb& limb) { return body.is_above(joint, limb.top); };
    const auto parent = body.parent(joint);
    if (shape.map.joint("hips") == joint) {
        return true;
    }
    const bool has_legs = carries(shape.limbs[0]) && carries(shape.limbs[1]);
    const bool has_arms = body.is_above(joint, shape.arms_at);
    return has_legs ? has_arms || (parent && body.is_above(*parent, shape.arms_at))
                    : !has_arms && parent && body.is_above(*parent, shape.legs_at) &&
                          body.is_above(*parent, shape.arms_at);
}

/// Gives the hips the shape's joint. If that joint is the spine by its name, the joint just above it is the
/// hips: both legs then hang on the spine.
void take_hips(SlotMap& map, SlotMap::Pair pair, const BodyShape& shape, const RestBody& body) {
    const auto parent = body.parent(pair.joint);
    const auto& leg = shape.limbs[0].joints;
    const double length = glm::length(body.head(leg.back()) - body.head(leg.front()));
    constexpr double near = 0.3;
    if (parent && map.slot_of(pair.joint) == find_slot("spine") && !map.slot_of(*parent) &&
        glm::length(body.head(*parent) - body.head(pair.joint)) < near * length) {
        pair.joint = *parent;
    }
    take(map, *find_slot("hips"), pair);
}

/// Names may know the spine's joints by another rig's order: then they are those of the shape. What names
/// leave open above the lowest is filled.
void agree_on_spine(SlotMap& map, const BodyShape& shape, const NameMeanings& meanings) {
    const std::size_t hips = *find_slot("hips");
    const std::size_t neck = *find_slot("neck");
    const std::array<std::size_t, 3> slots = {*find_slot("spine"), *find_slot("chest"),
                                              *find_slot("upperChest")};
    auto spine = shape.spine;
    std::erase_if(spine, [&](std::size_t joint) {
        // A joint that is called hips or neck is no spine.
        const auto called = meanings.of(joint);
        return joint == map.joint(hips) || shape.roles[joint] != JointRole::none ||
               called == std::vector<std::size_t>{hips} || called == std::vector<std::size_t>{neck} ||
               map.joint(neck) == joint;
    });
    if (spine.empty()) {
        return;
    }
    const bool is_low = !map.at(slots[0]) && (map.joint(slots[1]) == spine.front() ||
                                              (!map.at(slots[1]) && map.joint(slots[2]) == spine.front()));
    const bool is_high = map.joint(slots[0]) == spine.back() && spine.size() > 2;
    if (is_low || is_high) {
        for (const std::size_t slot : slots) {
            map.drop(slot, "by the shape of the body, the joint with its name is higher or lower");
        }
    }
    // Names count the spine further than the rig does that knows them.
    constexpr double same_name = 1;
    const auto& top = map.at(slots[2]);
    if (top && top->score < same_name && top->joint != spine.back() &&
        meanings.counts_on(top->joint, spine.back())) {
        map.drop(slots[1], "the rig has more joints of the spine than its names");
        map.drop(slots[2], "the rig has more joints of the spine than its names");
    }
    const auto first = map.joint(slots[0]);
    if (!first && !map.slot_of(spine.front())) {
        map.set(slots[0], {.joint = spine.front(), .by = FoundBy::shape, .score = shape_score});
    }
    if (!map.at(slots[1]) && !map.at(slots[2])) {
        const auto place = std::ranges::find(spine, first.value_or(spine.front()));
        fill_spine(map, {place, spine.end()});
    }
}

void agree_on_torso(SlotMap& map, const BodyShape& shape, const RestBody& body,
                    const NameMeanings& meanings) {
    constexpr const char* why = "by the shape of the body, the joint with its name is elsewhere";
    const std::size_t hips = *find_slot("hips");
    if (map.at(hips) && !can_be_hips(shape, body, *map.joint(hips))) {
        map.drop(hips, why);
    }
    if (!map.at(hips) && shape.map.at(hips)) {
        take_hips(map, *shape.map.at(hips), shape, body);
    }
    const std::size_t head = *find_slot("head");
    const auto beside = shape.map.joint(head);  // a head may hang beside the joint of the arms
    if (map.at(head) && !body.is_above(shape.arms_at, *map.joint(head)) &&
        !(beside && body.is_above(*map.joint(head), *beside))) {
        map.drop(head, why);
    }
    fill(map, shape, head);
    for (const char* name : {"spine", "chest", "upperChest", "neck"}) {
        const std::size_t slot = *find_slot(name);
        const auto joint = map.joint(slot);
        const auto end = map.joint(head) ? *map.joint(head) : shape.arms_at;
        const auto below = map.joint(hips);
        // Between hips and arms, only joints of the spine count: others go up and back.
        const bool is_of_spine =
            joint && (!body.is_above(*joint, shape.arms_at) || shape.map.joint(hips) == joint ||
                      std::ranges::find(shape.spine, *joint) != shape.spine.end());
        // Without a head, the neck is the end of the way up.
        const bool is_on_way =
            joint && (body.is_above(*joint, end) || body.is_above(*joint, shape.arms_at) ||
                      (slot == *find_slot("neck") && !map.joint(head) && body.is_above(end, *joint)));
        const bool is_right = is_of_spine && *joint != end && joint != below && is_on_way &&
                              (!below || body.is_above(*below, *joint) || !body.is_above(*below, end));
        if (joint && !is_right) {
            map.drop(slot, why);
        }
    }
    agree_on_spine(map, shape, meanings);
    const std::size_t neck = *find_slot("neck");
    const auto joint = shape.map.joint(neck);
    const auto slots = joint ? meanings.of(*joint) : std::vector<std::size_t>();
    const bool is_called_otherwise = !slots.empty() && std::ranges::find(slots, neck) == slots.end();
    if (map.joint(head) == shape.map.joint(head) && !is_called_otherwise) {
        fill(map, shape, neck);
    }
    // "neck_1" is the second part of a neck that is counted from zero.
    if (joint && map.at(neck) && map.at(neck)->by == FoundBy::name &&
        body.is_above(*joint, *map.joint(neck)) && meanings.differ_in_number(*joint, *map.joint(neck))) {
        take(map, neck, *shape.map.at(neck));
    }
}

}  // namespace

bool is_same_body(const SlotMap& map, const BodyShape& shape, const RestBody& body) {
    const Overlap overlap = overlap_of(map, shape, body);
    // What is called a leg is no arm, and hair is no arm where others are called so.
    for (const bool is_arm : {false, true}) {
        const std::size_t first = is_arm ? 2 : 0;
        const auto left = map.joint(is_arm ? "leftUpperArm" : "leftUpperLeg");
        const auto right = map.joint(is_arm ? "rightUpperArm" : "rightUpperLeg");
        const auto is_in_limbs = [&](std::size_t joint) {
            return body.is_above(shape.limbs.at(first).top, joint) ||
                   body.is_above(shape.limbs.at(first + 1).top, joint);
        };
        if (left && right && !is_in_limbs(*left) && !is_in_limbs(*right)) {
            return false;
        }
    }
    constexpr std::size_t most = 10;  // of twelve: the names know a whole body
    return overlap.named < most || 4 * std::max(overlap.same, overlap.other) >= 3 * overlap.named;
}

void agree(SlotMap& map, BodyShape shape, const RestBody& body, const NameMeanings& meanings) {
    const Overlap overlap = overlap_of(map, shape, body);
    if (overlap.other > overlap.same) {
        exchange_sides(shape, body.joint_count());
    }
    agree_on_torso(map, shape, body, meanings);
    for (const ShapedLimb& limb : shape.limbs) {
        agree_on_limb(map, limb, body, meanings);
        agree_on_ends(map, shape, limb, body);
    }
    fill_fingers(map, shape, Side::left);
    fill_fingers(map, shape, Side::right);
    if (!shape.sides_are_known && overlap.named == 0) {
        for (std::size_t slot = 0; slot < humanoid_slots().size(); ++slot) {
            if (humanoid_slots()[slot].side != Side::centre) {
                map.drop(slot, "nothing says which side is the left one");
            }
        }
    }
}

}  // namespace animbridge::rig::humanoid
