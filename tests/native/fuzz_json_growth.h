// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace animbridge::test {

/// The text with one of its values or members repeated until it has about `bytes` bytes, but never more: a
/// large input made of a small one. Valid JSON stays valid. `choice` says which value; text without a comma
/// or a bracket comes back as it is.
[[nodiscard]] std::string grown_json(std::string_view text, std::size_t bytes, std::uint32_t choice);

}  // namespace animbridge::test
