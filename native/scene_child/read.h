// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "base/base.h"
#include "formats/scene/document.h"

namespace animbridge::scene_child {

struct ReadCall {
    ByteView bytes;
    std::string_view loader;  ///< id of scene::loaders(); or "fbx_assimp": FBX by Assimp instead of ufbx; or
                              ///< "collada_written": AnimBridge's own output, not by Assimp
    std::string name{};       ///< the file's name, for its extension
    std::string folder{};     ///< the folder of side files; empty: none may be opened
};

/// The result has no Document::file. Throws no exception. ErrorCode::bad_value: the loader cannot read the
/// bytes; the reason is its message. ErrorCode::invalid_argument: there is no such loader.
/// ErrorCode::out_of_memory: memory ran out.
[[nodiscard]] Result<scene::Document> read_scene(const ReadCall& call);

}  // namespace animbridge::scene_child
