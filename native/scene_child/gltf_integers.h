// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "base/result.h"

namespace animbridge::scene_child {

/// Makes floats of the animation keys that a glTF stores as normalised integers, whose bits Assimp takes for
/// floats. `chunk` is the data of a GLB's binary chunk; the floats are appended to it, and the accessors in
/// `json` then name them. Errors: the integers are in another buffer, sparse, or beyond the bytes
/// (bad_value).
[[nodiscard]] Result<void> widen_integers(nlohmann::json& json, Bytes& chunk);

}  // namespace animbridge::scene_child
