// SPDX-License-Identifier: MIT
#include "base/windows/windows.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/files/files.h"

namespace animbridge {

namespace {

bool is_folder(const std::wstring& path) {
    const DWORD attributes = ::GetFileAttributesW(path.c_str());
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

}  // namespace

std::size_t announced_size(HANDLE handle) {
    LARGE_INTEGER size{};
    const bool has_size = ::GetFileType(handle) == FILE_TYPE_DISK && ::GetFileSizeEx(handle, &size) != 0;
    return has_size ? static_cast<std::size_t>(size.QuadPart) : 0;
}

ReadSome reader_of(HANDLE handle, const std::string& path) {
    return [handle, path](std::uint8_t* into, std::size_t size) -> Result<std::size_t> {
        constexpr std::size_t most = std::size_t{1} << 30U;
        DWORD got = 0;
        if (::ReadFile(handle, into, static_cast<DWORD>(std::min(size, most)), &got, nullptr) == 0) {
            const DWORD code = ::GetLastError();
            if (code != ERROR_BROKEN_PIPE && code != ERROR_HANDLE_EOF) {
                return windows_error(path, "cannot read", code);
            }
            got = 0;
        }
        return std::size_t{got};
    };
}

Result<Bytes> read_file(const std::string& path, std::size_t most_bytes) {
    TRY(const std::wstring name, wide_path(path));
    if (is_folder(name)) {
        return io_error(path, "cannot read: Is a directory");
    }
    Handle file;
    const DWORD problem = with_patience([&]() -> DWORD {
        file = Handle(::CreateFileW(name.c_str(), GENERIC_READ,
                                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                    OPEN_EXISTING, FILE_FLAG_SEQUENTIAL_SCAN, nullptr));
        return file.is_open() ? ERROR_SUCCESS : ::GetLastError();
    });
    if (problem != ERROR_SUCCESS) {
        return windows_error(path, "cannot open", problem);
    }
    const std::size_t announced = announced_size(file.get());
    if (announced > most_bytes) {
        return file_too_large(path, std::to_string(announced), most_bytes);
    }
    return read_to_end(reader_of(file.get(), path), announced, most_bytes, path);
}

namespace {

Result<void> write_all(const Handle& file, ByteView bytes, const std::string& path) {
    constexpr std::size_t step = std::size_t{16} << 20U;
    while (!bytes.empty()) {
        DWORD written = 0;
        const auto size = static_cast<DWORD>(std::min(bytes.size(), step));
        if (::WriteFile(file.get(), bytes.data(), size, &written, nullptr) == 0) {
            return windows_error(path, "cannot write", ::GetLastError());
        }
        bytes = bytes.subspan(written);
    }
    return {};
}

/// The final location of the file.
struct Destination {
    std::wstring path;
    bool exists = false;
};

/// Opens an existing file to inspect it, not to read it: works for a file that others hold open.
Handle looked_at(const std::wstring& name, DWORD flags) {
    return Handle(::CreateFileW(name.c_str(), FILE_READ_ATTRIBUTES,
                                FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                OPEN_EXISTING, flags | FILE_FLAG_BACKUP_SEMANTICS, nullptr));
}

/// The target after links. ErrorCode::io: it is a folder, or must not be written.
Result<Destination> target_of(const std::string& path, const std::wstring& name) {
    const DWORD attributes = ::GetFileAttributesW(name.c_str());
    if (attributes == INVALID_FILE_ATTRIBUTES) {
        return Destination{name, false};
    }
    if ((attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) {
        return io_error(path, "cannot write: Is a directory");
    }
    if ((attributes & FILE_ATTRIBUTE_READONLY) != 0) {
        return io_error(path, "cannot write: the file is read-only");
    }
    if ((attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0) {
        const Handle link = looked_at(name, 0);
        std::wstring real = link.is_open() ? final_path(link) : std::wstring();
        if (real.empty()) {
            return windows_error(path, "cannot follow the link", ::GetLastError());
        }
        return Destination{std::move(real), true};
    }
    return Destination{name, true};
}

/// Whether the name is a device or a pipe, such as NUL or \\.\pipe\name, which is written into.
bool is_device(const std::wstring& name) {
    if (name.starts_with(L"\\\\.\\") || name.starts_with(L"\\\\?\\pipe\\")) {
        return true;
    }
    const Handle there = looked_at(name, 0);
    return there.is_open() && ::GetFileType(there.get()) != FILE_TYPE_DISK;
}

Result<void> write_into(const std::string& path, const std::wstring& name, ByteView bytes) {
    const Handle device(
        ::CreateFileW(name.c_str(), GENERIC_WRITE, FILE_SHARE_WRITE, nullptr, OPEN_EXISTING, 0, nullptr));
    return device.is_open() ? write_all(device, bytes, path)
                            : windows_error(path, "cannot open for writing", ::GetLastError());
}

/// A file beside the target with a random name. The system removes it with its last handle, however the
/// process ends, unless take_place has moved it to the target.
class Neighbour {
public:
    explicit Neighbour(const std::wstring& target) {
        const std::size_t name = target.find_last_of(L"\\/:") + 1;
        DWORD problem = ERROR_FILE_EXISTS;
        for (int tries = 0; tries < 100 && problem == ERROR_FILE_EXISTS; ++tries) {
            const std::wstring path = target.substr(0, name) + random_name();
            file_ = Handle(::CreateFileW(path.c_str(), GENERIC_WRITE | DELETE, 0, nullptr, CREATE_NEW,
                                         FILE_ATTRIBUTE_NORMAL, nullptr));
            problem = file_.is_open() ? ERROR_SUCCESS : ::GetLastError();
        }
        problem_ = problem != ERROR_SUCCESS ? problem : set_goes_with_handle(true);
    }

    [[nodiscard]] DWORD problem() const { return problem_; }
    [[nodiscard]] const Handle& file() const { return file_; }

    /// Returns 0 or an error code; after an error, the file still disappears with its handle.
    DWORD take_place(const std::wstring& target) {
        std::vector<std::uint8_t> request = request_for(target);  // before anything can be left behind
        if (const DWORD code = set_goes_with_handle(false); code != ERROR_SUCCESS) {
            return code;
        }
        const DWORD code = with_patience([&] {
            const DWORD problem = rename(request);
            // For a target that others hold open, the system only reports that it may not be replaced.
            return problem == ERROR_ACCESS_DENIED && is_held(target) ? ERROR_SHARING_VIOLATION : problem;
        });
        if (code != ERROR_SUCCESS) {
            (void)set_goes_with_handle(true);
        }
        return code;
    }

private:
    DWORD set_goes_with_handle(bool goes) {
        FILE_DISPOSITION_INFO disposition{};
        disposition.DeleteFile = goes ? TRUE : FALSE;
        return ::SetFileInformationByHandle(file_.get(), FileDispositionInfo, &disposition,
                                            sizeof disposition) != 0
                   ? ERROR_SUCCESS
                   : ::GetLastError();
    }

    static bool is_held(const std::wstring& target) {
        const Handle there(::CreateFileW(target.c_str(), DELETE,
                                         FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                         OPEN_EXISTING, 0, nullptr));
        return !there.is_open() && is_held_by_others(::GetLastError());
    }

    /// The request to replace the target in one step.
    static std::vector<std::uint8_t> request_for(const std::wstring& target) {
        const std::size_t name_bytes = target.size() * sizeof(wchar_t);
        std::vector<std::uint8_t> buffer(sizeof(FILE_RENAME_INFO) + name_bytes);
        FILE_RENAME_INFO head{};
        head.ReplaceIfExists = TRUE;
        head.FileNameLength = static_cast<DWORD>(name_bytes);
        std::memcpy(buffer.data(), &head, sizeof head);
        std::memcpy(buffer.data() + offsetof(FILE_RENAME_INFO, FileName), target.data(), name_bytes);
        return buffer;
    }

    DWORD rename(std::vector<std::uint8_t>& request) {
        const auto size = static_cast<DWORD>(request.size());
        return ::SetFileInformationByHandle(file_.get(), FileRenameInfo, request.data(), size) != 0
                   ? ERROR_SUCCESS
                   : ::GetLastError();
    }

    /// From the process, the time and a counter: CREATE_NEW rules out collisions.
    static std::wstring random_name() {
        LARGE_INTEGER ticks{};
        ::QueryPerformanceCounter(&ticks);
        const auto seed = static_cast<std::uint64_t>(ticks.QuadPart) ^
                          (std::uint64_t{::GetCurrentProcessId()} << 40U) ^
                          (std::uint64_t{::GetCurrentThreadId()} << 20U);
        std::wstring name = L".animbridge.0123456789abcdef.tmp";
        constexpr std::wstring_view digits = L"0123456789abcdef";
        constexpr std::size_t first = 12;  // after ".animbridge."
        for (unsigned int i = 0; i < digits.size(); ++i) {
            name[first + i] = digits[(seed >> (4U * i)) & 15U];
        }
        return name;
    }

    Handle file_;
    DWORD problem_ = ERROR_SUCCESS;
};

/// `full`: absolute.
Result<void> write_new_file(const std::string& path, const std::wstring& full, bool exists, ByteView bytes) {
    Neighbour neighbour(full);
    if (neighbour.problem() != ERROR_SUCCESS) {
        return windows_error(path, "cannot create a file in its folder", neighbour.problem());
    }
    TRY_VOID(write_all(neighbour.file(), bytes, path));
    if (exists && ::FlushFileBuffers(neighbour.file().get()) == 0) {
        return windows_error(path, "cannot store", ::GetLastError());
    }
    const DWORD problem = neighbour.take_place(full);
    return problem == ERROR_SUCCESS ? Result<void>()
                                    : windows_error(path, "cannot put the new file in place", problem);
}

}  // namespace

// A new file is never visible for longer than its handle, so `begins` makes no difference here.
Result<void> write_file(const std::string& path, ByteView bytes, NewFile /*begins*/) {
    TRY(const std::wstring name, wide_path(path));
    if (name.empty()) {
        return windows_error(path, "cannot write", ERROR_FILE_NOT_FOUND);
    }
    if (is_device(name)) {
        return write_into(path, name, bytes);
    }
    TRY(const Destination found, target_of(path, name));
    std::wstring full(::GetFullPathNameW(found.path.c_str(), 0, nullptr, nullptr), L'\0');
    full.resize(
        ::GetFullPathNameW(found.path.c_str(), static_cast<DWORD>(full.size()), full.data(), nullptr));
    return write_new_file(path, full, found.exists, bytes);
}

Result<void> Folder::write_here(const std::string& name, ByteView bytes, NewFile /*begins*/) const {
    TRY(const std::wstring full, path_in(*this, name));
    if (is_link(looked_at(full, FILE_FLAG_OPEN_REPARSE_POINT))) {
        return io_error(place_of(name), link_in_the_way);
    }
    TRY(const Destination found, target_of(place_of(name), full));
    return write_new_file(place_of(name), full, found.exists, bytes);
}

}  // namespace animbridge
