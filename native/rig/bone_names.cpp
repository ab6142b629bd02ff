// SPDX-License-Identifier: MIT
#include "rig/bone_names.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/base.h"

namespace animbridge::rig {

namespace {

std::string clean_name(const std::string& name) {
    std::string clean = to_utf8(name);
    std::replace_if(
        clean.begin(), clean.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; },
        ' ');
    clean.resize(shortened(clean, most_name_bytes).size());
    return clean.find_first_not_of(' ') == std::string::npos ? "joint" : clean;
}

std::string numbered(const std::string& name, std::size_t number) {
    std::string digits = std::to_string(number);
    digits.insert(0, digits.size() < 3 ? 3 - digits.size() : 0, '0');
    return std::string(shortened(name, most_name_bytes - digits.size() - 1)) + "." + digits;
}

}  // namespace

std::vector<std::string> bone_names(std::span<const std::string> joint_names) {
    std::vector<std::string> names;
    names.reserve(joint_names.size());
    std::unordered_set<std::string> taken;
    std::unordered_map<std::string, std::size_t>
        next_number;  // keeps many equal names as cheap as different ones
    for (const std::string& joint_name : joint_names) {
        const std::string clean = clean_name(joint_name);
        // The part that numbers are appended to.
        const std::string beginning(shortened(clean, most_name_bytes - 4));
        std::string name = clean;
        while (!taken.insert(name).second) {
            name = numbered(clean, ++next_number[beginning]);
        }
        names.push_back(std::move(name));
    }
    return names;
}

}  // namespace animbridge::rig
