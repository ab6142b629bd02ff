// SPDX-License-Identifier: MIT
#include <crt_externs.h>
#include <fcntl.h>
#include <mach-o/dyld.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#include "base/posix/posix.h"

namespace animbridge {

namespace {

/// Prevents started programs from inheriting a descriptor.
bool keep(int descriptor) { return ::fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0; }

}  // namespace

bool pipe_for_this_program(std::array<int, 2>& ends) {
    return ::pipe(ends.data()) == 0 && keep(ends[0]) && keep(ends[1]);
}

bool close_from(int /*first*/) { return false; }

void use_large_buffer(int /*pipe*/) {}

int file_without_name() {
    const char* const folder = std::getenv("TMPDIR");
    std::string name = std::string(folder == nullptr ? "/tmp" : folder) + "/animbridge.XXXXXX";
    const int file = ::mkstemp(name.data());
    if (file >= 0) {
        (void)::unlink(name.c_str());
        (void)keep(file);
    }
    return file;
}

// A library cannot see `environ` there.
char** environment() { return *::_NSGetEnviron(); }

std::string file_of_code(const Dl_info& own) {
    // The first image is the program; dladdr returns a library's full path, but a program's as it was typed.
    Dl_info program{};
    const bool is_program =
        ::dladdr(_dyld_get_image_header(0), &program) != 0 && program.dli_fbase == own.dli_fbase;
    if (!is_program) {
        return own.dli_fname;
    }
    std::uint32_t size = 0;
    (void)::_NSGetExecutablePath(nullptr, &size);
    std::string path(size, '\0');
    if (::_NSGetExecutablePath(path.data(), &size) != 0) {
        return own.dli_fname;
    }
    path.resize(path.find('\0'));
    return path;
}

}  // namespace animbridge
