// SPDX-License-Identifier: MIT
// In place of what needs Assimp, where the program is built without it: FBX is read, other scenes are not,
// and none is written.
#include "scene_child/read/read.h"
#include "scene_child/write/write.h"

namespace animbridge::scene_child {

namespace {

constexpr const char* reason =
    "this build of animbridge-scene has no Assimp: it reads FBX, and no other scenes";

}  // namespace

std::string read::assimp_version() { return ""; }

bool read::has_loader(const Loader& /*loader*/) { return false; }

Result<scene_file::file::Document> read::read_by_assimp(const Loader& /*loader*/, const ReadCall& /*call*/) {
    return fail(ErrorCode::rejected, reason);
}

Result<Bytes> write::write_scene(const scene_file::file::Document& /*document*/,
                                 std::string_view /*container*/) {
    return fail(ErrorCode::rejected, std::string(reason) + ". It writes none");
}

std::span<const std::string_view> write::written_containers() { return {}; }

}  // namespace animbridge::scene_child
