// SPDX-License-Identifier: MIT
#include "formats/scene/joints.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace animbridge::scene {

namespace {

/// The facts about each node.
struct Marks {
    std::vector<bool> is_named;  ///< by a skin or as a body part
    std::vector<bool> is_keyed;  ///< translation or rotation
    std::vector<bool> moves;     ///< and they differ
};

Marks marks_of(const Document& document) {
    const std::size_t count = document.nodes.size();
    Marks marks{std::vector<bool>(count), std::vector<bool>(count), std::vector<bool>(count)};
    for (std::size_t i = 0; i < count; ++i) {
        marks.is_named[i] = document.nodes[i].is_skinned;
    }
    for (const HumanBone& bone : document.human_bones) {
        marks.is_named[bone.node] = true;
    }
    for (const Animation& animation : document.animations) {
        for (const Channel& channel : animation.channels) {
            if (channel.target != Target::scale) {
                marks.is_keyed[channel.node] = true;
                marks.moves[channel.node] = marks.moves[channel.node] || varies(channel);
            }
        }
    }
    return marks;
}

/// Adds the nodes that have a joint above and one below.
void fill_between(const std::vector<Node>& nodes, std::vector<bool>& is_joint) {
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
/// at most one joint below, or a scale.
void drop_carriers(const Document& document, const Marks& marks, std::vector<bool>& is_joint) {
    const std::vector<Node>& nodes = document.nodes;
    std::vector<std::size_t> children(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].parent && is_joint[i]) {
            ++children[*nodes[i].parent];
        }
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const bool is_top = !nodes[i].parent || !is_joint[*nodes[i].parent];
        const glm::dvec3& scale = nodes[i].rest.scale;
        const bool is_carrier = children[i] == 1 || (children[i] > 1 && scale != glm::dvec3(1, 1, 1));
        if (is_joint[i] && is_top && is_carrier && !marks.is_named[i] && !marks.moves[i]) {
            is_joint[i] = false;
        }
    }
}

bool any(const std::vector<bool>& flags) {
    return std::find(flags.begin(), flags.end(), true) != flags.end();
}

/// Gives each joint a unique name. Numbers continue from the last joint with that name, so that many equal
/// names take no longer.
void name_joints(const Document& document, Joints& joints) {
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

bool varies(const Channel& channel) {
    constexpr double noise = 1e-6;
    const std::size_t width = width_of(channel.target);
    double size = 1.0;
    for (std::size_t i = 0; i < width; ++i) {
        size = std::max(size, std::abs(channel.values[i]));
    }
    for (std::size_t i = width; i < channel.values.size(); ++i) {
        if (std::abs(channel.values[i] - channel.values[i % width]) > noise * size) {
            return true;
        }
    }
    return std::any_of(channel.tangents.begin(), channel.tangents.end(), [&](double tangent) {
        return channel.times_seconds.size() > 1 && std::abs(tangent) > noise * size;
    });
}

Joints joints_of(const Document& document) {
    const Marks marks = marks_of(document);
    Joints joints;
    joints.is_joint.resize(document.nodes.size());
    for (std::size_t i = 0; i < document.nodes.size(); ++i) {
        joints.is_joint[i] = marks.is_named[i] || marks.is_keyed[i];
    }
    const bool is_marked = any(joints.is_joint);
    if (!is_marked) {
        std::transform(document.nodes.begin(), document.nodes.end(), joints.is_joint.begin(),
                       [](const Node& node) { return node.role == NodeRole::plain; });
    }
    fill_between(document.nodes, joints.is_joint);
    if (is_marked) {
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

}  // namespace animbridge::scene
