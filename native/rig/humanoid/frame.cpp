// SPDX-License-Identifier: MIT
#include "rig/humanoid/shape.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <glm/geometric.hpp>
#include <iterator>
#include <utility>

namespace animbridge::rig::humanoid {

Ways::Ways(const RestBody& body, const std::vector<JointRole>& roles)
    : bones_(body.joint_count()), lengths_(body.joint_count()), next_(body.joint_count(), nowhere) {
    constexpr std::size_t fewest_fingers = 3;
    std::vector<std::size_t> parts(body.joint_count());
    std::vector<bool> has_fan(body.joint_count());
    for (std::size_t i = body.joint_count(); i-- > 0;) {
        has_fan[i] = has_fan[i] || parts[i] >= fewest_fingers;
        const auto parent = body.parent(i);
        const bool is_leaf = next_[i] == nowhere;
        if (!parent || (is_leaf && roles[i] != JointRole::none)) {
            continue;
        }
        const double bone = glm::length(body.head(i) - body.head(*parent));
        // A leaf at the file's origin was never placed.
        constexpr double at_origin = 1e-4;
        const bool is_placed = !is_leaf || glm::length(body.head(i)) > at_origin * bone;
        bones_[i] = is_placed && !body.is_at_parent(i) && std::isfinite(bone) ? bone : 0.0;
        if (next_[i] != nowhere && body.hands_over(i)) {
            lengths_[i] += bones_[i];
            std::swap(bones_[i], bones_[next_[i]]);
        }
        ++parts[*parent];
        // A sleeve may be longer than the hand beside it.
        const std::size_t next = next_[*parent];
        if (next == nowhere || std::pair<bool, double>(has_fan[i], length(i)) >
                                   std::pair<bool, double>(has_fan[next], length(next))) {
            next_[*parent] = i;
        }
        lengths_[*parent] = std::max(lengths_[*parent], length(i));
        has_fan[*parent] = has_fan[*parent] || has_fan[i];
    }
}

std::vector<std::size_t> Ways::limb(std::size_t top) const {
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

namespace {

/// Whether each joint of a limb is where the other's is in a mirror between them, whatever their bones are.
bool are_mirrored(const RestBody& body, const std::vector<std::size_t>& a, const std::vector<std::size_t>& b,
                  double length) {
    constexpr std::size_t fewest = 4;
    constexpr double near = 0.15;
    const glm::dvec3 across = body.head(a.back()) - body.head(b.back());
    const double square = glm::dot(across, across);
    if (a.size() != b.size() || a.size() < fewest || !(square > length * length)) {
        return false;
    }
    const glm::dvec3 middle = 0.5 * (body.head(a.back()) + body.head(b.back()));
    for (std::size_t i = 0; i < a.size(); ++i) {
        const glm::dvec3 there = body.head(b[i]) - middle;
        const glm::dvec3 mirrored = middle + there - 2 * glm::dot(there, across) / square * across;
        if (glm::length(mirrored - body.head(a[i])) > near * length) {
            return false;
        }
    }
    return true;
}

}  // namespace

double common_length(const RestBody& body, const std::vector<std::size_t>& a,
                     const std::vector<std::size_t>& b, const Ways& ways, bool are_named) {
    // Of a bone, and on average. Names that say left and right leave room for a body that is not even.
    const double most_different = are_named ? 0.35 : 0.25;
    const double most_on_average = are_named ? 0.2 : 0.1;
    constexpr double least_common = 0.6;  // of the shorter limb
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
    const bool are_alike = different <= most_on_average * same &&
                           same >= least_common * std::min(whole(a), whole(b)) &&
                           glm::length(body.head(a[last]) - body.head(b[last])) > apart * same;
    const double shorter = std::min(whole(a), whole(b));
    return are_alike ? same : are_mirrored(body, a, b, shorter) ? shorter : 0.0;
}

namespace {

/// The length of two bones; 0 if they differ.
double common_bone(const Ways& ways, std::size_t one, std::size_t other, bool are_named) {
    const double least_share = are_named ? 0.7 : 0.9;
    const double shorter = std::min(ways.bone(one), ways.bone(other));
    return shorter > least_share * std::max(ways.bone(one), ways.bone(other)) ? shorter : 0.0;
}

}  // namespace

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

namespace {

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

}  // namespace

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

bool parts_at_wrist(const RestBody& body, const Ways& ways, const std::vector<std::size_t>& limb,
                    std::size_t fan) {
    constexpr double nearest = 0.4;  // of the way there
    double way = 0;
    for (std::size_t i = 1; i <= fan; ++i) {
        way += ways.bone(limb[i]);
    }
    const auto fingers = fingers_at(body, ways, limb[fan]);
    const auto is_far = [&](std::size_t finger) {
        return glm::length(body.head(ways.limb(finger).front()) - body.head(limb[fan])) > nearest * way;
    };
    return !fingers.empty() && std::ranges::all_of(fingers, is_far);
}

std::size_t fan_of(const RestBody& body, const Ways& ways, const std::vector<std::size_t>& limb) {
    constexpr std::size_t fewest = 2;  // a thumb, and all fingers in one
    constexpr std::size_t whole_hand = 3;
    double whole = 0;
    for (const std::size_t joint : limb) {
        whole += ways.bone(joint);
    }
    double way = 0;
    std::size_t hand = nowhere;
    std::size_t most = fewest;
    for (std::size_t i = 0; i < limb.size(); ++i) {
        way += ways.bone(limb[i]);
        const auto fingers = fingers_at(body, ways, limb[i]);
        // A hand whose halves part again counts as a whole one.
        const bool parts_again = fingers.size() > 1 && std::ranges::all_of(fingers, [&](std::size_t finger) {
                                     return fingers_at(body, ways, ways.limb(finger).front()).size() > 1;
                                 });
        const std::size_t count = parts_again ? whole_hand : fingers.size();
        if (i > 0 && way > 0.5 * whole && count >= most) {
            hand = i;
            most = std::min(count, whole_hand);
        }
    }
    return hand;
}

LimbPair pair_of(const RestBody& body, std::size_t at, const std::vector<std::size_t>& first,
                 const std::vector<std::size_t>& second, double length) {
    LimbPair pair{at, {}, length};
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

namespace {

void keep_longest(std::vector<LimbPair>& pairs) {
    constexpr std::size_t most = 24;
    const auto kept = std::min(most, pairs.size());
    std::ranges::partial_sort(pairs, pairs.begin() + static_cast<std::ptrdiff_t>(kept),
                              [](const LimbPair& a, const LimbPair& b) { return a.length > b.length; });
    pairs.resize(kept);
}

/// The pairs of limbs below one joint, without those that are on one side by their names. `short_limbs`:
/// limbs of one joint count too, by the bones to them.
void add_pairs(const RestBody& body, const Ways& ways, const JointNames& names, std::size_t at,
               bool short_limbs, std::vector<LimbPair>& pairs) {
    std::vector<LimbPair> found;
    std::vector<std::vector<std::size_t>> limbs;
    const auto tops = long_children(body, ways, at, limbs_of_joint);
    std::ranges::transform(tops, std::back_inserter(limbs), [&](std::size_t top) { return ways.limb(top); });
    for (std::size_t i = 0; i < limbs.size(); ++i) {
        for (std::size_t j = i + 1; j < limbs.size(); ++j) {
            // One of two limbs of one joint may hold something.
            const bool are_short = short_limbs && (limbs[i].size() == 1 || limbs[j].size() == 1);
            const Side side = names.sides[limbs[i].front()];
            const Side other = names.sides[limbs[j].front()];
            const bool is_one_side = side != Side::centre && side == other;
            const bool are_named = side != Side::centre && other != Side::centre && side != other;
            const double length = are_short ? common_bone(ways, limbs[i][0], limbs[j][0], are_named)
                                            : common_length(body, limbs[i], limbs[j], ways, are_named);
            if (length > 0 && !is_one_side) {
                const std::size_t one = tops[i] < tops[j] ? i : j;
                found.push_back(pair_of(body, at, limbs[one], limbs[i + j - one], length));
                found.back().tops = {tops[one], tops[i + j - one]};
                found.back().are_named = are_named;
            }
        }
    }
    // Of many strands of hair, each has one partner.
    constexpr std::size_t few = 15;  // six equal limbs
    if (found.size() <= few) {
        std::ranges::move(found, std::back_inserter(pairs));
        return;
    }
    std::ranges::stable_sort(found, std::ranges::greater(), &LimbPair::length);
    std::vector<std::size_t> paired;
    const auto has_partner = [&](std::size_t top) { return std::ranges::find(paired, top) != paired.end(); };
    for (const LimbPair& pair : found) {
        if (!has_partner(pair.tops[0]) || !has_partner(pair.tops[1])) {
            paired.insert(paired.end(), pair.tops.begin(), pair.tops.end());
            pairs.push_back(pair);
        }
    }
}

}  // namespace

bool is_called(const LimbPair& pair, std::string_view word, const Ways& ways, const JointNames& names) {
    return std::ranges::any_of(ways.limb(pair.tops[0]),
                               [&](std::size_t joint) { return names.has_word(joint, word); });
}

std::vector<LimbPair> longest_pairs(const RestBody& body, const Ways& ways, const JointNames& names,
                                    bool short_limbs) {
    constexpr std::size_t most_at_once = 4096;
    std::vector<LimbPair> pairs;
    for (std::size_t at = 0; at < body.joint_count(); ++at) {
        if (body.children(at).size() > 1) {
            add_pairs(body, ways, names, at, short_limbs, pairs);
        }
        if (pairs.size() > most_at_once) {
            keep_longest(pairs);
        }
    }
    keep_longest(pairs);
    for (LimbPair& pair : pairs) {
        pair.has_hands = fan_of(body, ways, ways.limb(pair.tops[0])) != nowhere;
        pair.are_arms = is_called(pair, "arm", ways, names);
        pair.are_legs = is_called(pair, "leg", ways, names);
    }
    return pairs;
}

glm::dvec3 reach_of(const RestBody& body, const Ways& ways, const LimbPair& pair) {
    glm::dvec3 sum(0);
    for (const std::size_t top : pair.tops) {
        sum += body.head(ways.limb(top).back()) - pair.root;
    }
    return 0.5 * sum;
}

bool is_in_limb(const RestBody& body, const LimbPair& pair, std::size_t joint) {
    return body.is_above(pair.tops[0], joint) || body.is_above(pair.tops[1], joint);
}

double cosine(const glm::dvec3& a, const glm::dvec3& b) {
    const double size = glm::length(a) * glm::length(b);
    return size > 0 && std::isfinite(size) ? glm::dot(a, b) / size : 0.0;
}

namespace {

/// Joints between hips and arms, at most.
constexpr std::size_t longest_spine = 64;
constexpr std::size_t most_tops = 2 * limbs_of_joint;

/// Whether another joint's limb mirrors that of the one, as horns and ears do.
bool is_one_of_two(const RestBody& body, const Ways& ways, const BodyFrame& frame,
                   const std::vector<std::size_t>& tops, std::size_t one) {
    constexpr double aside = 0.2;
    constexpr double near = 0.15;
    const glm::dvec3 across = frame.arms.across / glm::length(frame.arms.across);
    const auto end_of = [&](std::size_t top) { return body.head(ways.limb(top).back()) - frame.arms.root; };
    const glm::dvec3 there = end_of(one);
    const glm::dvec3 mirrored = there - 2 * glm::dot(there, across) * across;
    return std::abs(glm::dot(there, across)) > aside * glm::length(there) &&
           std::ranges::any_of(tops, [&](std::size_t other) {
               return other != one && glm::length(end_of(other) - mirrored) < near * glm::length(there);
           });
}

/// The joints that begin a head which hangs beside the arms' joint: the children of one in its place, and
/// those below the trunk's joints that are the first above the shoulders, near them. At most `most_tops`, the
/// ones with the longest ways.
std::vector<std::size_t> tops_beside_arms(const RestBody& body, const Ways& ways, const BodyFrame& frame) {
    constexpr double same = 0.01;  // of the trunk
    constexpr double near = 0.5;
    constexpr double beside = 0.3;
    const glm::dvec3 up = frame.arms.root - frame.legs.root;
    const double trunk = glm::length(up);
    std::vector<std::size_t> tops;
    std::size_t below = frame.arms.at;
    for (std::size_t i = 0; i < longest_spine && below != frame.middle; ++i) {
        const std::size_t above = below;
        below = *body.parent(below);
        for (const std::size_t child : long_children(body, ways, below, most_tops)) {
            if (child == above || is_in_limb(body, frame.legs, child)) {
                continue;
            }
            if (glm::length(body.head(child) - body.head(frame.arms.at)) < same * trunk) {
                std::ranges::copy(long_children(body, ways, child, most_tops), std::back_inserter(tops));
                continue;
            }
            const auto limb = ways.limb(child);
            const auto top = std::ranges::find_if(
                limb, [&](auto joint) { return glm::dot(body.head(joint) - frame.arms.root, up) > 0; });
            const glm::dvec3 away = top != limb.end() ? body.head(*top) - frame.arms.root : up;
            const double height = glm::dot(away, up) / trunk;
            if (glm::length(away) < near * trunk &&
                glm::length(away - height / trunk * up) < beside * trunk) {
                tops.push_back(*top);
            }
        }
    }
    std::ranges::sort(tops, std::ranges::greater(), [&](std::size_t top) { return ways.length(top); });
    tops.resize(std::min(tops.size(), most_tops));
    return tops;
}

/// The one of these joints that goes on upwards from the arms, straight and far; nowhere: none does.
std::size_t top_of_head(const RestBody& body, const Ways& ways, const BodyFrame& frame,
                        const std::vector<std::size_t>& tops) {
    constexpr double least_share = 0.03;  // of a leg
    constexpr double least_cosine = 0.2;
    constexpr double long_share = 0.3;
    const glm::dvec3 up = frame.arms.root - frame.legs.root;
    std::size_t best = nowhere;
    double most = 0;
    for (const std::size_t child : tops) {
        const bool is_other = child != frame.arms.tops[0] && child != frame.arms.tops[1] &&
                              !body.is_above(child, frame.legs.at);
        const auto limb = is_other ? ways.limb(child) : std::vector<std::size_t>();
        const double share = ways.length(child) / frame.legs.length;
        if (limb.empty() || share < least_share) {
            continue;
        }
        // A beard may hang from the head, and a neck may begin at the arms.
        double upwards = 0;
        for (std::size_t i = 0; i < std::min<std::size_t>(2, limb.size()); ++i) {
            upwards = std::max(upwards, cosine(body.head(limb[i]) - body.head(frame.arms.at), up));
        }
        const double worth = upwards + std::min(share, long_share);
        if (upwards > least_cosine && worth > most && !is_one_of_two(body, ways, frame, tops, child)) {
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

/// How far two legs reach, as a share of their lengths. The bones of the hips, which begin in one place, do
/// not count, nor does a long foot.
double share_reached(const RestBody& body, const Ways& ways, const LimbPair& legs) {
    constexpr double apart = 0.02;
    constexpr double long_foot = 0.3;  // of the leg
    const std::array<std::vector<std::size_t>, 2> limbs = {ways.limb(legs.tops[0]), ways.limb(legs.tops[1])};
    const bool begin_together =
        glm::length(body.head(limbs[0].front()) - body.head(limbs[1].front())) < apart * legs.length;
    const bool have_hips = begin_together && limbs[0].size() > 2 && limbs[1].size() > 2;
    glm::dvec3 reach(0);
    double length = 0;
    for (const auto& limb : limbs) {
        const std::size_t first = have_hips ? 1 : 0;
        std::size_t last = limb.size() - 1;
        double bones = 0;
        for (std::size_t i = first + 1; i <= last; ++i) {
            bones += ways.bone(limb[i]);
        }
        if (last > first + 2 && ways.bone(limb[last]) > long_foot * bones) {
            bones -= ways.bone(limb[last--]);
        }
        reach += body.head(limb[last]) - body.head(limb[first]);
        length += bones;
    }
    return length > 0 ? glm::length(reach) / length : 0.0;
}

/// Two pairs as legs and arms; nullopt if no body joins them.
std::optional<BodyFrame> frame_of(const RestBody& body, const Ways& ways, const LimbPair& legs,
                                  const LimbPair& arms) {
    constexpr double least_arm = 0.3;  // of a leg
    // Where no names say the sides, limbs of different pairs look like one.
    const double parallel = legs.are_named && arms.are_named ? 0.5 : 0.9;  // 26 degrees
    constexpr double least_leg = 0.15;  // of an arm; it may end at the knee
    constexpr double shortest_spine = 0.25;
    constexpr double longest = 2.5;
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
    // One arm may end at the elbow.
    const auto below = [&](std::size_t top) { return ways.length(top) - ways.bone(top); };
    const double arm = std::max({arms.length, below(arms.tops[0]), below(arms.tops[1])});
    // Limbs of one joint have the length of the bones to them.
    const bool are_short = ways.limb(legs.tops[0]).size() == 1 && ways.limb(arms.tops[0]).size() == 1;
    if (!middle || is_in_limb(body, legs, arms.at) || is_in_limb(body, arms, legs.at) ||
        (!are_short && (arm < least_arm * legs.length || legs.length < least_leg * arms.length)) ||
        !(share > shortest_spine && share < longest) || away > farthest * legs.length ||
        std::abs(cosine(legs.across, arms.across)) < parallel) {
        return std::nullopt;
    }
    BodyFrame frame{legs, arms, *middle};
    frame.head = top_of_head(body, ways, frame, long_children(body, ways, arms.at, most_tops));
    if (frame.head == nowhere) {
        frame.head = top_of_head(body, ways, frame, tops_beside_arms(body, ways, frame));
    }
    const glm::dvec3 reach = reach_of(body, ways, legs);
    frame.uprightness = -cosine(reach, spine);
    constexpr double crouching = 0.7;
    constexpr double spread = 0.5;
    if (ways.limb(legs.tops[0]).size() == 1) {
        frame.uprightness = cosine(spine, {0, 0, 1});  // legs of one joint point nowhere
    } else if (const double reached = share_reached(body, ways, legs); reached < crouching) {
        // Crouching legs say less than what is up, and spread ones carry no person.
        frame.uprightness = reached < spread ? 0.0 : std::min(frame.uprightness, cosine(spine, {0, 0, 1}));
    }
    constexpr double in_line = 0.97;  // 14 degrees
    const bool are_named = arms.are_arms && legs.are_legs;
    if (arms.at == legs.at && !(are_named && frame.uprightness > in_line)) {
        // Nothing but names and places tells arms from the legs of an insect.
        constexpr double clearly_up = 0.85;
        frame.uprightness = std::min(frame.uprightness, cosine(spine, {0, 0, 1}));
        frame.uprightness = frame.uprightness < (are_named ? 0.0 : clearly_up) ? 0.0 : frame.uprightness;
    }
    const bool hips_carry_all = *middle == legs.at;
    const double upside_down = std::max(-cosine(spine, {0, 0, 1}), 0.0);
    const auto are_idle = [&](const LimbPair& pair) {
        return body.is_idle(pair.tops[0]) && body.is_idle(pair.tops[1]);
    };
    const bool are_controls = are_idle(legs) || are_idle(arms);
    frame.score = 2 * frame.uprightness - (are_controls ? 2.0 : 0.0) + (frame.head != nowhere ? 1.0 : 0.0) +
                  (hips_carry_all ? 0.5 : 0.0) + (arms.has_hands ? 1.0 : 0.0) - upside_down;
    return frame;
}

}  // namespace

std::optional<BodyFrame> best_frame(const RestBody& body, const Ways& ways,
                                    const std::vector<LimbPair>& pairs) {
    std::optional<BodyFrame> best;
    double best_score = 0;
    for (const LimbPair& legs : pairs) {
        for (const LimbPair& arms : pairs) {
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

}  // namespace animbridge::rig::humanoid
