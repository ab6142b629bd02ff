// SPDX-License-Identifier: MIT
#pragma once

#include "base/json.h"

namespace animbridge {

/// The formats, the bridges and retargeting, with their options, as ab_formats_json describes them.
[[nodiscard]] Json all_options_json();

}  // namespace animbridge
