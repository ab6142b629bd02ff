// SPDX-License-Identifier: MIT
#pragma once

#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/base.h"
#include "formats/scene/side_files.h"

namespace animbridge::scene_child {

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
    scene::SideFiles side_files_;
    mutable std::set<std::string> missing_;
};

}  // namespace animbridge::scene_child
