// SPDX-License-Identifier: MIT
#include "formats/scene/from_clip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <set>
#include <span>
#include <utility>

#include "formats/scene/frames.h"
#include "model/camera_axes.h"
#include "model/linear_rows.h"
#include "reduce/line_keys.h"
#include "rig/humanoid/find_rig.h"

namespace animbridge::scene {

namespace {

constexpr std::string_view carrier_name = "Armature";

/// Keys of a channel, in order, at times that increase.
class Keys {
public:
    Keys(std::uint32_t node, Target target, KeyKind kind = KeyKind::linear) : channel_{node, target, kind} {}

    /// A key at the time of the last one replaces it: that is what shows from then on. Rotations follow their
    /// predecessor's sign.
    void add(double seconds, std::span<const double> row) {
        std::vector<double>& times = channel_.times_seconds;
        std::vector<double>& values = channel_.values;
        if (!times.empty() && seconds <= times.back()) {
            times.pop_back();
            values.resize(values.size() - row.size());
        }
        double sign = 1.0;
        if (row.size() == 4) {
            const double length =
                std::sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2] + row[3] * row[3]);
            sign = length > 0.0 ? 1.0 / length : 1.0;
            sign = values.empty() || along_last(row) >= 0.0 ? sign : -sign;
        }
        times.push_back(seconds);
        for (const double value : row) {
            values.push_back(sign * value);
        }
    }
    [[nodiscard]] Channel take() { return std::move(channel_); }

private:
    [[nodiscard]] double along_last(std::span<const double> row) const {
        const double* last = channel_.values.data() + channel_.values.size() - row.size();
        return last[0] * row[0] + last[1] * row[1] + last[2] * row[2] + last[3] * row[3];
    }

    Channel channel_;
};

/// A clip goes straight from one rotation to the next and normalises; scene files turn evenly. Keys between
/// make them agree.
void add_straight_way(const Track& track, std::size_t key, Keys& keys) {
    constexpr double most_degrees = 0.005;
    const glm::dquat from = track.rotation(key);
    const glm::dquat next = track.rotation(key + 1);
    // Turns below 15 degrees need none, which is quicker to see than how large
    // they are.
    constexpr double cosine_of_short = 0.9915;
    const double dot = glm::dot(from, next);
    if (dot * dot > cosine_of_short * cosine_of_short * glm::dot(from, from) * glm::dot(next, next)) {
        return;
    }
    const glm::dquat to = dot < 0.0 ? -next : next;
    const double half = 0.5 * glm::radians(angle_between_degrees(from, to));
    // Both ways differ by about half^3 / 31, as a sine over the segment. (2 pi)^2 / 8 of that, over the
    // square of their number, is what straight pieces leave; large turns are no sine, so take a half more.
    const double apart = half * half * half / 31.0;
    const double bound = glm::radians(most_degrees);
    const auto parts = apart <= bound ? 1.0 : std::ceil(std::sqrt(7.5 * apart / bound));
    const double begin = track.times[key];
    for (double part = 1.0; part < parts; ++part) {
        const double share = part / parts;
        const glm::dquat q = glm::normalize(from * (1.0 - share) + to * share);
        keys.add(begin + (track.times[key + 1] - begin) * share, std::array{q.w, q.x, q.y, q.z});
    }
}

constexpr double slope_part = 1e-3;

/// How long a step's slope is.
double slope_seconds(double frames_per_second) { return slope_part * 0.5 / frames_per_second; }

/// Whether the track only jumps, and all of it is played.
bool only_jumps(const Track& track, double end_seconds) {
    const std::size_t count = track.key_count();
    if (count < 2 || track.times.front() < 0.0 || track.times.back() > end_seconds) {
        return false;
    }
    for (std::size_t key = 0; key + 1 < count; ++key) {
        if (track.interpolation_after(key) != Interpolation::step) {
            return false;
        }
    }
    return true;
}

/// Of a track that only jumps. Files hold times as floats, and a jump is where
/// the file says.
Channel steps_of(const Track& track) {
    const bool is_rotation = track.channel == animbridge::Channel::rotation;
    Keys keys(static_cast<std::uint32_t>(track.node + 1),
              is_rotation ? Target::rotation : Target::translation, KeyKind::step);
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        keys.add(static_cast<double>(static_cast<float>(track.times[key])), track.value(key));
    }
    return keys.take();
}

/// A step becomes a short slope.
Channel channel_of(const Track& track, double shortest_seconds) {
    const bool is_rotation = track.channel == animbridge::Channel::rotation;
    Keys keys(static_cast<std::uint32_t>(track.node + 1),
              is_rotation ? Target::rotation : Target::translation);
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        keys.add(track.times[key], track.value(key));
        const bool holds =
            key + 1 < track.key_count() && track.interpolation_after(key) == Interpolation::step;
        if (holds && track.times[key + 1] - shortest_seconds > track.times[key]) {
            keys.add(track.times[key + 1] - shortest_seconds, track.value(key));
        }
        if (is_rotation && key + 1 < track.key_count() &&
            track.interpolation_after(key) == Interpolation::linear) {
            add_straight_way(track, key, keys);
        }
    }
    return keys.take();
}

/// The row of a channel of straight lines at a time between two of its keys; `key` is the first of them.
std::vector<double> row_between(const Channel& channel, std::size_t key, double seconds) {
    const std::size_t width = width_of(channel.target);
    const double* from = channel.values.data() + key * width;
    const double begin = channel.times_seconds[key];
    const double share = (seconds - begin) / (channel.times_seconds[key + 1] - begin);
    std::vector<double> row;
    for (std::size_t number = 0; number < width; ++number) {
        row.push_back(from[number] + share * (from[width + number] - from[number]));
    }
    return row;
}

/// Only what is played: without the keys before 0 and after the end, and with keys there instead.
Channel played(const Channel& channel, double end_seconds) {
    const std::vector<double>& times = channel.times_seconds;
    if (times.front() >= 0.0 && times.back() <= end_seconds) {
        return channel;
    }
    const std::size_t width = width_of(channel.target);
    Keys keys(channel.node, channel.target);
    for (std::size_t key = 0; key < times.size(); ++key) {
        const std::span<const double> row = std::span(channel.values).subspan(key * width, width);
        const bool is_last = key + 1 == times.size();
        if (times[key] >= 0.0 && times[key] <= end_seconds) {
            keys.add(times[key], row);
        } else if ((times[key] < 0.0 && is_last) || (times[key] > end_seconds && key == 0)) {
            keys.add(0.0, row);  // held all the time
        }
        for (const double edge : {0.0, end_seconds}) {
            if (!is_last && times[key] < edge && times[key + 1] > edge) {
                keys.add(edge, row_between(channel, key, edge));
            }
        }
    }
    return keys.take();
}

Placement placement_of(const Transform& transform) {
    return {transform.translation, glm::normalize(transform.rotation), {1, 1, 1}};
}

/// Which nodes are cameras or do nothing but carry one. They are no bones: programs show them as objects.
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
    std::vector<bool> ends_in_cameras(nodes.size(), true);  // of roots
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

void add_nodes(const Skeleton& skeleton, const Transform& turn, bool is_skinned, Document& document) {
    document.nodes.push_back({std::string(carrier_name)});
    const std::vector<bool> is_camera_rig = camera_rigs(skeleton);
    std::vector<Transform> world;
    for (const animbridge::Node& joint : skeleton.nodes) {
        const Transform local = joint.parent ? joint.rest_local : turn * joint.rest_local;
        world.push_back(joint.parent ? world[*joint.parent] * local : local);
        Node node{joint.name, joint.parent ? static_cast<std::uint32_t>(*joint.parent + 1) : 0U,
                  placement_of(local)};
        node.is_skinned = is_skinned && !is_camera_rig[world.size() - 1];
        if (joint.camera) {
            node.role = NodeRole::camera;
            document.cameras.push_back(
                {static_cast<std::uint32_t>(document.nodes.size()), joint.camera->horizontal_field_degrees});
        }
        if (node.is_skinned) {
            node.bind_world = placement_of(world.back());
        }
        document.nodes.push_back(std::move(node));
    }
}

/// Turns the rows of a root's channel.
void turn_rows(Channel& channel, const glm::dquat& turn, double scale) {
    std::vector<double>& v = channel.values;
    const std::size_t width = width_of(channel.target);
    for (std::size_t row = 0; row + width <= v.size(); row += width) {
        if (channel.target == Target::rotation) {
            const glm::dquat q = turn * glm::dquat(v[row], v[row + 1], v[row + 2], v[row + 3]);
            v[row] = q.w;
            v[row + 1] = q.x;
            v[row + 2] = q.y;
            v[row + 3] = q.z;
        } else if (channel.target == Target::translation) {
            const glm::dvec3 t = scale * (turn * glm::dvec3(v[row], v[row + 1], v[row + 2]));
            v[row] = t.x;
            v[row + 1] = t.y;
            v[row + 2] = t.z;
        }
    }
}

/// The quarter turns about Z after which a body looks along -Y; none where no body is found.
glm::dquat turn_to_front(const Skeleton& skeleton) {
    const auto rig = rig::find_rig(skeleton, rig::built_in_rigs());
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

/// Whether lines between the keys are the track's way.
bool has_lines(const Track& track) {
    return !track.component && std::find(track.interpolation.begin(), track.interpolation.end(),
                                         Interpolation::bezier) == track.interpolation.end();
}

/// Lines within 0.005 degrees and 0.02 mm of the curves, where those are
/// smooth: joints of a limb add up.
Clip with_close_lines(const Clip& clip, double frames_per_second) {
    constexpr double parts_of_frame = 8.0;
    constexpr double bound_degrees = 0.005;
    constexpr double bound_mm = 0.02;
    std::set<std::pair<std::size_t, animbridge::Channel>> bent;
    for (const Track& track : clip.tracks) {
        if (!has_lines(track)) {
            bent.emplace(track.node, track.channel);
        }
    }
    Clip lines = with_linear_rows(clip, 1.0 / (parts_of_frame * frames_per_second));
    for (Track& track : lines.tracks) {
        if (track.channel != animbridge::Channel::property && bent.contains({track.node, track.channel})) {
            const bool is_rotation = track.channel == animbridge::Channel::rotation;
            track = reduce::without_needless_keys(track, is_rotation ? bound_degrees : bound_mm);
        }
    }
    return lines;
}

/// The channel's steps as steep lines.
Channel sloped(const Channel& channel, double slope_seconds) {
    const std::size_t width = width_of(channel.target);
    Keys keys(channel.node, channel.target);
    for (std::size_t key = 0; key < channel.times_seconds.size(); ++key) {
        const double time = channel.times_seconds[key];
        if (key > 0 && time - slope_seconds > channel.times_seconds[key - 1]) {
            keys.add(time - slope_seconds, std::span(channel.values).subspan((key - 1) * width, width));
        }
        keys.add(time, std::span(channel.values).subspan(key * width, width));
    }
    return keys.take();
}

}  // namespace

Document with_slopes(Document document) {
    const double slope = slope_seconds(document.frames_per_second);
    for (Animation& animation : document.animations) {
        for (Channel& channel : animation.channels) {
            if (channel.kind == KeyKind::step) {
                channel = sloped(channel, slope);
            }
        }
    }
    return document;
}

Document from_clip(const Clip& clip, const FromClip& options) {
    Clip straight = with_close_lines(clip, options.frames_per_second);
    if (auto turned = with_camera_axes(straight, animbridge::Camera::Axes::looks_down_z)) {
        straight = *std::move(turned);
    }
    Document document;
    document.space = {Axis::plus_z, Axis::minus_y, 1.0, true, true};
    document.frames_per_second = options.frames_per_second;
    const glm::dquat turn = options.turns_to_front ? turn_to_front(clip.skeleton) : glm::dquat(1, 0, 0, 0);
    add_nodes(straight.skeleton, {turn, {0, 0, 0}}, options.is_skinned, document);
    Animation animation{options.animation_name, clip.duration_seconds, {}};
    const double slope = slope_seconds(options.frames_per_second);
    for (const Track& track : straight.tracks) {
        if (track.channel != animbridge::Channel::property && track.key_count() > 0) {
            Channel channel = options.keeps_steps && only_jumps(track, clip.duration_seconds)
                                  ? steps_of(track)
                                  : played(channel_of(track, slope), clip.duration_seconds);
            animation.duration_seconds = std::max(animation.duration_seconds, channel.times_seconds.back());
            if (!clip.skeleton.nodes[track.node].parent) {
                turn_rows(channel, turn, 1.0);
            }
            animation.channels.push_back(std::move(channel));
        }
    }
    document.animations.push_back(std::move(animation));
    return document;
}

Document in_space(Document document, const Space& space) {
    const glm::dquat turn = glm::conjugate(turn_of(space)) * turn_of(document.space);
    const double scale = document.space.metres_per_unit / space.metres_per_unit;
    const auto is_top = [&](const Node& node) { return node.parent && *node.parent == 0; };
    for (Node& node : document.nodes) {
        node.rest.translation *= scale;
        if (is_top(node)) {
            node.rest = {turn * node.rest.translation, glm::normalize(turn * node.rest.rotation),
                         node.rest.scale};
        }
        if (node.bind_world) {
            node.bind_world =
                Placement{turn * (scale * node.bind_world->translation),
                          glm::normalize(turn * node.bind_world->rotation), node.bind_world->scale};
        }
    }
    for (Animation& animation : document.animations) {
        for (Channel& channel : animation.channels) {
            turn_rows(channel, is_top(document.nodes[channel.node]) ? turn : glm::dquat(1, 0, 0, 0), scale);
        }
    }
    document.space = space;
    return document;
}

}  // namespace animbridge::scene
