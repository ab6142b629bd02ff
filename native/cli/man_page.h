// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace animbridge::cli {

/// The manual of the command in roff.
[[nodiscard]] std::string man_page(const CLI::App& program);

}  // namespace animbridge::cli
