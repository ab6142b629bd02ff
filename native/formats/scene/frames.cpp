// SPDX-License-Identifier: MIT
#include "formats/scene/frames.h"

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>

namespace animbridge::scene {

namespace {

glm::dvec3 direction_of(Axis axis) {
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

glm::dquat turn_of(const Space& space) {
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

Frame Frame::below(const Placement& placement, bool is_joint) const {
    const glm::dvec3 sizes = sizes_of(placement.scale);
    const double mean = std::cbrt(sizes.x * sizes.y * sizes.z);
    return {metres_per_unit * mean, sizes / mean, mirrored != mirrors(placement.scale),
            is_joint ? Transform() : place(placement)};
}

Frame frame_of_roots(const Space& space) {
    return {space.metres_per_unit, {1, 1, 1}, false, {turn_of(space), {0, 0, 0}}};
}

std::vector<Frame> frames_of(const Document& document, const Space& space,
                             const std::vector<Placement>& still, const std::vector<bool>& is_joint) {
    const Frame root = frame_of_roots(space);
    std::vector<Frame> frames;
    frames.reserve(document.nodes.size());
    for (const Node& node : document.nodes) {
        frames.push_back(node.parent ? frames[*node.parent].below(still[*node.parent], is_joint[*node.parent])
                                     : root);
    }
    return frames;
}

Placement relative_to(const Placement& parent, const Placement& local) {
    const glm::dquat back = glm::conjugate(parent.rotation);
    const glm::dvec3 sizes = sizes_of(parent.scale);
    return {(back * (local.translation - parent.translation)) / sizes, back * local.rotation,
            local.scale / sizes};
}

}  // namespace animbridge::scene
