// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include <stdlib.h>

#include "invariants.h"

namespace animbridge::test {

/// A new folder, in memory if there is a file system for it, which is removed at the end.
class Scratch {
public:
    Scratch() {
        const std::filesystem::path memory = "/dev/shm";
        std::error_code ignored;
        std::string name =
            ((std::filesystem::is_directory(memory, ignored) ? memory
                                                             : std::filesystem::temp_directory_path()) /
             "animbridge-fuzz.XXXXXX")
                .string();
        require(mkdtemp(name.data()) != nullptr, "no folder for temporary files");
        folder_ = name;
    }
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    Scratch(Scratch&&) = delete;
    Scratch& operator=(Scratch&&) = delete;

    [[nodiscard]] std::string file(const char* name) const { return (folder_ / name).string(); }
    [[nodiscard]] auto count() const {
        return std::distance(std::filesystem::directory_iterator(folder_), {});
    }

private:
    std::filesystem::path folder_;
};

}  // namespace animbridge::test
