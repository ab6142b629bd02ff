// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "base/option.h"
#include "base/result.h"
#include "formats/sl_anim/clip.h"
#include "formats/sl_anim/limits.h"
#include "formats/sl_anim/reduce.h"

namespace animbridge::sl_anim {

/// How a clip becomes a file: which keys may be dropped, and the header, whose options have the names of
/// those of the viewer's upload.
struct ClipOptions {
    ReduceOptions reduction{};  ///< fits an upload unless the target has no limit or the options set one
    Target target = Target::second_life;
    Header header{};
    std::map<std::string, std::int32_t> joint_priorities{};  ///< keyed by the joints' names in skeleton()
};

[[nodiscard]] std::span<const Option> clip_options();

/// The header is that of a new file. Its loop comes from the clip's markers unless the options set another.
/// ErrorCode::bad_value names the option at fault.
[[nodiscard]] Result<ClipOptions> clip_options_from(const Json& json, const Clip& clip);

}  // namespace animbridge::sl_anim
