// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "base/bytes.h"
#include "base/result.h"

namespace animbridge {

/// Reads at most `size` bytes into `into`. Returns how many it read; 0 at the end of the file.
using ReadSome = std::function<Result<std::size_t>(std::uint8_t* into, std::size_t size)>;

/// The error for a file of `found` bytes, of which at most `most_bytes` may be read.
[[nodiscard]] tl::unexpected<Error> file_too_large(const std::string& path, const std::string& found,
                                                   std::size_t most_bytes);

/// Reads to the end rather than up to the announced size: a pipe announces none (0), and a file can grow
/// meanwhile. ErrorCode::io: the file has more than `most_bytes`. Errors of `read_some` are returned.
[[nodiscard]] Result<Bytes> read_to_end(const ReadSome& read_some, std::size_t announced,
                                        std::size_t most_bytes, const std::string& path);

}  // namespace animbridge
