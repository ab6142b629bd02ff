// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "formats/oban/file/file.h"
#include "model/compare/compare.h"

/// What Oni shows of an OBAN at a frame, in the file's axes and units and in Blender's, and how far two are
/// apart (docs/oban-format.md, "Semantics"): A(f) = T(position) R(rotation) Base.
///
/// The format does not define a precision, so this is the exact result for the stored floats, in doubles. It
/// uses only +, -, *, / and square roots, so it is the same on every machine.
namespace animbridge::oban::play {

// ---- keys and matrices ----

/// The part of A(f) that comes from the keys.
struct Pose {
    glm::dquat rotation{1, 0, 0, 0};  ///< the standard quaternion, of unit length
    glm::dvec3 position{0};           ///< in units
};

/// The standard quaternion for a stored one; keeps its length.
[[nodiscard]] inline glm::dquat standard_rotation(const file::Key& key) {
    return {-static_cast<double>(key.rotation[3].value()), key.rotation[0].value(), key.rotation[1].value(),
            key.rotation[2].value()};
}

[[nodiscard]] inline glm::dvec3 position_of(const file::Key& key) {
    return {key.position[0].value(), key.position[1].value(), key.position[2].value()};
}

/// The quaternion with unit length; its length must not be 0.
[[nodiscard]] glm::dquat normalised(const glm::dquat& q);

/// The pose between two keys at a fraction 0..1: the position linearly, the rotation along the shorter path,
/// normalised. A dot product of 0 keeps the sign.
[[nodiscard]] Pose blend(const file::Key& a, const file::Key& b, double fraction);

/// The linear part of a stored matrix, and its translation.
[[nodiscard]] glm::dmat3 linear_part(const file::Matrix& matrix);
[[nodiscard]] glm::dvec3 translation_of(const file::Matrix& matrix);
[[nodiscard]] file::Matrix matrix_from(const glm::dmat3& linear, const glm::dvec3& translation);

/// ErrorCode::rejected, with the field's name, if A(f) is undefined or there are more frames or keys than any
/// tool of the game accepts.
[[nodiscard]] Result<void> require_playable(const file::Record& record);

// ---- the player ----

class Player {
public:
    /// The record must be playable, and must outlive the player.
    explicit Player(const file::Record& record);

    /// The frame may be fractional. Outside 0..last_frame(), the end frames hold; before the first key and
    /// after the last, the nearest key does. Rotations at keys are normalised too. O(log keys).
    [[nodiscard]] Pose pose(double frame) const;
    /// A(f).
    [[nodiscard]] glm::dmat4 transform(double frame) const;

    [[nodiscard]] double last_frame() const { return last_frame_; }
    /// The frame that is shown this many frames after the start. normal_loop: frames mod FrameCount, without
    /// a blend back to the first. back_to_back_loop, which wins if both are set: forwards and backwards, with
    /// period 2 last_frame(). Otherwise the end frames hold.
    [[nodiscard]] double looped_frame(double frames) const;

private:
    const file::Record* record_;
    double last_frame_;
    glm::dmat3 base_linear_;
    glm::dvec3 base_translation_;
};

/// Plays two animations and compares them.
struct Difference {
    /// How far the positions and the rotations of A(f) are apart. The rotations exclude scale and shear.
    JointDifference pose{};
    double largest_linear = 0;  ///< over the nine numbers of the linear part, which include scale and shear
    std::size_t times = 0;
    ErrorSpreads spread{};
    std::vector<std::string_view> fields{};  ///< header fields that differ
};

/// Plays both at every frame and at the midpoints, from 0 to the later end, and holds each after its own end.
/// Ignores the loop flags. ErrorCode::rejected if A(f) of either is undefined.
[[nodiscard]] Result<Difference> compare(const file::Record& a, const file::Record& b, const Job& job);

// ---- the file's space and Blender's (docs/oban-format.md, "Blender") ----
// A(f) = T R Base is the
// file's matrix, G the origin, S the scale by 0.1 and K the quarter turn about X that takes Y up to Z up. An
// object's world matrix is G S K A(f) S^-1 if its mesh keeps the file's axes, else G S K A(f) K^-1 S^-1.

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
        return origin_rotation * (z_up(position) * file::metres_per_unit) + origin_place;
    }
    /// From metres, Z up, to the file's units, Y up.
    [[nodiscard]] glm::dvec3 position(const glm::dvec3& location) const {
        return y_up(glm::conjugate(origin_rotation) * (location - origin_place)) / file::metres_per_unit;
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
        const glm::dvec3 place = base.place * file::metres_per_unit;
        return axes == Axes::blender ? Affine{z_up(base.linear) * glm::transpose(y_up_to_z_up()), z_up(place)}
                                     : Affine{base.linear, place};
    }
    [[nodiscard]] Affine file_base(const Affine& base) const {
        const glm::dvec3 place = base.place / file::metres_per_unit;
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

[[nodiscard]] inline ObjectKey object_key(const Space& space, const file::Key& key) {
    const glm::dquat q = space.rotation(standard_rotation(key));
    const glm::dvec3 place = space.location(position_of(key));
    return {
        {static_cast<float>(q.w), static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z)},
        {static_cast<float>(place.x), static_cast<float>(place.y), static_cast<float>(place.z)}};
}

}  // namespace animbridge::oban::play
