// SPDX-License-Identifier: MIT
#include "scene_child/read/read.h"

#include <assimp/BaseImporter.h>
#include <assimp/config.h>
#include <assimp/importerdesc.h>
#include <assimp/version.h>
#include <algorithm>
#include <assimp/DefaultLogger.hpp>
#include <assimp/Importer.hpp>
#include <assimp/LogStream.hpp>
#include <charconv>
#include <memory>

#include "scene_child/common/common.h"
#include "scene_child/read/assimp_scene.h"

namespace animbridge::scene_child::read {

namespace {

using Assimp::Importer;

/// Assimp's names continue where ours end: "(http://...)".
bool is_named(const aiImporterDesc* description, std::string_view title) {
    return description != nullptr && description->mName != nullptr &&
           std::string_view(description->mName).starts_with(title);
}

/// Keeps only the loader with this name; false: this Assimp does not have it.
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
#ifdef AI_CONFIG_IMPORT_FBX_IGNORE_UP_DIRECTION
    // The document defines which axis is up; older versions never turned the root.
    importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_IGNORE_UP_DIRECTION, true);
#endif
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
    // The names, which may repeat, come from the XML (collada_xml.h); ids do not repeat.
    importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, false);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, false);
#ifdef AI_CONFIG_IMPORT_COLLADA_IGNORE_UNIT_SIZE
    importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UNIT_SIZE, false);
#endif
    // Its motion is in another file.
    importer.SetPropertyBool(AI_CONFIG_IMPORT_MD5_NO_ANIM_AUTOLOAD, !with_side_files);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_SMD_LOAD_ANIMATION_LIST, false);
}

bool ends_with(const std::string& name, const std::string& extension) {
    return in_lower_case(name).ends_with(extension) && name.size() > extension.size();
}

/// The file's name, so that files beside it are found, with an extension that the loader accepts.
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

/// Collects Assimp's warnings.
class Warnings : public Assimp::LogStream {
public:
    explicit Warnings(scene_file::file::Notes& notes) : notes_(notes) {}
    void write(const char* message) override {
        // "Warn,  T0: ..."
        std::string_view text(message);
        text.remove_prefix(std::min(text.find(": "), text.size() - 2) + 2);
        const std::size_t end = text.find_last_not_of("\r\n ");
        if (text.find("aterial") == std::string_view::npos) {  // not needed here
            notes_.say("Assimp says: " + std::string(text.substr(0, end + 1)));
        }
    }

private:
    scene_file::file::Notes& notes_;
};

/// Assimp has one logger for the whole process; here it exists only while a file is read.
class Logging {
public:
    explicit Logging(scene_file::file::Notes& notes) {
        Assimp::DefaultLogger::create("", Assimp::Logger::NORMAL, 0);
        Assimp::DefaultLogger::get()->attachStream(std::make_unique<Warnings>(notes).release(),
                                                   Assimp::Logger::Warn | Assimp::Logger::Err);
    }
    Logging(const Logging&) = delete;
    Logging& operator=(const Logging&) = delete;
    ~Logging() { Assimp::DefaultLogger::kill(); }
};

/// Content of the file that Assimp does not pass on.
struct Words {
    const ColladaWords* collada = nullptr;
    double ticks_per_second = 0;
};

/// The rate of an MD5 animation, which Assimp replaces by 24; 0: it has none.
double md5_rate(const ServedFiles& files) {
    const std::string& name = files.name();
    const auto bytes = files.side_file(name.substr(0, name.rfind('.')) + ".md5anim");
    if (!bytes) {
        return 0;
    }
    constexpr std::string_view word = "frameRate";
    std::string_view text = text_of(*bytes);
    const std::size_t at = text.find(word);
    if (at == std::string_view::npos) {
        return 0;
    }
    text.remove_prefix(at + word.size());
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    int rate = 0;
    std::from_chars(text.data(), text.data() + text.size(), rate);
    return rate > 0 ? rate : 0;
}

Result<void> fill(scene_file::file::Document& document, const aiScene& scene, const Words& words,
                  const Loader& loader, scene_file::file::Notes& notes) {
    AssimpInput from{scene, words.collada, false, false, words.ticks_per_second, document, notes};
    if (loader.id == "collada" && scene.mRootNode != nullptr) {
        from.root_is_made_up = take_root_space(*scene.mRootNode, document.space);
        from.binds_in_world = from.root_is_made_up;
    } else if (loader.id == "md5" && scene.mRootNode != nullptr) {
        from.root_is_made_up = take_root_space(*scene.mRootNode, document.space);
        document.space.says_axes = false;
        document.space.says_unit = false;
    } else if (loader.id == "fbx" && scene.mRootNode != nullptr) {
        from.root_is_made_up =
            scene.mRootNode->mTransformation.IsIdentity() && scene.mRootNode->mNumMeshes == 0;
    }
    TRY_VOID(take_nodes(from));
    take_animations(from);
    take_space(from, loader.id);
    common::turn_cameras(document, from.camera_turns);
    if (words.collada != nullptr && words.collada->has_curves) {
        notes.say(
            "Keys that hold their value or are joined by curves become linear: Assimp does not tell them "
            "apart.");
    }
    if (words.collada != nullptr) {
        document.frames_per_second = words.collada->frames_per_second;
    }
    return {};
}

Result<scene_file::file::Document> read(ByteView file, const Loader& loader, const ReadCall& call,
                                        Words words) {
    scene_file::file::Document document;
    document.loader = loader.id == "gltf1" ? "gltf" : loader.id;
    document.program = assimp_title();
    scene_file::file::Notes notes;
    const Logging logging(notes);
    Importer importer;
    if (!keep_only(importer, loader.title)) {
        return fail(ErrorCode::invalid_argument,
                    assimp_title() + " has no loader \"" + std::string(loader.id) + "\"");
    }
    set_up(importer, !call.folder.empty());
    // The importer owns its files, and outlives them here.
    auto owned = std::make_unique<ServedFiles>(name_for(loader, call, file), file, call.folder);
    const ServedFiles& files = *owned;
    importer.SetIOHandler(owned.release());
    const aiScene* const scene = importer.ReadFile(files.name(), 0);
    for (const std::string& name : files.missing()) {
        notes.say(scene_file::file::NoteKind::side_file_missing, name);
    }
    if (scene == nullptr) {
        const std::string reason = importer.GetErrorString();
        // How Assimp and the C++ runtime report that memory ran out.
        const bool is_memory =
            reason.find("bad_alloc") != std::string::npos || reason.find("ut of memory") != std::string::npos;
        return fail(is_memory ? ErrorCode::out_of_memory : ErrorCode::bad_value,
                    assimp_title() + " cannot read it: " + (is_memory ? "memory ran out" : reason));
    }
    if (loader.id == "md5") {
        words.ticks_per_second = md5_rate(files);
    }
    if (loader.id == "fbx") {
        notes.say(
            "Assimp does not tell whether an FBX file has pivots, pre- and post-rotations or other orders of "
            "angles: "
            "their poses may be wrong. ufbx reads them");
    }
    TRY_VOID(fill(document, *scene, words, loader, notes));
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

Result<scene_file::file::Document> read_by_assimp(const Loader& loader, const ReadCall& call) {
    if (loader.id == "collada") {
        const ColladaWords words = collada_words(call.bytes);
        return read(call.bytes, loader, call, {&words, 0});
    }
    return read(call.bytes, loader, call, {});
}

}  // namespace animbridge::scene_child::read
