// SPDX-License-Identifier: MIT
#pragma once

#include <random>

#include "formats/scene/document.h"

namespace animbridge::test {

/// A small scene that keeps all that document.h promises: a random tree with any placements, skins, cameras,
/// animations with every kind of key, body parts and notes. Names may be empty, repeated or no UTF-8.
[[nodiscard]] scene::Document any_scene(std::mt19937& random);

/// Whether all members are equal, bits of numbers included; `file` is left out.
[[nodiscard]] bool are_equal(const scene::Document& a, const scene::Document& b);

}  // namespace animbridge::test
