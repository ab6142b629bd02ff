// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "model/comparison.h"
#include "model/finding.h"

/// Reports as JSON, the same for the command, the C interface and the add-on.
namespace animbridge {

[[nodiscard]] Json findings_json(const std::vector<Finding>& findings);

/// The result of an edit: {"findings": those of the check after it that the check before it lacks}.
[[nodiscard]] Json edit_report(const std::vector<Finding>& before, const std::vector<Finding>& after);

/// What a finding as findings_json writes it says, and what to do: "EFFECT (found: mHead: 9). ADVICE"
[[nodiscard]] std::string judged_text(const Json& finding, std::string_view effect, std::string_view advice);

/// How every refusal by a target program begins: "refused by Second Life: ". "" is any program.
[[nodiscard]] std::string refused_by(std::string_view program);

/// ErrorCode::rejected with what the findings say for which the program refuses a file; at most three.
[[nodiscard]] Error refusal(std::string_view program, const std::vector<Finding>& findings);

/// That error, if one of the findings is such a one.
[[nodiscard]] Result<void> require_accepted(std::string_view program, const std::vector<Finding>& findings);

[[nodiscard]] Json comparison_json(const Comparison& comparison);

[[nodiscard]] inline Json quaternion_json(const glm::dquat& q) { return Json::array({q.w, q.x, q.y, q.z}); }
[[nodiscard]] inline Json vector_json(const glm::dvec3& v) { return Json::array({v.x, v.y, v.z}); }

}  // namespace animbridge
