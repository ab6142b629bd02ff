// SPDX-License-Identifier: MIT
#include "rig/humanoid/shape.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

namespace animbridge::rig::humanoid {

namespace {

constexpr double torso_score = 0.6;
constexpr double clearly_upright = 0.9;

/// 1: the first limbs are the left ones by their names, -1: the right ones, 0: the names do not say.
int first_is_left_by_name(const std::array<ShapedLimb, 4>& limbs, const JointNames& names) {
    int sum = 0;
    for (std::size_t i = 0; i < limbs.size(); ++i) {
        for (const std::size_t joint : limbs[i].joints) {
            const Side side = names.sides[joint];
            sum += side == Side::centre ? 0 : (side == Side::left) == (i % 2 == 0) ? 1 : -1;
        }
    }
    return std::clamp(sum, -1, 1);
}

/// Whether a joint of the limb has a word in its name.
bool has_words(const ShapedLimb& limb, const JointNames& names, std::string_view word) {
    return std::ranges::any_of(limb.joints, [&](std::size_t joint) {
        return names.keys[joint].whole.find(word) != std::string::npos;
    });
}

/// Sets slots of the shape.
class Setter {
public:
    Setter(SlotMap& map, double score) : map_(map), score_(score) {}
    void operator()(std::string_view slot, std::optional<std::size_t> joint) {
        if (joint && !map_.slot_of(*joint) && !map_.joint(slot)) {
            map_.set(*find_slot(slot), {*joint, FoundBy::shape, score_});
        }
    }

private:
    SlotMap& map_;
    double score_;
};

/// The joints from the hips up to the arms. One that is where a joint below it was, and those between them,
/// do not count: Bento's mSpine1 and mSpine2 go up and back.
std::vector<std::size_t> spine_of(const RestBody& body, std::size_t hips, std::size_t arms) {
    const double nothing = 1e-3 * glm::length(body.head(arms) - body.head(hips));
    std::vector<std::size_t> kept;
    for (const std::size_t joint : body.path(hips, arms)) {
        for (std::size_t i = 0; i + 1 < kept.size(); ++i) {
            if (glm::length(body.head(joint) - body.head(kept[i])) <= nothing) {
                kept.resize(i + 1);
                break;
            }
        }
        if (!kept.empty() && body.hands_over(kept.back())) {
            kept.back() = joint;
            continue;
        }
        const bool returned = !kept.empty() && kept.back() != joint && !body.is_at_parent(joint) &&
                              glm::length(body.head(joint) - body.head(kept.back())) <= nothing;
        if (!returned) {
            kept.push_back(joint);
        }
    }
    kept.erase(kept.begin());
    return kept;
}

/// Whether skull and jaw part at the end of the neck's bone: they begin in one place, `top`'s, which is near
/// the shoulders. `top`: one of them, the next joint of the chain.
bool begin_at_neck(const RestBody& body, const BodyFrame& frame, const std::vector<std::size_t>& parts,
                   std::size_t top) {
    constexpr double near = 0.4;  // of the trunk
    constexpr double same = 0.01;
    const glm::dvec3 trunk = frame.arms.root - frame.legs.root;
    const double size = glm::length(trunk);
    return !body.is_at_parent(top) && glm::length(body.head(top) - frame.arms.root) < near * size &&
           std::ranges::all_of(parts, [&](std::size_t part) {
               return glm::length(body.head(part) - body.head(top)) < same * size;
           });
}

/// The index of the head in the chain that goes up from the arms. Eyes, a jaw and hair part at the head. A
/// crown is far above the shoulders, or near the head; a neck in two parts is about even.
std::size_t head_of(const RestBody& body, const Ways& ways, const BodyFrame& frame,
                    const std::vector<std::size_t>& up) {
    for (std::size_t i = 0; i < up.size(); ++i) {
        const auto parts = fingers_at(body, ways, up[i]);
        if (parts.size() > 1) {
            return i + 1 < up.size() && begin_at_neck(body, frame, parts, up[i + 1]) ? i + 1 : i;
        }
    }
    // What points away from the spine's direction is of the face, and what moves no mesh marks a crown.
    const glm::dvec3 spine = frame.arms.root - frame.legs.root;
    constexpr double upwards = 0.5;
    std::size_t last = up.size() - 1;
    const auto is_idle_end = [&](std::size_t joint) {
        return body.is_idle(joint) && body.children(joint).empty();
    };
    while (last > 0 && (is_idle_end(up[last]) ||
                        cosine(body.head(up[last]) - body.head(up[last - 1]), spine) < upwards)) {
        --last;
    }
    if (last == 0) {
        return 0;
    }
    constexpr double high = 0.5;  // of the spine, above the shoulders
    constexpr double higher = 0.7;
    constexpr double shorter = 0.85;
    constexpr double longer = 1.8;
    const double height = glm::dot(body.head(up[last]) - frame.arms.root, spine) / glm::dot(spine, spine);
    const double ratio = ways.bone(up[last]) / ways.bone(up[last - 1]);
    const bool is_crown = last == 1 ? height > higher : height > high || ratio < shorter || ratio > longer;
    return is_crown ? last - 1 : last;
}

/// Sets head and neck. A neck that carries the arms is no joint of the spine.
void set_head(SlotMap& map, const RestBody& body, const Ways& ways, const BodyFrame& frame,
              std::vector<std::size_t>& spine) {
    if (frame.head == nowhere) {
        return;
    }
    Setter set(map, torso_score);
    auto up = ways.limb(frame.head);
    const glm::dvec3 trunk = frame.arms.root - frame.legs.root;
    // Above the shoulders, in lengths of the trunk.
    const auto height = [&](std::size_t joint) {
        return glm::dot(body.head(joint) - frame.arms.root, trunk) / glm::dot(trunk, trunk);
    };
    constexpr double lowest_neck = -0.3;
    if (frame.arms.at == frame.legs.at) {
        // Arms and legs hang on the hips: what is clearly below the shoulders is the spine.
        const auto above =
            std::find_if(up.begin(), up.end() - 1, [&](auto joint) { return height(joint) > lowest_neck; });
        spine.insert(spine.end(), up.begin(), above);
        up.erase(up.begin(), above);
    }
    const std::size_t head = head_of(body, ways, frame, up);
    constexpr double neck_with_arms = -0.08;
    if (head > 0 && height(up.front()) > lowest_neck) {
        set("neck", up.front());
    } else if (head == 0 && spine.size() > 1 && height(spine.back()) > neck_with_arms) {
        set("neck", spine.back());
        spine.pop_back();
    }
    set("head", up[head]);
}

/// Returns the joints of the spine.
std::vector<std::size_t> set_torso(SlotMap& map, const RestBody& body, const Ways& ways,
                                   const BodyFrame& frame, const JointNames& names) {
    Setter set(map, torso_score);
    auto spine = body.path(frame.middle, frame.arms.at);
    const auto is_armature = [&](std::size_t joint) { return names.keys[joint].part == "armature"; };
    if (spine.size() > 1 && is_armature(spine.front()) && !is_armature(spine[1])) {
        spine.erase(spine.begin());  // Blender's object, which holds the joints
    }
    if (frame.middle == frame.arms.at && frame.legs.at != frame.middle) {
        // The hips hang below the joint that carries the arms.
        set("hips", frame.legs.at);
        spine.clear();
        set_head(map, body, ways, frame, spine);
        return spine;
    }
    // Legs may hang on a root at the ground, or on hips behind them. Legs of one joint have no length to
    // compare with.
    constexpr double near = 0.4;  // of a leg
    const bool are_long = ways.limb(frame.legs.tops[0]).size() > 1;
    const glm::dvec3 reach = reach_of(body, ways, frame.legs);
    const auto hips = std::ranges::find_if(spine, [&](std::size_t joint) {
        const glm::dvec3 away = body.head(joint) - frame.legs.root;
        const double distance = glm::length(away);
        const bool is_behind = joint == frame.legs.at && distance < frame.legs.length &&
                               std::abs(cosine(away, reach)) * distance < near * frame.legs.length;
        return !are_long || distance < near * frame.legs.length || is_behind;
    });
    spine.erase(spine.begin(), hips == spine.end() ? spine.begin() : hips);
    if (spine.front() == frame.arms.at && frame.legs.at != frame.middle) {
        // The joint that carries the arms is beside the one that carries the legs.
        set("hips", frame.legs.at);
        set_head(map, body, ways, frame, spine);
        fill_spine(map, spine);
        return spine;
    }
    // Where legs hang on the spine, the joint between them carries it.
    const auto below = body.parent(spine.front());
    const auto to_legs = [&](std::size_t joint) { return glm::length(body.head(joint) - frame.legs.root); };
    constexpr double between = 0.05;  // of a leg
    constexpr double same = 0.01;
    const bool is_spine = below && are_long && spine.front() == frame.legs.at &&
                          to_legs(*below) + same * frame.legs.length < to_legs(spine.front()) &&
                          to_legs(*below) < between * frame.legs.length;
    const std::size_t lowest = is_spine ? *below : spine.front();
    set("hips", lowest);
    spine = spine_of(body, lowest, frame.arms.at);
    set_head(map, body, ways, frame, spine);
    fill_spine(map, spine);
    return spine;
}

/// The joint of all toes: the only long chain of a foot that points ahead. Toes of their own are not one.
std::optional<std::size_t> toes_below(const RestBody& body, const Ways& ways, std::size_t foot) {
    auto chains = fingers_at(body, ways, foot);
    constexpr double alike = 0.3;
    const auto direction = [&](std::size_t chain) {
        return body.head(ways.limb(chain).front()) - body.head(foot);
    };
    std::erase_if(chains, [&, ahead = chains.empty() ? glm::dvec3(0) : direction(chains.front())](
                              std::size_t chain) { return cosine(direction(chain), ahead) < alike; });
    return chains.size() == 1 ? std::optional(ways.limb(chains.front()).front()) : std::nullopt;
}

/// Puts the thumb first, then the finger beside it, and so on across the hand. The thumb is the one that
/// points away from all others. Returns false if they all point alike.
bool order_fingers(const RestBody& body, const Ways& ways, std::size_t palm,
                   std::vector<std::size_t>& fingers) {
    const auto direction = [&](std::size_t finger) {
        const glm::dvec3 along = body.head(ways.limb(finger)[1]) - body.head(palm);
        return along / std::max(glm::length(along), 1e-300);
    };
    glm::dvec3 sum(0);
    for (const std::size_t finger : fingers) {
        sum += direction(finger);
    }
    const std::size_t thumb = *std::ranges::min_element(fingers, [&](auto a, auto b) {
        return glm::dot(direction(a), sum - direction(a)) < glm::dot(direction(b), sum - direction(b));
    });
    const glm::dvec3 others = sum - direction(thumb);
    const glm::dvec3 across =
        direction(thumb) - glm::dot(direction(thumb), others) / glm::dot(others, others) * others;
    constexpr double most = 0.87;  // the cosine of 30 degrees
    if (!(cosine(direction(thumb), others) < most && glm::length(across) > 0)) {
        return false;
    }
    const auto place = [&](std::size_t finger) {
        return finger == thumb ? std::numeric_limits<double>::infinity()
                               : glm::dot(body.head(ways.limb(finger)[1]) - body.head(palm), across);
    };
    std::ranges::sort(fingers, [&](auto a, auto b) { return place(a) > place(b); });
    return true;
}

void set_fingers(SlotMap& map, const RestBody& body, const Ways& ways, const ShapedLimb& arm) {
    constexpr std::size_t all = 5;
    constexpr std::size_t fewest = 4;
    auto fingers = fingers_at(body, ways, *arm.palm);
    std::erase_if(fingers, [&](std::size_t finger) { return ways.limb(finger).size() < 2; });
    if (fingers.size() < fewest || fingers.size() > all || !order_fingers(body, ways, *arm.palm, fingers)) {
        return;
    }
    Setter set(map, 0.5);
    constexpr std::array<const char*, 5> names = {"Thumb", "Index", "Middle", "Ring", "Little"};
    // A hand of three fingers and a thumb may lack any of the last two.
    const std::size_t count = fingers.size() == all ? all : 3;
    for (std::size_t i = 0; i < count; ++i) {
        const auto joints = ways.limb(fingers[i]);
        const bool is_thumb = i == 0;
        const bool has_metacarpal =
            !is_thumb && joints.size() > 3 && ways.bone(joints[0]) < ways.bone(joints[1]);
        std::vector<const char*> parts = {"Proximal", "Intermediate", "Distal"};
        if (is_thumb) {
            parts = {"Proximal", "Distal"};
            if (joints.size() > 2) {
                parts.insert(parts.begin(), "Metacarpal");
            }
        } else if (has_metacarpal) {
            parts.insert(parts.begin(), "Metacarpal");
        }
        for (std::size_t k = 0; k < std::min(parts.size(), joints.size()); ++k) {
            set(slot_of(arm, names.at(i)) + parts[k], joints[k]);
        }
    }
}

/// Whether the leg goes on, far and straight, below the joint that was taken for the foot.
bool goes_on(const RestBody& body, const ShapedLimb& leg, std::size_t below) {
    constexpr double straight = 0.95;  // 18 degrees
    constexpr double far = 0.5;
    if (!leg.parts[1]) {
        return false;
    }
    const glm::dvec3 shin = body.head(*leg.parts[2]) - body.head(*leg.parts[1]);
    const glm::dvec3 foot = body.head(below) - body.head(*leg.parts[2]);
    return cosine(shin, foot) > straight && glm::length(foot) > far * glm::length(shin);
}

void set_limb(SlotMap& map, const RestBody& body, const Ways& ways, const ShapedLimb& limb, std::size_t at) {
    Setter set(map, torso_score);
    for (std::size_t part = 0; part < 3; ++part) {
        set(humanoid_slots()[part_slot(limb, part)].name, limb.parts.at(part));
    }
    if (limb.is_arm) {
        auto path = limb.parts[0] ? body.path(at, *limb.parts[0]) : std::vector<std::size_t>();
        std::erase_if(path, [&](std::size_t joint) { return joint != at && body.hands_over(joint); });
        set(slot_of(limb, "Shoulder"), path.size() > 2 ? std::optional(path[1]) : std::nullopt);
        if (limb.palm) {
            set_fingers(map, body, ways, limb);
        }
    } else if (limb.parts[2]) {
        const auto toes = toes_below(body, ways, *limb.parts[2]);
        set(slot_of(limb, "Toes"), toes && !goes_on(body, limb, *toes) ? toes : std::nullopt);
    }
}

/// Whether the pairs' first limbs are on one side: else the arms' limbs are exchanged.
void pair_sides(BodyFrame& frame) {
    if (glm::dot(frame.legs.across, frame.arms.across) < 0) {
        std::swap(frame.arms.tops[0], frame.arms.tops[1]);
    }
}

/// What is called a finger is no hand.
void drop_fingers(std::array<ShapedLimb, 4>& limbs, const JointNames& names) {
    for (ShapedLimb& arm : std::span(limbs).last<2>()) {
        const auto hand = arm.parts[2];
        if (hand && (names.has_word(*hand, "finger") || names.has_word(*hand, "thumb"))) {
            arm.parts[2].reset();
        }
    }
}

/// What is called arms or shoulders is no neck, nor is a part of the head.
void drop_misnamed_neck(SlotMap& map, const JointNames& names) {
    const auto neck = map.joint("neck");
    const auto head = map.joint("head");
    const auto is_called = [&](std::string_view word) { return names.has_word(*neck, word); };
    if (neck && (is_called("arm") || is_called("shoulder") ||
                 (is_called("head") && head && names.has_word(*head, "head")))) {
        map.drop(*find_slot("neck"), "");
    }
}

/// Whether arms and legs have one joint each, and are those of a person who stands upright: a head, and arms
/// above the joint that carries the legs.
bool is_small_person(const Ways& ways, const BodyFrame& frame) {
    const bool are_short =
        ways.limb(frame.legs.tops[0]).size() == 1 && ways.limb(frame.arms.tops[0]).size() == 1;
    return are_short && frame.head != nowhere && frame.arms.at != frame.legs.at &&
           frame.middle == frame.legs.at && frame.uprightness > clearly_upright;
}

/// 1 if the map's sides are those of the body, -1 if they are swapped, 0 if nothing says it: feet, knees and
/// elbows, else clip space, in whose front (-Y) bodies of most files face.
int sign_of_front(const SlotMap& map, const RestBody& body) {
    constexpr double clearly = 0.7;
    const auto axes = body_axes(map, body);
    const double front = axes ? -axes->forward.y : 0.0;
    const FrontSigns signs = front_signs(map, body);
    const int by_body = signs.sum() != 0 ? signs.sum() : signs.feet;
    const int by_file = front > clearly ? 1 : front < -clearly ? -1 : 0;
    return by_body != 0 ? by_body : by_file;
}

}  // namespace

void fill_spine(SlotMap& map, const std::vector<std::size_t>& spine) {
    Setter set(map, torso_score);
    const std::size_t count = spine.size();
    if (count == 0) {
        return;
    }
    set("spine", spine.front());
    if (count > 2) {
        set("upperChest", spine.back());
    }
    if (count > 1) {
        set("chest", spine[count == 2 ? 1 : (count + 1) / 2 - 1]);
    }
}

std::optional<BodyShape> find_shape(const RestBody& body, const JointNames& names,
                                    const std::vector<JointRole>& roles) {
    const Ways ways(body, roles);
    auto pairs = longest_pairs(body, ways, names, false);
    auto frame = best_frame(body, ways, pairs);
    const bool has_short_limbs = !frame;
    if (has_short_limbs) {
        pairs = longest_pairs(body, ways, names, true);
        frame = best_frame(body, ways, pairs);
    }
    if (!frame) {
        return std::nullopt;
    }
    pair_sides(*frame);
    BodyShape shape{SlotMap(body.joint_count())};
    shape.roles = roles;
    shape.legs_at = frame->legs.at;
    shape.arms_at = frame->arms.at;
    shape.looks_like = looks_of(body, ways, *frame, pairs, names);
    shape.lacks_head = shape.looks_like == no_head;
    const auto legs = limbs_of(body, ways, frame->legs, false);
    const auto arms = limbs_of(body, ways, frame->arms, true);
    shape.limbs = {legs[0], legs[1], arms[0], arms[1]};
    drop_fingers(shape.limbs, names);
    const auto fill = [&](bool first_is_left) {
        shape.map = SlotMap(body.joint_count());
        shape.spine = set_torso(shape.map, body, ways, *frame, names);
        for (std::size_t i = 0; i < shape.limbs.size(); ++i) {
            ShapedLimb& limb = shape.limbs.at(i);
            const bool is_left = (i % 2 == 0) == first_is_left;
            limb.side = is_left ? Side::left : Side::right;
            set_limb(shape.map, body, ways, limb, limb.is_arm ? shape.arms_at : shape.legs_at);
        }
        drop_misnamed_neck(shape.map, names);
    };
    const int by_name = first_is_left_by_name(shape.limbs, names);
    const bool are_named = has_words(shape.limbs[0], names, "leg") &&
                           has_words(shape.limbs[1], names, "leg") &&
                           has_words(shape.limbs[2], names, "arm") && has_words(shape.limbs[3], names, "arm");
    shape.are_limbs_named = by_name != 0 && are_named && frame->uprightness > clearly_upright;
    if (has_short_limbs && !(by_name != 0 && are_named) && !is_small_person(ways, *frame)) {
        return std::nullopt;  // so few joints are a body only if names or all places agree
    }
    fill(by_name >= 0);
    shape.sides_by_name = by_name != 0;
    if (by_name == 0) {
        const int sign = sign_of_front(shape.map, body);
        shape.sides_are_known = sign != 0;
        if (sign < 0) {
            fill(false);
        }
    }
    return shape;
}

}  // namespace animbridge::rig::humanoid
