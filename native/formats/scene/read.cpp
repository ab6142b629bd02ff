// SPDX-License-Identifier: MIT
#include "formats/scene/read.h"

#include <string>

#include "base/base.h"
#include "base/files/files.h"
#include "formats/scene/child.h"
#include "formats/scene/gltf/file.h"
#include "formats/scene/gltf/read.h"
#include "formats/scene/loaders.h"
#include "formats/scene/wire.h"

namespace animbridge::scene {

namespace {

std::string known_loaders() {
    std::string text;
    for (const Loader& loader : loaders()) {
        text += (text.empty() ? "" : ", ") + std::string(loader.title);
    }
    return text;
}

std::string folder_of(std::string_view path) {
    const std::size_t name = name_begin(path);
    return name == 0 ? "." : std::string(path.substr(0, name));
}

/// The folder of side files; empty: none may be opened.
std::string side_folder_of(const Loader& loader, const FileInput& file) {
    const bool may_be = !file.path.empty() && loader.has_side_files && file.options.uses_side_files;
    return may_be ? folder_of(file.path) : "";
}

std::string doing_with(const Loader& loader) { return "reading " + std::string(loader.title); }

/// Reads glTF 2 here: only AnimBridge's own code touches it.
Result<Document> read_here(const GltfFile& gltf, const Loader& loader, const FileInput& file) {
    TRY(auto document, read_gltf(gltf, side_folder_of(loader, file), file.options.memory_mib));
    if (const auto valid = validate(document); !valid) {
        return fail(ErrorCode::internal,
                    "AnimBridge made what is not a scene of it: " + valid.error().message());
    }
    return document;
}

/// The loader for the program to use.
std::string reader_of(const Loader& loader, const ReadOptions& options) {
    if (loader.id == "gltf") {
        return "gltf1";
    }
    if (options.is_for_verifying) {
        return loader.id == "collada" ? "collada_written" : std::string(loader.id);
    }
    const bool by_assimp = loader.id == "fbx" && options.uses_assimp_for_fbx;
    return by_assimp ? "fbx_assimp" : std::string(loader.id);
}

Result<Document> read_by_program(const Loader& loader, const FileInput& file) {
    ChildCall call{{"read", "--loader", reader_of(loader, file.options)}, file.bytes, doing_with(loader)};
    if (!file.path.empty()) {
        call.arguments.insert(call.arguments.end(), {"--name", std::string(name_in_path(file.path))});
    }
    if (const std::string folder = side_folder_of(loader, file); !folder.empty()) {
        call.arguments.insert(call.arguments.end(), {"--folder", folder});
    }
    TRY(const auto wire, run_child(call, file.options));
    auto document = from_wire(wire);
    if (!document) {
        return fail(ErrorCode::internal, "the program animbridge-scene gave what is not a scene: " +
                                             document.error().message() + ". Nothing was read");
    }
    return document;
}

}  // namespace

bool sniff(ByteView bytes) { return loader_of(bytes) != nullptr; }

Result<Document> read_motion(const FileInput& file) {
    const Loader* loader = loader_of(file.bytes);
    if (loader == nullptr) {
        return fail(ErrorCode::bad_value,
                    "the file does not begin like a scene; allowed are " + known_loaders());
    }
    if (loader->id != "gltf") {
        return read_by_program(*loader, file);
    }
    const auto named = [&](Error error) {
        error.reason = doing_with(*loader) + " failed: " + error.reason;
        return error;
    };
    TRY(const GltfFile gltf, parse_gltf(file.bytes).map_error(named));
    return is_first_version(gltf) ? read_by_program(*loader, file)
                                  : read_here(gltf, *loader, file).map_error(named);
}

Result<Document> read(const FileInput& file) {
    auto document = read_motion(file);
    if (document) {
        document->file.reserve(file.bytes.size());
        prefer_huge_pages(document->file.data(), document->file.capacity());
        document->file.assign(file.bytes.begin(), file.bytes.end());
    }
    return document;
}

}  // namespace animbridge::scene
