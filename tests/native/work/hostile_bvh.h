// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// BVH texts that a careless reader takes the square of their size for. Each is about `n` bytes long, or some
/// times that.
namespace animbridge::test {

struct HostileBvh {
    const char* what;
    std::string (*make)(std::size_t n);
};

[[nodiscard]] const std::vector<HostileBvh>& hostile_bvhs();

}  // namespace animbridge::test
