// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/result.h"

namespace animbridge {

/// The most bytes that are read from a file: far above the limits of every format, small enough for memory.
inline constexpr std::size_t max_file_bytes = std::size_t{4} << 30U;

/// Reads the whole file. `path` is UTF-8. ErrorCode::io: the path is a directory, is missing, is unreadable,
/// or holds more than `most_bytes`. A file that announces a larger size is refused before it is read; from a
/// pipe, at most `most_bytes` are held in memory.
[[nodiscard]] Result<Bytes> read_file(const std::string& path, std::size_t most_bytes = max_file_bytes);

/// How a new file starts. The kernel removes a file without a name when the process ends, however it ends.
enum class NewFile { unnamed_where_possible, named };

/// Writes a new file and then moves it to `path`, so that `path` holds either the old content or all of the
/// new. In detail:
/// - A symbolic link is followed: its target is replaced or created. A FIFO, device or socket is written
///   into.
/// - A new file has the permissions that the umask and the folder give it. A replaced file keeps its
///   permissions, but not its owner, access lists or other hard links.
/// - If the process ends half-way, the old file stays whole and nothing else is left. The one exception:
///   SIGKILL on a file system without unnamed files leaves a ".animbridge.*.tmp".
/// - Replacing a file waits until the new content is on disk, so that a power cut leaves one of the two.
///   Creating a file does not wait, like other programs.
[[nodiscard]] Result<void> write_file(const std::string& path, ByteView bytes,
                                      NewFile begins = NewFile::unnamed_where_possible);

}  // namespace animbridge
