// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "base/base.h"
#include "formats/scene/document.h"

namespace animbridge::scene_child {

/// How far a channel's keys may be from the file's curves between them.
inline constexpr double fbx_bound_degrees = 0.001;
inline constexpr double fbx_bound_metres = 1e-5;

/// The version of ufbx; empty if this program was built without it.
[[nodiscard]] std::string ufbx_version();

/// Reads an FBX file of any version with ufbx: its curves become keys that are exact at the file's own keys,
/// and within the bound between. Errors: ufbx refuses the file (bad_value, in its words), or this program was
/// built without it (invalid_argument).
[[nodiscard]] Result<scene::Document> read_by_ufbx(ByteView file);

}  // namespace animbridge::scene_child
