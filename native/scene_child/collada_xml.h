// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>

#include "base/base.h"

namespace animbridge::scene_child {

/// Content of a COLLADA file that Assimp does not pass on.
struct ColladaWords {
    std::map<std::string, std::string> node_names{};  ///< by the node's id
    std::set<std::string> clip_names{};
    std::size_t animations = 0;    ///< not inside another; together they may be one of Assimp's
    double frames_per_second = 0;  ///< 0: not in the file
    bool has_curves = false;       ///< some keys are not linear; Assimp drops that
};

/// Empty if the bytes are not XML, such as an archive (.zae).
[[nodiscard]] ColladaWords collada_words(ByteView file);

/// The name of an animation, from Assimp's name for it, which has the names of the elements around it, or its
/// own again, in front.
[[nodiscard]] std::string animation_name(const ColladaWords& words, const std::string& from_assimp);

}  // namespace animbridge::scene_child
