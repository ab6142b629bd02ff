// SPDX-License-Identifier: MIT
#include "formats/scene_file/clip/clip.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <set>
#include <utility>

#include "rig/humanoid/humanoid.h"

namespace animbridge::scene_file::clip {

namespace {

constexpr std::string_view carrier_name = "Armature";

file::Placement placement_of(const Transform& transform) {
    return {transform.translation, glm::normalize(transform.rotation), {1, 1, 1}};
}

/// Nodes that are cameras or only carry one. They are not bones: programs show them as objects.
std::vector<bool> camera_rigs(const Skeleton& skeleton) {
    const std::vector<animbridge::Node>& nodes = skeleton.nodes;
    std::vector<std::size_t> root(nodes.size());
    std::vector<bool> has_children(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        root[i] = nodes[i].parent ? root[*nodes[i].parent] : i;
        if (nodes[i].parent) {
            has_children[*nodes[i].parent] = true;
        }
    }
    std::vector<bool> ends_in_cameras(nodes.size(), true);  // for roots
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!has_children[i] && !nodes[i].camera) {
            ends_in_cameras[root[i]] = false;
        }
    }
    std::vector<bool> is_rig(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        is_rig[i] = nodes[i].camera || ends_in_cameras[root[i]];
    }
    return is_rig;
}

void add_nodes(const Skeleton& skeleton, const Transform& turn, bool is_skinned, file::Document& document) {
    document.nodes.push_back({std::string(carrier_name)});
    const std::vector<bool> is_camera_rig = camera_rigs(skeleton);
    std::vector<Transform> world;
    for (const animbridge::Node& joint : skeleton.nodes) {
        const Transform local = joint.parent ? joint.rest_local : turn * joint.rest_local;
        world.push_back(joint.parent ? world[*joint.parent] * local : local);
        file::Node node{joint.name, joint.parent ? static_cast<std::uint32_t>(*joint.parent + 1) : 0U,
                        placement_of(local)};
        node.is_skinned = is_skinned && !is_camera_rig[world.size() - 1];
        if (joint.camera) {
            node.role = file::NodeRole::camera;
            document.cameras.push_back(
                {static_cast<std::uint32_t>(document.nodes.size()), joint.camera->horizontal_field_degrees});
        }
        if (node.is_skinned) {
            node.bind_world = placement_of(world.back());
        }
        document.nodes.push_back(std::move(node));
    }
}

/// Turns rows of values or tangents.
void turn_rows(std::vector<double>& v, file::Target target, const glm::dquat& turn, double scale) {
    const std::size_t width = file::width_of(target);
    for (std::size_t row = 0; row + width <= v.size(); row += width) {
        if (target == file::Target::rotation) {
            const glm::dquat q = turn * glm::dquat(v[row], v[row + 1], v[row + 2], v[row + 3]);
            v[row] = q.w;
            v[row + 1] = q.x;
            v[row + 2] = q.y;
            v[row + 3] = q.z;
        } else if (target == file::Target::translation) {
            const glm::dvec3 t = scale * (turn * glm::dvec3(v[row], v[row + 1], v[row + 2]));
            v[row] = t.x;
            v[row + 1] = t.y;
            v[row + 2] = t.z;
        }
    }
}

void turn_channel(file::Channel& channel, const glm::dquat& turn, double scale) {
    turn_rows(channel.values.edit(), channel.target, turn, scale);
    turn_rows(channel.tangents.edit(), channel.target, turn, scale);
}

/// The quarter turns about Z after which a body faces -Y; nullopt if no body is found.
glm::dquat turn_to_front(const Skeleton& skeleton) {
    const auto rig = rig::humanoid::find_rig(skeleton, rig::humanoid::built_in_rigs());
    if (!rig || !rig->facing) {
        return {1, 0, 0, 0};
    }
    const glm::dvec3& facing = *rig->facing;
    const double half = std::sqrt(0.5);
    if (std::abs(facing.y) >= std::abs(facing.x)) {
        return facing.y <= 0.0 ? glm::dquat(1, 0, 0, 0) : glm::dquat(0, 0, 0, 1);
    }
    return {half, 0, 0, facing.x > 0.0 ? -half : half};
}

/// Takes the tracks that are cubic splines out of the clip.
std::vector<file::Channel> take_splines(Clip& clip) {
    std::vector<file::Channel> splines;
    std::erase_if(clip.tracks, [&](const Track& track) {
        const bool is_pose = track.channel != animbridge::Channel::property;
        auto spline = is_pose ? spline_channel(track, clip.duration_seconds) : std::nullopt;
        if (!spline) {
            return false;
        }
        splines.push_back(*std::move(spline));
        return true;
    });
    return splines;
}

/// The tracks as channels, in the clip's space; cameras then look along -Z of their nodes.
std::vector<file::Channel> take_channels(Clip& clip, const FromClip& options) {
    constexpr auto axes = animbridge::Camera::Axes::looks_down_z;
    std::vector<file::Channel> channels;
    if (options.keeps_kinds && !with_camera_axes(clip, axes)) {
        channels = take_splines(clip);
    }
    std::set<std::pair<std::size_t, animbridge::Channel>> recordings;
    for (const Track& track : clip.tracks) {
        if (is_recording(track)) {
            recordings.emplace(track.node, track.channel);
        }
    }
    clip = with_close_lines(clip, options.frames_per_second);
    if (auto turned = with_camera_axes(clip, axes)) {
        clip = *std::move(turned);
    }
    for (const Track& track : clip.tracks) {
        if (track.channel != animbridge::Channel::property && track.key_count() > 0) {
            auto steps = options.keeps_kinds ? step_channel(track, clip.duration_seconds) : std::nullopt;
            channels.push_back(steps ? *std::move(steps)
                                     : line_channel(track, options.frames_per_second, clip.duration_seconds));
            channels.back().is_recording = recordings.contains({track.node, track.channel});
        }
    }
    const auto place = [](const file::Channel& one) { return std::pair(one.node, one.target); };
    std::ranges::stable_sort(channels, {}, place);
    return channels;
}

}  // namespace

file::Document with_lines(file::Document document) {
    for (file::Animation& animation : document.animations) {
        for (file::Channel& channel : animation.channels) {
            channel = with_lines(channel, document.frames_per_second);
        }
    }
    return document;
}

file::Document from_clip(const Clip& clip, const FromClip& options) {
    Clip shown = clip;
    file::Animation animation{options.animation_name, clip.duration_seconds, take_channels(shown, options)};
    file::Document document;
    document.space = {file::Axis::plus_z, file::Axis::minus_y, 1.0, true, true};
    document.frames_per_second = options.frames_per_second;
    const glm::dquat turn = options.turns_to_front ? turn_to_front(clip.skeleton) : glm::dquat(1, 0, 0, 0);
    add_nodes(shown.skeleton, {turn, {0, 0, 0}}, options.is_skinned, document);
    for (file::Channel& channel : animation.channels) {
        animation.duration_seconds = std::max(animation.duration_seconds, channel.times_seconds.back());
        if (!shown.skeleton.nodes[channel.node - 1].parent) {
            turn_channel(channel, turn, 1.0);
        }
    }
    document.animations.push_back(std::move(animation));
    return document;
}

file::Document in_space(file::Document document, const file::Space& space) {
    const glm::dquat turn = glm::conjugate(turn_of(space)) * turn_of(document.space);
    const double scale = document.space.metres_per_unit / space.metres_per_unit;
    const auto is_top = [&](const file::Node& node) { return node.parent && *node.parent == 0; };
    for (file::Node& node : document.nodes) {
        node.rest.translation *= scale;
        if (is_top(node)) {
            node.rest = {turn * node.rest.translation, glm::normalize(turn * node.rest.rotation),
                         node.rest.scale};
        }
        if (node.bind_world) {
            node.bind_world =
                file::Placement{turn * (scale * node.bind_world->translation),
                                glm::normalize(turn * node.bind_world->rotation), node.bind_world->scale};
        }
    }
    for (file::Animation& animation : document.animations) {
        for (file::Channel& channel : animation.channels) {
            turn_channel(channel, is_top(document.nodes[channel.node]) ? turn : glm::dquat(1, 0, 0, 0),
                         scale);
        }
    }
    document.space = space;
    return document;
}

}  // namespace animbridge::scene_file::clip
