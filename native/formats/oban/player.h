// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include "base/result.h"
#include "formats/oban/document.h"

/// What a record shows at a moment, in doubles (docs/oban-format.md, "Semantics"): A(f) = T(position)
/// R(rotation) Base, in the file's axes and units. The format names no precision, so this is the exact answer
/// for the stored floats; +, -, *, / and square roots alone, so it is the same on every machine.
namespace animbridge::oban {

/// The keys' part of A(f).
struct Pose {
    glm::dquat rotation{1, 0, 0, 0};  ///< the usual quaternion, of unit length
    glm::dvec3 position{0};           ///< in units
};

/// The usual quaternion of a stored one, its length as stored.
[[nodiscard]] inline glm::dquat standard_rotation(const Key& key) {
    return {-static_cast<double>(key.rotation[3].value()), key.rotation[0].value(), key.rotation[1].value(),
            key.rotation[2].value()};
}

[[nodiscard]] inline glm::dvec3 position_of(const Key& key) {
    return {key.position[0].value(), key.position[1].value(), key.position[2].value()};
}

/// Of unit length; it must have a direction.
[[nodiscard]] glm::dquat normalised(const glm::dquat& q);

/// Between two keys, fraction 0..1: the position straight, the rotation along the shorter path, normalised.
/// A dot product of 0 turns no sign.
[[nodiscard]] Pose blend(const Key& a, const Key& b, double fraction);

/// The linear part of a stored matrix, and its translation.
[[nodiscard]] glm::dmat3 linear_part(const Matrix& matrix);
[[nodiscard]] glm::dvec3 translation_of(const Matrix& matrix);
[[nodiscard]] Matrix matrix_from(const glm::dmat3& linear, const glm::dvec3& translation);

/// ErrorCode::rejected, naming the field, where A(f) is not defined or more frames or keys are there than any
/// tool of the game takes.
[[nodiscard]] Result<void> require_playable(const Record& record);

class Player {
public:
    /// The record, which must be playable, outlives this.
    explicit Player(const Record& record);

    /// The frame may lie between two. Outside 0..last_frame() the end frames hold; before the first key and
    /// behind the last one the nearest key does. A key's rotation is normalised too. O(log keys).
    [[nodiscard]] Pose pose(double frame) const;
    /// A(f).
    [[nodiscard]] glm::dmat4 transform(double frame) const;

    [[nodiscard]] double last_frame() const { return last_frame_; }
    /// The frame that is shown so many frames after the start: with normal_loop t mod FrameCount, nothing
    /// blending back to the first; with back_to_back_loop, which counts when both are set, a triangle of
    /// period 2 last_frame(); else the end frames hold.
    [[nodiscard]] double looped_frame(double frames) const;

private:
    const Record* record_;
    double last_frame_;
    glm::dmat3 base_linear_;
    glm::dvec3 base_place_;
};

}  // namespace animbridge::oban
