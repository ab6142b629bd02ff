// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <system_error>

#include "base/result.h"

namespace animbridge {

/// An ErrorCode::io about the file `path`.
[[nodiscard]] inline tl::unexpected<Error> io_error(const std::string& path, std::string reason) {
    Error error{ErrorCode::io, std::move(reason)};
    error.file = path;
    return fail(std::move(error));
}

/// As above, with `doing` and the system's message for `error_number` as the reason.
[[nodiscard]] inline tl::unexpected<Error> io_error(const std::string& path, const std::string& doing,
                                                    int error_number) {
    return io_error(path, doing + ": " + std::generic_category().message(error_number));
}

}  // namespace animbridge
