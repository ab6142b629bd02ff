// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>

#include "base/bytes.h"

namespace animbridge::scene_child {

/// What a COLLADA file says and Assimp does not pass on.
struct ColladaWords {
    std::map<std::string, std::string> node_names{};  ///< by the node's id
    std::set<std::string> clip_names{};
    std::size_t animations = 0;    ///< those that are in no other; together they may be one of Assimp's
    double frames_per_second = 0;  ///< 0: the file does not say
    bool has_curves = false;       ///< some keys are not linear, which Assimp forgets
};

/// Empty where the bytes are no XML, as those of an archive (.zae).
[[nodiscard]] ColladaWords collada_words(ByteView file);

/// The name of an animation, from what Assimp makes of it: it puts the names of the elements around it, or
/// its own once more, in front.
[[nodiscard]] std::string animation_name(const ColladaWords& words, const std::string& from_assimp);

}  // namespace animbridge::scene_child
