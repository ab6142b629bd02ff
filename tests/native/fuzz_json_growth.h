// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace animbridge::test {

/// Makes a large input from a small one: repeats one value or member of the text up to about `bytes` bytes,
/// and never beyond. Valid JSON stays valid. `choice` selects the value. Text without a comma or bracket is
/// returned unchanged.
[[nodiscard]] std::string grown_json(std::string_view text, std::size_t bytes, std::uint32_t choice);

}  // namespace animbridge::test
