// SPDX-License-Identifier: MIT
#include "formats/scene/placement.h"

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>

namespace animbridge::scene {

namespace {

// Matrices of files are floats, mostly products of several: three axes are perpendicular to that precision.
constexpr double shear_cosine = 1e-4;

bool all_finite(const glm::dmat4& matrix) {
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 4; ++row) {
            if (!std::isfinite(matrix[column][row])) {
                return false;
            }
        }
    }
    return true;
}

/// The nearest rotation for columns x, y, z: Gram-Schmidt, and always right-handed.
glm::dmat3 rotation_from(const glm::dvec3& x, const glm::dvec3& y) {
    const glm::dvec3 first = glm::normalize(x);
    const glm::dvec3 second = glm::normalize(y - glm::dot(first, y) * first);
    return {first, second, glm::cross(first, second)};
}

}  // namespace

Decomposed decompose(const glm::dmat4& matrix) {
    Decomposed result;
    if (!all_finite(matrix)) {
        result.is_finite = false;
        return result;
    }
    result.placement.translation = glm::dvec3(matrix[3]);
    const glm::dmat3 linear(matrix);
    glm::dvec3 scale(glm::length(linear[0]), glm::length(linear[1]), glm::length(linear[2]));
    const double volume = glm::determinant(linear);
    if (!std::isfinite(volume) || !std::isfinite(scale.x + scale.y + scale.z)) {  // too large to square
        result.placement = {};
        result.is_finite = false;
        return result;
    }
    if (!(scale.x > 0 && scale.y > 0 && scale.z > 0) || volume == 0) {
        result.has_volume = false;
        result.placement.scale = scale;
        return result;
    }
    if (volume < 0) {
        scale.x = -scale.x;
    }
    const glm::dvec3 x = linear[0] / scale.x;
    const glm::dvec3 y = linear[1] / scale.y;
    const glm::dvec3 z = linear[2] / scale.z;
    result.shears = std::abs(glm::dot(x, y)) > shear_cosine || std::abs(glm::dot(x, z)) > shear_cosine ||
                    std::abs(glm::dot(y, z)) > shear_cosine;
    result.placement.scale = scale;
    const glm::dquat rotation = glm::normalize(glm::quat_cast(rotation_from(x, y)));
    // Two axes that are equal except for rounding do not define a third.
    result.has_volume = std::abs(glm::dot(rotation, rotation) - 1) < 1e-6;
    if (result.has_volume) {
        result.placement.rotation = rotation;
    }
    return result;
}

glm::dmat4 matrix_of(const Placement& placement) {
    const glm::dmat3 rotation = glm::mat3_cast(placement.rotation);
    return {glm::dvec4(rotation[0] * placement.scale.x, 0), glm::dvec4(rotation[1] * placement.scale.y, 0),
            glm::dvec4(rotation[2] * placement.scale.z, 0), glm::dvec4(placement.translation, 1)};
}

}  // namespace animbridge::scene
