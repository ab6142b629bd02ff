// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/huge_pages.h"
#include "base/result.h"

namespace animbridge {

// Every binary format here is little-endian, and so is every machine that Blender runs on: numbers are copied
// without swapping bytes.
static_assert(std::endian::native == std::endian::little);

using Bytes = std::vector<std::uint8_t>;
using ByteView = std::span<const std::uint8_t>;

[[nodiscard]] inline ByteView view_of(std::string_view text) {
    // char and std::uint8_t have the same representation.
    return {reinterpret_cast<const std::uint8_t*>(text.data()),
            text.size()};  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
}

[[nodiscard]] inline std::string_view text_of(ByteView bytes) {
    // As above.
    return {reinterpret_cast<const char*>(bytes.data()),
            bytes.size()};  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
}

/// Reads little-endian values from front to back. A read past the end fails with the field's name and offset.
class ByteReader {
public:
    explicit ByteReader(ByteView bytes) : bytes_(bytes) {}

    [[nodiscard]] std::size_t offset() const { return offset_; }
    [[nodiscard]] std::size_t remaining() const { return bytes_.size() - offset_; }

    /// Reads a number, or a fixed-size record of numbers.
    template <typename T>
    requires std::is_trivially_copyable_v<T>
    [[nodiscard]] Result<T> read(std::string_view field) {
        if (remaining() < sizeof(T)) {
            return fail(truncated(field, sizeof(T)));
        }
        T value{};
        std::memcpy(&value, bytes_.data() + offset_, sizeof(T));
        offset_ += sizeof(T);
        return value;
    }

    /// Reads `count` records in one copy. Checks the count against the remaining bytes before it allocates.
    template <typename T>
    requires std::is_trivially_copyable_v<T>
    [[nodiscard]] Result<std::vector<T>> read_array(std::size_t count, std::string_view field) {
        if (count > remaining() / sizeof(T)) {
            return fail(too_many(count, sizeof(T), field));
        }
        std::vector<T> values(count);
        if (count > 0) {
            std::memcpy(values.data(), bytes_.data() + offset_, count * sizeof(T));
        }
        offset_ += count * sizeof(T);
        return values;
    }

    /// Reads text up to a NUL, which is consumed but not part of the result.
    [[nodiscard]] Result<std::string> read_c_string(std::string_view field);

    /// Reads all remaining bytes.
    [[nodiscard]] Bytes read_rest();

private:
    [[nodiscard]] Error truncated(std::string_view field, std::size_t wanted) const;
    [[nodiscard]] Error too_many(std::size_t count, std::size_t record_size, std::string_view field) const;

    ByteView bytes_;
    std::size_t offset_ = 0;
};

/// Appends little-endian values.
class ByteWriter {
public:
    explicit ByteWriter(std::size_t expected_size) {
        bytes_.reserve(expected_size);
        prefer_huge_pages(bytes_.data(), bytes_.capacity());
    }

    template <typename T>
    requires std::is_trivially_copyable_v<T>
    void write(const T& value) { write_array(std::span<const T>(&value, 1)); }

    template <typename T>
    requires std::is_trivially_copyable_v<T>
    void write_array(std::span<const T> values) {
        const std::size_t before = bytes_.size();
        bytes_.resize(before + values.size_bytes());
        if (!values.empty()) {
            std::memcpy(bytes_.data() + before, values.data(), values.size_bytes());
        }
    }

    void write_c_string(std::string_view text);

    [[nodiscard]] Bytes take() { return std::move(bytes_); }

private:
    Bytes bytes_;
};

}  // namespace animbridge
