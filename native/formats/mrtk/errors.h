// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "base/result.h"

namespace animbridge::mrtk {

/// An error about a field that begins at byte `at` of the file. `reason` says what was found and what is
/// allowed.
[[nodiscard]] inline tl::unexpected<Error> fail_at(ErrorCode code, std::string field, std::size_t at,
                                                   std::string reason) {
    Error error{code, std::move(reason), {}, std::move(field)};
    error.byte_offset = static_cast<std::int64_t>(at);
    return tl::unexpected<Error>(std::move(error));
}

}  // namespace animbridge::mrtk
