// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include "rig/humanoid/humanoid.h"
#include "rig/humanoid/parts.h"

namespace animbridge::rig::humanoid {

namespace {

constexpr std::size_t nowhere = ~std::size_t{0};
constexpr double torso_score = 0.6;
/// Joints of a limb that are looked at: longer chains are ropes, and are not searched to their end.
constexpr std::size_t longest_limb = 24;
/// Joints between hips and arms, at most.
constexpr std::size_t longest_spine = 64;
/// Limbs of one joint that are looked at, the longest ones.
constexpr std::size_t limbs_of_joint = 10;

/// The longest way down from each joint, in metres along its bones.
class Ways {
public:
    Ways(const RestBody& body, const std::vector<JointRole>& roles)
        : bones_(body.joint_count()), lengths_(body.joint_count()), next_(body.joint_count(), nowhere) {
        for (std::size_t i = body.joint_count(); i-- > 0;) {
            const auto parent = body.parent(i);
            const bool is_leaf = next_[i] == nowhere;
            if (!parent || (is_leaf && roles[i] != JointRole::none)) {
                continue;
            }
            // A leaf at the file's origin was never placed.
            const bool is_placed = !is_leaf || body.head(i) != glm::dvec3(0);
            const double bone = glm::length(body.head(i) - body.head(*parent));
            bones_[i] = is_placed && !body.is_at_parent(i) && std::isfinite(bone) ? bone : 0.0;
            if (next_[*parent] == nowhere || bones_[i] + lengths_[i] > lengths_[*parent]) {
                lengths_[*parent] = bones_[i] + lengths_[i];
                next_[*parent] = i;
            }
        }
    }

    /// From the parent; 0 for a joint at its parent's place.
    [[nodiscard]] double bone(std::size_t joint) const { return bones_[joint]; }
    /// Of the longest way down that begins at the joint's parent and goes through the joint.
    [[nodiscard]] double length(std::size_t joint) const { return bones_[joint] + lengths_[joint]; }
    /// The child on the longest way down; nowhere: the joint is its end.
    [[nodiscard]] std::size_t next(std::size_t joint) const { return next_[joint]; }
    /// The joints on it that have a bone; `top` alone if these are too far down.
    [[nodiscard]] std::vector<std::size_t> limb(std::size_t top) const {
        std::vector<std::size_t> joints;
        const std::size_t first = top;
        for (std::size_t i = 0; i < 2 * longest_limb && top != nowhere && joints.size() < longest_limb; ++i) {
            if (bones_[top] > 0) {
                joints.push_back(top);
            }
            top = next_[top];
        }
        return joints.empty() ? std::vector<std::size_t>{first} : joints;
    }

private:
    std::vector<double> bones_;
    std::vector<double> lengths_;
    std::vector<std::size_t> next_;
};

/// Two limbs with equal bones below one joint.
struct Pair {
    std::size_t at = 0;
    std::array<std::size_t, 2> tops{};
    double length = 0;       ///< of the bones that both have, from the limbs' first joints on
    glm::dvec3 root{0};      ///< the middle between these
    glm::dvec3 across{0};    ///< from the second limb to the first one
    bool has_hands = false;  ///< they end in fingers
};

/// The length of the bones that two limbs have in common, without those to their first joints; 0 if they
/// differ or are in the same place. One may hold something.
double common_length(const RestBody& body, const std::vector<std::size_t>& a,
                     const std::vector<std::size_t>& b, const Ways& ways) {
    constexpr double most_different = 0.25;  // of a bone
    constexpr double least_common = 0.6;     // of the shorter limb
    constexpr double apart = 0.02;
    const auto whole = [&](const std::vector<std::size_t>& limb) {
        double length = 0;
        for (std::size_t i = 1; i < limb.size(); ++i) {
            length += ways.bone(limb[i]);
        }
        return length;
    };
    double same = 0;
    double different = 0;
    std::size_t last = 0;
    for (std::size_t i = 1; i < std::min(a.size(), b.size()); ++i) {
        const double one = ways.bone(a[i]);
        const double other = ways.bone(b[i]);
        if (std::abs(one - other) > most_different * std::max(one, other)) {
            break;
        }
        same += std::min(one, other);
        different += std::abs(one - other);
        last = i;
    }
    constexpr double most_on_average = 0.1;
    const bool are_alike = different <= most_on_average * same &&
                           same >= least_common * std::min(whole(a), whole(b)) &&
                           glm::length(body.head(a[last]) - body.head(b[last])) > apart * same;
    return are_alike ? same : 0.0;
}

/// The length of two bones; 0 if they differ.
double common_bone(const Ways& ways, std::size_t one, std::size_t other) {
    constexpr double least_share = 0.9;
    const double shorter = std::min(ways.bone(one), ways.bone(other));
    return shorter > least_share * std::max(ways.bone(one), ways.bone(other)) ? shorter : 0.0;
}

/// The children of a joint on the longest ways, at most `most`.
std::vector<std::size_t> long_children(const RestBody& body, const Ways& ways, std::size_t joint,
                                       std::size_t most) {
    std::vector<std::size_t> children = body.children(joint);
    std::erase_if(children, [&](std::size_t child) { return !(ways.length(child) > 0); });
    const auto kept = std::min(most, children.size());
    std::ranges::partial_sort(children, children.begin() + static_cast<std::ptrdiff_t>(kept),
                              [&](std::size_t a, std::size_t b) { return ways.length(a) > ways.length(b); });
    children.resize(kept);
    return children;
}

/// Whether the joint is beside the bone to another child: a twist joint, or a muscle.
bool is_beside(const RestBody& body, std::size_t joint, std::size_t child) {
    const glm::dvec3 root = body.head(*body.parent(joint));
    const glm::dvec3 along = body.head(child) - root;
    const glm::dvec3 there = body.head(joint) - root;
    const double length = glm::dot(along, along);
    const double share = length > 0 ? glm::dot(along, there) / length : 0.0;
    constexpr double near = 0.25;
    return body.children(joint).empty() && share > 0 && share < 1.05 &&
           glm::length(there - share * along) < near * std::sqrt(length);
}

/// The fingers of a joint: chains that are long enough beside the longest one.
std::vector<std::size_t> fingers_at(const RestBody& body, const Ways& ways, std::size_t joint) {
    constexpr std::size_t most = 8;
    constexpr double least = 0.3;
    auto fingers = long_children(body, ways, joint, most);
    for (std::size_t i = 0; i < longest_limb && fingers.size() == 1 && body.is_at_parent(fingers[0]); ++i) {
        fingers = long_children(body, ways, fingers[0], most);  // they part at a second joint in its place
    }
    if (fingers.empty()) {
        return fingers;
    }
    const std::size_t longest = fingers.front();
    std::erase_if(fingers, [&](std::size_t child) {
        return ways.length(child) < least * ways.length(longest) ||
               (child != longest && is_beside(body, child, ways.limb(longest).front()));
    });
    return fingers;
}

/// Where at least three fingers part; nowhere: they don't. A hand is in the arm's second half.
std::size_t fan_of(const RestBody& body, const Ways& ways, const std::vector<std::size_t>& limb) {
    constexpr std::size_t fewest = 3;
    double whole = 0;
    for (const std::size_t joint : limb) {
        whole += ways.bone(joint);
    }
    double way = 0;
    for (std::size_t i = 0; i < limb.size(); ++i) {
        way += ways.bone(limb[i]);
        if (i > 0 && way > 0.5 * whole && fingers_at(body, ways, limb[i]).size() >= fewest) {
            return i;
        }
    }
    return nowhere;
}

Pair pair_of(const RestBody& body, std::size_t at, const std::vector<std::size_t>& first,
             const std::vector<std::size_t>& second, double length) {
    Pair pair{at, {}, length};
    pair.root = 0.5 * (body.head(first.front()) + body.head(second.front()));
    constexpr double apart = 0.02;  // collarbones may begin at one point
    for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
        pair.across = body.head(first[i]) - body.head(second[i]);
        if (glm::length(pair.across) > apart * length) {
            break;
        }
    }
    return pair;
}

void keep_longest(std::vector<Pair>& pairs) {
    constexpr std::size_t most = 24;
    const auto kept = std::min(most, pairs.size());
    std::ranges::partial_sort(pairs, pairs.begin() + static_cast<std::ptrdiff_t>(kept),
                              [](const Pair& a, const Pair& b) { return a.length > b.length; });
    pairs.resize(kept);
}

/// The pairs of limbs below one joint, without those that are on one side by their names. `short_limbs`:
/// limbs of one joint count too, by the bones to them.
void add_pairs(const RestBody& body, const Ways& ways, const JointNames& names, std::size_t at,
               bool short_limbs, std::vector<Pair>& pairs) {
    std::vector<std::vector<std::size_t>> limbs;
    const auto tops = long_children(body, ways, at, limbs_of_joint);
    std::ranges::transform(tops, std::back_inserter(limbs), [&](std::size_t top) { return ways.limb(top); });
    for (std::size_t i = 0; i < limbs.size(); ++i) {
        for (std::size_t j = i + 1; j < limbs.size(); ++j) {
            const bool are_short = short_limbs && limbs[i].size() == 1 && limbs[j].size() == 1;
            const double length = are_short ? common_bone(ways, limbs[i][0], limbs[j][0])
                                            : common_length(body, limbs[i], limbs[j], ways);
            const Side side = names.sides[limbs[i].front()];
            const bool is_one_side = side != Side::centre && side == names.sides[limbs[j].front()];
            if (length > 0 && !is_one_side) {
                const std::size_t one = tops[i] < tops[j] ? i : j;
                pairs.push_back(pair_of(body, at, limbs[one], limbs[i + j - one], length));
                pairs.back().tops = {tops[one], tops[i + j - one]};
            }
        }
    }
}

/// The longest pairs of the skeleton.
std::vector<Pair> longest_pairs(const RestBody& body, const Ways& ways, const JointNames& names,
                                bool short_limbs) {
    constexpr std::size_t most_at_once = 4096;
    std::vector<Pair> pairs;
    for (std::size_t at = 0; at < body.joint_count(); ++at) {
        if (body.children(at).size() > 1) {
            add_pairs(body, ways, names, at, short_limbs, pairs);
        }
        if (pairs.size() > most_at_once) {
            keep_longest(pairs);
        }
    }
    keep_longest(pairs);
    for (Pair& pair : pairs) {
        pair.has_hands = fan_of(body, ways, ways.limb(pair.tops[0])) != nowhere;
    }
    return pairs;
}

/// From the limbs' first joints to their ends, on average.
glm::dvec3 reach_of(const RestBody& body, const Ways& ways, const Pair& pair) {
    glm::dvec3 sum(0);
    for (const std::size_t top : pair.tops) {
        sum += body.head(ways.limb(top).back()) - pair.root;
    }
    return 0.5 * sum;
}

double cosine(const glm::dvec3& a, const glm::dvec3& b) {
    const double size = glm::length(a) * glm::length(b);
    return size > 0 && std::isfinite(size) ? glm::dot(a, b) / size : 0.0;
}

/// Legs, arms, and what joins them.
struct Frame {
    Pair legs;
    Pair arms;
    std::size_t middle = 0;      ///< the lowest joint above both
    std::size_t head = nowhere;  ///< the child of the arms' joint that leads to the head
    double uprightness = 0;      ///< cosine between the legs, downwards, and the spine, upwards
    double score = 0;
};

/// The child of the arms' joint that goes on upwards, straight and far; nowhere: there is none.
std::size_t top_of_head(const RestBody& body, const Ways& ways, const Frame& frame) {
    constexpr double least_share = 0.03;  // of a leg
    constexpr double least_cosine = 0.2;
    constexpr double long_share = 0.3;
    const glm::dvec3 up = frame.arms.root - frame.legs.root;
    std::size_t best = nowhere;
    double most = 0;
    for (const std::size_t child : long_children(body, ways, frame.arms.at, 2 * limbs_of_joint)) {
        const bool is_other = child != frame.arms.tops[0] && child != frame.arms.tops[1] &&
                              !body.is_above(child, frame.legs.at);
        const auto limb = is_other ? ways.limb(child) : std::vector<std::size_t>();
        const double share = ways.length(child) / frame.legs.length;
        if (limb.empty() || share < least_share) {
            continue;
        }
        const std::size_t second = limb[std::min<std::size_t>(1, limb.size() - 1)];
        const double upwards = cosine(body.head(second) - body.head(frame.arms.at), up);
        const double worth = upwards + std::min(share, long_share);
        if (upwards > least_cosine && worth > most) {
            best = child;
            most = worth;
        }
    }
    return best;
}

/// The lowest joint above both; nullopt if they have none, or a rope is between them.
std::optional<std::size_t> joint_above(const RestBody& body, std::size_t one, std::size_t other) {
    std::optional<std::size_t> above = one;
    for (std::size_t i = 0; i < longest_spine && above && !body.is_above(*above, other); ++i) {
        above = body.parent(*above);
    }
    return above && body.is_above(*above, other) ? above : std::nullopt;
}

bool is_in_limb(const RestBody& body, const Pair& pair, std::size_t joint) {
    return body.is_above(pair.tops[0], joint) || body.is_above(pair.tops[1], joint);
}

/// Two pairs as legs and arms; nullopt if no body joins them.
std::optional<Frame> frame_of(const RestBody& body, const Ways& ways, const Pair& legs, const Pair& arms) {
    constexpr double least_share = 0.1;  // of an arm in a leg, and the other way round
    constexpr double shortest_spine = 0.25;
    constexpr double longest = 2.5;
    constexpr double parallel = 0.5;
    for (const std::size_t top : legs.tops) {
        if (top == arms.tops[0] || top == arms.tops[1]) {
            return std::nullopt;
        }
    }
    const auto middle = joint_above(body, arms.at, legs.at);
    const glm::dvec3 spine = arms.root - legs.root;
    const double share = glm::length(spine) / std::max(legs.length, arms.length);
    constexpr double farthest = 8;  // a skeleton at rest whose joints were never placed
    const double away = glm::length(legs.root - body.head(legs.at));
    if (!middle || is_in_limb(body, legs, arms.at) || is_in_limb(body, arms, legs.at) ||
        arms.length < least_share * legs.length || legs.length < least_share * arms.length ||
        !(share > shortest_spine && share < longest) || away > farthest * legs.length ||
        std::abs(cosine(legs.across, arms.across)) < parallel) {
        return std::nullopt;
    }
    Frame frame{legs, arms, *middle};
    frame.head = top_of_head(body, ways, frame);
    const glm::dvec3 reach = reach_of(body, ways, legs);
    frame.uprightness = -cosine(reach, spine);
    constexpr double crouching = 0.7;
    constexpr double spread = 0.5;
    if (ways.limb(legs.tops[0]).size() == 1) {
        frame.uprightness = cosine(spine, {0, 0, 1});  // legs of one joint point nowhere
    } else if (const double share_reached = glm::length(reach) / legs.length; share_reached < crouching) {
        // Crouching legs say less than what is up, and spread ones carry no person.
        frame.uprightness =
            share_reached < spread ? 0.0 : std::min(frame.uprightness, cosine(spine, {0, 0, 1}));
    }
    if (arms.at == legs.at) {
        // Nothing but the places tells arms from the legs of an insect.
        constexpr double clearly_up = 0.85;
        frame.uprightness = std::min(frame.uprightness, cosine(spine, {0, 0, 1}));
        frame.uprightness = frame.uprightness < clearly_up ? 0.0 : frame.uprightness;
    }
    const bool hips_carry_all = *middle == legs.at;
    frame.score = 2 * frame.uprightness + (frame.head != nowhere ? 1.0 : 0.0) + (hips_carry_all ? 0.5 : 0.0) +
                  (arms.has_hands ? 0.5 : 0.0);
    return frame;
}

/// The best of all bodies in the skeleton. Longer limbs count more than better ones of a hand or a face.
std::optional<Frame> best_frame(const RestBody& body, const Ways& ways, const std::vector<Pair>& pairs) {
    std::optional<Frame> best;
    double best_score = 0;
    for (const Pair& legs : pairs) {
        for (const Pair& arms : pairs) {
            if (legs.tops == arms.tops) {
                continue;
            }
            const auto frame = frame_of(body, ways, legs, arms);
            const double score =
                frame ? frame->score + (legs.length + arms.length) / pairs.front().length : 0.0;
            if (frame && (!best || score > best_score)) {
                best = frame;
                best_score = score;
            }
        }
    }
    return best;
}

}  // namespace

// ---- the parts of a limb ----

double ShapedLimb::score_of(const RestBody& body, const std::array<std::size_t, 3>& at) const {
    const auto between = [&](std::size_t from, std::size_t to) {
        return glm::length(body.head(joints[to]) - body.head(joints[from]));
    };
    const auto way = [&](std::size_t from, std::size_t to) {
        double length = 0;
        for (std::size_t i = from; i < to; ++i) {
            length += between(i, i + 1);
        }
        return length;
    };
    const auto [upper, middle, end] = at;
    const double first = between(upper, middle);
    const double second = between(middle, end);
    if (!(first > 0 && second > 0)) {
        return 0;
    }
    const double even = std::min(first, second) / std::max(first, second);
    const double straight = std::min(first / way(upper, middle), second / way(middle, end));
    const double before = way(0, upper) / (first + second);
    const double after = end < last ? way(end, last) / second : 0.0;
    double score = 1.5 * even + 5.0 * straight;
    constexpr double collar = 0.5;
    constexpr double pelvis = 0.3;
    if (is_arm && upper > 0 && before < collar) {
        score += 0.35;
    } else {
        score -= 2 * std::max(before - (is_arm ? collar : pelvis), 0.0);
    }
    constexpr double longest_end = 1.2;
    constexpr double shortest_end = 0.15;
    constexpr double usual_end = 0.3;
    if (end < last && !palm) {
        score += after > longest_end ? -0.35 : after > usual_end ? 0.45 : after > shortest_end ? 0.35 : 0.25;
    }
    if (palm) {
        constexpr double wrist = 0.35;
        score -= after > wrist ? 1.0 : 0.0;
    } else if (!is_arm && end < last) {
        // The foot points away from the leg.
        score += 0.5 * std::min(1.0, 1.0 - cosine(body.head(joints[end]) - body.head(joints[middle]),
                                                  body.head(joints[end + 1]) - body.head(joints[end])));
    }
    return std::max(score, 0.0);
}

void ShapedLimb::choose(const RestBody& body, const std::array<std::optional<std::size_t>, 3>& fixed,
                        const ShapedLimb* other) {
    score = 0;
    const auto try_parts = [&](const std::array<std::size_t, 3>& at) {
        double one = score_of(body, at);
        if (other != nullptr) {
            one = at[2] <= other->last && one > 0 ? 0.5 * (one + other->score_of(body, at)) : 0.0;
        }
        if (one > score) {
            score = one;
            parts = {joints[at[0]], joints[at[1]], joints[at[2]]};
        }
    };
    const auto range = [&](std::size_t part, std::size_t first) {
        return std::pair(fixed.at(part) ? std::max(*fixed.at(part), first) : first,
                         fixed.at(part) ? *fixed.at(part) : last);
    };
    const auto [first_upper, last_upper] = range(0, 0);
    for (std::size_t upper = first_upper; upper <= last_upper; ++upper) {
        const auto [first_middle, last_middle] = range(1, upper + 1);
        for (std::size_t middle = first_middle; middle <= last_middle; ++middle) {
            const auto [first_end, last_end] = range(2, middle + 1);
            for (std::size_t end = first_end; end <= std::min(last_end, last); ++end) {
                try_parts({upper, middle, end});
            }
        }
    }
    if (last < 2 && !fixed[0] && !fixed[1] && !fixed[2]) {
        // An arm or a leg of one or two joints.
        parts = {joints[0], last == 1 ? std::optional(joints[1]) : std::nullopt, std::nullopt};
    }
}

namespace {

/// Of joints in one place, the one that is meant. After twist joints, the last one begins the next part. A
/// hand or a foot is the one at which most joints part.
std::size_t settled(const RestBody& body, const Ways& ways, std::size_t joint, bool is_end) {
    std::size_t best = joint;
    for (std::size_t i = 0; i < longest_limb; ++i) {
        joint = ways.next(joint);
        if (joint == nowhere || !body.is_at_parent(joint)) {
            break;
        }
        if (!is_end || body.children(joint).size() >= body.children(best).size()) {
            best = joint;
        }
    }
    return best;
}

/// The limbs of a pair. They have the same parts, whatever one of them holds.
std::array<ShapedLimb, 2> limbs_of(const RestBody& body, const Ways& ways, const Pair& pair, bool is_arm) {
    std::array<ShapedLimb, 2> limbs;
    std::array<std::size_t, 2> fans{};
    for (std::size_t i = 0; i < 2; ++i) {
        limbs.at(i).top = pair.tops.at(i);
        limbs.at(i).is_arm = is_arm;
        limbs.at(i).joints = ways.limb(pair.tops.at(i));
        fans.at(i) = is_arm ? fan_of(body, ways, limbs.at(i).joints) : nowhere;
    }
    const std::size_t common = std::min(limbs[0].joints.size(), limbs[1].joints.size());
    for (std::size_t i = 0; i < 2; ++i) {
        const std::size_t fan = fans.at(i) != nowhere ? fans.at(i) : fans.at(1 - i);
        limbs.at(i).last = std::min(fan, common - 1);
        if (fan < common) {
            limbs.at(i).palm = limbs.at(i).joints[fan];
        }
    }
    auto& [one, other] = limbs;
    one.choose(body, {}, &other);
    other.choose(body, {}, &one);
    for (ShapedLimb& limb : limbs) {
        // A collarbone, and an arm without a hand.
        constexpr double collar = 0.7;
        if (is_arm && limb.last == 2 && !limb.palm &&
            ways.bone(limb.joints[1]) < collar * ways.bone(limb.joints[2])) {
            limb.parts = {limb.joints[1], limb.joints[2], std::nullopt};
            limb.score = 0;
        }
    }
    for (ShapedLimb& limb : limbs) {
        const auto place = [&](std::size_t part) {
            return std::ranges::find(limb.joints, *limb.parts.at(part)) - limb.joints.begin();
        };
        if (limb.parts[2]) {
            const bool has_twists = place(1) - place(0) > 1;
            limb.parts[1] = has_twists ? settled(body, ways, *limb.parts[1], false) : limb.parts[1];
            limb.parts[2] = settled(body, ways, *limb.parts[2], true);
        }
    }
    return limbs;
}

}  // namespace

// ---- which side of the shape is which ----

namespace {

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

}  // namespace

// ---- what it looks like, if not like a person ----

namespace {

constexpr double flat = 0.6;           // 53 degrees between the legs and the spine
constexpr double folded_share = -0.9;  // all bones along one axis: a rest pose that shows no posture
constexpr double at_ground = 0.85;     // of the way from the hips to the feet

/// How far down a limb reaches, relative to the legs.
double share_of_leg(const RestBody& body, const Ways& ways, const Frame& frame, const Pair& pair) {
    const glm::dvec3 legs = reach_of(body, ways, frame.legs);
    double lowest = 0;
    for (const std::size_t top : pair.tops) {
        for (const std::size_t joint : ways.limb(top)) {
            lowest = std::max(lowest, glm::dot(body.head(joint) - frame.legs.root, legs));
        }
    }
    // Legs of one joint reach nowhere.
    const double square = glm::dot(legs, legs);
    constexpr double nothing = 1e-6;
    return square > nothing * frame.legs.length * frame.legs.length ? lowest / square : 0.0;
}

/// The pairs that stand on the ground, arms and legs included.
std::size_t pairs_on_ground(const RestBody& body, const Ways& ways, const Frame& frame,
                            const std::vector<Pair>& pairs) {
    constexpr double least_length = 0.5;
    std::size_t count = 0;
    std::vector<std::size_t> seen;
    for (const Pair& pair : pairs) {
        const bool is_leg = pair.length > least_length * frame.legs.length &&
                            share_of_leg(body, ways, frame, pair) > at_ground;
        const bool is_new = std::ranges::none_of(seen, [&](std::size_t top) {
            return is_in_limb(body, pair, top) || body.is_above(top, pair.at) || top == pair.tops[0] ||
                   top == pair.tops[1];
        });
        if (is_leg && is_new) {
            ++count;
            seen.insert(seen.end(), pair.tops.begin(), pair.tops.end());
        }
    }
    return count;
}

/// Whether a chain of at least three joints at the hips is longer than a leg, has none beside it, and does
/// not part in two limbs.
bool has_long_tail(const RestBody& body, const Ways& ways, const Frame& frame,
                   const std::vector<Pair>& pairs) {
    constexpr std::size_t fewest = 3;
    constexpr double limb_share = 0.5;
    const double leg = std::max(ways.length(frame.legs.tops[0]), ways.length(frame.legs.tops[1]));
    const auto chains = long_children(body, ways, frame.legs.at, limbs_of_joint);
    return std::ranges::any_of(chains, [&](std::size_t child) {
        const auto limb = ways.limb(child);
        const bool has_pair = std::ranges::any_of(chains, [&](std::size_t other) {
            return other != child && common_length(body, limb, ways.limb(other), ways) > 0;
        });
        const bool parts = std::ranges::any_of(pairs, [&](const Pair& pair) {
            return body.is_above(child, pair.at) && pair.length > limb_share * frame.legs.length;
        });
        return !has_pair && !parts && !body.is_above(child, frame.arms.at) && limb.size() >= fewest &&
               ways.length(child) > leg;
    });
}

bool has_word(const NameTokens& name, std::string_view word) {
    return std::ranges::any_of(name.tokens,
                               [&](const std::string& token) { return token.starts_with(word); });
}

/// Whether a joint of the limb has a word in its name.
bool has_words(const ShapedLimb& limb, const JointNames& names, std::string_view word) {
    return std::ranges::any_of(limb.joints, [&](std::size_t joint) {
        return names.keys[joint].whole.find(word) != std::string::npos;
    });
}

std::string looks_of(const RestBody& body, const Ways& ways, const Frame& frame,
                     const std::vector<Pair>& pairs, const JointNames& names) {
    constexpr std::array<const char*, 5> counts = {"no legs", "two legs", "four legs", "six legs",
                                                   "eight legs"};
    if (frame.uprightness < folded_share) {
        return "";
    }
    const bool is_flat = frame.uprightness < flat;
    const bool arms_stand = share_of_leg(body, ways, frame, frame.arms) > at_ground;
    const std::size_t standing = pairs_on_ground(body, ways, frame, pairs);
    const auto legs = [&](std::size_t count) { return counts.at(std::clamp<std::size_t>(count, 2, 4)); };
    if (arms_stand) {
        return legs(standing);
    }
    const auto arm = ways.limb(frame.arms.tops[0]);
    const auto is_called = [&](std::string_view word) {
        return std::ranges::any_of(arm,
                                   [&](std::size_t joint) { return has_word(names.tokens[joint], word); });
    };
    if (!is_called("arm") && (is_called("wing") || is_called("leg"))) {
        return is_called("wing") ? "wings in place of arms" : "legs in place of arms";
    }
    if (is_flat) {
        return standing > 2 ? legs(standing) : "a spine that lies flat";
    }
    if (frame.head == nowhere) {
        return "no head above its arms";
    }
    return frame.legs.at != frame.arms.at && has_long_tail(body, ways, frame, pairs)
               ? "a tail longer than its legs"
               : "";
}

}  // namespace

// ---- slots ----

namespace {

/// Sets slots of the shape.
class Setter {
public:
    Setter(SlotMap& map, double score) : map_(map), score_(score) {}
    void operator()(const std::string& slot, std::optional<std::size_t> joint) {
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
        const bool returned = !kept.empty() && kept.back() != joint && !body.is_at_parent(joint) &&
                              glm::length(body.head(joint) - body.head(kept.back())) <= nothing;
        if (!returned) {
            kept.push_back(joint);
        }
    }
    kept.erase(kept.begin());
    return kept;
}

/// The index of the head in the chain that goes up from the arms. Eyes, a jaw and hair part at the head. A
/// crown is far above the shoulders, or near the head; a neck in two parts is about even.
std::size_t head_of(const RestBody& body, const Ways& ways, const Frame& frame,
                    const std::vector<std::size_t>& up) {
    for (std::size_t i = 0; i < up.size(); ++i) {
        if (fingers_at(body, ways, up[i]).size() > 1) {
            return i;
        }
    }
    const std::size_t last = up.size() - 1;
    if (last == 0) {
        return 0;
    }
    constexpr double high = 0.5;  // of the spine, above the shoulders
    constexpr double higher = 0.7;
    constexpr double shorter = 0.85;
    constexpr double longer = 1.8;
    const glm::dvec3 spine = frame.arms.root - frame.legs.root;
    const double height = glm::dot(body.head(up[last]) - frame.arms.root, spine) / glm::dot(spine, spine);
    const double ratio = ways.bone(up[last]) / ways.bone(up[last - 1]);
    const bool is_crown = last == 1 ? height > higher : height > high || ratio < shorter || ratio > longer;
    return is_crown ? last - 1 : last;
}

/// Sets head and neck. A neck that carries the arms is no joint of the spine.
void set_head(SlotMap& map, const RestBody& body, const Ways& ways, const Frame& frame,
              std::vector<std::size_t>& spine) {
    if (frame.head == nowhere) {
        return;
    }
    Setter set(map, torso_score);
    const auto up = ways.limb(frame.head);
    const std::size_t head = head_of(body, ways, frame, up);
    const glm::dvec3 trunk = frame.arms.root - frame.legs.root;
    // Above the shoulders, in lengths of the trunk.
    const auto height = [&](std::size_t joint) {
        return glm::dot(body.head(joint) - frame.arms.root, trunk) / glm::dot(trunk, trunk);
    };
    constexpr double lowest_neck = -0.3;
    constexpr double neck_with_arms = -0.08;
    if (head > 0 && height(up.front()) > lowest_neck) {
        set("neck", up.front());
    } else if (head == 0 && spine.size() > 2 && height(spine.back()) > neck_with_arms) {
        set("neck", spine.back());
        spine.pop_back();
    }
    set("head", up[head]);
}

/// Returns the joints of the spine.
std::vector<std::size_t> set_torso(SlotMap& map, const RestBody& body, const Ways& ways, const Frame& frame) {
    Setter set(map, torso_score);
    auto spine = body.path(frame.middle, frame.arms.at);
    // Legs may hang on a root at the ground.
    constexpr double near = 0.4;  // of a leg
    const auto hips = std::ranges::find_if(spine, [&](std::size_t joint) {
        return glm::length(body.head(joint) - frame.legs.root) < near * frame.legs.length;
    });
    spine.erase(spine.begin(), hips == spine.end() ? spine.begin() : hips);
    // Where legs hang on the spine, the joint between them carries it.
    const auto below = body.parent(spine.front());
    const auto to_legs = [&](std::size_t joint) { return glm::length(body.head(joint) - frame.legs.root); };
    constexpr double between = 0.05;  // of a leg
    const bool is_spine = below && spine.front() == frame.legs.at &&
                          to_legs(*below) < to_legs(spine.front()) &&
                          to_legs(*below) < between * frame.legs.length;
    const std::size_t lowest = is_spine ? *below : spine.front();
    set("hips", lowest);
    spine = spine_of(body, lowest, frame.arms.at);
    set_head(map, body, ways, frame, spine);
    fill_spine(map, spine);
    return spine;
}

std::string sided(bool is_left, const char* part) { return (is_left ? "left" : "right") + std::string(part); }

/// The joint of all toes: the only long chain of a foot that points ahead. Toes of their own are none.
std::optional<std::size_t> toes_below(const RestBody& body, const Ways& ways, std::size_t foot) {
    auto chains = fingers_at(body, ways, foot);
    constexpr double alike = 0.7;
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

void set_fingers(SlotMap& map, const RestBody& body, const Ways& ways, const ShapedLimb& arm, bool is_left) {
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
            set(sided(is_left, names.at(i)) + parts[k], joints[k]);
        }
    }
}

void set_limb(SlotMap& map, const RestBody& body, const Ways& ways, const ShapedLimb& limb, std::size_t at,
              bool is_left) {
    Setter set(map, torso_score);
    constexpr std::array<const char*, 3> arm = {"UpperArm", "LowerArm", "Hand"};
    constexpr std::array<const char*, 3> leg = {"UpperLeg", "LowerLeg", "Foot"};
    for (std::size_t part = 0; part < 3; ++part) {
        set(sided(is_left, limb.is_arm ? arm.at(part) : leg.at(part)), limb.parts.at(part));
    }
    if (limb.is_arm) {
        const auto path = limb.parts[0] ? body.path(at, *limb.parts[0]) : std::vector<std::size_t>();
        set(sided(is_left, "Shoulder"), path.size() > 2 ? std::optional(path[1]) : std::nullopt);
        if (limb.palm) {
            set_fingers(map, body, ways, limb, is_left);
        }
    } else if (limb.parts[2]) {
        set(sided(is_left, "Toes"), toes_below(body, ways, *limb.parts[2]));
    }
}

/// Whether the pairs' first limbs are on one side: else the arms' limbs are exchanged.
void pair_sides(Frame& frame) {
    if (glm::dot(frame.legs.across, frame.arms.across) < 0) {
        std::swap(frame.arms.tops[0], frame.arms.tops[1]);
    }
}

/// 1 if the map's sides are those of the body, -1 if they are swapped, 0 if nothing says it: feet, knees and
/// elbows, else clip space, in whose front (-Y) bodies of most files face.
int sign_of_front(const SlotMap& map, const RestBody& body) {
    constexpr double clearly = 0.7;
    const auto axes = body_axes(map, body);
    const double front = axes ? -axes->forward.y : 0.0;
    const int by_body = front_signs(map, body).sum();
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
    const auto legs = limbs_of(body, ways, frame->legs, false);
    const auto arms = limbs_of(body, ways, frame->arms, true);
    shape.limbs = {legs[0], legs[1], arms[0], arms[1]};
    const auto fill = [&](bool first_is_left) {
        shape.map = SlotMap(body.joint_count());
        shape.spine = set_torso(shape.map, body, ways, *frame);
        for (std::size_t i = 0; i < shape.limbs.size(); ++i) {
            ShapedLimb& limb = shape.limbs.at(i);
            const bool is_left = (i % 2 == 0) == first_is_left;
            limb.side = is_left ? Side::left : Side::right;
            set_limb(shape.map, body, ways, limb, limb.is_arm ? shape.arms_at : shape.legs_at, is_left);
        }
    };
    const int by_name = first_is_left_by_name(shape.limbs, names);
    const bool are_named = has_words(shape.limbs[0], names, "leg") &&
                           has_words(shape.limbs[1], names, "leg") &&
                           has_words(shape.limbs[2], names, "arm") && has_words(shape.limbs[3], names, "arm");
    if (has_short_limbs && (by_name == 0 || !are_named)) {
        return std::nullopt;  // so few joints are a body only if names agree
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
