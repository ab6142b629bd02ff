// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/base.h"
#include "base/json/json.h"

namespace animbridge::scene {

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

}  // namespace animbridge::scene
