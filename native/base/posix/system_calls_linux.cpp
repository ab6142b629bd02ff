// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/posix/posix.h"

// The same on every processor; older headers lack it.
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

namespace animbridge {

bool pipe_for_this_program(std::array<int, 2>& ends) { return ::pipe2(ends.data(), O_CLOEXEC) == 0; }

bool close_from(int first) {
    // glibc has a function for it only since 2.34. NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    return ::syscall(SYS_close_range, first, ~0U, 0) == 0;
}

void use_large_buffer(int pipe) {
    // POSIX made it variadic. NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    (void)::fcntl(pipe, F_SETPIPE_SZ, 1 << 20);
}

int file_without_name() { return ::memfd_create("animbridge input", MFD_CLOEXEC); }

char** environment() { return environ; }

std::string file_of_code(const Dl_info& own) {
    // The program's own headers; its name may be just a word that was looked up in PATH.
    Dl_info program{};
    const auto* const headers =
        reinterpret_cast<const void*>(::getauxval(AT_PHDR));  // NOLINT(*-int-to-ptr,*-reinterpret-cast)
    const bool is_program = ::dladdr(headers, &program) != 0 && program.dli_fbase == own.dli_fbase;
    return is_program ? "/proc/self/exe" : own.dli_fname;
}

}  // namespace animbridge
