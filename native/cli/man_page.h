// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace animbridge::cli {

/// The man page in roff.
[[nodiscard]] std::string man_page(const CLI::App& program);

}  // namespace animbridge::cli
