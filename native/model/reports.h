// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <vector>

#include "base/json.h"
#include "model/comparison.h"
#include "model/finding.h"

/// Reports as JSON, the same for the command, the C interface and the add-on.
namespace animbridge {

[[nodiscard]] Json findings_json(const std::vector<Finding>& findings);

/// What an edit brought about: {"findings": those of the check after it that the check before it lacks}.
[[nodiscard]] Json edit_report(const std::vector<Finding>& before, const std::vector<Finding>& after);

[[nodiscard]] Json comparison_json(const Comparison& comparison);

[[nodiscard]] inline Json quaternion_json(const glm::dquat& q) { return Json::array({q.w, q.x, q.y, q.z}); }
[[nodiscard]] inline Json vector_json(const glm::dvec3& v) { return Json::array({v.x, v.y, v.z}); }

}  // namespace animbridge
