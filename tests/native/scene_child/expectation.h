// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <glm/mat3x3.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "formats/scene_file/file/file.h"

/// fixtures/scene, and the description of each file in its README.md.
namespace animbridge::test {

[[nodiscard]] std::filesystem::path scene_folder();

/// The names of the files with an expectation of this format ("gltf", "fbx", "collada", ...).
[[nodiscard]] std::vector<std::string> scene_files(const std::string& format);

[[nodiscard]] nlohmann::json expectation_of(const std::string& file);

/// How far a document is from an expectation. Differences other than numbers are in `differences`, in words.
struct Difference {
    double rest_metres = 0;
    double rest_linear = 0;  ///< the largest difference of a number of a rest or bind matrix's linear part
    double bind_metres = 0;
    double key_metres = 0;
    double key_degrees = 0;
    double between_metres = 0;
    double between_degrees = 0;
    std::vector<std::string> differences{};
};

[[nodiscard]] Difference compare(const scene_file::file::Document& document, const nlohmann::json& expected);

}  // namespace animbridge::test
