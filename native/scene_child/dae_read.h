// SPDX-License-Identifier: MIT
#pragma once

#include "base/base.h"
#include "formats/scene/document.h"

namespace animbridge::scene_child {

/// Reads COLLADA 1.4.1 in the form that write_dae writes: nodes with one matrix each, and linear keys of
/// these. It only serves to verify Assimp's output without Assimp: anything else is an error.
[[nodiscard]] Result<scene::Document> read_written_dae(ByteView file);

}  // namespace animbridge::scene_child
