// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/result.h"

namespace animbridge {

/// The largest file that is read: far above every format's own limits, far below what hurts.
inline constexpr std::size_t max_file_bytes = std::size_t{4} << 30U;

/// The whole file. `path` is UTF-8. A directory, a missing or an unreadable file is an ErrorCode::io that
/// says so.
[[nodiscard]] Result<Bytes> read_file(const std::string& path);

/// Writes beside `path` and renames, so that the file is there whole or as it was before; the neighbour is
/// removed on failure.
[[nodiscard]] Result<void> write_file(const std::string& path, ByteView bytes);

}  // namespace animbridge
