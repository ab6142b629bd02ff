// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// BVH texts that cost a careless reader quadratic time. Each has about `n` bytes, or a few times that.
namespace animbridge::test {

struct HostileBvh {
    const char* what;
    std::string (*make)(std::size_t n);
};

[[nodiscard]] const std::vector<HostileBvh>& hostile_bvhs();

}  // namespace animbridge::test
