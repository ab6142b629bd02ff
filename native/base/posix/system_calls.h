// SPDX-License-Identifier: MIT
#pragma once

#include <dlfcn.h>

#include <array>
#include <string>

/// What Linux and macOS do by calls of their own.
namespace animbridge {

/// Opens both ends of a pipe, which started programs do not inherit. If it fails, errno says why.
[[nodiscard]] bool pipe_for_this_program(std::array<int, 2>& ends);

/// Closes this descriptor and all after it, at once; false where the system has no call for that.
[[nodiscard]] bool close_from(int first);

/// Gives a pipe a buffer of a megabyte, where this user may: each side then waits for the other less often.
void use_large_buffer(int pipe);

/// Opens an empty file for reading and writing that no folder lists, and that goes with its last descriptor.
/// -1: errno says why.
[[nodiscard]] int file_without_name();

/// The variables of this process, for a program that it starts.
[[nodiscard]] char** environment();

/// The file that `own`, an address of this code, was loaded from: the library, or the program by its full
/// path.
[[nodiscard]] std::string file_of_code(const Dl_info& own);

}  // namespace animbridge
