// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/posix/system_calls.h"

namespace animbridge {

bool pipe_for_this_program(std::array<int, 2>& ends) { return ::pipe2(ends.data(), O_CLOEXEC) == 0; }

void use_large_buffer(int pipe) {
    // POSIX made it variadic. NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    (void)::fcntl(pipe, F_SETPIPE_SZ, 1 << 20);
}

int file_without_name() { return ::memfd_create("animbridge input", MFD_CLOEXEC); }

std::string file_of_code(const Dl_info& own) {
    // The program's own headers; its name may be a mere word that was looked up in PATH.
    Dl_info program{};
    const auto* const headers =
        reinterpret_cast<const void*>(::getauxval(AT_PHDR));  // NOLINT(*-int-to-ptr,*-reinterpret-cast)
    const bool is_program = ::dladdr(headers, &program) != 0 && program.dli_fbase == own.dli_fbase;
    return is_program ? "/proc/self/exe" : own.dli_fname;
}

}  // namespace animbridge
