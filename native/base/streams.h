// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"

/// The standard streams and arguments of a program, the same on every system.
namespace animbridge {

enum class Stream : unsigned char { output, error };

/// Occupies closed standard streams, so that no file gets their number and receives their text. Writing to
/// such a stream still fails.
void hold_standard_streams();

/// Writes the whole text, UTF-8, without changing line ends. Returns "", or why it failed.
[[nodiscard]] std::string write_to(Stream stream, std::string_view text);

/// All of standard input. ErrorCode::io: it cannot be read, or holds more than `most_bytes`.
[[nodiscard]] Result<Bytes> read_input_stream(std::size_t most_bytes = max_file_bytes);

/// Whether the stream is shown to a person, in a terminal or console.
[[nodiscard]] bool is_terminal(Stream stream);

/// Whether `path` is standard output, such as /dev/stdout.
[[nodiscard]] bool is_output_stream(const std::string& path);

/// The program's arguments in UTF-8, on systems where main gets them in another form. The first is the
/// program's name.
[[nodiscard]] std::vector<std::string> utf8_arguments(int count, const char* const* given);

}  // namespace animbridge
