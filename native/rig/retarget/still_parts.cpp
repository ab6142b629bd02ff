// SPDX-License-Identifier: MIT
#include "rig/retarget/still_parts.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rig/humanoid/slots.h"

namespace animbridge::rig {

namespace {

/// The chord of 0.1 degrees: 28 of the viewer's codes for rotations.
constexpr double still_chord = 4.363323e-4;

constexpr std::array<std::string_view, 5> fingers = {"Thumb", "Index", "Middle", "Ring", "Little"};
constexpr std::array<std::string_view, 3> of_the_face = {"leftEye", "rightEye", "jaw"};

/// The parts that are removed together: "leftIndex", "jaw", "tail"; nullopt: a part that keeps its keys.
std::optional<std::string> group_of(const std::string& part) {
    for (const std::string_view finger : fingers) {
        const std::size_t at = part.find(finger);
        if (at != std::string::npos && (part.starts_with("left") || part.starts_with("right"))) {
            return part.substr(0, at + finger.size());
        }
    }
    const std::string base = part.substr(0, part.find(' '));
    const bool is_face = std::find(of_the_face.begin(), of_the_face.end(), base) != of_the_face.end();
    return is_face || !find_slot(base) ? std::optional(base) : std::nullopt;
}

}  // namespace

bool leaves_rest(const Track& track, const Skeleton& skeleton, double most) {
    if (track.component || !track.handles.empty() || track.channel == Channel::property) {
        return true;
    }
    const Transform& rest = skeleton.nodes[track.node].rest_local;
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        const bool stays = track.channel == Channel::rotation
                               ? std::min(glm::length(track.rotation(key) - rest.rotation),
                                          glm::length(track.rotation(key) + rest.rotation)) <= most
                               : glm::length(track.translation(key) - rest.translation) <= most;
        if (!stays) {
            return true;
        }
    }
    return false;
}

void leave_out_still_parts(const Parts& parts, Clip& clip) {
    std::vector<std::optional<std::string>> group_of_joint(clip.skeleton.nodes.size());
    for (const Part& part : parts.parts) {
        for (const std::size_t joint : part.target) {
            group_of_joint[joint] = group_of(part.name);
        }
    }
    std::map<std::string, bool> is_still;
    for (const Track& track : clip.tracks) {
        if (const auto& group = group_of_joint[track.node]) {
            const auto found = is_still.emplace(*group, true).first;
            found->second = found->second && track.channel == Channel::rotation &&
                            !leaves_rest(track, clip.skeleton, still_chord);
        }
    }
    const auto goes = [&](const Track& track) {
        const auto& group = group_of_joint[track.node];
        return group && is_still[*group];
    };
    if (!std::all_of(clip.tracks.begin(), clip.tracks.end(), goes)) {
        std::erase_if(clip.tracks, goes);
    }
}

}  // namespace animbridge::rig
