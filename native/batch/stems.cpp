// SPDX-License-Identifier: MIT
#include "batch/stems.h"

#include "base/base.h"
#include "base/files/files.h"
#include "batch/file_paths.h"

namespace animbridge::batch {

std::string free_stem(const std::string& words, const std::string& ending, TakenStems& taken) {
    std::string stem = file_stem(words, ending);
    if (taken.names.insert(in_lower_case(stem)).second) {
        return stem;
    }
    std::size_t& number = taken.numbers.try_emplace(in_lower_case(stem), 1).first->second;
    do {
        const std::string suffix = "_" + std::to_string(++number);
        stem = file_stem(words, suffix + ending).append(suffix);
    } while (!taken.names.insert(in_lower_case(stem)).second);
    return stem;
}

}  // namespace animbridge::batch
