// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "base/base.h"
#include "base/json/json.h"
#include "formats/scene_file/file/file.h"

/// Reads glTF 2 within a limit on memory.
namespace animbridge::scene_file::gltf {

/// Where AnimBridge's files store their frame rate, in the extras of "asset": glTF has no member for it.
inline constexpr const char* gltf_rate_member = "frames_per_second";

/// The parts of a .gltf or .glb file.
struct GltfFile {
    Json json;
    ByteView chunk;  ///< the binary chunk of a GLB, a view of the file; empty if there is none
};

/// A view of `file`, which must outlive the result. Errors: not JSON, or a GLB whose chunks do not fit
/// (bad_value, truncated).
[[nodiscard]] Result<GltfFile> parse_gltf(ByteView file);

/// Whether the file is glTF 1.0, which has a different form.
[[nodiscard]] bool is_first_version(const GltfFile& file);

[[nodiscard]] std::string generator_of(const GltfFile& file);
/// 0: not in the file.
[[nodiscard]] double frames_per_second_of(const GltfFile& file);

/// Reads the motion in a glTF 2.0 file: nodes, cameras, skins, animations and VRM's body parts. It ignores
/// meshes and materials, and so any compression of them. `folder`: the folder of side files; empty: none is
/// opened. The document has no Document::file, and takes at most `memory_mib`. ErrorCode::bad_value: the
/// reason says what is wrong, without the file's name.
[[nodiscard]] Result<file::Document> read_gltf(const GltfFile& file, const std::string& folder,
                                               std::uint32_t memory_mib);

// ---- binary glTF: a header, a chunk of JSON, and usually one of numbers (glTF 2.0, section 4) ----

struct GlbChunks {
    ByteView json;
    ByteView binary;  ///< empty if there is none
};

/// Checks the first four bytes.
[[nodiscard]] bool is_glb(ByteView file);

/// Views of the file. An error if a chunk is longer than the file, or the first is not JSON.
[[nodiscard]] Result<GlbChunks> read_glb(ByteView file);

}  // namespace animbridge::scene_file::gltf
