// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <glm/geometric.hpp>
#include <initializer_list>
#include <utility>

#include "formats/scene/clip.h"
#include "formats/scene/frames.h"
#include "formats/scene/tracks.h"

namespace animbridge::scene {

namespace {

const Animation* animation_of(const Document& document, std::optional<std::size_t> index) {
    return index ? &document.animations[*index] : nullptr;
}

/// Sets one part of a placement to a channel's first key.
void set_first(const Channel& channel, Placement& placement) {
    const std::vector<double>& v = channel.values;
    switch (channel.target) {
        case Target::translation:
            placement.translation = {v[0], v[1], v[2]};
            break;
        case Target::rotation:
            placement.rotation = {v[0], v[1], v[2], v[3]};
            break;
        case Target::scale:
            placement.scale = {v[0], v[1], v[2]};
            break;
    }
}

/// Where the nodes are that do not move, and how large those are that do: an animation may key both, once and
/// for all.
std::vector<Placement> still_placements(const Document& document, const Animation* animation,
                                        const std::vector<bool>& is_joint) {
    std::vector<Placement> still;
    still.reserve(document.nodes.size());
    for (const Node& node : document.nodes) {
        still.push_back(node.rest);
    }
    if (animation != nullptr) {
        for (const Channel& channel : animation->channels) {
            if (!is_joint[channel.node] || channel.target == Target::scale) {
                set_first(channel, still[channel.node]);
            }
        }
    }
    return still;
}

bool is_uneven(const glm::dvec3& scale) {
    constexpr double noise = 1e-4;
    const glm::dvec3 sizes = glm::abs(scale);
    return glm::length(sizes - glm::dvec3(sizes.x)) > noise * sizes.x;
}

/// The rest poses of the joints.
class RestPose {
public:
    RestPose(const Document& document, const std::vector<Frame>& frames, SceneClip& made)
        : document_(document), frames_(frames), made_(made) {}

    /// In its parent's frame: where the skin was bound, if both were, else `own`, where the node is.
    [[nodiscard]] Transform of(std::size_t joint, const Transform& own) {
        const std::uint32_t index = made_.joints.nodes[joint];
        const Node& node = document_.nodes[index];
        const Node* parent = node.parent ? &document_.nodes[*node.parent] : nullptr;
        const bool is_bound =
            parent != nullptr && made_.joints.is_joint[*node.parent] && node.bind_world && parent->bind_world;
        if (!is_bound || has_odd_scale(index, node, *parent)) {
            return own;
        }
        Placement bound = relative_to(*parent->bind_world, *node.bind_world);
        bound.scale = node.rest.scale;
        const Transform placed = frames_[index].place(bound);
        const double degrees = angle_between_degrees(own.rotation, placed.rotation);
        if (degrees > made_.bind_degrees) {
            made_.bind_degrees = degrees;
            made_.bind_joint = made_.joints.names[joint];
        }
        return placed;
    }

private:
    /// Where scales mirror, or stretch what is turned below them, a bind matrix has no rotation of its own.
    [[nodiscard]] bool has_odd_scale(std::size_t index, const Node& node, const Node& parent) const {
        return frames_[index].mirrored || mirrors(node.bind_world->scale) ||
               mirrors(parent.bind_world->scale) || mirrors(node.rest.scale) ||
               is_uneven(parent.bind_world->scale) || is_uneven(frames_[index].stretch);
    }

    const Document& document_;
    const std::vector<Frame>& frames_;
    SceneClip& made_;
};

/// By node.
std::vector<std::optional<animbridge::Camera>> cameras_of(const Document& document) {
    using Lens = animbridge::Camera;
    std::vector<std::optional<Lens>> cameras(document.nodes.size());
    for (const Camera& camera : document.cameras) {
        cameras[camera.node] = Lens{Lens::Axes::looks_down_z, camera.horizontal_field_degrees};
    }
    return cameras;
}

/// Fills the skeleton. Gives where each joint's node is without animation, in its parent's frame, which may
/// differ from the joint's rest pose.
std::vector<Transform> add_skeleton(const Document& document, const std::vector<Frame>& frames,
                                    SceneClip& made) {
    const auto cameras = cameras_of(document);
    std::vector<std::size_t> joint_of(document.nodes.size());
    std::vector<Transform> own;
    RestPose rest(document, frames, made);
    for (std::size_t joint = 0; joint < made.joints.nodes.size(); ++joint) {
        const std::uint32_t index = made.joints.nodes[joint];
        joint_of[index] = joint;
        const auto parent = document.nodes[index].parent;
        const bool has_parent = parent && made.joints.is_joint[*parent];
        animbridge::Node& node = made.clip.skeleton.nodes.emplace_back();
        node.name = made.joints.names[joint];
        node.parent = has_parent ? std::optional(joint_of[*parent]) : std::nullopt;
        node.camera = cameras[index];
        own.push_back(frames[index].place(document.nodes[index].rest));
        node.rest_local = rest.of(joint, own.back());
        made.mirrored += frames[index].mirrored ? 1U : 0U;
        made.stretched += is_uneven(frames[index].stretch) ? 1U : 0U;
    }
    return own;
}

void add_pose(std::size_t joint, animbridge::Channel channel, std::initializer_list<double> row, Clip& clip) {
    Track track{joint, channel};
    track.add_key(0.0, {row.begin(), row.size()});
    clip.tracks.push_back(std::move(track));
}

/// Joints that an animation leaves alone stay where their nodes are, which may not be their rest pose.
void hold_still(const std::vector<Transform>& own, Clip& clip) {
    constexpr double noise_degrees = 1e-3;
    constexpr double noise_metres = 1e-5;
    std::vector<bool> turns(own.size());
    std::vector<bool> moves(own.size());
    for (const Track& track : clip.tracks) {
        (track.channel == animbridge::Channel::rotation ? turns : moves)[track.node] = true;
    }
    for (std::size_t joint = 0; joint < own.size(); ++joint) {
        const auto& [q, t] = own[joint];
        const Transform& rest = clip.skeleton.nodes[joint].rest_local;
        if (!turns[joint] && angle_between_degrees(q, rest.rotation) > noise_degrees) {
            add_pose(joint, animbridge::Channel::rotation, {q.w, q.x, q.y, q.z}, clip);
        }
        if (!moves[joint] && glm::distance(t, rest.translation) > noise_metres) {
            add_pose(joint, animbridge::Channel::translation, {t.x, t.y, t.z}, clip);
        }
    }
}

void add_tracks(const Document& document, const Animation& animation, const std::vector<Frame>& frames,
                const std::vector<Placement>& still, SceneClip& made) {
    std::vector<std::size_t> joint_of(document.nodes.size());
    for (std::size_t joint = 0; joint < made.joints.nodes.size(); ++joint) {
        joint_of[made.joints.nodes[joint]] = joint;
    }
    double first = 0.0;
    double last = animation.duration_seconds;
    for (const Channel& channel : animation.channels) {
        first = std::min(first, channel.times_seconds.front());
        last = std::max(last, channel.times_seconds.back());
    }
    made.shift_seconds = -first;
    made.clip.duration_seconds = last - first;
    for (const Channel& channel : animation.channels) {
        const bool is_joint = made.joints.is_joint[channel.node];
        if (channel.target == Target::scale) {
            made.scaled += is_joint && varies(channel) ? 1U : 0U;
        } else if (is_joint) {
            made.clip.tracks.push_back(track_of(channel, frames[channel.node], still[channel.node].scale,
                                                joint_of[channel.node], made.shift_seconds));
        }
    }
}

/// How many channels of an animation move something.
std::size_t moving_channels(const Animation& animation) {
    return static_cast<std::size_t>(std::count_if(
        animation.channels.begin(), animation.channels.end(),
        [](const Channel& channel) { return channel.target != Target::scale && varies(channel); }));
}

}  // namespace

std::optional<std::size_t> main_animation(const Document& document) {
    if (document.chosen_animation) {
        return document.chosen_animation;
    }
    std::optional<std::size_t> best;
    std::pair<std::size_t, double> most{0, -1.0};
    for (std::size_t i = 0; i < document.animations.size(); ++i) {
        const Animation& animation = document.animations[i];
        const std::pair rank(moving_channels(animation), animation.duration_seconds);
        if (rank > most) {
            most = rank;
            best = i;
        }
    }
    return best;
}

SceneClip to_clip(const Document& document, const ToClip& options) {
    SceneClip made;
    made.joints = joints_of(document);
    made.animation = options.animation ? options.animation : main_animation(document);
    const Animation* animation = animation_of(document, made.animation);
    const auto still = still_placements(document, animation, made.joints.is_joint);
    const auto frames = frames_of(document, options.space, still, made.joints.is_joint);
    const std::vector<Transform> own = add_skeleton(document, frames, made);
    made.clip.frames_per_second = document.frames_per_second;
    if (animation != nullptr) {
        add_tracks(document, *animation, frames, still, made);
        hold_still(own, made.clip);
    }
    return made;
}

}  // namespace animbridge::scene
