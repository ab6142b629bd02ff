// SPDX-License-Identifier: MIT
#include "formats/mrtk/hands/hands.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace animbridge::mrtk::hands {

namespace {

/// A finger's names in recordings and in slots. Fingers begin with the metacarpal and end with the tip.
struct ForeignFinger {
    std::string_view name;  ///< in slots
    std::size_t first;      ///< joint
    std::size_t count;
    std::array<std::string_view, 5> parts;
};
constexpr std::array<ForeignFinger, 5> foreign_fingers = {{
    {"Thumb", file::thumb_metacarpal, 4, {"Metacarpal", "Proximal", "Distal", "Tip", ""}},
    {"Index", 7, 5, {"Metacarpal", "Proximal", "Intermediate", "Distal", "Tip"}},
    {"Middle", 12, 5, {"Metacarpal", "Proximal", "Intermediate", "Distal", "Tip"}},
    {"Ring", 17, 5, {"Metacarpal", "Proximal", "Intermediate", "Distal", "Tip"}},
    {"Little", 22, 5, {"Metacarpal", "Proximal", "Intermediate", "Distal", "Tip"}},
}};
constexpr std::size_t knuckle = 1;  ///< of a finger other than the thumb

/// Bones closer together do not define a direction.
constexpr double least_length = 1e-6;

std::optional<glm::dvec3> direction(const glm::dvec3& v) {
    const double length = glm::length(v);
    // Also false for NaN.
    return length > least_length ? std::optional(v / length) : std::nullopt;
}

/// The rotation with these axes, of unit length and at right angles: X, Y and Z.
glm::dquat with_axes(const glm::dvec3& x, const glm::dvec3& y, const glm::dvec3& z) {
    return glm::normalize(glm::quat_cast(glm::dmat3(x, y, z)));
}

/// The shortest rotation that turns one unit vector onto another.
glm::dquat shortest_turn(const glm::dvec3& from, const glm::dvec3& to) {
    const double w = 1.0 + glm::dot(from, to);
    if (w < 1e-9) {
        const glm::dvec3 other = std::abs(from.x) < 0.5 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 0, 1);
        const glm::dvec3 axis = glm::normalize(glm::cross(from, other));
        return {0.0, axis.x, axis.y, axis.z};
    }
    const glm::dvec3 axis = glm::cross(from, to);
    return glm::normalize(glm::dquat(w, axis.x, axis.y, axis.z));
}

/// Finds the joints of one hand at rest.
class ForeignHand {
public:
    ForeignHand(const rig::armature::Armature& armature, const rig::humanoid::FoundRig& found,
                std::span<const glm::dvec3> tails, std::size_t hand)
        : armature_(armature), found_(found), tails_(tails), hand_(hand), flat_(flat_hand(hand)) {}

    void add_to(ForeignHands& hands) {
        const auto wrist_bone = bone_of("Hand");
        if (!wrist_bone) {
            hands.left_out.push_back("the " + side() + " hand: the armature has no bone for it");
            return;
        }
        wrist_ = *wrist_bone;
        if (!find_frame()) {
            hands.left_out.push_back("the " + side() +
                                     " hand: too few of its fingers have a first bone to say where its "
                                     "back is; there must be two");
            return;
        }
        add(file::wrist, wrist_, {frame_, head(wrist_)});
        for (const ForeignFinger& finger : foreign_fingers) {
            if (!add_finger(finger)) {
                hands.left_out.push_back("the " + side() + " hand's " + std::string(finger.name) +
                                         " finger: bones are missing, or lie at one place");
            }
        }
        add_palm();
        for (const auto& joint : joints_) {
            if (joint) {
                hands.joints.push_back(*joint);
            }
        }
    }

private:
    [[nodiscard]] std::string side() const { return std::string(file::hand_names.at(hand_)); }

    [[nodiscard]] std::optional<std::size_t> bone_of(std::string_view part) const {
        const auto bone = found_.joint_of(side() + std::string(part));
        return bone && *bone < armature_.bones.size() ? bone : std::nullopt;
    }
    [[nodiscard]] std::optional<std::size_t> bone_of(const ForeignFinger& finger, std::size_t part) const {
        return bone_of(std::string(finger.name) + std::string(finger.parts.at(part)));
    }
    [[nodiscard]] glm::dvec3 head(std::size_t bone) const { return armature_.bones[bone].rest.translation; }

    /// The axes of the wrist: Y to the middle knuckle, or to the middle of the known ones; X along the line
    /// of the knuckles, which on a left hand runs to the thumb.
    bool find_frame() {
        std::vector<glm::dvec3> knuckles;
        std::optional<glm::dvec3> middle;
        glm::dvec3 sum(0.0);
        for (const ForeignFinger& finger : foreign_fingers) {
            const auto bone =
                finger.first == file::thumb_metacarpal ? std::nullopt : bone_of(finger, knuckle);
            if (bone) {
                knuckles.push_back(head(*bone));
                sum += knuckles.back();
                middle = finger.first + knuckle == file::middle_knuckle ? knuckles.back() : middle;
            }
        }
        if (knuckles.size() < 2) {
            return false;
        }
        const glm::dvec3 target = middle.value_or(sum / static_cast<double>(knuckles.size()));
        const auto y = direction(target - head(wrist_));
        const glm::dvec3 line = knuckles.front() - knuckles.back();
        const glm::dvec3 across = hand_ == 0 ? line : -line;
        const auto x = y ? direction(across - *y * glm::dot(across, *y)) : std::nullopt;
        if (!x) {
            return false;
        }
        frame_ = with_axes(*x, *y, glm::cross(*x, *y));
        return true;
    }

    void add(std::size_t joint, std::size_t bone, const Transform& rest, bool has_bone = true) {
        joints_.at(joint) = ForeignJoint{file::pose_of(hand_, joint), bone,
                                         inverse(armature_.bones[bone].rest) * rest, has_bone};
        places_.at(joint) = rest;
    }

    /// The length of a bone of the flat hand relative to another.
    [[nodiscard]] double flat_length(std::size_t from, std::size_t to) const {
        return glm::length(flat_.at(to).translation - flat_.at(from).translation);
    }

    bool add_finger(const ForeignFinger& finger) {
        const std::size_t last = finger.count - 1;
        std::array<glm::dvec3, 5> places{};
        std::array<std::size_t, 5> bones{};
        for (std::size_t part = 0; part < last; ++part) {
            const auto bone = bone_of(finger, part);
            if (!bone && (part > 0 || finger.first == file::thumb_metacarpal)) {
                return false;
            }
            bones.at(part) = bone.value_or(wrist_);
            places.at(part) = head(bones.at(part));
            if (!bone) {
                const auto above = bone_of(finger, knuckle);
                const double share =
                    flat_length(file::wrist, finger.first) / flat_length(file::wrist, finger.first + 1);
                places[0] = above ? head(wrist_) + share * (head(*above) - head(wrist_)) : head(wrist_);
            }
        }
        const auto tip = bone_of(finger, last);
        bones.at(last) = tip.value_or(bones.at(last - 1));
        places.at(last) = tip ? head(*tip) : end_of_finger(finger, places, bones.at(last - 1));
        for (std::size_t part = 0; part < last; ++part) {
            if (!direction(places.at(part + 1) - places.at(part))) {
                return false;
            }
        }
        for (std::size_t part = 0; part < finger.count; ++part) {
            // A tip has the axes of the bone before it.
            const std::size_t from = std::min(part, last - 1);
            const glm::dquat flat = frame_ * flat_.at(finger.first + from).rotation;
            const auto y = direction(places.at(from + 1) - places.at(from));
            const glm::dquat turn = shortest_turn(flat * glm::dvec3(0, 1, 0), *y) * flat;
            const bool is_placed = (part == 0 && bones[0] == wrist_) || (part == last && !tip);
            add(finger.first + part, bones.at(part), {turn, places.at(part)}, !is_placed);
        }
        return true;
    }

    /// The end of the distal bone: its tail if that continues the finger's direction, else straight on; its
    /// length relative to the bone before it is that of the flat hand.
    [[nodiscard]] glm::dvec3 end_of_finger(const ForeignFinger& finger,
                                           const std::array<glm::dvec3, 5>& places,
                                           std::size_t distal_bone) const {
        const std::size_t distal = finger.count - 2;
        const glm::dvec3 before = places.at(distal) - places.at(distal - 1);
        const double share = flat_length(finger.first + distal, finger.first + distal + 1) /
                             flat_length(finger.first + distal - 1, finger.first + distal);
        const double usual = share * glm::length(before);
        const Transform& rest = armature_.bones[distal_bone].rest;
        const glm::dvec3 along = tails_.empty() ? usual * (rest.rotation * glm::dvec3(0, 1, 0))
                                                : tails_[distal_bone] - rest.translation;
        const double length = glm::length(along);
        // Bones of imported files often have their tails across the finger, or far beyond its end.
        constexpr double within_45_degrees = 0.70710678;
        const bool goes_on = glm::dot(along, before) > within_45_degrees * length * glm::length(before);
        const bool is_a_tip = length > usual / 2.0 && length < usual * 2.0;
        return places.at(distal) + (goes_on && is_a_tip ? along : share * before);
    }

    void add_palm() {
        const auto bone = bone_of("Palm");
        constexpr std::size_t middle_metacarpal = file::middle_knuckle - 1;
        glm::dvec3 place = head(wrist_) + frame_ * flat_.at(file::palm).translation;
        if (bone) {
            place = head(*bone);
        } else if (joints_.at(file::middle_knuckle)) {
            place = 0.5 * (places_.at(middle_metacarpal).translation +
                           places_.at(file::middle_knuckle).translation);
        }
        add(file::palm, bone.value_or(wrist_), {frame_, place}, bone.has_value());
    }

    const rig::armature::Armature& armature_;
    const rig::humanoid::FoundRig& found_;
    std::span<const glm::dvec3> tails_;
    std::size_t hand_ = 0;
    std::array<Transform, file::joint_count> flat_;
    std::size_t wrist_ = 0;
    glm::dquat frame_{1, 0, 0, 0};
    std::array<std::optional<ForeignJoint>, file::joint_count> joints_{};
    std::array<Transform, file::joint_count> places_{};  ///< at rest, for known joints
};

}  // namespace

ForeignHands foreign_hands(const rig::armature::Armature& armature, const rig::humanoid::FoundRig& found,
                           std::span<const glm::dvec3> tails) {
    ForeignHands hands;
    for (std::size_t hand = 0; hand < file::hand_count; ++hand) {
        ForeignHand(armature, found, tails, hand).add_to(hands);
    }
    return hands;
}

}  // namespace animbridge::mrtk::hands
