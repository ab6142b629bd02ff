// SPDX-License-Identifier: MIT
#include "rig/humanoid/humanoid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>

#include "rig/humanoid/parts.h"

namespace animbridge::rig::humanoid {

namespace {

constexpr auto left = Side::left;
constexpr auto right = Side::right;

constexpr std::array slots = {
    Slot{"root", "", ""},
    Slot{"hips", "root", "", Side::centre, true},
    Slot{"spine", "hips", "chest", Side::centre, true},
    Slot{"chest", "spine", "upperChest"},
    Slot{"upperChest", "chest", "neck"},
    Slot{"neck", "upperChest", "head"},
    Slot{"head", "neck", "", Side::centre, true},
    Slot{"leftEye", "head", "", left},
    Slot{"rightEye", "head", "", right},
    Slot{"jaw", "head", ""},
    Slot{"leftUpperLeg", "hips", "leftLowerLeg", left, true},
    Slot{"leftLowerLeg", "leftUpperLeg", "leftFoot", left, true},
    Slot{"leftFoot", "leftLowerLeg", "leftToes", left, true},
    Slot{"leftToes", "leftFoot", "leftToeTip", left},
    Slot{"leftToeTip", "leftToes", "", left},
    Slot{"leftHeel", "leftFoot", "", left},
    Slot{"rightUpperLeg", "hips", "rightLowerLeg", right, true},
    Slot{"rightLowerLeg", "rightUpperLeg", "rightFoot", right, true},
    Slot{"rightFoot", "rightLowerLeg", "rightToes", right, true},
    Slot{"rightToes", "rightFoot", "rightToeTip", right},
    Slot{"rightToeTip", "rightToes", "", right},
    Slot{"rightHeel", "rightFoot", "", right},
    Slot{"leftShoulder", "upperChest", "leftUpperArm", left},
    Slot{"leftUpperArm", "leftShoulder", "leftLowerArm", left, true},
    Slot{"leftLowerArm", "leftUpperArm", "leftHand", left, true},
    Slot{"leftHand", "leftLowerArm", "leftMiddleProximal", left, true},
    Slot{"leftPalm", "leftHand", "", left},
    Slot{"leftThumbMetacarpal", "leftHand", "leftThumbProximal", left},
    Slot{"leftThumbProximal", "leftThumbMetacarpal", "leftThumbDistal", left},
    Slot{"leftThumbDistal", "leftThumbProximal", "leftThumbTip", left},
    Slot{"leftThumbTip", "leftThumbDistal", "", left},
    Slot{"leftIndexMetacarpal", "leftHand", "leftIndexProximal", left},
    Slot{"leftIndexProximal", "leftIndexMetacarpal", "leftIndexIntermediate", left},
    Slot{"leftIndexIntermediate", "leftIndexProximal", "leftIndexDistal", left},
    Slot{"leftIndexDistal", "leftIndexIntermediate", "leftIndexTip", left},
    Slot{"leftIndexTip", "leftIndexDistal", "", left},
    Slot{"leftMiddleMetacarpal", "leftHand", "leftMiddleProximal", left},
    Slot{"leftMiddleProximal", "leftMiddleMetacarpal", "leftMiddleIntermediate", left},
    Slot{"leftMiddleIntermediate", "leftMiddleProximal", "leftMiddleDistal", left},
    Slot{"leftMiddleDistal", "leftMiddleIntermediate", "leftMiddleTip", left},
    Slot{"leftMiddleTip", "leftMiddleDistal", "", left},
    Slot{"leftRingMetacarpal", "leftHand", "leftRingProximal", left},
    Slot{"leftRingProximal", "leftRingMetacarpal", "leftRingIntermediate", left},
    Slot{"leftRingIntermediate", "leftRingProximal", "leftRingDistal", left},
    Slot{"leftRingDistal", "leftRingIntermediate", "leftRingTip", left},
    Slot{"leftRingTip", "leftRingDistal", "", left},
    Slot{"leftLittleMetacarpal", "leftHand", "leftLittleProximal", left},
    Slot{"leftLittleProximal", "leftLittleMetacarpal", "leftLittleIntermediate", left},
    Slot{"leftLittleIntermediate", "leftLittleProximal", "leftLittleDistal", left},
    Slot{"leftLittleDistal", "leftLittleIntermediate", "leftLittleTip", left},
    Slot{"leftLittleTip", "leftLittleDistal", "", left},
    Slot{"rightShoulder", "upperChest", "rightUpperArm", right},
    Slot{"rightUpperArm", "rightShoulder", "rightLowerArm", right, true},
    Slot{"rightLowerArm", "rightUpperArm", "rightHand", right, true},
    Slot{"rightHand", "rightLowerArm", "rightMiddleProximal", right, true},
    Slot{"rightPalm", "rightHand", "", right},
    Slot{"rightThumbMetacarpal", "rightHand", "rightThumbProximal", right},
    Slot{"rightThumbProximal", "rightThumbMetacarpal", "rightThumbDistal", right},
    Slot{"rightThumbDistal", "rightThumbProximal", "rightThumbTip", right},
    Slot{"rightThumbTip", "rightThumbDistal", "", right},
    Slot{"rightIndexMetacarpal", "rightHand", "rightIndexProximal", right},
    Slot{"rightIndexProximal", "rightIndexMetacarpal", "rightIndexIntermediate", right},
    Slot{"rightIndexIntermediate", "rightIndexProximal", "rightIndexDistal", right},
    Slot{"rightIndexDistal", "rightIndexIntermediate", "rightIndexTip", right},
    Slot{"rightIndexTip", "rightIndexDistal", "", right},
    Slot{"rightMiddleMetacarpal", "rightHand", "rightMiddleProximal", right},
    Slot{"rightMiddleProximal", "rightMiddleMetacarpal", "rightMiddleIntermediate", right},
    Slot{"rightMiddleIntermediate", "rightMiddleProximal", "rightMiddleDistal", right},
    Slot{"rightMiddleDistal", "rightMiddleIntermediate", "rightMiddleTip", right},
    Slot{"rightMiddleTip", "rightMiddleDistal", "", right},
    Slot{"rightRingMetacarpal", "rightHand", "rightRingProximal", right},
    Slot{"rightRingProximal", "rightRingMetacarpal", "rightRingIntermediate", right},
    Slot{"rightRingIntermediate", "rightRingProximal", "rightRingDistal", right},
    Slot{"rightRingDistal", "rightRingIntermediate", "rightRingTip", right},
    Slot{"rightRingTip", "rightRingDistal", "", right},
    Slot{"rightLittleMetacarpal", "rightHand", "rightLittleProximal", right},
    Slot{"rightLittleProximal", "rightLittleMetacarpal", "rightLittleIntermediate", right},
    Slot{"rightLittleIntermediate", "rightLittleProximal", "rightLittleDistal", right},
    Slot{"rightLittleDistal", "rightLittleIntermediate", "rightLittleTip", right},
    Slot{"rightLittleTip", "rightLittleDistal", "", right},
};

}  // namespace

std::span<const Slot> humanoid_slots() { return slots; }

std::optional<std::size_t> find_slot(std::string_view name) {
    const auto* const found =
        std::ranges::find_if(slots, [&](const Slot& slot) { return slot.name == name; });
    return found == slots.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - slots.begin()));
}

std::size_t mirrored_slot(std::size_t slot) {
    const Slot& one = slots[slot];
    if (one.side == Side::centre) {
        return slot;
    }
    // "leftHand" and "rightHand" differ only in the side's word.
    const std::string_view part = one.name.substr(one.side == Side::left ? 4 : 5);
    const auto* const found = std::ranges::find_if(slots, [&](const Slot& other) {
        return other.side != Side::centre && other.side != one.side && other.name.ends_with(part) &&
               other.name.size() == part.size() + (other.side == Side::left ? 4U : 5U);
    });
    return static_cast<std::size_t>(found - slots.begin());
}

namespace {

const std::size_t slot_count = humanoid_slots().size();

std::optional<std::size_t> parent_slot(std::size_t slot) {
    const std::string_view parent = humanoid_slots()[slot].parent;
    return parent.empty() || parent == "root" ? std::nullopt : find_slot(parent);
}

/// Whether the joint of a slot can be above that of a slot below it. Hips may be a leaf beside the spine and
/// the legs, under one joint (MakeHuman's old BVH), and arms may be beside the upper chest.
bool carries(const RestBody& body, std::size_t slot, std::size_t above, std::size_t joint) {
    if (above == joint) {
        return false;
    }
    const bool is_torso = humanoid_slots()[slot].side == Side::centre;
    return body.is_above(above, joint) ||
           (is_torso && body.parent(above) && body.is_above(*body.parent(above), joint));
}

/// The vector, or none if it is shorter than `least` or not finite.
std::optional<glm::dvec3> unit_vector(const glm::dvec3& vector, double least) {
    const double length = glm::length(vector);
    return length > least && std::isfinite(length) ? std::optional(vector / length) : std::nullopt;
}

/// From the right joint to the left one of each pair that is not in one place.
struct SidePair {
    std::size_t left;
    glm::dvec3 across;
};

std::vector<SidePair> side_pairs(const SlotMap& map, const RestBody& body) {
    std::vector<SidePair> pairs;
    const double nothing = 1e-4 * body.height_metres();
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
        const auto left = map.joint(slot);
        const auto right = map.joint(mirrored_slot(slot));
        if (humanoid_slots()[slot].side != Side::left || !left || !right) {
            continue;
        }
        const glm::dvec3 across = body.head(*left) - body.head(*right);
        if (glm::length(across) > nothing) {
            pairs.push_back({slot, across});
        }
    }
    return pairs;
}

/// The direction from right to left that most pairs agree on.
std::optional<glm::dvec3> left_of(const std::vector<SidePair>& pairs) {
    std::optional<glm::dvec3> best;
    std::size_t most = 0;
    constexpr std::size_t tried = 8;  // legs and arms; fingers agree with them or are few
    for (std::size_t i = 0; i < std::min(tried, pairs.size()); ++i) {
        const auto direction = unit_vector(pairs[i].across, 0);
        if (!direction) {
            continue;
        }
        const auto agreeing = static_cast<std::size_t>(std::ranges::count_if(
            pairs, [&](const SidePair& pair) { return glm::dot(pair.across, *direction) > 0; }));
        if (agreeing > most) {
            most = agreeing;
            best = direction;
        }
    }
    return best;
}

/// Upwards in the body: from the hips to the head or the neck.
glm::dvec3 body_up(const SlotMap& map, const RestBody& body) {
    const auto hips = map.joint("hips");
    for (const std::string_view slot : {"head", "neck", "upperChest", "chest"}) {
        const auto top = map.joint(slot);
        const auto up = hips && top ? unit_vector(body.head(*top) - body.head(*hips), 0) : std::nullopt;
        if (up) {
            return *up;
        }
    }
    return {0, 0, 1};
}

/// The joint at which the foot points: the toes, or the farthest joint of the foot.
std::optional<std::size_t> toes_of(const SlotMap& map, const RestBody& body, const std::string& side) {
    const auto foot = map.joint(side + "Foot");
    const auto toes = map.joint(side + "Toes");
    if (!foot || toes) {
        return toes;
    }
    auto children = body.children(*foot);
    std::erase_if(children, [&](std::size_t child) { return child == map.joint(side + "Heel"); });
    const auto reach = [&](std::size_t child) { return glm::length(body.head(child) - body.head(*foot)); };
    const auto farthest =
        std::ranges::max_element(children, [&](auto a, auto b) { return reach(a) < reach(b); });
    return farthest == children.end() ? std::nullopt : std::optional(*farthest);
}

/// How far a part of both sides points forward from another one, on average, -1 to 1; nullopt if it is
/// missing on both.
template <typename To>
std::optional<double> both_forward(const SlotMap& map, const RestBody& body, const BodyAxes& axes,
                                   const char* from, const To& to) {
    double sum = 0;
    int count = 0;
    for (const std::string side : {"left", "right"}) {
        const auto first = map.joint(std::string_view(from) == "head" ? from : side + from);
        const auto second = to(side);
        const auto direction =
            first && second ? unit_vector(body.head(*second) - body.head(*first), 0) : std::nullopt;
        sum += direction ? glm::dot(*direction, axes.forward) : 0.0;
        count += direction ? 1 : 0;
    }
    return count > 0 ? std::optional(sum / count) : std::nullopt;
}

constexpr double clearly_ahead = 0.3;

/// How far forward the front of a body is: its toes, its eyes, or its thumbs, which point forward or up if
/// arms are stretched out. The first of them that clearly point forward or backward count.
double front_forward(const SlotMap& map, const RestBody& body, const BodyAxes& axes) {
    const auto thumb = [&](const std::string& side) {
        const auto end = map.joint(side + "ThumbDistal");
        return end ? end : map.joint(side + "ThumbProximal");
    };
    const std::array<std::optional<double>, 3> fronts = {
        both_forward(map, body, axes, "Foot",
                     [&](const std::string& side) { return toes_of(map, body, side); }),
        both_forward(map, body, axes, "head",
                     [&](const std::string& side) { return map.joint(side + "Eye"); }),
        both_forward(map, body, axes, "Hand", thumb)};
    const auto* const clear = std::ranges::find_if(
        fronts, [](const auto& front) { return front && std::abs(*front) > clearly_ahead; });
    return clear == fronts.end() ? 0.0 : **clear;
}

}  // namespace

SlotMap::SlotMap(std::size_t joint_count) : pairs_(slot_count), why_(slot_count), slot_of_(joint_count) {}

void SlotMap::set(std::size_t slot, const Pair& pair) {
    pairs_[slot] = pair;
    slot_of_[pair.joint] = slot;
    why_[slot].clear();
}

void SlotMap::drop(std::size_t slot, std::string why) {
    if (pairs_[slot]) {
        slot_of_[pairs_[slot]->joint] = std::nullopt;
        pairs_[slot] = std::nullopt;
        why_[slot] = std::move(why);
    }
}

void SlotMap::clear() {
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
        drop(slot, "");
        why_[slot].clear();
    }
}

std::optional<std::size_t> SlotMap::slot_above(std::size_t slot) const {
    auto above = parent_slot(slot);
    while (above && !pairs_[*above]) {
        above = parent_slot(*above);
    }
    return above;
}

std::size_t SlotMap::count_required() const {
    std::size_t count = 0;
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
        count += humanoid_slots()[slot].required && pairs_[slot] ? 1 : 0;
    }
    return count;
}

bool is_in_place(const SlotMap& map, const RestBody& body, std::size_t slot, std::size_t joint) {
    const auto above = map.slot_above(slot);
    if (above && !carries(body, *above, *map.joint(*above), joint)) {
        return false;
    }
    for (std::size_t below = 0; below < slot_count; ++below) {
        if (map.at(below) && below != slot && map.slot_above(below) == above && parent_slot(below)) {
            // Would be below the new slot, if the new slot is on its way up.
            auto way = parent_slot(below);
            while (way && *way != slot) {
                way = parent_slot(*way);
            }
            if (way && !carries(body, slot, joint, *map.joint(below))) {
                return false;
            }
        }
    }
    return true;
}

void drop_misplaced(SlotMap& map, const RestBody& body) {
    for (std::size_t round = 0; round < slot_count; ++round) {
        std::vector<std::size_t> faults(slot_count);
        for (std::size_t slot = 0; slot < slot_count; ++slot) {
            const auto above = map.at(slot) ? map.slot_above(slot) : std::nullopt;
            if (above && !carries(body, *above, *map.joint(*above), *map.joint(slot))) {
                ++faults[slot];
                ++faults[*above];
            }
        }
        const auto worst = std::max_element(faults.rbegin(), faults.rend());  // the lowest if equal
        if (*worst == 0) {
            return;
        }
        map.drop(static_cast<std::size_t>(faults.rend() - worst) - 1,
                 "the joint with its name is not under those of the parts above it");
    }
}

std::optional<BodyAxes> body_axes(const SlotMap& map, const RestBody& body) {
    const auto left = left_of(side_pairs(map, body));
    if (!left) {
        return std::nullopt;
    }
    constexpr double least = 0.1;  // left and up would be nearly parallel
    const auto forward = unit_vector(glm::cross(*left, body_up(map, body)), least);
    return forward ? std::optional(BodyAxes{*left, *forward}) : std::nullopt;
}

namespace {

/// How far the middle joint is out of the line between two others along a direction, relative to the limb.
std::optional<double> bent_along(const RestBody& body, std::optional<std::size_t> from,
                                 std::optional<std::size_t> middle, std::optional<std::size_t> to,
                                 const glm::dvec3& direction) {
    if (!from || !middle || !to) {
        return std::nullopt;
    }
    const glm::dvec3 along = body.head(*to) - body.head(*from);
    const glm::dvec3 there = body.head(*middle) - body.head(*from);
    const double square = glm::dot(along, along);
    const double bent =
        glm::dot(there - glm::dot(there, along) / square * along, direction) / std::sqrt(square);
    return std::isfinite(bent) ? std::optional(bent) : std::nullopt;
}

int sign_of(double value, double least) { return value > least ? 1 : value < -least ? -1 : 0; }

constexpr double clearly_bent = 0.004;  // of the limb: less than half a degree
constexpr double far_bent = 0.02;
constexpr double clearly_raised = 0.5;  // the sine of 30 degrees
constexpr double further_raised = 0.3;  // in mid-stride, than the other thigh points back

/// How far forward one joint is from another, -1 to 1; 0 if one is missing.
double forward_of(const RestBody& body, std::optional<std::size_t> from, std::optional<std::size_t> to,
                  const BodyAxes& axes) {
    const auto direction = from && to ? unit_vector(body.head(*to) - body.head(*from), 0) : std::nullopt;
    return direction ? glm::dot(*direction, axes.forward) : 0.0;
}

std::string what_disagrees(const FrontSigns& signs) {
    std::vector<std::string> texts;
    if (signs.feet < 0) {
        texts.emplace_back("feet, eyes or thumbs point backwards");
    }
    if (signs.hinges < 0) {
        texts.emplace_back("knees and elbows bend the wrong way");
    }
    if (signs.thighs < 0) {
        texts.emplace_back("a thigh is raised backwards");
    }
    if (signs.targets < 0) {
        texts.emplace_back("the targets of head or knees are behind the body");
    }
    std::string text;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        text += (i == 0 ? "" : i + 1 < texts.size() ? ", " : " and ") + texts[i];
    }
    return text;
}

/// Whether leaves beside the body are ahead of the head (look-at targets) or of the knees (pole targets).
int sign_of_targets(const SlotMap& map, const RestBody& body, const BodyAxes& axes) {
    const auto hips = map.joint("hips");
    const auto head = map.joint("head");
    const auto left = map.joint("leftLowerLeg");
    const auto right = map.joint("rightLowerLeg");
    if (!hips || !head || !left || !right) {
        return 0;
    }
    const glm::dvec3 up = body.head(*head) - body.head(*hips);
    const double size = glm::length(up);
    const auto height = [&](std::size_t joint) {
        return glm::dot(body.head(joint) - body.head(*hips), up) / (size * size);
    };
    int sum = 0;
    for (std::size_t joint = 0; joint < body.joint_count(); ++joint) {
        if (!body.children(joint).empty() || body.is_above(*hips, joint) || !is_finite(body.head(joint))) {
            continue;
        }
        constexpr double shoulders = 0.7;
        const auto is_nearer = [&](std::size_t one, std::size_t other) {
            return glm::length(body.head(one) - body.head(joint)) <
                   glm::length(body.head(other) - body.head(joint));
        };
        const std::size_t knee = is_nearer(*left, *right) ? *left : *right;
        const double knees = height(knee);
        const double near = 0.3;
        const bool is_of_head = height(joint) > shoulders;
        const bool is_of_knee = std::abs(height(joint) - knees) < near;
        if (is_of_head || is_of_knee) {
            const glm::dvec3 from = body.head(is_of_head ? *head : knee);
            sum += sign_of(glm::dot(body.head(joint) - from, axes.forward) / size, 0.15);
        }
    }
    return std::clamp(sum, -1, 1);
}

/// The hand, or fingers that begin at the wrist.
std::optional<std::size_t> end_of_arm(const SlotMap& map, const RestBody& body, const std::string& side) {
    const auto hand = map.joint(side + "Hand");
    const auto lower = map.joint(side + "LowerArm");
    const bool has_fingers = !hand && lower && body.children(*lower).size() > 1;
    return has_fingers ? std::optional(body.children(*lower).front()) : hand;
}

}  // namespace

FrontSigns front_signs(const SlotMap& map, const RestBody& body) {
    FrontSigns signs;
    const auto axes = body_axes(map, body);
    if (!axes) {
        return signs;
    }
    signs.feet = sign_of(front_forward(map, body, *axes), clearly_ahead);
    double knees = 0;
    double elbows = 0;
    std::array<double, 2> thighs{};
    for (const std::string side : {"left", "right"}) {
        const auto joint = [&](const char* part) { return map.joint(side + part); };
        thighs.at(side == "left" ? 0 : 1) = forward_of(body, joint("UpperLeg"), joint("LowerLeg"), *axes);
        knees +=
            bent_along(body, joint("UpperLeg"), joint("LowerLeg"), joint("Foot"), axes->forward).value_or(0);
        elbows -=
            bent_along(body, joint("UpperArm"), joint("LowerArm"), end_of_arm(map, body, side), axes->forward)
                .value_or(0);
    }
    signs.hinges = sign_of(knees + elbows, clearly_bent);
    if (std::min(std::abs(knees), std::abs(elbows)) > far_bent && (knees < 0) == (elbows < 0)) {
        signs.hinges *= 2;
    }
    if (std::max(std::abs(thighs[0]), std::abs(thighs[1])) > clearly_raised) {
        signs.thighs = sign_of(thighs[0] + thighs[1], further_raised);
    }
    signs.targets = sign_of_targets(map, body, *axes);
    return signs;
}

SlotMap with_swapped_sides(const SlotMap& map, std::size_t joint_count) {
    SlotMap swapped(joint_count);
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
        if (const auto& pair = map.at(slot)) {
            swapped.set(mirrored_slot(slot), *pair);
        }
    }
    return swapped;
}

namespace {

/// Whether both joints of the pair hang on another pair that is clearly on its sides. Feet of a body that
/// walks and hands of crossed arms are beyond the middle, and are what their names say.
bool hangs_on_sides(const SlotMap& map, const RestBody& body, const SidePair& pair,
                    const std::vector<std::size_t>& on_their_sides) {
    const auto left = map.joint(pair.left);
    const auto right = map.joint(mirrored_slot(pair.left));
    return left && right && std::ranges::any_of(on_their_sides, [&](std::size_t slot) {
               return body.is_above(*map.joint(slot), *left) &&
                      body.is_above(*map.joint(mirrored_slot(slot)), *right);
           });
}

}  // namespace

std::string check_sides(SlotMap& map, const RestBody& body) {
    const auto pairs = side_pairs(map, body);
    const auto left = left_of(pairs);
    if (!left) {
        return "";
    }
    std::string warning;
    // Collarbones may begin at the spine, a little across it.
    const double little = 0.01 * body.height_metres();
    std::vector<std::size_t> on_their_sides;
    for (const SidePair& pair : pairs) {
        const double across = glm::dot(pair.across, *left);
        if (across > little) {
            on_their_sides.push_back(pair.left);
        }
        if (across < -little && !hangs_on_sides(map, body, pair, on_their_sides)) {
            constexpr const char* why = "left and right by name are not left and right by place";
            map.drop(mirrored_slot(pair.left), why);
            map.drop(pair.left, why);
            warning =
                "Some joints lie on the other side than their names say, so they have no slot. "
                "Name them in a rig file.";
        }
    }
    const FrontSigns signs = front_signs(map, body);
    if (signs.feet < 0 && !map.joint("hips")) {
        return "By their names, the hands' thumbs point backwards: the hands are crossed, or the names "
               "swap the sides. Check them.";
    }
    if (signs.sum() < -1) {
        map = with_swapped_sides(map, body.joint_count());
        return "By their names, " + what_disagrees(signs) +
               ". So the names swap the sides: left and right are those of the body. If that is wrong, swap "
               "the sides (command: --swap-sides).";
    }
    if (signs.feet < 0 && signs.sum() < 0) {
        return "By their names, " + what_disagrees(signs) +
               ". If left and right are wrong, swap the sides (command: --swap-sides).";
    }
    return warning;
}

std::optional<glm::dvec3> facing_of(const SlotMap& map, const RestBody& body) {
    const auto axes = body_axes(map, body);
    if (!axes || !map.joint("hips")) {
        return std::nullopt;  // hands alone have no front
    }
    constexpr double lying = 0.3;  // a body on its back has no horizontal front
    return unit_vector({axes->forward.x, axes->forward.y, 0}, lying);
}

}  // namespace animbridge::rig::humanoid
