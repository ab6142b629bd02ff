// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rig/humanoid/parts.h"

/// How find_shape works, in the order of its steps: ways down a skeleton, pairs of equal limbs, the frame of
/// a body that two pairs make, and the parts of its limbs. Clip space, metres.
namespace animbridge::rig::humanoid {

inline constexpr std::size_t nowhere = ~std::size_t{0};
/// Joints of a limb that are looked at: longer chains are ropes, and are not searched to their end.
inline constexpr std::size_t longest_limb = 24;
/// Limbs of one joint that are looked at, the longest ones.
inline constexpr std::size_t limbs_of_joint = 10;

/// The longest way down from each joint, in metres along its bones.
class Ways {
public:
    Ways(const RestBody& body, const std::vector<JointRole>& roles);

    /// From the parent; 0 for a joint at its parent's place.
    [[nodiscard]] double bone(std::size_t joint) const { return bones_[joint]; }
    /// Of the longest way down that begins at the joint's parent and goes through the joint.
    [[nodiscard]] double length(std::size_t joint) const { return bones_[joint] + lengths_[joint]; }
    /// The child on the longest way down; nowhere: the joint is its end.
    [[nodiscard]] std::size_t next(std::size_t joint) const { return next_[joint]; }
    /// The joints on it that have a bone; `top` alone if these are too far down.
    [[nodiscard]] std::vector<std::size_t> limb(std::size_t top) const;

private:
    std::vector<double> bones_;
    std::vector<double> lengths_;
    std::vector<std::size_t> next_;
};

/// Two limbs with equal bones below one joint.
struct LimbPair {
    std::size_t at = 0;
    std::array<std::size_t, 2> tops{};
    double length = 0;       ///< of the bones that both have, from the limbs' first joints on
    glm::dvec3 root{0};      ///< the middle between these
    glm::dvec3 across{0};    ///< from the second limb to the first one
    bool has_hands = false;  ///< they end in fingers
    bool are_named = false;  ///< their names say left and right
    bool are_arms = false;   ///< a joint of the first one is called arm
    bool are_legs = false;   ///< or leg
};

/// Legs, arms, and what joins them.
struct BodyFrame {
    LimbPair legs;
    LimbPair arms;
    std::size_t middle = 0;      ///< the lowest joint above both
    std::size_t head = nowhere;  ///< the child of the arms' joint that leads to the head
    double uprightness = 0;      ///< cosine between the legs, downwards, and the spine, upwards
    double score = 0;
};

/// Cosine of the angle between two vectors; 0 if one of them has no length.
[[nodiscard]] double cosine(const glm::dvec3& a, const glm::dvec3& b);

/// The length of the bones that two limbs have in common, without those to their first joints; 0 if they
/// differ or are in the same place. One may hold something. `are_named`: their names say left and right.
[[nodiscard]] double common_length(const RestBody& body, const std::vector<std::size_t>& a,
                                   const std::vector<std::size_t>& b, const Ways& ways, bool are_named);

/// The children of a joint on the longest ways, at most `most`.
[[nodiscard]] std::vector<std::size_t> long_children(const RestBody& body, const Ways& ways,
                                                     std::size_t joint, std::size_t most);

/// The fingers of a joint: chains that are long enough beside the longest one.
[[nodiscard]] std::vector<std::size_t> fingers_at(const RestBody& body, const Ways& ways, std::size_t joint);

/// Whether the fingers that part at a joint (an index) begin far from it: at the wrist, so the joint is the
/// lower arm.
[[nodiscard]] bool parts_at_wrist(const RestBody& body, const Ways& ways,
                                  const std::vector<std::size_t>& limb, std::size_t fan);

/// Where at least three fingers part, or a thumb and one finger; nowhere: they don't. A hand is in the arm's
/// second half.
[[nodiscard]] std::size_t fan_of(const RestBody& body, const Ways& ways,
                                 const std::vector<std::size_t>& limb);

/// From the limbs' first joints to their ends, on average.
[[nodiscard]] glm::dvec3 reach_of(const RestBody& body, const Ways& ways, const LimbPair& pair);

[[nodiscard]] bool is_in_limb(const RestBody& body, const LimbPair& pair, std::size_t joint);

/// Whether a joint of the first limb has the word in its name.
[[nodiscard]] bool is_called(const LimbPair& pair, std::string_view word, const Ways& ways,
                             const JointNames& names);

/// The longest pairs of the skeleton. `short_limbs`: limbs of one joint count too, by the bones to them.
[[nodiscard]] std::vector<LimbPair> longest_pairs(const RestBody& body, const Ways& ways,
                                                  const JointNames& names, bool short_limbs);

/// The best of all bodies in the skeleton. Longer limbs count more than better ones of a hand or a face.
[[nodiscard]] std::optional<BodyFrame> best_frame(const RestBody& body, const Ways& ways,
                                                  const std::vector<LimbPair>& pairs);

/// The limbs of a pair. They have the same parts, whatever one of them holds.
[[nodiscard]] std::array<ShapedLimb, 2> limbs_of(const RestBody& body, const Ways& ways, const LimbPair& pair,
                                                 bool is_arm);

constexpr std::string_view no_head = "no head above its arms";

/// What the body has that no person has: "four legs"; "" for a person.
[[nodiscard]] std::string looks_of(const RestBody& body, const Ways& ways, const BodyFrame& frame,
                                   const std::vector<LimbPair>& pairs, const JointNames& names);

}  // namespace animbridge::rig::humanoid
