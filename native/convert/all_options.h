// SPDX-License-Identifier: MIT
#pragma once

#include "base/json/json.h"

namespace animbridge {

/// The formats, the bridges and retargeting, with their options, in the form of ab_formats_json.
[[nodiscard]] Json all_options_json();

}  // namespace animbridge
