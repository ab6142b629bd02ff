// SPDX-License-Identifier: MIT
#include "batch/stems.h"

#include "base/file_name.h"
#include "batch/paths.h"

namespace animbridge::batch {

std::string free_stem(const std::string& words, const std::string& ending, std::set<std::string>& taken) {
    std::string stem = file_stem(words, ending);
    for (std::size_t number = 2; !taken.insert(in_lower_case(stem)).second; ++number) {
        const std::string suffix = "_" + std::to_string(number);
        stem = file_stem(words, suffix + ending).append(suffix);
    }
    return stem;
}

}  // namespace animbridge::batch
