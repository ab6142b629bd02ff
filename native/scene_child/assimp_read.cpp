// SPDX-License-Identifier: MIT
#include "scene_child/assimp_read.h"

#include <assimp/config.h>
#include <assimp/importerdesc.h>
#include <assimp/version.h>

#include <algorithm>
#include <assimp/BaseImporter.h>
#include <assimp/DefaultLogger.hpp>
#include <assimp/Importer.hpp>
#include <assimp/LogStream.hpp>
#include <memory>
#include <optional>
#include <utility>

#include "scene_child/assimp_scene.h"
#include "scene_child/camera_turn.h"
#include "scene_child/served_files.h"

namespace animbridge::scene_child {

namespace {

using Assimp::Importer;

/// Assimp's names go on where ours end: "(http://...)".
bool is_named(const aiImporterDesc* description, std::string_view title) {
    return description != nullptr && description->mName != nullptr &&
           std::string_view(description->mName).starts_with(title);
}

/// Leaves only the loader of this name; false: this Assimp does not have it.
bool keep_only(Importer& importer, std::string_view title) {
    for (std::size_t i = importer.GetImporterCount(); i > 0; --i) {
        if (!is_named(importer.GetImporterInfo(i - 1), title)) {
            const std::unique_ptr<Assimp::BaseImporter> other(importer.GetImporter(i - 1));
            importer.UnregisterLoader(other.get());
        }
    }
    return importer.GetImporterCount() > 0;
}

void set_up(Importer& importer, bool with_side_files) {
    // With it, an FBX node becomes a chain of nodes that older versions animate wrongly.
    importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);
    for (const char* part : {AI_CONFIG_IMPORT_FBX_READ_MATERIALS, AI_CONFIG_IMPORT_FBX_READ_TEXTURES,
                             AI_CONFIG_IMPORT_FBX_READ_CAMERAS, AI_CONFIG_IMPORT_FBX_READ_LIGHTS}) {
        importer.SetPropertyBool(part, false);
    }
    importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_ANIMATIONS, true);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_WEIGHTS, true);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_OPTIMIZE_EMPTY_ANIMATION_CURVES, false);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_REMOVE_EMPTY_BONES, false);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, true);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, false);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UNIT_SIZE, false);
    // Their animations are other files.
    importer.SetPropertyBool(AI_CONFIG_IMPORT_MD5_NO_ANIM_AUTOLOAD, !with_side_files);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_SMD_LOAD_ANIMATION_LIST, with_side_files);
}

bool ends_with(std::string name, const std::string& extension) {
    std::ranges::transform(name, name.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return name.ends_with(extension) && name.size() > extension.size();
}

/// The file's name, so that those beside it are found, with an extension that the loader takes for its own.
std::string name_for(const Loader& loader, const ReadCall& call, ByteView file) {
    std::string name = std::filesystem::path(call.name).filename().string();
    std::string extension = "." + std::string(loader.extension);
    const std::string_view begin = text_of(file.first(std::min<std::size_t>(file.size(), 4)));
    if (loader.extension == "gltf" && begin == "glTF") {
        extension = ".glb";
    } else if (loader.id == "collada" && begin.starts_with("PK")) {
        extension = ".zae";
    } else if (loader.id == "md5" && ends_with(name, ".md5anim")) {
        extension = ".md5anim";
    }
    if (name.empty()) {
        name = "scene";
    }
    return ends_with(name, extension) ? name : name + extension;
}

/// Keeps what Assimp warns of.
class Warnings : public Assimp::LogStream {
public:
    explicit Warnings(Notes& notes) : notes_(notes) {}
    void write(const char* message) override {
        std::string_view text(message);
        const std::size_t end = text.find_last_not_of("\r\n ");
        notes_.say("Assimp says: " + std::string(text.substr(0, end + 1)));
    }

private:
    Notes& notes_;
};

/// Assimp has one logger for the whole process; here it lives as long as a file is read.
class Logging {
public:
    explicit Logging(Notes& notes) {
        Assimp::DefaultLogger::create("", Assimp::Logger::NORMAL, 0);
        Assimp::DefaultLogger::get()->attachStream(std::make_unique<Warnings>(notes).release(),
                                                   Assimp::Logger::Warn | Assimp::Logger::Err);
    }
    Logging(const Logging&) = delete;
    Logging& operator=(const Logging&) = delete;
    Logging(Logging&&) = delete;
    Logging& operator=(Logging&&) = delete;
    ~Logging() { Assimp::DefaultLogger::kill(); }
};

Result<void> fill(scene::Document& document, const aiScene& scene, const GltfJson* gltf, const Loader& loader,
                  Notes& notes) {
    AssimpScene from{scene, gltf, false, false, document, notes};
    from.binds_in_world = gltf != nullptr;
    if (loader.id == "collada" && scene.mRootNode != nullptr) {
        from.root_is_made_up = take_root_space(*scene.mRootNode, document.space);
        from.binds_in_world = from.root_is_made_up;
    } else if (loader.id == "fbx" && scene.mRootNode != nullptr) {
        from.root_is_made_up = scene.mRootNode->mTransformation.IsIdentity() && scene.mRootNode->mNumMeshes == 0;
    }
    TRY_VOID(take_nodes(from));
    take_animations(from);
    take_space(from, loader.id);
    turn_cameras(document, from.camera_turns);
    if (gltf != nullptr) {
        document.human_format = gltf->human_format();
        for (scene::HumanBone& bone : gltf->human_bones()) {
            if (from.gltf_nodes[bone.node] >= 0) {
                document.human_bones.push_back({std::move(bone.slot), static_cast<std::uint32_t>(from.gltf_nodes[bone.node])});
            }
        }
    }
    return {};
}

Result<scene::Document> read(ByteView file, const Loader& loader, const ReadCall& call, const GltfJson* gltf) {
    scene::Document document;
    document.loader = loader.id == "gltf1" ? "gltf" : loader.id;
    document.program = assimp_title();
    Notes notes;
    const Logging logging(notes);
    Importer importer;
    if (!keep_only(importer, loader.title)) {
        return fail(ErrorCode::invalid_argument, assimp_title() + " has no loader \"" + std::string(loader.id) + "\"");
    }
    set_up(importer, !call.folder.empty());
    // The importer owns its files, and outlives them here.
    auto owned = std::make_unique<ServedFiles>(name_for(loader, call, file), file, call.folder);
    const ServedFiles& files = *owned;
    importer.SetIOHandler(owned.release());
    const aiScene* const scene = importer.ReadFile(files.name(), 0);
    for (const std::string& name : files.missing()) {
        notes.say(scene::NoteKind::side_file_missing, name);
    }
    if (scene == nullptr) {
        return fail(ErrorCode::bad_value, assimp_title() + " cannot read it: " + importer.GetErrorString());
    }
    TRY_VOID(fill(document, *scene, gltf, loader, notes));
    document.notes = notes.take();
    return document;
}

}  // namespace

std::string assimp_version() {
    return std::to_string(aiGetVersionMajor()) + "." + std::to_string(aiGetVersionMinor()) + "." +
           std::to_string(aiGetVersionPatch());
}

std::string assimp_title() { return "Assimp " + assimp_version(); }

bool has_loader(const Loader& loader) {
    const Importer importer;
    for (std::size_t i = 0; i < importer.GetImporterCount(); ++i) {
        if (is_named(importer.GetImporterInfo(i), loader.title)) {
            return true;
        }
    }
    return false;
}

Result<scene::Document> read_by_assimp(const Loader& loader, const ReadCall& call) {
    if (loader.id != "gltf") {
        return read(call.bytes, loader, call, nullptr);
    }
    TRY(const GltfJson gltf, GltfJson::parse(call.bytes));
    if (gltf.is_first_version()) {
        return read(call.bytes, *find_loader("gltf1"), call, nullptr);
    }
    return read(gltf.numbered(), loader, call, &gltf);
}

}  // namespace animbridge::scene_child
