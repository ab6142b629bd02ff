// SPDX-License-Identifier: MIT
#include "formats/sl_pose/fingers/fingers.h"

#include <algorithm>
#include <glm/trigonometric.hpp>
#include <optional>
#include <set>
#include <utility>

#include "model/findings/findings.h"
#include "rig/avatar/avatar.h"

namespace animbridge::sl_pose::fingers {

namespace {

using Degrees = std::array<double, 3>;

/// How far a finger's three joints bend towards the palm, and how far its first one turns about Z.
struct Finger {
    Degrees bends{};
    double turn = 0;
};

/// The left hand. A thumb's joints turn about x, y and z.
struct Hand {
    std::array<Finger, 4> fingers{};  ///< index, middle, ring, little finger
    std::array<Degrees, 3> thumb{};
};

constexpr Finger closed{{75, 95, 60}};
constexpr std::array<Degrees, 3> closed_thumb = {{{0, 45, 5}, {-25, 15, 30}, {-10, 0, 35}}};

/// In the order of pose_names.
constexpr std::array<Hand, 12> hands = {{
    {{{{{12, 20, 12}, 3}, {{16, 24, 14}}, {{20, 26, 14}, -3}, {{22, 28, 14}, -6}}},
     {{{10, 25, 5}, {-5, 8, 10}, {-3, 0, 8}}}},
    {},
    {{closed, closed, closed, closed}, closed_thumb},
    {{{{{45, 60, 40}}, {{46, 62, 40}}, {{48, 62, 40}}, {{50, 62, 40}}}},
     {{{10, 40, 0}, {-15, 10, 20}, {-5, 0, 20}}}},
    {{Finger{}, closed, closed, closed}, closed_thumb},
    {{closed, closed, closed, closed}, {{{20, -10, -10}, {0, 0, -10}, {0, 0, -10}}}},
    {{{{{45, 55, 25}}, {{50, 60, 30}}, {{55, 62, 32}}, {{58, 64, 34}}}},
     {{{15, 45, 15}, {-15, 10, 20}, {-5, 0, 15}}}},
    {{{{{50, 60, 30}}, {{10, 12, 8}}, {{4, 6, 4}}, {}}}, {{{15, 45, 20}, {-20, 10, 20}, {-5, 0, 15}}}},
    {{{Finger{{}, -4}, Finger{{}, 4}, closed, closed}}, closed_thumb},
    {{{Finger{}, closed, closed, Finger{}}}, closed_thumb},
    {{{{{10, 60, 45}, -4}, {{10, 60, 45}}, {{10, 60, 45}, 4}, {{10, 60, 45}, 8}}},
     {{{10, 20, 0}, {-10, 0, -5}, {-20, 0, 20}}}},
    {{{{{30, 40, 25}}, {{32, 42, 26}}, {{34, 44, 26}}, {{36, 46, 28}}}},
     {{{5, 50, -5}, {-10, 5, 10}, {-5, 0, 10}}}},
}};

constexpr std::array<std::string_view, 4> finger_names = {"Index", "Middle", "Ring", "Pinky"};

/// A side and a pose in "left=fist"; none if it is not that.
struct Wanted {
    std::string_view side;
    std::size_t pose = 0;
};
std::optional<Wanted> wanted_in(std::string_view text) {
    const std::size_t mark = text.find('=');
    const std::string_view side = text.substr(0, mark);
    if (mark == std::string_view::npos || (side != "left" && side != "right")) {
        return std::nullopt;
    }
    const auto pose = index_of_name(pose_names, text.substr(mark + 1));
    return pose ? std::optional(Wanted{side, *pose}) : std::nullopt;
}

std::vector<std::string_view> parts_of(std::string_view text) {
    std::vector<std::string_view> parts;
    for (std::size_t comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
        parts.push_back(text.substr(0, comma));
        text.remove_prefix(comma + 1);
    }
    parts.push_back(text);
    return parts;
}

std::string joint_name(std::string_view finger, std::size_t number, std::string_view side) {
    return "mHand" + std::string(finger) + std::to_string(number + 1) + (side == "left" ? "Left" : "Right");
}

/// A bend towards the palm, which is down: about the line that is level and across the finger.
glm::dquat bend_of(std::size_t joint, double degrees) {
    const glm::dvec3 along = rig::avatar::skeleton()[joint].end;
    const glm::dvec3 across = glm::normalize(glm::cross(along, glm::dvec3(0, 0, -1)));
    return glm::angleAxis(glm::radians(degrees), across);
}

glm::dquat turned(const Degrees& degrees) {
    return rotation_of_euler({2, 1, 0}, glm::radians(glm::dvec3(degrees[0], degrees[1], degrees[2])));
}

class FingerPoser {
public:
    explicit FingerPoser(std::vector<play::Shown>& joints) : joints_(joints) {}

    void pose(const Wanted& wanted) {
        const Hand& hand = hands.at(wanted.pose);
        for (std::size_t number = 0; number < 3; ++number) {
            for (std::size_t finger = 0; finger < finger_names.size(); ++finger) {
                const Finger& own = hand.fingers.at(finger);
                const auto left =
                    rig::avatar::find_joint(joint_name(finger_names.at(finger), number, "left"));
                const glm::dquat bend = bend_of(*left, own.bends.at(number));
                const glm::dquat turn = turned({0, 0, number == 0 ? own.turn : 0.0});
                set(joint_name(finger_names.at(finger), number, wanted.side), product(turn, bend), wanted);
            }
            set(joint_name("Thumb", number, wanted.side), turned(hand.thumb.at(number)), wanted);
        }
    }

private:
    void set(const std::string& name, const glm::dquat& left, const Wanted& wanted) {
        const std::size_t joint = *rig::avatar::find_joint(name);
        const glm::dquat rotation =
            wanted.side == "left" ? left : glm::dquat(left.w, -left.x, left.y, -left.z);
        const auto place = std::ranges::lower_bound(joints_, joint, {}, &play::Shown::joint);
        if (place != joints_.end() && place->joint == joint) {
            place->rotation = rotation;
            place->known = play::Known::exact;
        } else {
            joints_.insert(place, {joint, play::Known::exact, rotation, pose::rest_position(joint)});
        }
    }

    std::vector<play::Shown>& joints_;
};

}  // namespace

bool are_hands(const Json& texts) {
    std::set<std::string_view> sides;
    return std::all_of(texts.begin(), texts.end(), [&](const Json& text) {
        const auto parts = parts_of(text.get<std::string_view>());
        return std::ranges::all_of(parts, [&](std::string_view part) {
            const auto wanted = wanted_in(part);
            return wanted && sides.insert(wanted->side).second;
        });
    });
}

std::vector<play::Shown> with_fingers(std::vector<play::Shown> joints,
                                      const std::vector<std::string>& hands_wanted) {
    FingerPoser poser(joints);
    for (const std::string& text : hands_wanted) {
        for (const std::string_view part : parts_of(text)) {
            poser.pose(*wanted_in(part));
        }
    }
    return joints;
}

}  // namespace animbridge::sl_pose::fingers
