// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/file.h"
#include "base/file_error.h"
#include "base/read_to_end.h"
#include "base/windows/handle.h"
#include "base/windows/names.h"

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

}  // namespace animbridge
