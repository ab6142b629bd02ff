// SPDX-License-Identifier: MIT
#include "formats/scene_file/clip/clip.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <map>
#include <set>
#include <utility>

#include "base/json/json.h"

namespace animbridge::scene_file::clip {

namespace {

/// The facts about each node.
struct Marks {
    std::vector<bool> is_named;  ///< by a skin or as a body part
    std::vector<bool> is_keyed;  ///< translation or rotation
    std::vector<bool> moves;     ///< and they differ
};

Marks marks_of(const file::Document& document) {
    const std::size_t count = document.nodes.size();
    Marks marks{std::vector<bool>(count), std::vector<bool>(count), std::vector<bool>(count)};
    for (std::size_t i = 0; i < count; ++i) {
        marks.is_named[i] = document.nodes[i].is_skinned;
    }
    for (const file::HumanBone& bone : document.human_bones) {
        marks.is_named[bone.node] = true;
    }
    for (const file::Animation& animation : document.animations) {
        for (const file::Channel& channel : animation.channels) {
            if (channel.target != file::Target::scale) {
                marks.is_keyed[channel.node] = true;
                marks.moves[channel.node] = marks.moves[channel.node] || varies(channel);
            }
        }
    }
    return marks;
}

/// In a file without skins, adds the nodes below joints that carry nothing: hands and heads without keys, and
/// the ends of limbs. They say where their parent's bone points.
void add_ends(const std::vector<file::Node>& nodes, std::vector<bool>& is_joint) {
    if (std::ranges::any_of(nodes, &file::Node::is_skinned)) {
        return;
    }
    std::vector<bool> is_end(nodes.size(), true);
    for (const file::Node& node : nodes) {
        if (node.parent) {
            is_end[*node.parent] = false;
        }
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto parent = nodes[i].parent;
        is_joint[i] = is_joint[i] ||
                      (is_end[i] && nodes[i].role == file::NodeRole::plain && parent && is_joint[*parent]);
    }
}

/// Adds the nodes that have a joint above and one below.
void fill_between(const std::vector<file::Node>& nodes, std::vector<bool>& is_joint) {
    std::vector<bool> is_below(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto parent = nodes[i].parent;
        is_below[i] = parent && (is_below[*parent] || is_joint[*parent]);
    }
    std::vector<bool> has_below(nodes.size());
    for (std::size_t i = nodes.size(); i-- > 0;) {
        if (nodes[i].parent && (has_below[i] || is_joint[i])) {
            has_below[*nodes[i].parent] = true;
        }
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        is_joint[i] = is_joint[i] || (is_below[i] && has_below[i]);
    }
}

/// Removes nodes that only place the skeleton: from the top, those that neither move nor are named and have
/// at most one joint below, or a scale; not hips: those have a place, and carry three skinned joints.
void drop_carriers(const file::Document& document, const Marks& marks, std::vector<bool>& is_joint) {
    const std::vector<file::Node>& nodes = document.nodes;
    std::vector<std::size_t> children(nodes.size());
    std::vector<std::size_t> named(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].parent && is_joint[i]) {
            ++children[*nodes[i].parent];
            named[*nodes[i].parent] += marks.is_named[i] ? 1U : 0U;
        }
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const bool is_top = !nodes[i].parent || !is_joint[*nodes[i].parent];
        const file::Placement& rest = nodes[i].rest;
        const bool has_place = named[i] > 2 && rest.translation != glm::dvec3(0, 0, 0);
        const bool is_carrier =
            children[i] == 1 || (children[i] > 1 && rest.scale != glm::dvec3(1, 1, 1) && !has_place);
        if (is_joint[i] && is_top && is_carrier && !marks.is_named[i] && !marks.moves[i]) {
            is_joint[i] = false;
        }
    }
}

bool any(const std::vector<bool>& flags) { return std::ranges::find(flags, true) != flags.end(); }

/// Gives each joint a unique name. Numbers continue from the last joint with that name, so that many equal
/// names take no longer.
void name_joints(const file::Document& document, Joints& joints) {
    std::set<std::string> taken;
    std::map<std::string, std::size_t> numbers;
    for (const std::uint32_t node : joints.nodes) {
        const std::string& own = document.nodes[node].name;
        const std::string wish = own.empty() ? "node" : own;
        std::string name = wish;
        while (taken.contains(name)) {
            name = wish + "." + std::to_string(++numbers[wish]);
        }
        joints.renamed += name == own ? 0U : 1U;
        taken.insert(name);
        joints.names.push_back(std::move(name));
    }
}

}  // namespace

bool varies(const file::Channel& channel) {
    constexpr double noise = 1e-6;
    const std::size_t width = file::width_of(channel.target);
    double size = 1.0;
    for (std::size_t i = 0; i < width; ++i) {
        size = std::max(size, std::abs(channel.values[i]));
    }
    for (std::size_t i = width; i < channel.values.size(); ++i) {
        if (std::abs(channel.values[i] - channel.values[i % width]) > noise * size) {
            return true;
        }
    }
    return std::ranges::any_of(channel.tangents, [&](double tangent) {
        return channel.times_seconds.size() > 1 && std::abs(tangent) > noise * size;
    });
}

Joints joints_of(const file::Document& document) {
    const Marks marks = marks_of(document);
    Joints joints;
    joints.is_joint.resize(document.nodes.size());
    for (std::size_t i = 0; i < document.nodes.size(); ++i) {
        joints.is_joint[i] = marks.is_named[i] || marks.is_keyed[i];
    }
    const bool is_marked = any(joints.is_joint);
    if (!is_marked) {
        std::transform(document.nodes.begin(), document.nodes.end(), joints.is_joint.begin(),
                       [](const file::Node& node) { return node.role == file::NodeRole::plain; });
    }
    fill_between(document.nodes, joints.is_joint);
    if (is_marked) {
        add_ends(document.nodes, joints.is_joint);
        drop_carriers(document, marks, joints.is_joint);
    }
    for (std::size_t i = 0; i < document.nodes.size(); ++i) {
        if (joints.is_joint[i]) {
            joints.nodes.push_back(static_cast<std::uint32_t>(i));
        }
    }
    name_joints(document, joints);
    return joints;
}

namespace {

glm::dvec3 direction_of(file::Axis axis) {
    glm::dvec3 direction(0);
    const int index = static_cast<int>(axis);
    direction[index / 2] = index % 2 == 0 ? 1.0 : -1.0;
    return direction;
}

/// Scales of zero are replaced by 1: they would put all descendants at one point.
glm::dvec3 sizes_of(const glm::dvec3& scale) {
    constexpr double least = 1e-9;
    glm::dvec3 sizes = glm::abs(scale);
    for (int i = 0; i < 3; ++i) {
        sizes[i] = sizes[i] < least ? 1.0 : sizes[i];
    }
    return sizes;
}

/// The signs of a scale are a half turn or none, and then a mirror along x or none. This is the turn.
glm::dquat turn_in(const glm::dvec3& scale) {
    const bool x = (scale.x < 0.0) != mirrors(scale);
    const bool y = scale.y < 0.0;
    const bool z = scale.z < 0.0;
    if (!x && y && z) {
        return {0, 1, 0, 0};
    }
    if (x && !y && z) {
        return {0, 0, 1, 0};
    }
    return x && y && !z ? glm::dquat(0, 0, 0, 1) : glm::dquat(1, 0, 0, 0);
}

}  // namespace

glm::dquat turn_of(const file::Space& space) {
    // Columns of the inverse: where clip space's axes are in the file.
    const glm::dvec3 z = direction_of(space.up);
    const glm::dvec3 y = -direction_of(space.front);
    return glm::conjugate(glm::normalize(glm::quat_cast(glm::dmat3(glm::cross(y, z), y, z))));
}

glm::dvec3 Frame::place_direction(const glm::dvec3& difference) const {
    glm::dvec3 metres = metres_per_unit * stretch * difference;
    metres.x = mirrored ? -metres.x : metres.x;
    return above.rotation * metres;
}

glm::dquat Frame::place_rotation(const glm::dquat& rotation, const glm::dvec3& scale) const {
    const glm::dquat seen =
        mirrored ? glm::dquat(rotation.w, rotation.x, -rotation.y, -rotation.z) : rotation;
    return product(product(above.rotation, seen), turn_in(scale));
}

Frame Frame::below(const file::Placement& placement, bool is_joint) const {
    const glm::dvec3 sizes = sizes_of(placement.scale);
    const double mean = std::cbrt(sizes.x * sizes.y * sizes.z);
    return {metres_per_unit * mean, sizes / mean, mirrored != mirrors(placement.scale),
            is_joint ? Transform() : place(placement)};
}

Frame frame_of_roots(const file::Space& space) {
    return {space.metres_per_unit, {1, 1, 1}, false, {turn_of(space), {0, 0, 0}}};
}

std::vector<Frame> frames_of(const file::Document& document, const file::Space& space,
                             const std::vector<file::Placement>& still, const std::vector<bool>& is_joint) {
    const Frame root = frame_of_roots(space);
    std::vector<Frame> frames;
    frames.reserve(document.nodes.size());
    for (const file::Node& node : document.nodes) {
        frames.push_back(node.parent ? frames[*node.parent].below(still[*node.parent], is_joint[*node.parent])
                                     : root);
    }
    return frames;
}

file::Placement relative_to(const file::Placement& parent, const file::Placement& local) {
    const glm::dquat back = glm::conjugate(parent.rotation);
    const glm::dvec3 sizes = sizes_of(parent.scale);
    return {(back * (local.translation - parent.translation)) / sizes, back * local.rotation,
            local.scale / sizes};
}

std::string human_rig(const file::Document& document) {
    if (document.human_bones.empty()) {
        return "";
    }
    const Joints joints = joints_of(document);
    std::vector<std::size_t> joint_of(document.nodes.size());
    for (std::size_t joint = 0; joint < joints.nodes.size(); ++joint) {
        joint_of[joints.nodes[joint]] = joint;
    }
    Json slots = Json::object();
    for (const file::HumanBone& bone : document.human_bones) {
        // Every body part is a joint.
        slots[bone.slot] = Json::array({json_text(joints.names[joint_of[bone.node]])});
    }
    return print_json(
        {{"animbridge_rig", 1}, {"id", "humanoid"}, {"built_in", true}, {"slots", std::move(slots)}});
}

}  // namespace animbridge::scene_file::clip
