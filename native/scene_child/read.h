// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/scene/document.h"

namespace animbridge::scene_child {

struct ReadCall {
    ByteView bytes;
    std::string_view loader;  ///< id of scene::loaders(); or "fbx_assimp": FBX by Assimp and not by ufbx;
                              ///< or "collada_written": what AnimBridge wrote, and not by Assimp
    std::string name{};       ///< the file's name, for its extension
    std::string folder{};     ///< where side files may be; empty: none may be opened
};

/// The result has no Document::file. No exception leaves it. ErrorCode::bad_value: the loader cannot read the
/// bytes; the reason is what it says. ErrorCode::invalid_argument: there is no such loader. ErrorCode::
/// out_of_memory: memory ran out.
[[nodiscard]] Result<scene::Document> read_scene(const ReadCall& call);

}  // namespace animbridge::scene_child
