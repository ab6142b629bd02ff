// SPDX-License-Identifier: MIT
#include "rig/retarget/first_frame.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <vector>

#include "model/clip/clip.h"

namespace animbridge::rig {

namespace {

/// Key times are rounded.
constexpr double same_seconds = 1e-5;
constexpr double longest_frame_seconds = 0.15;
constexpr double jump_degrees = 15;
constexpr std::size_t least_jumps = 2;
constexpr double rest_degrees = 1;
constexpr double resting_share = 0.9;
constexpr double big_jump_degrees = 45;
constexpr double more_than_next = 4;
/// A body that itself starts from rest continues to turn at its first speed.
constexpr double more_than_start = 2;

constexpr std::array<std::string_view, 18> body_slots = {
    "spine",    "chest",         "neck",          "head",      "leftUpperArm", "leftLowerArm",
    "leftHand", "rightUpperArm", "rightLowerArm", "rightHand", "leftUpperLeg", "leftLowerLeg",
    "leftFoot", "rightUpperLeg", "rightLowerLeg", "rightFoot", "leftShoulder", "rightShoulder"};

bool has_key_at(const Track& track, double time) {
    const auto at = std::lower_bound(track.times.begin(), track.times.end(), time - same_seconds);
    return at != track.times.end() && *at <= time + same_seconds;
}

/// The first time after the first key at which every joint that turns has a key; nullopt: there is none
/// within a frame.
std::optional<double> second_frame(const std::vector<const Track*>& tracks, double first) {
    for (const double time : tracks.front()->times) {
        if (time > first + longest_frame_seconds) {
            return std::nullopt;
        }
        const bool is_frame = time > first + same_seconds &&
                              std::all_of(tracks.begin(), tracks.end(),
                                          [&](const Track* track) { return has_key_at(*track, time); });
        if (is_frame) {
            return time;
        }
    }
    return std::nullopt;
}

std::vector<glm::dquat> rotations_at(ClipPoser& poser, const std::vector<std::size_t>& joints, double time) {
    poser.pose(time);
    std::vector<glm::dquat> rotations;
    rotations.reserve(joints.size());
    for (const std::size_t joint : joints) {
        rotations.push_back(poser.local()[joint].rotation);
    }
    return rotations;
}

}  // namespace

std::optional<FirstFrame> odd_first_frame(const Clip& clip, const FoundRig& rig) {
    const std::vector<std::size_t> joints = rig.joints_of(body_slots);
    std::vector<const Track*> tracks;
    for (const Track& track : clip.tracks) {
        const bool is_body = std::find(joints.begin(), joints.end(), track.node) != joints.end();
        if (is_body && track.channel == Channel::rotation && track.key_count() > 1) {
            tracks.push_back(&track);
        }
    }
    if (tracks.empty()) {
        return std::nullopt;
    }
    const double first = tracks.front()->times.front();
    const bool begin_together = std::all_of(tracks.begin(), tracks.end(), [&](const Track* track) {
        return std::abs(track->times.front() - first) <= same_seconds;
    });
    const auto next = begin_together ? second_frame(tracks, first) : std::nullopt;
    // The motion after the second frame shows how fast the motion itself is.
    const bool goes_on = next && std::all_of(tracks.begin(), tracks.end(), [&](const Track* track) {
                             return track->times.back() > *next + same_seconds;
                         });
    if (!goes_on) {
        return std::nullopt;
    }
    ClipPoser poser(clip);
    const auto before = rotations_at(poser, joints, first);
    const auto after = rotations_at(poser, joints, *next);
    const auto later = rotations_at(poser, joints, *next + (*next - first));
    std::size_t jumps = 0;
    std::size_t resting = 0;
    std::size_t leaving = 0;
    double largest = 0;
    double largest_later = 0;
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const glm::dquat& rest = clip.skeleton.nodes[joints[i]].rest_local.rotation;
        const double turn = angle_between_degrees(before[i], after[i]);
        const bool rests = angle_between_degrees(before[i], rest) <= rest_degrees;
        jumps += turn > jump_degrees ? 1U : 0U;
        resting += rests ? 1U : 0U;
        leaving += rests && angle_between_degrees(after[i], rest) > rest_degrees ? 1U : 0U;
        largest = std::max(largest, turn);
        largest_later = std::max(largest_later, angle_between_degrees(after[i], later[i]));
    }
    const bool rests = static_cast<double>(resting) >= resting_share * static_cast<double>(joints.size()) &&
                       2 * leaving > resting && largest > more_than_start * largest_later;
    const bool jumps_far = largest > std::max(big_jump_degrees, more_than_next * largest_later);
    return jumps >= least_jumps && (rests || jumps_far) ? std::optional(FirstFrame{first, *next, largest})
                                                        : std::nullopt;
}

Clip without_first_frame(const Clip& clip, const FirstFrame& frame) {
    Clip result = clip;
    for (Track& track : result.tracks) {
        const auto until = frame.next_seconds - same_seconds;
        const auto count =
            std::lower_bound(track.times.begin(), track.times.end(), until) - track.times.begin();
        const bool begins =
            !track.times.empty() && std::abs(track.times.front() - frame.seconds) <= same_seconds;
        if (count == 0 || !begins || !has_key_at(track, frame.next_seconds)) {
            continue;
        }
        const auto width = static_cast<std::ptrdiff_t>(track.width());
        track.times.erase(track.times.begin(), track.times.begin() + count);
        track.values.erase(track.values.begin(), track.values.begin() + count * width);
        const auto drop = [](auto& list, std::ptrdiff_t first) {
            list.erase(list.begin(), list.begin() + (list.empty() ? 0 : first));
        };
        drop(track.interpolation, count);
        drop(track.handles, count * width);
        drop(track.inserted, count);
    }
    return result;
}

}  // namespace animbridge::rig
