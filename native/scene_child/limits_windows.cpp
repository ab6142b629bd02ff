// SPDX-License-Identifier: MIT
#include <windows.h>

#include <string>
#include <system_error>

#include "scene_child/limits.h"

namespace animbridge::scene_child {

namespace {

Result<void> refused(const std::string& what) {
    const auto code = static_cast<int>(::GetLastError());
    return fail(ErrorCode::io, what + " can't be set: " + std::system_category().message(code));
}

}  // namespace

bool can_limit_memory() { return true; }

// The parent has put this program into a job, which ends with the parent; this job is inside that one.
// Windows has no limits on the stack or on written files: the stack has the linker's size, and this program
// writes no files.
Result<void> keep_to(const Limits& limits) {
    // No dialog box asks the user what to do.
    ::SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION asked{};
    asked.BasicLimitInformation.LimitFlags =
        JOB_OBJECT_LIMIT_ACTIVE_PROCESS | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
    asked.BasicLimitInformation.ActiveProcessLimit = 1;
    if (limits.memory_bytes > 0) {
        asked.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_PROCESS_MEMORY;
        asked.ProcessMemoryLimit = static_cast<SIZE_T>(limits.memory_bytes);
    }
    if (limits.cpu_seconds > 0) {
        constexpr std::uint64_t ticks_per_second = 10'000'000;
        asked.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_PROCESS_TIME;
        asked.BasicLimitInformation.PerProcessUserTimeLimit.QuadPart =
            static_cast<LONGLONG>(limits.cpu_seconds * ticks_per_second);
    }
    // Open until the process ends: closing the job would not remove the limits, but need not happen either.
    const HANDLE job = ::CreateJobObjectW(nullptr, nullptr);
    if (job == nullptr ||
        ::SetInformationJobObject(job, JobObjectExtendedLimitInformation, &asked, sizeof asked) == 0 ||
        ::AssignProcessToJobObject(job, ::GetCurrentProcess()) == 0) {
        return refused("the limits on memory and processor time");
    }
    return {};
}

}  // namespace animbridge::scene_child
