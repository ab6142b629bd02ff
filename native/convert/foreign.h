// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "base/bytes.h"

namespace animbridge {

/// Whose file this is, for an error message: "a Unity animation (YAML)"; empty where the first bytes do not
/// tell. For files that none of our formats knows: many programs call theirs `.anim`.
[[nodiscard]] std::string_view foreign_kind(ByteView bytes);

}  // namespace animbridge
