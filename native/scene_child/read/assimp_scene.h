// SPDX-License-Identifier: MIT
#pragma once

#include <assimp/scene.h>
#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "formats/scene_file/file/file.h"

/// What Assimp read, as a scene, and the files that it may open.
namespace animbridge::scene_child::read {

/// Content of a COLLADA file that Assimp does not pass on.
struct ColladaWords {
    std::map<std::string, std::string> node_names{};  ///< by the node's id
    std::set<std::string> clip_names{};
    std::size_t animations = 0;    ///< not inside another; together they may be one of Assimp's
    double frames_per_second = 0;  ///< 0: not in the file
    bool has_curves = false;       ///< some keys are not linear; Assimp drops that
};

/// Empty if the bytes are not XML, such as an archive (.zae).
[[nodiscard]] ColladaWords collada_words(ByteView file);

/// The name of an animation, from Assimp's name for it, which has the names of the elements around it, or its
/// own again, in front.
[[nodiscard]] std::string animation_name(const ColladaWords& words, const std::string& from_assimp);

/// A scene from Assimp, and the document that it becomes.
struct AssimpInput {
    const aiScene& scene;
    const ColladaWords* collada =
        nullptr;                   ///< what the XML says, for COLLADA; nodes are then named by their ids
    bool root_is_made_up = false;  ///< the root is not a node of the file
    bool binds_in_world = false;   ///< a skin's matrices are relative to the world, wherever its mesh is
    double ticks_per_second = 0;   ///< above 0: replaces Assimp's value
    scene_file::file::Document& document;
    scene_file::file::Notes& notes;
    std::map<std::string_view, std::uint32_t> nodes{};   ///< by Assimp's name; if names are equal, the first
    std::map<std::uint32_t, glm::dquat> camera_turns{};  ///< see turn_cameras
};

[[nodiscard]] inline std::string_view chars_of(const aiString& text) { return {text.data, text.length}; }

/// Fills in the nodes with their roles and bind poses, and the cameras. ErrorCode::bad_value: nodes are
/// deeper than scene_file::file::deepest_node.
[[nodiscard]] Result<void> take_nodes(AssimpInput& from);

/// Fills in the animations; call it after take_nodes.
void take_animations(AssimpInput& from);

/// Whether the root only rotates and scales the file's axes to Y up and metres; then sets `space` from it.
[[nodiscard]] bool take_root_space(const aiNode& root, scene_file::file::Space& space);

/// Fills in axes, unit, frame rate and generator; call it after take_nodes.
void take_space(AssimpInput& from, std::string_view loader);

/// The files that a loader may open: the scene itself, from memory, and, if a folder is given, files inside
/// it. Nothing else exists, and nothing is ever written.
class ServedFiles : public Assimp::IOSystem {
public:
    /// `name`: the scene's name for the loader, without folders. `bytes` must outlive this. Empty `folder`:
    /// only the scene.
    ServedFiles(std::string name, ByteView bytes, const std::string& folder);

    [[nodiscard]] const std::string& name() const { return name_; }
    /// Names of missing files that the loader asked for, in the scene's spelling.
    [[nodiscard]] const std::set<std::string>& missing() const { return missing_; }

    /// A file of the folder; nullopt: no file has this name, or there is no folder.
    [[nodiscard]] std::optional<Bytes> side_file(std::string_view name) const;

    bool Exists(const char* path) const override;
    [[nodiscard]] char getOsSeparator() const override { return '/'; }
    Assimp::IOStream* Open(const char* path, const char* mode) override;
    void Close(Assimp::IOStream* stream) override;
    bool CreateDirectory(const std::string&) override { return false; }
    bool ChangeDirectory(const std::string&) override { return false; }
    bool DeleteFile(const std::string&) override { return false; }

private:
    [[nodiscard]] bool is_scene(std::string_view path) const;
    std::string name_;
    ByteView bytes_;
    scene_file::file::SideFiles side_files_;
    mutable std::set<std::string> missing_;
};

}  // namespace animbridge::scene_child::read
