// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include "base/result.h"
#include "formats/oban/document.h"

/// What a record shows at a time, in doubles (docs/oban-format.md, "Semantics"): A(f) = T(position)
/// R(rotation) Base, in the file's axes and units. The format does not define a precision, so this is the
/// exact result for the stored floats. It uses only +, -, *, / and square roots, so it is the same on every
/// machine.
namespace animbridge::oban {

/// The part of A(f) that comes from the keys.
struct Pose {
    glm::dquat rotation{1, 0, 0, 0};  ///< the standard quaternion, of unit length
    glm::dvec3 position{0};           ///< in units
};

/// The standard quaternion for a stored one; keeps its length.
[[nodiscard]] inline glm::dquat standard_rotation(const Key& key) {
    return {-static_cast<double>(key.rotation[3].value()), key.rotation[0].value(), key.rotation[1].value(),
            key.rotation[2].value()};
}

[[nodiscard]] inline glm::dvec3 position_of(const Key& key) {
    return {key.position[0].value(), key.position[1].value(), key.position[2].value()};
}

/// The quaternion with unit length; its length must not be 0.
[[nodiscard]] glm::dquat normalised(const glm::dquat& q);

/// The pose between two keys at a fraction 0..1: the position linearly, the rotation along the shorter path,
/// normalised. A dot product of 0 keeps the sign.
[[nodiscard]] Pose blend(const Key& a, const Key& b, double fraction);

/// The linear part of a stored matrix, and its translation.
[[nodiscard]] glm::dmat3 linear_part(const Matrix& matrix);
[[nodiscard]] glm::dvec3 translation_of(const Matrix& matrix);
[[nodiscard]] Matrix matrix_from(const glm::dmat3& linear, const glm::dvec3& translation);

/// ErrorCode::rejected, with the field's name, if A(f) is undefined or there are more frames or keys than any
/// tool of the game accepts.
[[nodiscard]] Result<void> require_playable(const Record& record);

class Player {
public:
    /// The record must be playable, and must outlive the player.
    explicit Player(const Record& record);

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
    const Record* record_;
    double last_frame_;
    glm::dmat3 base_linear_;
    glm::dvec3 base_translation_;
};

}  // namespace animbridge::oban
