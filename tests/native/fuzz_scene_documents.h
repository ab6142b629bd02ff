// SPDX-License-Identifier: MIT
#pragma once

#include <random>

#include "formats/scene_file/file/file.h"

namespace animbridge::test {

/// A small scene with all guarantees of scene_file::file::Document: a random tree with any placements, skins,
/// cameras, animations with every kind of key, body parts and notes. Names may be empty, repeated or not
/// UTF-8.
[[nodiscard]] scene_file::file::Document any_scene(std::mt19937& random);

/// Whether all members are equal, including bits of numbers; ignores `file`.
[[nodiscard]] bool are_equal(const scene_file::file::Document& a, const scene_file::file::Document& b);

}  // namespace animbridge::test
