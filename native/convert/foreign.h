// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "base/base.h"

namespace animbridge {

/// The kind of a file of another program, for error messages, such as "a Unity animation (YAML)"; "" if the
/// first bytes do not show it. Many programs use the extension `.anim`.
[[nodiscard]] std::string_view foreign_kind(ByteView bytes);

}  // namespace animbridge
