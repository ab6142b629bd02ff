// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "base/result.h"

namespace animbridge::mrtk {

[[nodiscard]] inline std::string bytes_text(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}
[[nodiscard]] inline std::string left_text(std::size_t count) {
    return bytes_text(count) + (count == 1 ? " is left" : " are left");
}
/// For a file that ends within a field.
[[nodiscard]] inline std::string needed_text(std::size_t wanted, std::size_t left) {
    return "needs " + bytes_text(wanted) + "; " + left_text(left);
}

}  // namespace animbridge::mrtk
