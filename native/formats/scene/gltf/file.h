// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/json_value.h"
#include "base/result.h"

namespace animbridge::scene {

/// Where AnimBridge's files say their frame rate, in the extras of "asset": glTF has no word for it.
inline constexpr const char* gltf_rate_member = "frames_per_second";

/// A .gltf or .glb file, taken apart.
struct GltfFile {
    Json json;
    ByteView chunk;  ///< the binary chunk of a GLB, a view of the file; empty: there is none
};

/// A view of `file`, which outlives the result. Errors: no JSON, or a GLB whose chunks do not fit (bad_value,
/// truncated).
[[nodiscard]] Result<GltfFile> parse_gltf(ByteView file);

/// glTF 1.0, which has another form.
[[nodiscard]] bool is_first_version(const GltfFile& file);

[[nodiscard]] std::string generator_of(const GltfFile& file);
/// 0: the file does not say.
[[nodiscard]] double frames_per_second_of(const GltfFile& file);

}  // namespace animbridge::scene
