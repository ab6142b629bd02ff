// SPDX-License-Identifier: MIT
#include "scene_child/write.h"

#include <array>
#include <exception>
#include <new>
#include <string>

#include "formats/scene/wire.h"
#include "scene_child/write_containers.h"

namespace animbridge::scene_child {

namespace {

Result<Bytes> write_container(const scene::Document& document, std::string_view container) {
    TRY_VOID(scene::validate(document));
    if (document.nodes.empty()) {
        return fail(ErrorCode::rejected, "the scene has no node to write");
    }
    if (container == "glb") {
        return write_glb(document);
    }
    if (container == "gltf") {
        return write_gltf(document);
    }
    if (container == "fbx") {
        return write_fbx(document);
    }
    if (container == "dae") {
        return write_dae(document);
    }
    return fail(ErrorCode::invalid_argument,
                "found the container \"" + std::string(container) + "\"; allowed are glb, gltf, fbx and dae");
}

constexpr std::array<std::string_view, 4> containers = {"glb", "gltf", "dae", "fbx"};

}  // namespace

std::span<const std::string_view> written_containers() {
    const std::span<const std::string_view> all(containers);
    return writes_fbx() ? all : all.first(all.size() - 1);
}

Result<Bytes> write_scene(const scene::Document& document, std::string_view container) {
    try {
        return write_container(document, container);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::out_of_memory, "there is not enough memory to write the scene");
    } catch (const std::exception& problem) {  // Assimp and the JSON library throw
        return fail(ErrorCode::rejected, std::string("the scene cannot be written: ") + problem.what());
    }
}

}  // namespace animbridge::scene_child
