// SPDX-License-Identifier: MIT
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "formats/scene/document.h"

namespace animbridge::scene_child {

/// Reads COLLADA 1.4.1 as write_dae leaves it: nodes with one matrix each, and linear keys of these. It
/// verifies what Assimp wrote without Assimp, and is for nothing else: what it does not know is an error.
[[nodiscard]] Result<scene::Document> read_written_dae(ByteView file);

}  // namespace animbridge::scene_child
