// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

#include "formats/oban/player.h"

/// Converts the file's space to Blender's and back (docs/oban-format.md, "Blender"). A(f) = T R Base is the
/// file's matrix, G the origin, S the scale by 0.1 and K the quarter turn about X that takes Y up to Z up. An
/// object's world matrix is G S K A(f) S^-1 if its mesh keeps the file's axes, else G S K A(f) K^-1 S^-1.
namespace animbridge::oban {

/// The axes of the object's vertices.
enum class Axes : std::uint8_t {
    file,     ///< the file's axes: cameras, and meshes that were not rotated
    blender,  ///< the mesh has been rotated to Z up as well
};

/// A linear part and a translation.
struct Affine {
    glm::dmat3 linear{1.0};
    glm::dvec3 place{0.0};
};

/// Converts between the two spaces. G, the origin, is a rigid transform in metres.
struct Space {
    Axes axes = Axes::file;
    glm::dquat origin_rotation{1, 0, 0, 0};
    glm::dvec3 origin_place{0};

    /// From the file's units, Y up, to metres, Z up.
    [[nodiscard]] glm::dvec3 location(const glm::dvec3& position) const {
        return origin_rotation * (z_up(position) * metres_per_unit) + origin_place;
    }
    /// From metres, Z up, to the file's units, Y up.
    [[nodiscard]] glm::dvec3 position(const glm::dvec3& location) const {
        return y_up(glm::conjugate(origin_rotation) * (location - origin_place)) / metres_per_unit;
    }
    /// The object's rotation for a key's standard quaternion. Keeps its length.
    [[nodiscard]] glm::dquat rotation(const glm::dquat& q) const {
        const glm::dquat rotated = axes == Axes::blender
                                       ? glm::dquat(q.w, q.x, -q.z, q.y)  // k q k^-1, without rounding
                                       : half() * glm::dquat(q.w - q.x, q.x + q.w, q.y - q.z, q.z + q.y);
        return origin_rotation * rotated;
    }
    /// The standard quaternion of a key for the object's rotation. Keeps its length.
    [[nodiscard]] glm::dquat key_rotation(const glm::dquat& rotation) const {
        const glm::dquat q = glm::conjugate(origin_rotation) * rotation;
        return axes == Axes::blender ? glm::dquat(q.w, q.x, q.z, -q.y)
                                     : half() * glm::dquat(q.w + q.x, q.x - q.w, q.y + q.z, q.z - q.y);
    }
    /// Base as a matrix of the object, applied before its location and rotation.
    [[nodiscard]] Affine object_base(const Affine& base) const {
        const glm::dvec3 place = base.place * metres_per_unit;
        return axes == Axes::blender ? Affine{z_up(base.linear) * glm::transpose(y_up_to_z_up()), z_up(place)}
                                     : Affine{base.linear, place};
    }
    [[nodiscard]] Affine file_base(const Affine& base) const {
        const glm::dvec3 place = base.place / metres_per_unit;
        return axes == Axes::blender
                   ? Affine{glm::transpose(y_up_to_z_up()) * base.linear * y_up_to_z_up(), y_up(place)}
                   : Affine{base.linear, place};
    }
    /// A(f) for the object's world matrix.
    [[nodiscard]] Affine file_matrix(const Affine& world) const {
        const glm::dmat3 linear =
            glm::transpose(y_up_to_z_up()) * glm::mat3_cast(glm::conjugate(origin_rotation)) * world.linear;
        return {axes == Axes::blender ? linear * y_up_to_z_up() : linear, position(world.place)};
    }

private:
    [[nodiscard]] static double half() { return std::sqrt(0.5); }
    [[nodiscard]] static glm::dvec3 z_up(const glm::dvec3& v) { return {v.x, -v.z, v.y}; }
    [[nodiscard]] static glm::dvec3 y_up(const glm::dvec3& v) { return {v.x, v.z, -v.y}; }
    [[nodiscard]] static glm::dmat3 z_up(const glm::dmat3& m) { return {z_up(m[0]), z_up(m[1]), z_up(m[2])}; }
    /// K, the quarter turn that takes Y up to Z up.
    [[nodiscard]] static glm::dmat3 y_up_to_z_up() { return z_up(glm::dmat3(1.0)); }
};

/// A key in the form of Blender's F-curves, with the quaternion as w, x, y, z.
struct ObjectKey {
    std::array<float, 4> rotation{};
    std::array<float, 3> location{};
};

[[nodiscard]] inline ObjectKey object_key(const Space& space, const Key& key) {
    const glm::dquat q = space.rotation(standard_rotation(key));
    const glm::dvec3 place = space.location(position_of(key));
    return {
        {static_cast<float>(q.w), static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z)},
        {static_cast<float>(place.x), static_cast<float>(place.y), static_cast<float>(place.z)}};
}

}  // namespace animbridge::oban
