// SPDX-License-Identifier: MIT
#include "rig/armature/armature.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <unordered_set>
#include <utility>

namespace animbridge::rig::armature {

namespace {

std::string clean_name(const std::string& name) {
    std::string clean = to_utf8(name);
    std::ranges::replace_if(
        clean, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
    clean.resize(shortened(clean, most_name_bytes).size());
    return clean.find_first_not_of(' ') == std::string::npos ? "joint" : clean;
}

std::string numbered(const std::string& name, std::size_t number) {
    std::string digits = std::to_string(number);
    digits.insert(0, digits.size() < 3 ? 3 - digits.size() : 0, '0');
    return std::string(shortened(name, most_name_bytes - digits.size() - 1)) + "." + digits;
}

}  // namespace

std::vector<std::string> bone_names(std::span<const std::string> joint_names) {
    std::vector<std::string> names;
    names.reserve(joint_names.size());
    std::unordered_set<std::string> taken;
    std::unordered_map<std::string, std::size_t>
        next_number;  // keeps many equal names as cheap as different ones
    for (const std::string& joint_name : joint_names) {
        const std::string clean = clean_name(joint_name);
        // The part that numbers are appended to.
        const std::string beginning(shortened(clean, most_name_bytes - 4));
        std::string name = clean;
        while (!taken.insert(name).second) {
            name = numbered(clean, ++next_number[beginning]);
        }
        names.push_back(std::move(name));
    }
    return names;
}

namespace {

/// The diagonal of the box around the origin, all heads and their targets.
double size_of(std::span<const BoneEnds> joints) {
    glm::dvec3 low(0);
    glm::dvec3 high(0);
    for (const BoneEnds& joint : joints) {
        low = glm::min(low, glm::min(joint.head, joint.target()));
        high = glm::max(high, glm::max(joint.head, joint.target()));
    }
    return glm::length(high - low);
}

}  // namespace

std::vector<glm::dvec3> bone_tails(std::span<const BoneEnds> joints, double size_without_any) {
    const double size = size_of(joints);
    const double shortest = size > 0.0 ? size * 1e-3 : size_without_any;
    std::vector<glm::dvec3> tails;
    tails.reserve(joints.size());
    for (const BoneEnds& joint : joints) {
        glm::dvec3 tail = joint.target();
        if (!(glm::length(tail - joint.head) >= shortest)) {
            const glm::dvec3 along =
                joint.parent ? tails[*joint.parent] - joints[*joint.parent].head : glm::dvec3(0);
            const double length = glm::length(along);
            // Without a parent to follow, the bone points up. A tenth of the total size is large enough to
            // see.
            const glm::dvec3 direction = length > 0.0 ? along / length : glm::dvec3(0, 0, 1);
            tail = joint.head + direction * std::max(shortest, std::min(length, 100.0 * shortest));
        }
        tails.push_back(tail);
    }
    return tails;
}

namespace {

/// The factors for a row of a joint's track: rotations get both, translations are rotated.
struct Turn {
    glm::dquat before{1, 0, 0, 0};
    glm::dquat after{1, 0, 0, 0};

    /// Four numbers of a rotation, or three of a translation and one that stays.
    [[nodiscard]] std::array<double, 4> row(const std::array<double, 4>& row, Channel channel) const {
        if (channel == Channel::rotation) {
            const glm::dquat q = before * glm::dquat(row[0], row[1], row[2], row[3]) * after;
            return {q.w, q.x, q.y, q.z};
        }
        const glm::dvec3 v = before * glm::dvec3(row[0], row[1], row[2]);
        return {v.x, v.y, v.z, row[3]};
    }
};

/// The values of the handles of one key, on their in or out side.
template <double Handles::*Value>
void turn_handles(Track& track, std::size_t first, const Turn& turn) {
    std::array<double, 4> row{};
    for (std::size_t i = 0; i < track.width(); ++i) {
        row.at(i) = track.handles[first + i].*Value;
    }
    row = turn.row(row, track.channel);
    for (std::size_t i = 0; i < track.width(); ++i) {
        track.handles[first + i].*Value = row.at(i);
    }
}

void turn_track(Track& track, const Turn& turn) {
    const std::size_t width = track.width();
    for (std::size_t first = 0; first < track.values.size(); first += width) {
        std::array<double, 4> row{};
        std::copy_n(track.values.begin() + static_cast<std::ptrdiff_t>(first), width, row.begin());
        row = turn.row(row, track.channel);
        std::copy_n(row.begin(), width, track.values.begin() + static_cast<std::ptrdiff_t>(first));
        if (!track.handles.empty()) {
            turn_handles<&Handles::in_value>(track, first, turn);
            turn_handles<&Handles::out_value>(track, first, turn);
        }
    }
}

void turn_tracks(Clip& clip, const std::vector<Turn>& turns) {
    for (Track& track : clip.tracks) {
        if (track.channel != Channel::property && !track.component) {
            turn_track(track, turns[track.node]);
        }
    }
}

}  // namespace

Clip without_rest_turns(Clip clip) {
    // With the world rests P of the parent and J of the joint, a rotation q becomes P q J^-1, and a position
    // t becomes P t.
    std::vector<glm::dquat> world;
    std::vector<Turn> turns;
    for (Node& node : clip.skeleton.nodes) {
        const glm::dquat above = node.parent ? world[*node.parent] : glm::dquat(1, 0, 0, 0);
        world.push_back(above * node.rest_local.rotation);
        turns.push_back({above, glm::conjugate(world.back())});
        node.rest_local = {glm::dquat(1, 0, 0, 0), above * node.rest_local.translation};
    }
    turn_tracks(clip, turns);
    return clip;
}

Clip with_rest_turns(Clip clip, std::span<const glm::dquat> rest_world) {
    std::vector<Turn> turns;
    for (std::size_t i = 0; i < clip.skeleton.nodes.size(); ++i) {
        Node& node = clip.skeleton.nodes[i];
        const glm::dquat back =
            node.parent ? glm::conjugate(rest_world[*node.parent]) : glm::dquat(1, 0, 0, 0);
        turns.push_back({back, rest_world[i]});
        node.rest_local = {glm::normalize(back * rest_world[i]), back * node.rest_local.translation};
    }
    turn_tracks(clip, turns);
    return clip;
}

}  // namespace animbridge::rig::armature
