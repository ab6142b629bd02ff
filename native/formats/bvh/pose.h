// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "base/json.h"
#include "formats/bvh/document.h"

namespace animbridge::bvh {

/// As `animbridge pose --json` prints it, of joints along the file's axes and in its unit. Between frames the
/// pose goes on straight; a file without time between its frames plays one a second.
[[nodiscard]] Result<Json> pose_json(const Document& document, std::span<const double> times_seconds);

}  // namespace animbridge::bvh
