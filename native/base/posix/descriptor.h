// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <string>
#include <utility>

#include "base/read_to_end.h"

namespace animbridge {

/// Closes a file descriptor at the end of the scope.
class Descriptor {
public:
    explicit Descriptor(int value) : value_(value) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }

    [[nodiscard]] int get() const { return value_; }
    [[nodiscard]] bool is_open() const { return value_ >= 0; }
    int close() {
        const int result = is_open() ? ::close(value_) : 0;
        value_ = -1;
        return result;
    }

private:
    int value_;
};

/// Lets read_to_end read from the descriptor, which the caller still owns. `path` names the file in errors.
[[nodiscard]] ReadSome reader_of(int descriptor, const std::string& path);

}  // namespace animbridge
