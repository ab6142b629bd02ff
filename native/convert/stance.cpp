// SPDX-License-Identifier: MIT
#include "convert/stance.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <string>

#include "model/clip/clip.h"
#include "model/compare/compare.h"

namespace animbridge {

namespace {

/// Whether the direction from one joint to the other is up, within 45 degrees.
bool goes_up(const glm::dvec3& from, const glm::dvec3& to) {
    constexpr double least_share = 0.7;
    return to.z - from.z > least_share * glm::length(to - from);
}

/// The joints that show whether a body stands.
struct StandingJoints {
    std::size_t hips = 0;
    std::size_t head = 0;
    std::size_t left_foot = 0;
    std::size_t right_foot = 0;

    [[nodiscard]] bool stand(const std::vector<Transform>& world) const {
        const glm::dvec3 feet = 0.5 * (world[left_foot].translation + world[right_foot].translation);
        return goes_up(feet, world[hips].translation) &&
               goes_up(world[hips].translation, world[head].translation);
    }
};

std::optional<StandingJoints> standing_joints(const rig::FoundRig& rig) {
    const auto hips = rig.joint_of("hips");
    const auto head = rig.joint_of("head");
    const auto left = rig.joint_of("leftFoot");
    const auto right = rig.joint_of("rightFoot");
    return hips && head && left && right ? std::optional(StandingJoints{*hips, *head, *left, *right})
                                         : std::nullopt;
}

std::vector<Transform> world_at_rest(const Skeleton& skeleton) {
    std::vector<Transform> world;
    for (const Node& node : skeleton.nodes) {
        world.push_back(node.parent ? world[*node.parent] * node.rest_local : node.rest_local);
    }
    return world;
}

/// Some frames of a clip: their numbers from 0, and their times.
struct Frame {
    std::size_t number = 0;
    double seconds = 0;
};
std::vector<Frame> some_frames(const Clip& clip) {
    constexpr std::size_t most = 64;
    const std::vector<double> times = frame_times_of(clip);
    const std::size_t count = std::min(most, times.size());
    std::vector<Frame> frames;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t number = i * times.size() / count;
        frames.push_back({number, times[number]});
    }
    return frames;
}

/// A knee or an elbow at rest, and the way it bends.
struct Hinge {
    std::size_t upper = 0;
    std::size_t lower = 0;
    glm::dquat to_upper{1, 0, 0, 0};  ///< from clip space into the joints' axes at rest
    glm::dquat to_lower{1, 0, 0, 0};
    glm::dvec3 points{0, 0, -1};  ///< the direction of the lower limb
    glm::dvec3 ahead{1, 0, 0};    ///< perpendicular to that, to the body's front

    /// The sine of how far the lower limb is bent to the front.
    [[nodiscard]] double bent_ahead(const std::vector<Transform>& world) const {
        const glm::dquat upper_turn = world[upper].rotation * to_upper;
        const glm::dquat lower_turn = world[lower].rotation * to_lower;
        return glm::dot(glm::conjugate(upper_turn) * (lower_turn * points), ahead);
    }
};

/// Those of both sides that the rig has.
std::vector<Hinge> hinges(const rig::FoundRig& rig, const std::vector<Transform>& rest, const char* upper,
                          const char* lower, const char* end) {
    std::vector<Hinge> found;
    for (const std::string side : {"left", "right"}) {
        const auto from = rig.joint_of(side + upper);
        const auto joint = rig.joint_of(side + lower);
        const auto to = rig.joint_of(side + end);
        if (!from || !joint || !to || !rig.facing) {
            continue;
        }
        const glm::dvec3 along = rest[*to].translation - rest[*joint].translation;
        const glm::dvec3 points = along / glm::length(along);
        const glm::dvec3 across = *rig.facing - glm::dot(*rig.facing, points) * points;
        constexpr double least = 0.3;  // a limb that points ahead bends neither ahead nor back
        if (glm::length(across) > least) {
            found.push_back({*from, *joint, glm::conjugate(rest[*from].rotation),
                             glm::conjugate(rest[*joint].rotation), points, glm::normalize(across)});
        }
    }
    return found;
}

}  // namespace

bool stands_at_rest(const Skeleton& skeleton, const rig::FoundRig& rig) {
    const auto joints = standing_joints(rig);
    return joints && joints->stand(world_at_rest(skeleton));
}

std::vector<double> frame_times_of(const Clip& clip) {
    std::vector<double> times;
    std::size_t most = 0;
    for (const Track& track : clip.tracks) {
        times.insert(times.end(), track.times.begin(), track.times.end());
        // Equal times of many tracks take memory only until there are twice as many.
        if (times.size() > 2 * most) {
            times = sorted_unique(std::move(times));
            most = std::max(times.size(), most);
        }
    }
    return sorted_unique(std::move(times));
}

StandingFrames standing_frames(const Clip& clip, const rig::FoundRig& rig) {
    const auto joints = standing_joints(rig);
    if (!joints) {
        return {};
    }
    StandingFrames standing;
    std::size_t count = 0;
    ClipPoser poser(clip);
    const std::vector<Frame> frames = some_frames(clip);
    for (const Frame& frame : frames) {
        poser.pose(frame.seconds);
        if (joints->stand(poser.world())) {
            standing.first = standing.first.value_or(frame.number);
            ++count;
        }
    }
    standing.are_most = count > 0 && 2 * count >= frames.size();
    return standing;
}

bool bends_backwards(const Clip& clip, const rig::FoundRig& rig) {
    const std::vector<Transform> rest = world_at_rest(clip.skeleton);
    const std::vector<Hinge> knees = hinges(rig, rest, "UpperLeg", "LowerLeg", "Foot");
    const std::vector<Hinge> elbows = hinges(rig, rest, "UpperArm", "LowerArm", "Hand");
    const std::vector<Frame> frames = some_frames(clip);
    double knees_ahead = 0;
    double elbows_ahead = 0;
    ClipPoser poser(clip);
    for (const Frame& frame : frames) {
        poser.pose(frame.seconds);
        for (const Hinge& knee : knees) {
            knees_ahead += knee.bent_ahead(poser.world());
        }
        for (const Hinge& elbow : elbows) {
            elbows_ahead += elbow.bent_ahead(poser.world());
        }
    }
    constexpr double nothing = 0.05;  // 3 degrees on average
    const auto most = nothing * static_cast<double>(frames.size());
    return knees_ahead > most * static_cast<double>(knees.size()) ||
           elbows_ahead < -most * static_cast<double>(elbows.size());
}

}  // namespace animbridge
