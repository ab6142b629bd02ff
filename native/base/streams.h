// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"

/// The standard streams and arguments of a program, alike on every system.
namespace animbridge {

enum class Stream : unsigned char { output, error };

/// Occupies closed standard streams, so that no file gets their number and receives their text. Writing to
/// such a stream still fails.
void hold_standard_streams();

/// Writes all of the text, UTF-8, without changing line ends. Returns "", or why it failed.
[[nodiscard]] std::string write_to(Stream stream, std::string_view text);

/// All of standard input. ErrorCode::io: it cannot be read, or holds more than `most_bytes`.
[[nodiscard]] Result<Bytes> read_input_stream(std::size_t most_bytes = max_file_bytes);

/// Whether a person sees the stream, in a terminal or console.
[[nodiscard]] bool is_terminal(Stream stream);

/// Whether `path` is standard output, as /dev/stdout is.
[[nodiscard]] bool is_output_stream(const std::string& path);

/// The program's arguments in UTF-8, where the system has them in another form than main gets. The first is
/// the program's name.
[[nodiscard]] std::vector<std::string> utf8_arguments(int count, const char* const* given);

}  // namespace animbridge
