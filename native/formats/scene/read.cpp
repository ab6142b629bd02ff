// SPDX-License-Identifier: MIT
#include "formats/scene/read.h"

#include <string>

#include "base/paths.h"
#include "formats/scene/child.h"
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

/// What the program is to read the file with.
std::string reader_of(const Loader& loader, const ReadOptions& options) {
    if (options.is_for_verifying) {
        return loader.id == "collada" ? "collada_written" : std::string(loader.id);
    }
    const bool by_assimp = loader.id == "fbx" && options.uses_assimp_for_fbx;
    return by_assimp ? "fbx_assimp" : std::string(loader.id);
}

}  // namespace

bool sniff(ByteView bytes) { return loader_of(bytes) != nullptr; }

Result<Document> read_motion(const FileInput& file) {
    const Loader* loader = loader_of(file.bytes);
    if (loader == nullptr) {
        return fail(ErrorCode::bad_value,
                    "the file does not begin like a scene; allowed are " + known_loaders());
    }
    ChildCall call{{"read", "--loader", reader_of(*loader, file.options)},
                   file.bytes,
                   "reading " + std::string(loader->title)};
    if (!file.path.empty()) {
        call.arguments.insert(call.arguments.end(), {"--name", std::string(name_in_path(file.path))});
        if (loader->has_side_files && file.options.uses_side_files) {
            call.arguments.insert(call.arguments.end(), {"--folder", folder_of(file.path)});
        }
    }
    TRY(const auto wire, run_child(call, file.options));
    auto document = from_wire(wire);
    if (!document) {
        return fail(ErrorCode::internal, "the program animbridge-scene gave what is not a scene: " +
                                             document.error().message() + ". Nothing was read");
    }
    return document;
}

Result<Document> read(const FileInput& file) {
    auto document = read_motion(file);
    if (document) {
        document->file.assign(file.bytes.begin(), file.bytes.end());
    }
    return document;
}

}  // namespace animbridge::scene
