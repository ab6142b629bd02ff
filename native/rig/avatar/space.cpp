// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>
#include <vector>

#include "base/options/options.h"
#include "rig/avatar/avatar.h"

namespace animbridge::rig::avatar {

namespace {

/// The largest rotation between two rest rotations that count as equal.
constexpr double same_rest_degrees = 0.1;

/// The rest poses of the joints relative to the root's parent.
std::vector<Transform> resting_in_root(const Skeleton& skeleton) {
    std::vector<Transform> poses;
    for (const Node& node : skeleton.nodes) {
        poses.push_back(node.parent ? poses[*node.parent] * node.rest_local : node.rest_local);
    }
    return poses;
}

const std::vector<Transform>& avatar_at_rest() {
    static const std::vector<Transform> poses = resting_in_root(playing_skeleton());
    return poses;
}

/// The quarter turns, 0 to 3, that align the first known joint with the avatar's; nullopt: none does.
std::optional<std::size_t> quarters_of(const Skeleton& skeleton) {
    constexpr double half = 0.70710678118654752440;
    constexpr std::array<std::array<double, 2>, 4> turns = {{{1, 0}, {half, half}, {0, 1}, {half, -half}}};
    const std::vector<Transform> resting = resting_in_root(skeleton);
    for (std::size_t node = 0; node < skeleton.nodes.size(); ++node) {
        const auto joint = find_joint(skeleton.nodes[node].name);
        if (!joint) {
            continue;
        }
        const glm::dquat& own = resting[node].rotation;
        const glm::dquat& wanted = avatar_at_rest()[*joint].rotation;
        for (std::size_t i = 0; i < turns.size(); ++i) {
            const glm::dquat turned = glm::dquat(turns.at(i)[0], 0, 0, turns.at(i)[1]) * own;
            if (angle_between_degrees(turned, wanted) <= same_rest_degrees) {
                return i;
            }
        }
        return std::nullopt;
    }
    return std::nullopt;
}

/// Rotates by quarter turns from X towards Y, exactly.
glm::dvec3 turned(const glm::dvec3& v, std::size_t quarters) {
    switch (quarters) {
        case 1:
            return {-v.y, v.x, v.z};
        case 2:
            return {-v.x, -v.y, v.z};
        case 3:
            return {v.y, -v.x, v.z};
        default:
            return v;
    }
}

void turn_track(Track& track, const glm::dquat& turn, std::size_t quarters) {
    const std::size_t width = track.width();
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        double* row = track.values.data() + key * width;
        if (track.channel == Channel::rotation) {
            const glm::dquat q = turn * track.rotation(key);
            row[0] = q.w;
            row[1] = q.x;
            row[2] = q.y;
            row[3] = q.z;
        } else {
            const glm::dvec3 place = turned(track.translation(key), quarters);
            row[0] = place.x;
            row[1] = place.y;
            row[2] = place.z;
        }
    }
}

/// Whether the track's keys can be turned: whole rows without handles.
bool can_turn(const Clip& clip, const Track& track) {
    return clip.skeleton.nodes[track.node].parent || track.channel == Channel::property ||
           (!track.component && track.handles.empty());
}

}  // namespace

Clip turned_like_avatar(Clip clip) {
    const auto quarters = quarters_of(clip.skeleton);
    if (!quarters || *quarters == 0) {
        return clip;
    }
    for (const Track& track : clip.tracks) {
        if (!can_turn(clip, track)) {
            return clip;
        }
    }
    const double angle = 0.25 * std::numbers::pi * static_cast<double>(*quarters);
    const glm::dquat turn(std::cos(angle), 0, 0, std::sin(angle));
    for (Track& track : clip.tracks) {
        if (!clip.skeleton.nodes[track.node].parent && track.channel != Channel::property) {
            turn_track(track, turn, *quarters);
        }
    }
    for (Node& node : clip.skeleton.nodes) {
        if (!node.parent) {
            node.rest_local.rotation = turn * node.rest_local.rotation;
            node.rest_local.translation = turned(node.rest_local.translation, *quarters);
        }
    }
    return clip;
}

namespace {

/// A joint of the clip, and the avatar's joint of that name.
struct KnownJoint {
    std::size_t node;
    std::size_t joint;
};

std::vector<KnownJoint> known_joints(const Skeleton& skeleton) {
    std::vector<KnownJoint> known;
    for (std::size_t node = 0; node < skeleton.nodes.size(); ++node) {
        if (const auto joint = find_joint(skeleton.nodes[node].name)) {
            known.push_back({node, *joint});
        }
    }
    return known;
}

/// Whether joints rest on the side of the body where the avatar's do: a skeleton whose bones have no rest
/// rotations says by nothing else which way it looks. True if the joints lie on one vertical line.
bool looks_like_avatar(const std::vector<Transform>& resting, std::span<const KnownJoint> known) {
    glm::dvec3 own_middle(0);
    glm::dvec3 avatar_middle(0);
    for (const auto& [node, joint] : known) {
        own_middle += resting[node].translation / static_cast<double>(known.size());
        avatar_middle += avatar_at_rest()[joint].translation / static_cast<double>(known.size());
    }
    double along = 0;
    double across = 0;
    for (const auto& [node, joint] : known) {
        const glm::dvec3 own = resting[node].translation - own_middle;
        const glm::dvec3 avatar = avatar_at_rest()[joint].translation - avatar_middle;
        along += own.x * avatar.x + own.y * avatar.y;
        across += own.x * avatar.y - own.y * avatar.x;
    }
    return along >= std::abs(across);
}

/// Whether the track moves a joint that the avatar has; its joint and node.
std::optional<KnownJoint> known_joint(const Clip& clip, const Track& track) {
    const auto joint =
        track.channel == Channel::property ? std::nullopt : find_joint(clip.skeleton.nodes[track.node].name);
    return joint ? std::optional(KnownJoint{track.node, *joint}) : std::nullopt;
}

double rest_apart_degrees(const std::vector<Transform>& resting, const KnownJoint& known) {
    return angle_between_degrees(resting[known.node].rotation, avatar_at_rest()[known.joint].rotation);
}

}  // namespace

bool moves_avatar(const Clip& clip) {
    const Clip turned = turned_like_avatar(clip);
    const std::vector<Transform> resting = resting_in_root(turned.skeleton);
    std::size_t moving = 0;
    std::size_t known_moving = 0;
    for (const Track& track : turned.tracks) {
        moving += track.channel == Channel::property ? 0 : 1;
        if (const auto known = known_joint(turned, track)) {
            if (rest_apart_degrees(resting, *known) > same_rest_degrees) {
                return false;
            }
            ++known_moving;
        }
    }
    return 2 * known_moving > moving && looks_like_avatar(resting, known_joints(turned.skeleton));
}

Result<void> require_same_rest(const Clip& turned) {
    const std::vector<Transform> resting = resting_in_root(turned.skeleton);
    for (const Track& track : turned.tracks) {
        const auto known = known_joint(turned, track);
        const double apart = known ? rest_apart_degrees(resting, *known) : 0.0;
        if (apart > same_rest_degrees) {
            return fail(ErrorCode::bad_value,
                        "the joint rests turned " + measured_text(apart) +
                            " degrees from the avatar's; allowed are " + shown_number(same_rest_degrees) +
                            ". Retarget the motion (command: --retarget; library: retarget), or import it "
                            "onto the avatar in Blender",
                        turned.skeleton.nodes[track.node].name);
        }
    }
    if (!looks_like_avatar(resting, known_joints(turned.skeleton))) {
        return fail(ErrorCode::bad_value,
                    "the body looks another way than the avatar. Retarget the motion (command: --retarget; "
                    "library: retarget)");
    }
    return {};
}

}  // namespace animbridge::rig::avatar
