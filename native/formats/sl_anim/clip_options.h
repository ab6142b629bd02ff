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

/// How a file is made of a clip: the keys that may go, and the header, by the names that the options of the
/// viewer's upload have.
struct ClipOptions {
    ReduceOptions reduction{};  ///< fits an upload, unless the target has no limit or another one is given
    Target target = Target::second_life;
    Header header{};
    std::map<std::string, std::int32_t> joint_priorities{};  ///< by the joints' names in skeleton()
};

[[nodiscard]] std::span<const Option> clip_options();

/// The header is that of a new file, with the loop that the clip's markers say, wherever the options do not
/// say another. ErrorCode::bad_value names the option at fault.
[[nodiscard]] Result<ClipOptions> clip_options_from(const Json& json, const Clip& clip);

}  // namespace animbridge::sl_anim
