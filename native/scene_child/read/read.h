// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/base.h"
#include "formats/scene_file/file/file.h"

/// Scene files to scenes, by Assimp and ufbx, and by our own reader for the COLLADA that we write. In the
/// file's unit and axes. Throws nothing unless it says so.
namespace animbridge::scene_child::read {

struct ReadCall {
    ByteView bytes;
    std::string_view loader;  ///< id of scene_file::file::loaders(); or "fbx_assimp": FBX by Assimp instead
                              ///< of ufbx; or "collada_written": AnimBridge's own output, not by Assimp
    std::string name{};       ///< the file's name, for its extension
    std::string folder{};     ///< the folder of side files; empty: none may be opened
};

/// The result has no Document::file. ErrorCode::bad_value: the loader cannot read the
/// bytes; the reason is its message. ErrorCode::invalid_argument: there is no such loader.
/// ErrorCode::out_of_memory: memory ran out.
[[nodiscard]] Result<scene_file::file::Document> read_scene(const ReadCall& call);

// ---- Assimp ----

/// One of Assimp's loaders, with the id that the caller uses.
struct Loader {
    std::string_view id;         ///< "gltf"
    std::string_view title;      ///< the beginning of Assimp's own name for it
    std::string_view extension;  ///< that of the file name that the loader sees
    bool reads_motion = false;
};

/// All loaders that this program knows; a version of Assimp may lack some.
[[nodiscard]] std::span<const Loader> loaders();

/// Null if no loader has this id.
[[nodiscard]] const Loader* find_loader(std::string_view id);

/// Such as "Assimp 6.0.5".
[[nodiscard]] std::string assimp_title();
/// "" if this program is built without Assimp.
[[nodiscard]] std::string assimp_version();

/// Whether this Assimp has the loader.
[[nodiscard]] bool has_loader(const Loader& loader);

/// Reads a scene with one of Assimp's loaders; no other one is tried. May throw Assimp's exceptions.
[[nodiscard]] Result<scene_file::file::Document> read_by_assimp(const Loader& loader, const ReadCall& call);

// ---- COLLADA that we wrote, and ufbx ----

/// Reads COLLADA 1.4.1 in the form that write_dae writes: nodes with one matrix each, and linear keys of
/// these. It only serves to verify Assimp's output without Assimp: anything else is an error.
[[nodiscard]] Result<scene_file::file::Document> read_written_dae(ByteView file);

/// How far a channel's keys may be from the file's curves between them.
inline constexpr double fbx_bound_degrees = 0.001;
inline constexpr double fbx_bound_metres = 1e-5;

/// The version of ufbx; empty if this program was built without it.
[[nodiscard]] std::string ufbx_version();

/// Reads an FBX file of any version with ufbx: its curves become keys that are exact at the file's own keys,
/// and within the bound between. Errors: ufbx refuses the file (bad_value, in its words), or this program was
/// built without it (invalid_argument).
[[nodiscard]] Result<scene_file::file::Document> read_by_ufbx(ByteView file);

}  // namespace animbridge::scene_child::read
