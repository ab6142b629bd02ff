// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>

#include "base/base.h"

namespace animbridge::test {

/// Takes values from the front of a fuzzer's input, then zeros.
class Source {
public:
    explicit Source(ByteView bytes) : bytes_(bytes) {}

    template <typename T>
    T take() {
        T value{};
        const std::size_t size = std::min(sizeof(T), bytes_.size());
        if (size > 0) {
            std::memcpy(&value, bytes_.data(), size);
        }
        bytes_ = bytes_.subspan(size);
        return value;
    }
    /// Less than `end`, which is at most 256.
    std::size_t below(std::size_t end) { return take<std::uint8_t>() % end; }
    /// True for one byte in `count`.
    bool one_in(std::size_t count) { return below(count) == count - 1; }

    /// Usually one of these, sometimes any value.
    template <typename T>
    T pick(std::initializer_list<T> usual) {
        const auto choice = take<std::uint8_t>();
        return choice < 248 ? *(usual.begin() + choice % usual.size()) : take<T>();
    }
    /// Like pick, but other values are small, because the work grows with the frames.
    template <typename T>
    T pick_frame(std::initializer_list<T> usual) {
        const T value = pick(usual);
        return std::abs(value) < T(1e6) ? std::fmod(value, T(32)) : value;
    }
    /// Up to 255 bytes; the first byte is their number.
    ByteView take_bytes() {
        const std::size_t size = std::min<std::size_t>(take<std::uint8_t>(), bytes_.size());
        const ByteView taken = bytes_.first(size);
        bytes_ = bytes_.subspan(size);
        return taken;
    }
    std::string take_text() { return std::string(text_of(take_bytes())); }

    [[nodiscard]] bool empty() const { return bytes_.empty(); }

private:
    ByteView bytes_;
};

}  // namespace animbridge::test
