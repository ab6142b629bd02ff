// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/sl_pose/file/file.h"

/// How the viewers write values.
namespace animbridge::sl_pose::file {

/// `layout` is not Layout::text.
[[nodiscard]] std::string text_for(const std::vector<Value>& documents, Layout layout);

/// Whether the JSON can show the value: it has few levels, every scalar has the text that a viewer writes,
/// and keys differ.
[[nodiscard]] bool is_plain(const Value& value, int levels = 24);

[[nodiscard]] bool is_blank(std::string_view text);

}  // namespace animbridge::sl_pose::file
