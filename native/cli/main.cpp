// SPDX-License-Identifier: MIT
#include <utility>

#include "base/files/files.h"
#include "cli/run.h"

int main(int argc, char** argv) {
    animbridge::hold_standard_streams();
    auto words = animbridge::utf8_arguments(argc, argv);
    words.erase(words.begin(), words.begin() + (words.empty() ? 0 : 1));
    return animbridge::cli::run_command(std::move(words), {});
}
