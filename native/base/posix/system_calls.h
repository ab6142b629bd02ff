// SPDX-License-Identifier: MIT
#pragma once

#include <dlfcn.h>

#include <array>
#include <string>

/// Functions for which Linux and macOS have different calls.
namespace animbridge {

/// Opens both ends of a pipe, which started programs do not inherit. On failure, errno says why.
[[nodiscard]] bool pipe_for_this_program(std::array<int, 2>& ends);

/// Closes this descriptor and all higher ones in one call; false if the system has no such call.
[[nodiscard]] bool close_from(int first);

/// Gives a pipe a buffer of a megabyte, if this user may: then the two sides wait for each other less often.
void use_large_buffer(int pipe);

/// Opens an empty file for reading and writing that no folder lists, and that disappears with its last
/// descriptor. -1: errno says why.
[[nodiscard]] int file_without_name();

/// The environment variables of this process, for a program that it starts.
[[nodiscard]] char** environment();

/// The file that contains `own`, an address of this code: the library, or the program by its full path.
[[nodiscard]] std::string file_of_code(const Dl_info& own);

}  // namespace animbridge
