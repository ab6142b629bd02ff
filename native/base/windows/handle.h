// SPDX-License-Identifier: MIT
#pragma once

#include "base/windows/api.h"

#include <string>
#include <utility>

#include "base/read_to_end.h"

namespace animbridge {

/// Closes a Windows handle at the end of the scope.
class Handle {
public:
    Handle() = default;
    explicit Handle(HANDLE value) : value_(value) {}
    ~Handle() { close(); }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    Handle(Handle&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }

    [[nodiscard]] HANDLE get() const { return value_; }
    /// Functions that open files return INVALID_HANDLE_VALUE on failure, others return null.
    [[nodiscard]] bool is_open() const { return value_ != nullptr && value_ != INVALID_HANDLE_VALUE; }
    void close() {
        if (is_open()) {
            ::CloseHandle(value_);
        }
        value_ = nullptr;
    }

private:
    HANDLE value_ = nullptr;
};

/// Lets read_to_end read from the handle, which the caller still owns. `path` names the file in errors.
[[nodiscard]] ReadSome reader_of(HANDLE handle, const std::string& path);

/// The size of a file on a disk; 0 for anything else, such as a pipe.
[[nodiscard]] std::size_t announced_size(HANDLE handle);

}  // namespace animbridge
