// SPDX-License-Identifier: MIT
#include "base/system/system.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

#include "base/files/files.h"
#include "base/windows/windows.h"

namespace animbridge {

namespace {

constexpr std::size_t most_error_text = 64U << 10U;

struct Pipe {
    Handle reads;
    Handle writes;
};

/// A pipe whose writing end the program gets.
Result<Pipe> make_pipe(const std::string& program) {
    HANDLE reads = nullptr;
    HANDLE writes = nullptr;
    if (::CreatePipe(&reads, &writes, nullptr, 0) == 0) {
        return windows_error(program, "cannot make a pipe", ::GetLastError());
    }
    Pipe pipe{Handle(reads), Handle(writes)};
    ::SetHandleInformation(writes, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    return pipe;
}

/// A temporary file with these bytes, at its beginning, which disappears with its last handle. A pipe would
/// need a thread that writes to it.
Result<Handle> file_for_input(ByteView bytes, const std::string& program) {
    std::array<wchar_t, MAX_PATH + 1> folder{};
    std::array<wchar_t, MAX_PATH + 1> name{};
    ::GetTempPathW(static_cast<DWORD>(folder.size()), folder.data());
    if (::GetTempFileNameW(folder.data(), L"abr", 0, name.data()) == 0) {
        return windows_error(program, "cannot make a temporary file", ::GetLastError());
    }
    SECURITY_ATTRIBUTES inherited{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
    Handle file(::CreateFileW(name.data(), GENERIC_READ | GENERIC_WRITE, 0, &inherited, CREATE_ALWAYS,
                              FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, nullptr));
    if (!file.is_open()) {
        return windows_error(program, "cannot make a temporary file", ::GetLastError());
    }
    constexpr std::size_t step = std::size_t{16} << 20U;
    while (!bytes.empty()) {
        DWORD written = 0;
        const auto size = static_cast<DWORD>(std::min(bytes.size(), step));
        if (::WriteFile(file.get(), bytes.data(), size, &written, nullptr) == 0) {
            return windows_error(program, "cannot pass the file on", ::GetLastError());
        }
        bytes = bytes.subspan(written);
    }
    if (::SetFilePointer(file.get(), 0, nullptr, FILE_BEGIN) == INVALID_SET_FILE_POINTER) {
        return windows_error(program, "cannot pass the file on", ::GetLastError());
    }
    return file;
}

/// Quotes one word of a command line so that CommandLineToArgvW and the C runtime parse it back.
std::wstring quoted(const std::wstring& word) {
    std::wstring text = L"\"";
    std::size_t slashes = 0;
    for (const wchar_t c : word) {
        if (c == L'\\') {
            ++slashes;
            continue;
        }
        text.append(c == L'"' ? 2 * slashes + 1 : slashes, L'\\');
        slashes = 0;
        text += c;
    }
    return text.append(2 * slashes, L'\\') + L"\"";
}

/// A job that ends its processes when its last handle is closed, so that none outlives this one.
Handle make_job() {
    Handle job(::CreateJobObjectW(nullptr, nullptr));
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags =
        JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
    ::SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &limits, sizeof limits);
    return job;
}

/// The three handles that the program inherits.
class InheritedHandles {
public:
    explicit InheritedHandles(std::array<HANDLE, 3> handles) : handles_(handles) {
        SIZE_T size = 0;
        ::InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
        buffer_.resize(size);
        ::InitializeProcThreadAttributeList(list(), 1, 0, &size);
        ::UpdateProcThreadAttribute(list(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles_.data(),
                                    sizeof(HANDLE) * handles_.size(), nullptr, nullptr);
    }
    ~InheritedHandles() { ::DeleteProcThreadAttributeList(list()); }
    InheritedHandles(const InheritedHandles&) = delete;
    InheritedHandles& operator=(const InheritedHandles&) = delete;

    [[nodiscard]] LPPROC_THREAD_ATTRIBUTE_LIST list() {
        return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(buffer_.data());  // NOLINT(*-reinterpret-cast)
    }

private:
    std::array<HANDLE, 3> handles_;
    Bytes buffer_;
};

Result<Handle> start(const ProcessCall& call, const Handle& job, const Handle& input, const Handle& output,
                     const Handle& errors) {
    TRY(const std::wstring program, wide_path(call.program));
    std::wstring line = quoted(program);
    for (const std::string& argument : call.arguments) {
        line += L" " + quoted(wide_of(argument));
    }
    InheritedHandles inherited({input.get(), output.get(), errors.get()});
    STARTUPINFOEXW startup{};
    startup.StartupInfo.cb = sizeof startup;
    startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    startup.StartupInfo.hStdInput = input.get();
    startup.StartupInfo.hStdOutput = output.get();
    startup.StartupInfo.hStdError = errors.get();
    startup.lpAttributeList = inherited.list();
    PROCESS_INFORMATION made{};
    // Suspended, so that it can do nothing before it is in the job. No window appears over Blender.
    constexpr DWORD flags = CREATE_SUSPENDED | CREATE_NO_WINDOW | EXTENDED_STARTUPINFO_PRESENT;
    const auto is_started = [&] {
        return ::CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, TRUE, flags, nullptr, nullptr,
                                &startup.StartupInfo, &made) != 0;
    };
    // Wine reports an internal error if a process dies while it is loaded. None of its code has run, so a new
    // one does no harm.
    constexpr int attempts = 3;
    for (int attempt = 1; !is_started(); ++attempt) {
        const DWORD error = ::GetLastError();
        if (error != ERROR_INTERNAL_ERROR || attempt == attempts) {
            return windows_error(call.program, "cannot be started", error);
        }
    }
    Handle process(made.hProcess);
    const Handle thread(made.hThread);
    ::AssignProcessToJobObject(job.get(), process.get());
    ::ResumeThread(thread.get());
    return process;
}

/// Reads until the pipe ends. `take` returns false when it wants no more.
template <typename Take>
void drain(const Handle& pipe, Take&& take) {
    Bytes buffer(std::size_t{64} << 10U);
    DWORD got = 0;
    while (::ReadFile(pipe.get(), buffer.data(), static_cast<DWORD>(buffer.size()), &got, nullptr) != 0) {
        if (!take(ByteView(buffer.data(), got))) {
            return;
        }
    }
}

void note_exit(const Handle& process, ProcessEnd& end) {
    DWORD code = 0;
    ::GetExitCodeProcess(process.get(), &code);
    static constexpr std::array<std::pair<DWORD, const char*>, 6> faults = {{
        {0xC0000005, "a bad memory access"},
        {0xC00000FD, "a full stack"},
        {0xC0000094, "a bad division"},
        {0xC000001D, "a bad instruction"},
        {0xC0000409, "an abort"},
        {0xC0000374, "a damaged heap"},
    }};
    const auto* const known =
        std::ranges::find_if(faults, [&](const auto& fault) { return fault.first == code; });
    constexpr DWORD first_fault = 0xC0000000;
    if (code >= first_fault && end.killed == Killed::no) {
        end.killed = code == 0xC0000044   ? Killed::system   // STATUS_QUOTA_EXCEEDED: a job's limit
                     : code == 0xC000013A ? Killed::request  // STATUS_CONTROL_C_EXIT
                                          : Killed::crash;
        end.crash = known != faults.end() ? known->second : "the fault " + std::to_string(code);
    } else if (code == ERROR_NOT_ENOUGH_QUOTA && end.killed == Killed::no) {
        end.killed = Killed::system;
    } else {
        end.exit_status = static_cast<int>(code);
    }
}

/// Ends the job's processes at the first limit; that ends the pipes, and so the threads that read them.
void collect(const ProcessCall& call, const Handle& job, const Handle& process, Pipe& output, Pipe& errors,
             ProcessEnd& end) {
    bool too_much = false;
    std::thread reads_output([&] {
        drain(output.reads, [&](ByteView bytes) {
            end.output.insert(end.output.end(), bytes.begin(), bytes.end());
            too_much = end.output.size() > call.most_output_bytes;
            if (too_much) {
                ::TerminateJobObject(job.get(), 1);
            }
            return !too_much;
        });
    });
    std::thread reads_errors([&] {
        drain(errors.reads, [&](ByteView bytes) {
            const std::size_t room = most_error_text - end.error_text.size();
            end.error_text += text_of(bytes.first(std::min(bytes.size(), room)));
            return true;
        });
    });
    const double milliseconds = std::min(call.wall_seconds, 1e6) * 1e3;
    if (::WaitForSingleObject(process.get(), static_cast<DWORD>(std::max(milliseconds, 0.0))) ==
        WAIT_TIMEOUT) {
        end.killed = Killed::time;
    }
    // Everything that the program started ends with it.
    ::TerminateJobObject(job.get(), 1);
    ::WaitForSingleObject(process.get(), INFINITE);
    reads_output.join();
    reads_errors.join();
    if (too_much) {
        end.killed = Killed::output;
    }
}

}  // namespace

Result<ProcessEnd> run_process(const ProcessCall& call) {
    TRY(const auto input, file_for_input(call.input, call.program));
    TRY(auto output, make_pipe(call.program));
    TRY(auto errors, make_pipe(call.program));
    const Handle job = make_job();
    TRY(const auto process, start(call, job, input, output.writes, errors.writes));
    output.writes.close();
    errors.writes.close();
    ProcessEnd end;
    collect(call, job, process, output, errors, end);
    note_exit(process, end);
    return end;
}

// start() passes on only the three streams.
void close_inherited() {}

bool is_program(const std::string& path) {
    const auto wide = wide_path(path);
    const DWORD attributes = wide ? ::GetFileAttributesW(wide->c_str()) : INVALID_FILE_ATTRIBUTES;
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) == 0;
}

std::string own_folder() {
    HMODULE own = nullptr;
    // Any address inside this code identifies its file.
    const auto* const address = reinterpret_cast<const wchar_t*>(&own_folder);  // NOLINT(*-reinterpret-cast)
    constexpr DWORD flags =
        GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
    if (::GetModuleHandleExW(flags, address, &own) == 0) {
        return "";
    }
    constexpr std::size_t longest = 32768;  // the longest path of Windows
    std::wstring path(longest, L'\0');
    path.resize(::GetModuleFileNameW(own, path.data(), static_cast<DWORD>(path.size())));
    const std::size_t end = path.find_last_of(L"\\/");
    return end == std::wstring::npos ? "" : utf8_of(std::wstring_view(path).substr(0, end));
}

}  // namespace animbridge
