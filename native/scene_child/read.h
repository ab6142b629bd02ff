// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/scene/document.h"

namespace animbridge::scene_child {

struct ReadRequest {
    std::string loader{};            ///< an id of loaders.h, or "fbx"
    std::string name{};              ///< the file's name, for loaders that look at it; may be empty
    std::filesystem::path folder{};  ///< where side files may be; empty: none may be opened
    bool fbx_by_assimp = false;      ///< read FBX with Assimp though ufbx is there
};

/// Reads a scene; the result has no Document::file. No exception leaves it. Errors: there is no such loader
/// (invalid_argument); the loader refuses the file (bad_value, its own words); memory ran out (out_of_memory).
[[nodiscard]] Result<scene::Document> read_scene(ByteView file, const ReadRequest& request);

}  // namespace animbridge::scene_child
