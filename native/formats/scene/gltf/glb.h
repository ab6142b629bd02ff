// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/base.h"

/// The container of binary glTF: a header, a chunk of JSON, and usually one of numbers (glTF 2.0, section 4).
namespace animbridge::scene {

struct GlbChunks {
    ByteView json;
    ByteView binary;  ///< empty if there is none
};

/// Checks the first four bytes.
[[nodiscard]] bool is_glb(ByteView file);

/// Views of the file. An error if a chunk is longer than the file, or the first is not JSON.
[[nodiscard]] Result<GlbChunks> read_glb(ByteView file);

}  // namespace animbridge::scene
