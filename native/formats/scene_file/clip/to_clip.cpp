// SPDX-License-Identifier: MIT
#include "formats/scene_file/clip/clip.h"

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>
#include <initializer_list>
#include <iterator>
#include <map>
#include <utility>

#include "model/compare/compare.h"

namespace animbridge::scene_file::clip {

namespace {

const file::Animation* animation_of(const file::Document& document, std::optional<std::size_t> index) {
    return index ? &document.animations[*index] : nullptr;
}

/// Sets one part of a placement to a channel's first key.
void set_first(const file::Channel& channel, file::Placement& placement) {
    const std::vector<double>& v = channel.values;
    switch (channel.target) {
        case file::Target::translation:
            placement.translation = {v[0], v[1], v[2]};
            break;
        case file::Target::rotation:
            placement.rotation = {v[0], v[1], v[2], v[3]};
            break;
        case file::Target::scale:
            placement.scale = {v[0], v[1], v[2]};
            break;
    }
}

/// The placements of nodes that do not move, and the sizes of those that do: an animation may key both, as
/// constants.
std::vector<file::Placement> still_placements(const file::Document& document,
                                              const file::Animation* animation,
                                              const std::vector<bool>& is_joint) {
    std::vector<file::Placement> still;
    still.reserve(document.nodes.size());
    for (const file::Node& node : document.nodes) {
        still.push_back(node.rest);
    }
    if (animation != nullptr) {
        for (const file::Channel& channel : animation->channels) {
            if (!is_joint[channel.node] || channel.target == file::Target::scale) {
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
    RestPose(const file::Document& document, const std::vector<Frame>& frames, SceneClip& made)
        : document_(document), frames_(frames), made_(made) {}

    /// In its parent's frame: the bind pose, if both have one, else `own`, the node's pose.
    [[nodiscard]] Transform of(std::size_t joint, const Transform& own) {
        const std::uint32_t index = made_.joints.nodes[joint];
        const file::Node& node = document_.nodes[index];
        const file::Node* parent = node.parent ? &document_.nodes[*node.parent] : nullptr;
        const bool is_bound =
            parent != nullptr && made_.joints.is_joint[*node.parent] && node.bind_world && parent->bind_world;
        if (!is_bound || has_odd_scale(index, node, *parent)) {
            return own;
        }
        file::Placement bound = relative_to(*parent->bind_world, *node.bind_world);
        bound.scale = node.rest.scale;
        const Transform placed = frames_[index].place(bound);
        const double degrees = angle_between_degrees(own.rotation, placed.rotation);
        if (degrees > made_.bind_degrees) {
            made_.bind_degrees = degrees;
            made_.bind_joint = made_.joints.names[joint];
        }
        return placed;
    }

    /// Of a joint below no other, in a bind pose that is not the nodes' own. Some files bind it in the world,
    /// others below the node that carries it: what is nearer to `own`, unless both are far. Many files bind
    /// at the origin what has no pose.
    [[nodiscard]] Transform of_root(std::size_t joint, const Transform& own) const {
        constexpr double far_degrees = 60;
        constexpr double noise = 1e-6;
        const std::uint32_t index = made_.joints.nodes[joint];
        const file::Node& node = document_.nodes[index];
        if (!node.bind_world || glm::length(node.bind_world->translation) < noise ||
            frames_[index].mirrored || is_uneven(frames_[index].stretch) || mirrors(node.bind_world->scale) ||
            mirrors(node.rest.scale)) {
            return own;
        }
        std::vector<std::uint32_t> above;
        for (auto up = node.parent; up; up = document_.nodes[*up].parent) {
            above.push_back(*up);
        }
        file::Placement below = *node.bind_world;
        while (!above.empty()) {
            below = relative_to(document_.nodes[above.back()].rest, below);
            above.pop_back();
        }
        Transform nearest = own;
        double least = far_degrees;
        for (file::Placement bound : {below, *node.bind_world}) {
            bound.scale = node.rest.scale;
            const Transform placed = frames_[index].place(bound);
            const double degrees = angle_between_degrees(own.rotation, placed.rotation);
            if (degrees < least) {
                least = degrees;
                nearest = placed;
            }
        }
        // What exporters round is not another pose.
        constexpr double rounded_degrees = 0.5;
        constexpr double rounded_metres = 0.005;
        const bool is_own =
            least < rounded_degrees && glm::distance(own.translation, nearest.translation) < rounded_metres;
        return is_own ? own : nearest;
    }

private:
    /// Where scales mirror, or stretch a rotated descendant, a bind matrix has no separate rotation.
    [[nodiscard]] bool has_odd_scale(std::size_t index, const file::Node& node,
                                     const file::Node& parent) const {
        return frames_[index].mirrored || mirrors(node.bind_world->scale) ||
               mirrors(parent.bind_world->scale) || mirrors(node.rest.scale) ||
               is_uneven(parent.bind_world->scale) || is_uneven(frames_[index].stretch);
    }

    const file::Document& document_;
    const std::vector<Frame>& frames_;
    SceneClip& made_;
};

/// One per node.
std::vector<std::optional<animbridge::Camera>> cameras_of(const file::Document& document) {
    using Lens = animbridge::Camera;
    std::vector<std::optional<Lens>> cameras(document.nodes.size());
    for (const file::Camera& camera : document.cameras) {
        cameras[camera.node] = Lens{Lens::Axes::looks_down_z, camera.horizontal_field_degrees};
    }
    return cameras;
}

/// Per node: whether neither it nor a node below it moves a mesh, although the file's skins name others. The
/// node that a mesh hangs on moves that mesh.
std::vector<bool> idle_nodes(const file::Document& document) {
    const bool has_skin = std::ranges::any_of(document.nodes, &file::Node::is_skinned);
    std::vector<bool> idle(document.nodes.size(), has_skin);
    for (std::size_t i = idle.size(); i-- > 0;) {
        const file::Node& node = document.nodes[i];
        idle[i] = idle[i] && !node.is_skinned;
        if (node.parent && (!idle[i] || node.role == file::NodeRole::mesh)) {
            idle[*node.parent] = false;
        }
    }
    return idle;
}

/// Fills the skeleton. Returns the pose of each joint's node without animation, in its parent's frame, which
/// may differ from the joint's rest pose.
std::vector<Transform> add_skeleton(const file::Document& document, const std::vector<Frame>& frames,
                                    SceneClip& made) {
    const auto cameras = cameras_of(document);
    const auto idle = idle_nodes(document);
    std::vector<bool> carries(document.nodes.size());
    for (const file::Node& node : document.nodes) {
        if (node.parent) {
            carries[*node.parent] = true;
        }
    }
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
        node.is_idle = idle[index];
        node.is_attachment = idle[index] && !carries[index] &&
                             document.nodes[index].role == file::NodeRole::mesh && parent &&
                             document.nodes[*parent].is_skinned;
        own.push_back(frames[index].place(document.nodes[index].rest));
        node.rest_local = rest.of(joint, own.back());
        made.mirrored += frames[index].mirrored ? 1U : 0U;
        made.stretched += is_uneven(frames[index].stretch) ? 1U : 0U;
    }
    constexpr double posed_degrees = 15;  // more than what exporters round
    for (std::size_t joint = 0; made.bind_degrees > posed_degrees && joint < own.size(); ++joint) {
        animbridge::Node& node = made.clip.skeleton.nodes[joint];
        node.rest_local = node.parent ? node.rest_local : rest.of_root(joint, own[joint]);
    }
    return own;
}

void add_pose(std::size_t joint, animbridge::Channel channel, std::initializer_list<double> row, Clip& clip) {
    Track track{joint, channel};
    track.add_key(0.0, {row.begin(), row.size()});
    clip.tracks.push_back(std::move(track));
}

/// Joints that an animation does not move stay where their nodes are, which may not be their rest pose.
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

void add_tracks(const file::Document& document, const file::Animation& animation,
                const std::vector<Frame>& frames, const std::vector<file::Placement>& still,
                SceneClip& made) {
    std::vector<std::size_t> joint_of(document.nodes.size());
    for (std::size_t joint = 0; joint < made.joints.nodes.size(); ++joint) {
        joint_of[made.joints.nodes[joint]] = joint;
    }
    double first = 0.0;
    double last = animation.duration_seconds;
    for (const file::Channel& channel : animation.channels) {
        first = std::min(first, channel.times_seconds.front());
        last = std::max(last, channel.times_seconds.back());
    }
    made.shift_seconds = -first;
    made.clip.duration_seconds = last - first;
    for (const file::Channel& channel : animation.channels) {
        const bool is_joint = made.joints.is_joint[channel.node];
        if (channel.target == file::Target::scale) {
            made.scaled += is_joint && varies(channel) ? 1U : 0U;
        } else if (is_joint) {
            made.clip.tracks.push_back(track_of(channel, frames[channel.node], still[channel.node].scale,
                                                joint_of[channel.node], made.shift_seconds));
        }
    }
}

/// A size that changes, as a track of three numbers.
struct MovingSize {
    std::uint32_t node = 0;
    Track track{};
};

std::vector<MovingSize> moving_sizes(const file::Animation& animation) {
    std::vector<MovingSize> sizes;
    for (const file::Channel& channel : animation.channels) {
        if (channel.target == file::Target::scale && varies(channel)) {
            sizes.push_back({channel.node, track_of(channel, Frame{}, {1, 1, 1}, 0, 0.0)});
        }
    }
    return sizes;
}

/// Moves joints below a node whose size changes: a clip has no sizes, but the positions that follow from
/// them.
class SizedPlaces {
public:
    SizedPlaces(const file::Document& document, const file::Animation& animation, const file::Space& space,
                std::vector<file::Placement> still)
        : document_(document),
          animation_(animation),
          space_(space),
          still_(std::move(still)),
          sizes_(moving_sizes(animation)) {
        for (std::size_t i = 0; i < sizes_.size(); ++i) {
            size_of_[sizes_[i].node] = i;
        }
    }

    /// false: this would need more keys than any real file, so nothing was done.
    [[nodiscard]] bool add_to(SceneClip& made) const {
        std::vector<SizedJoint> joints;
        std::size_t keys = 0;
        for (std::size_t joint = 0; !sizes_.empty() && joint < made.joints.nodes.size(); ++joint) {
            if (auto found = sized(joint, made); !found.sizes.empty()) {
                keys += found.times.size();
                if (keys > most_keys) {
                    return false;
                }
                joints.push_back(std::move(found));
            }
        }
        for (const SizedJoint& one : joints) {
            std::erase_if(made.clip.tracks, [&](const Track& track) {
                return track.node == one.joint && track.channel == animbridge::Channel::translation;
            });
            made.clip.tracks.push_back(places_of(one, made));
        }
        return true;
    }

private:
    /// A joint below changing sizes.
    struct SizedJoint {
        std::size_t joint = 0;
        std::vector<std::uint32_t> above{};  ///< the nodes above it, from the root on
        std::vector<const MovingSize*> sizes{};
        std::optional<Track> own{};  ///< its translation in its parent's frame
        std::vector<double> times{};
    };

    [[nodiscard]] SizedJoint sized(std::size_t joint, const SceneClip& made) const {
        SizedJoint found{joint};
        const std::uint32_t node = made.joints.nodes[joint];
        for (auto up = document_.nodes[node].parent; up; up = document_.nodes[*up].parent) {
            found.above.push_back(*up);
            const auto size = size_of_.find(*up);
            if (size != size_of_.end()) {
                found.sizes.push_back(&sizes_[size->second]);
            }
        }
        std::ranges::reverse(found.above);
        if (found.sizes.empty()) {
            return found;
        }
        const auto channel = std::ranges::find_if(animation_.channels, [&](const file::Channel& one) {
            return one.node == node && one.target == file::Target::translation;
        });
        if (channel != animation_.channels.end()) {
            found.own = track_of(*channel, Frame{}, {1, 1, 1}, 0, 0.0);
        }
        found.times = times_of(found);
        return found;
    }

    /// The key times of everything that affects the joint's position, and times between if that is more than
    /// one line.
    static std::vector<double> times_of(const SizedJoint& one) {
        std::vector<const Track*> tracks;
        std::ranges::transform(one.sizes, std::back_inserter(tracks),
                               [](const MovingSize* size) { return &size->track; });
        if (one.own) {
            tracks.push_back(&*one.own);
        }
        std::vector<double> times;
        bool bends = tracks.size() > 1;
        for (const Track* track : tracks) {
            times.insert(times.end(), track->times.begin(), track->times.end());
            bends = bends || !track->handles.empty();
            for (std::size_t key = 1; key < track->key_count(); ++key) {
                if (track->interpolation_after(key - 1) == Interpolation::step) {
                    times.push_back(std::max(track->times[key - 1], track->times[key] - jump_seconds));
                }
            }
        }
        times = sorted_unique(std::move(times));
        return bends ? with_midpoints(with_midpoints(times)) : times;
    }

    [[nodiscard]] Track places_of(const SizedJoint& one, const SceneClip& made) const {
        const std::uint32_t node = made.joints.nodes[one.joint];
        std::vector<TrackCursor> sizes;
        std::ranges::transform(one.sizes, std::back_inserter(sizes),
                               [](const MovingSize* size) { return TrackCursor(size->track); });
        std::optional<TrackCursor> own;
        if (one.own) {
            own.emplace(*one.own);
        }
        Track places{one.joint, animbridge::Channel::translation};
        std::vector<file::Placement> placed = still_;
        for (const double time : one.times) {
            for (std::size_t i = 0; i < sizes.size(); ++i) {
                placed[one.sizes[i]->node].scale = sizes[i].translation_at(time);
            }
            Frame frame = frame_of_roots(space_);
            for (const std::uint32_t up : one.above) {
                frame = frame.below(placed[up], made.joints.is_joint[up]);
            }
            const glm::dvec3 place =
                frame.place_point(own ? own->translation_at(time) : document_.nodes[node].rest.translation);
            places.add_key(time + made.shift_seconds, std::array{place.x, place.y, place.z});
        }
        return places;
    }

    static constexpr double jump_seconds = 1e-6;
    static constexpr std::size_t most_keys = 2'000'000;

    const file::Document& document_;
    const file::Animation& animation_;
    const file::Space& space_;
    std::vector<file::Placement> still_;
    std::vector<MovingSize> sizes_;
    std::map<std::uint32_t, std::size_t> size_of_{};  ///< by node
};

void take_part(const file::Document& document, SceneClip& made) {
    if (document.part.empty()) {
        return;
    }
    const auto span = document.part.in(made.clip.duration_seconds, document.frames_per_second);
    if (!span) {
        made.part = fail(span.error());
        return;
    }
    made.clip = trimmed(std::move(made.clip), span->start_seconds, span->end_seconds);
}

/// How many channels of an animation move something.
std::size_t moving_channels(const file::Animation& animation) {
    return static_cast<std::size_t>(
        std::ranges::count_if(animation.channels, [](const file::Channel& channel) {
            return channel.target != file::Target::scale && varies(channel);
        }));
}

}  // namespace

std::string left_out_sizes(const SceneClip& made) {
    return made.scaled == 0 ? std::string()
                            : "changing sizes of " + std::to_string(made.scaled) +
                                  (made.scaled == 1 ? " joint" : " joints") +
                                  (made.follows_sizes ? "; joints below them move as the sizes ask" : "");
}

std::optional<std::size_t> main_animation(const file::Document& document) {
    if (document.chosen_animation) {
        return document.chosen_animation;
    }
    std::optional<std::size_t> best;
    std::pair<std::size_t, double> most{0, -1.0};
    for (std::size_t i = 0; i < document.animations.size(); ++i) {
        const file::Animation& animation = document.animations[i];
        const std::pair rank(moving_channels(animation), animation.duration_seconds);
        if (rank > most) {
            most = rank;
            best = i;
        }
    }
    return best;
}

namespace {

SceneClip make_clip(const file::Document& document, const ToClip& options, bool has_tracks) {
    SceneClip made;
    made.joints = joints_of(document);
    made.animation = options.animation ? options.animation : main_animation(document);
    const file::Animation* animation = animation_of(document, made.animation);
    const auto still = still_placements(document, animation, made.joints.is_joint);
    const auto frames = frames_of(document, options.space, still, made.joints.is_joint);
    const std::vector<Transform> own = add_skeleton(document, frames, made);
    made.clip.frames_per_second = document.frames_per_second;
    if (animation != nullptr && has_tracks) {
        add_tracks(document, *animation, frames, still, made);
        made.follows_sizes = SizedPlaces(document, *animation, options.space, still).add_to(made);
        hold_still(own, made.clip);
        take_part(document, made);
    }
    return made;
}

}  // namespace

SceneClip to_clip(const file::Document& document, const ToClip& options) {
    return make_clip(document, options, true);
}

SceneClip skeleton_of(const file::Document& document) {
    return make_clip(document, {std::nullopt, document.space}, false);
}

}  // namespace animbridge::scene_file::clip
