// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/result.h"

namespace animbridge {

/// The largest file that is read: far above every format's own limits, far below what hurts.
inline constexpr std::size_t max_file_bytes = std::size_t{4} << 30U;

/// The whole file. `path` is UTF-8. A directory, a missing, an unreadable or a too large file is an
/// ErrorCode::io that says so; a file that says its size is refused before anything is read. Of a pipe, at
/// most `most_bytes` are in memory before it is refused.
[[nodiscard]] Result<Bytes> read_file(const std::string& path, std::size_t most_bytes = max_file_bytes);

/// How a new file begins. One without a name is gone with the process, whatever ends it.
enum class NewFile { unnamed_where_possible, named };

/// Makes a new file and then puts it in the place of `path`, so that the file is there whole or as it was
/// before. What exactly holds:
/// - A symbolic link is followed: its target is replaced, or made. A FIFO, device or socket is written into.
/// - A new file has the permissions that the umask and the folder ask for; a replaced one keeps its own. The
///   owner, access lists and other hard links of a replaced file are not kept.
/// - When the process ends half-way, the old file is whole, and nothing else is left over. The one exception:
///   SIGKILL on a file system without unnamed files leaves a ".animbridge.*.tmp".
/// - A replaced file's new content is on the disk before it takes the old one's place, so a power cut leaves
///   one of the two. A new file is left to the system to store, as by any other program.
[[nodiscard]] Result<void> write_file(const std::string& path, ByteView bytes,
                                      NewFile begins = NewFile::unnamed_where_possible);

}  // namespace animbridge
