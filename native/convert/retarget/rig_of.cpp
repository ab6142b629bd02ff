// SPDX-License-Identifier: MIT
#include "convert/retarget/retarget.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <glm/geometric.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/options/options.h"
#include "formats/registry.h"
#include "model/clip/clip.h"
#include "model/compare/compare.h"
#include "rig/exchange/exchange.h"
#include "rig/retarget/retarget.h"

namespace animbridge {

namespace {

/// A direction of the file that points up, and one perpendicular to it. Any will do: the body's facing is
/// found later.
struct Axes {
    std::string_view up;
    std::string_view forward;
};
constexpr std::array<Axes, 5> other_axes = {{{"Z", "Y"}, {"X", "Y"}, {"-Y", "Z"}, {"-Z", "Y"}, {"-X", "Y"}}};

/// The motion in the axes in which a body stands at rest, with limbs that then bend correctly; nullopt: there
/// are none.
Result<std::optional<RigMotion>> in_other_axes(const AnyDocument& document, const Json& to_clip,
                                               const RigText& own, rig::humanoid::RigUse use) {
    for (const Axes& axes : other_axes) {
        Json turned = to_clip;
        turned["up"] = axes.up;
        turned["forward"] = axes.forward;
        TRY(auto made, document.format().clip.to_clip(document, turned));
        TRY(auto found, rig_of(made.clip.skeleton, own, use));
        RigMotion motion{
            std::move(made.clip), std::move(found), {}, {{"up", axes.up}, {"forward", axes.forward}}};
        // Names that would call the left side right name no axis either.
        if (stands_at_rest(motion.clip.skeleton, motion.rig) && !motion.rig.swaps_sides &&
            !bends_backwards(motion.clip, motion.rig)) {
            motion.are_axes_sure = standing_frames(motion.clip, motion.rig).are_most;
            if (!motion.are_axes_sure) {
                motion.rig.warnings.push_back(
                    "The skeleton stands along " + std::string(axes.up) +
                    " at rest, so that axis is up. If it is not, say which one is (Blender: Up and Forward; "
                    "command: --up, --forward; library: up, forward).");
            }
            return std::optional(std::move(motion));
        }
    }
    return std::nullopt;
}

/// The document's own rig file; empty: none.
RigText rig_in(const AnyDocument& document) {
    return document.format().clip.rig_file == nullptr ? RigText() : document.format().clip.rig_file(document);
}

/// The motion with the rig found in the pose that the rig file stores; nullopt: no body stands in it.
Result<std::optional<RigMotion>> in_stored_pose(const RigMotion& at_rest, const RigText& own,
                                                rig::humanoid::RigUse use) {
    if (at_rest.rig.reference_local.empty()) {
        return std::nullopt;
    }
    Skeleton posed = at_rest.clip.skeleton;
    for (std::size_t node = 0; node < posed.nodes.size(); ++node) {
        glm::dquat& local = posed.nodes[node].rest_local.rotation;
        local = at_rest.rig.reference_local[node].value_or(local);
    }
    TRY(auto found, rig_of(posed, own, use));
    RigMotion motion{at_rest.clip, std::move(found)};
    return stands_at_rest(posed, motion.rig) ? std::optional(std::move(motion)) : std::nullopt;
}

/// The motion with the rig found in the pose of a frame, counted from 0.
Result<RigMotion> in_frame(const Clip& clip, std::size_t frame, const RigText& own,
                           rig::humanoid::RigUse use) {
    Skeleton posed = clip.skeleton;
    std::vector<glm::dquat> reference;
    ClipPoser poser(clip);
    poser.pose(frame_times_of(clip)[frame]);
    for (std::size_t node = 0; node < posed.nodes.size(); ++node) {
        posed.nodes[node].rest_local = poser.local()[node];
        reference.push_back(poser.local()[node].rotation);
    }
    TRY(auto found, rig_of(posed, own, use));
    return RigMotion{clip, std::move(found), std::move(reference), Json::object(), frame + 1};
}

/// The motion with the rig found in the first frame in which the body stands, and whether it stands in most
/// of them; nullopt: it never stands.
struct Standing {
    std::optional<RigMotion> motion{};
    bool stands_mostly = false;
};
Result<Standing> standing_in_frames(const Clip& clip, const RigText& own, rig::humanoid::RigUse use) {
    if (clip.tracks.empty()) {
        return Standing{};
    }
    // The joints of a body are found in any posture, however it is turned.
    TRY(auto motion, in_frame(clip, 0, own, use));
    const StandingFrames frames = standing_frames(clip, motion.rig);
    if (!frames.first) {
        return Standing{};
    }
    if (*frames.first > 0) {
        TRY(motion, in_frame(clip, *frames.first, own, use));
    }
    return Standing{std::move(motion), frames.are_most};
}

/// Says that a frame is the reference pose, after the reason.
void say_frame(const std::string& reason, RigMotion& motion) {
    motion.rig.warnings.push_back(
        reason + " Unless you choose another one, frame " + std::to_string(motion.reference_frame) +
        (motion.is_straightened ? " with straight limbs" : "") + " is its reference pose.");
}

/// The motion with the first frame as its reference pose, if it rests in a fighting stance or a crouch, and
/// that frame is much nearer to a T-pose or A-pose.
Result<RigMotion> in_nearest_pose(RigMotion at_rest, const RigText& own, rig::humanoid::RigUse use) {
    constexpr double far_degrees = 40;  // of 500 files, 2 rest between 30 and 60 degrees away
    constexpr double much_degrees = 15;
    const Skeleton& skeleton = at_rest.clip.skeleton;
    std::vector<glm::dquat> rest;
    for (const Node& node : skeleton.nodes) {
        rest.push_back(node.rest_local.rotation);
    }
    const auto away = rig::retarget::degrees_from_standing(skeleton, at_rest.rig, rest);
    if (!away || *away < far_degrees || !at_rest.rig.reference_local.empty()) {
        return at_rest;
    }
    TRY(auto standing, standing_in_frames(at_rest.clip, own, use));
    const auto framed = standing.motion ? rig::retarget::degrees_from_standing(skeleton, standing.motion->rig,
                                                                               standing.motion->reference)
                                        : std::nullopt;
    if (!framed || *framed > *away - much_degrees) {
        return at_rest;
    }
    say_frame("The skeleton's rest pose is " + fixed_text(*away, 0) +
                  " degrees from a T-pose or A-pose, and a frame only " + fixed_text(*framed, 0) + ".",
              *standing.motion);
    return std::move(*standing.motion);
}

}  // namespace

bool takes_axes(const Format& format, const Json& to_clip) {
    return format.clip.has_axes && !to_clip.contains("up") && !to_clip.contains("forward");
}

Result<rig::humanoid::FoundRig> rig_of(const Skeleton& skeleton, const RigText& own,
                                       rig::humanoid::RigUse use) {
    if (own.empty()) {
        return rig::humanoid::find_rig(skeleton, rig::humanoid::built_in_rigs(), nullptr, use);
    }
    TRY(const auto file, rig::humanoid::read_rig_file(own).map_error(in_request));
    return rig::humanoid::find_rig(skeleton, rig::humanoid::built_in_rigs(), &file, use)
        .map_error(in_request);
}

Result<RigMotion> motion_with_rig(const AnyDocument& document, const Clip& clip, const Json& to_clip,
                                  const RigText& given, rig::humanoid::RigUse use) {
    const RigText own = given.empty() ? rig_in(document) : given;
    TRY(auto found, rig_of(clip.skeleton, own, use));
    RigMotion motion{clip, std::move(found)};
    if (stands_at_rest(clip.skeleton, motion.rig)) {
        return in_nearest_pose(std::move(motion), own, use);
    }
    TRY(auto stored, in_stored_pose(motion, own, use));
    if (stored) {
        return std::move(*stored);
    }
    // The motion takes precedence over the rest pose.
    TRY(auto standing, standing_in_frames(clip, own, use));
    // What looks like an animal here would look like a person lying on its back.
    if (!standing.stands_mostly && motion.rig.looks_like.empty() && takes_axes(document.format(), to_clip)) {
        TRY(auto turned, in_other_axes(document, to_clip, own, use));
        if (turned) {
            return std::move(*turned);
        }
    }
    if (!standing.motion) {
        return motion;
    }
    // Nobody stands straight in the middle of a motion.
    standing.motion->reference = rig::retarget::straightened(clip.skeleton, standing.motion->rig,
                                                             std::move(standing.motion->reference));
    standing.motion->is_straightened = true;
    say_frame("The skeleton does not stand in its rest pose.", *standing.motion);
    return std::move(*standing.motion);
}

Result<RigMotion> motion_with_rig(const AnyDocument& document, const Json& to_clip, const RigText& own,
                                  rig::humanoid::RigUse use) {
    const Format& format = document.format();
    if (format.clip.to_clip == nullptr) {
        return fail(ErrorCode::invalid_argument, std::string(format.title) + " has no skeleton" +
                                                     (format.reasons.no_clip.empty() ? "" : ": ") +
                                                     std::string(format.reasons.no_clip));
    }
    TRY(const auto made, format.clip.to_clip(document, to_clip));
    return motion_with_rig(document, made.clip, to_clip, own, use).map([&](RigMotion motion) {
        motion.rig.warnings.insert(motion.rig.warnings.end(), made.warnings.begin(), made.warnings.end());
        return motion;
    });
}

Result<Json> standing_axes(const AnyDocument& document, const Json& at_rest) {
    Skeleton skeleton;
    std::vector<glm::dvec3> heads;
    for (const Json& joint : at_rest["joints"]) {
        const Json& head = joint["head"];
        heads.emplace_back(head[0].get<double>(), head[1].get<double>(), head[2].get<double>());
        const auto parent = joint["parent"].get<std::int64_t>();
        Node& node = skeleton.nodes.emplace_back();
        node.name = std::string(joint["name"].get<std::string_view>());
        node.rest_local.translation = heads.back();
        if (parent >= 0) {
            node.parent = static_cast<std::size_t>(parent);
            node.rest_local.translation -= heads[*node.parent];
        }
    }
    TRY(const auto found, rig_of(skeleton, RigText(), rig::humanoid::RigUse::source));
    if (stands_at_rest(skeleton, found)) {
        return Json::object();
    }
    return motion_with_rig(document, Json::object(), RigText(), rig::humanoid::RigUse::source)
        .map([](RigMotion motion) { return std::move(motion.axes); });
}

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

std::optional<StandingJoints> standing_joints(const rig::humanoid::FoundRig& rig) {
    const auto hips = rig.joint_of("hips");
    const auto head = rig.joint_of("head");
    const auto left = rig.joint_of("leftFoot");
    const auto right = rig.joint_of("rightFoot");
    return hips && head && left && right ? std::optional(StandingJoints{*hips, *head, *left, *right})
                                         : std::nullopt;
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
std::vector<Hinge> hinges(const rig::humanoid::FoundRig& rig, const std::vector<Transform>& rest,
                          const char* upper, const char* lower, const char* end) {
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

std::vector<Transform> world_at_rest(const Skeleton& skeleton) {
    std::vector<Transform> world;
    for (const Node& node : skeleton.nodes) {
        world.push_back(node.parent ? world[*node.parent] * node.rest_local : node.rest_local);
    }
    return world;
}

bool stands_at_rest(const Skeleton& skeleton, const rig::humanoid::FoundRig& rig) {
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

StandingFrames standing_frames(const Clip& clip, const rig::humanoid::FoundRig& rig) {
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

bool bends_backwards(const Clip& clip, const rig::humanoid::FoundRig& rig) {
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
    constexpr double nothing = 0.1;  // 6 degrees on average: knees that are locked bend ahead by 5
    const auto most = nothing * static_cast<double>(frames.size());
    return knees_ahead > most * static_cast<double>(knees.size()) ||
           elbows_ahead < -most * static_cast<double>(elbows.size());
}

}  // namespace animbridge
