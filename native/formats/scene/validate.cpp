// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <set>
#include <utility>

#include "formats/scene/wire.h"

namespace animbridge::scene {

namespace {

constexpr double unit_tolerance = 1e-4;

tl::unexpected<Error> wrong(std::string field, std::string reason) {
    Error error{ErrorCode::bad_value, std::move(reason)};
    error.field = std::move(field);
    return fail(std::move(error));
}

bool is_unit(double w, double x, double y, double z) {
    return std::abs(w * w + x * x + y * y + z * z - 1.0) <= unit_tolerance;
}

bool is_fine(const Placement& placement) {
    const glm::dquat& q = placement.rotation;
    return is_finite(placement.translation) && is_finite(placement.scale) && is_unit(q.w, q.x, q.y, q.z);
}

Result<void> validate_nodes(const std::vector<Node>& nodes) {
    std::vector<std::size_t> depths(nodes.size(), 0);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Node& node = nodes[i];
        const std::string field = "nodes[" + std::to_string(i) + "]";
        if (node.parent && *node.parent >= i) {
            return wrong(field + ".parent",
                         "found " + std::to_string(*node.parent) + ", allowed is a node before this one");
        }
        depths[i] = node.parent ? depths[*node.parent] + 1 : 0;
        if (depths[i] > deepest_node) {
            return wrong(field, "the node hangs deeper than the " + std::to_string(deepest_node) +
                                    " levels that are allowed");
        }
        if (!is_fine(node.rest) || (node.bind_world && !is_fine(*node.bind_world))) {
            return wrong(field + ".rest", "found numbers that are not finite or a rotation off unit length");
        }
    }
    return {};
}

bool increases(const std::vector<double>& times) {
    return std::all_of(times.begin(), times.end(), [](double time) { return std::isfinite(time); }) &&
           std::adjacent_find(times.begin(), times.end(), [](double a, double b) { return !(a < b); }) ==
               times.end();
}

bool are_finite(const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

bool are_units(const std::vector<double>& rotations) {
    for (std::size_t i = 0; i + 3 < rotations.size(); i += 4) {
        if (!is_unit(rotations[i], rotations[i + 1], rotations[i + 2], rotations[i + 3])) {
            return false;
        }
    }
    return true;
}

Result<void> validate_channel(const Channel& channel, std::size_t node_count, const std::string& field) {
    if (channel.node >= node_count) {
        return wrong(field + ".node", "found " + std::to_string(channel.node) + ", allowed is a node of " +
                                          std::to_string(node_count));
    }
    if (channel.times_seconds.empty() || !increases(channel.times_seconds)) {
        return wrong(field + ".times", "found times that do not increase, or none");
    }
    const std::size_t numbers = channel.times_seconds.size() * width_of(channel.target);
    const std::size_t tangents = channel.kind == KeyKind::cubic ? 2 * numbers : 0;
    if (channel.values.size() != numbers || channel.tangents.size() != tangents) {
        return wrong(field + ".values", "found another number of values than of keys");
    }
    const bool is_rotation = channel.target == Target::rotation;
    if (!are_finite(channel.values) || !are_finite(channel.tangents) ||
        (is_rotation && !are_units(channel.values))) {
        return wrong(field + ".values", "found numbers that are not finite or a rotation off unit length");
    }
    return {};
}

Result<void> validate_animation(const Animation& animation, std::size_t node_count,
                                const std::string& field) {
    if (!std::isfinite(animation.duration_seconds) || animation.duration_seconds < 0.0) {
        return wrong(field + ".duration", "found a duration that is not a number of seconds");
    }
    std::set<std::pair<std::uint32_t, Target>> seen;
    for (std::size_t i = 0; i < animation.channels.size(); ++i) {
        const Channel& channel = animation.channels[i];
        const std::string name = field + ".channels[" + std::to_string(i) + "]";
        TRY_VOID(validate_channel(channel, node_count, name));
        if (!seen.emplace(channel.node, channel.target).second) {
            return wrong(name, "found a second channel of the same node and kind");
        }
    }
    return {};
}

Result<void> validate_places(const Document& document) {
    const std::size_t count = document.nodes.size();
    const auto is_outside = [&](const auto& item) { return item.node >= count; };
    if (std::any_of(document.cameras.begin(), document.cameras.end(), is_outside) ||
        std::any_of(document.human_bones.begin(), document.human_bones.end(), is_outside) ||
        std::any_of(document.notes.begin(), document.notes.end(),
                    [&](const Note& note) { return note.node && *note.node >= count; })) {
        return wrong("nodes", "found a node that is named and not there");
    }
    constexpr std::uint64_t most_times = std::numeric_limits<std::int64_t>::max();  // the largest in JSON
    if (std::any_of(document.notes.begin(), document.notes.end(),
                    [](const Note& note) { return note.count > most_times; })) {
        return wrong("notes", "found a count that is too large");
    }
    if (document.human_bones.size() > count) {
        return wrong("human_bones", "found more body parts than nodes");
    }
    const double unit = document.space.metres_per_unit;
    if (!std::isfinite(unit) || !(unit > 0.0)) {
        return wrong("space.metres_per_unit", "found a unit that is not above 0");
    }
    // The axes' names come in pairs of opposite directions.
    if (static_cast<int>(document.space.up) / 2 == static_cast<int>(document.space.front) / 2) {
        return wrong("space.front", "found the line of space.up");
    }
    if (!std::isfinite(document.frames_per_second) || document.frames_per_second < 0.0) {
        return wrong("frames_per_second", "found a rate that is not a number");
    }
    for (const Camera& camera : document.cameras) {
        if (!(camera.horizontal_field_degrees >= 0.0 && camera.horizontal_field_degrees < 180.0)) {
            return wrong("camera.horizontal_field", "found no angle from 0 to 180 degrees");
        }
    }
    return {};
}

}  // namespace

Result<void> validate(const Document& document) {
    TRY_VOID(validate_nodes(document.nodes));
    TRY_VOID(validate_places(document));
    for (std::size_t i = 0; i < document.animations.size(); ++i) {
        TRY_VOID(validate_animation(document.animations[i], document.nodes.size(),
                                    "animations[" + std::to_string(i) + "]"));
    }
    return {};
}

}  // namespace animbridge::scene
