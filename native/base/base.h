// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>
#include <vector>

/// What everything else builds on: results and errors, text, bytes with a checked reader, and jobs.
///
/// A function that can fail returns Result<T>; nothing throws across a function's boundary on purpose. An
/// Error says which file, place, value found and value allowed.
namespace animbridge {

// ---- errors and results ----

/// Why an operation failed. The values equal ab_status in animbridge.h.
enum class ErrorCode : std::int32_t {
    invalid_argument = -1,
    io = -2,
    unknown_format = -3,
    truncated = -4,
    unsupported_version = -5,
    bad_value = -6,
    rejected = -7,
    cancelled = -8,
    out_of_memory = -9,
    internal = -10,
};

/// What went wrong and where. -1 and empty strings mean "does not apply".
struct Error {
    ErrorCode code = ErrorCode::internal;
    std::string reason;             ///< what was found and what is allowed, without the position
    std::string file{};             ///< the file's name as the user gave it
    std::string field{};            ///< the field at fault, named as on the format's page in docs/
    std::int64_t byte_offset = -1;  ///< where the field starts
    std::int64_t line = -1;         ///< from 1, for text formats
    std::int64_t column = -1;       ///< from 1, in bytes
    std::int64_t cut_at = -1;       ///< the file's size, if the file is truncated
    bool is_in_request = false;     ///< the fault is in the options of the call, not in a file
    std::vector<std::string> allowed_options{};  ///< for an unknown option: the known ones

    /// One line with file, position and reason; UTF-8 without control characters, whatever the file contains.
    [[nodiscard]] std::string message() const;
};

template <typename T>
using Result = tl::expected<T, Error>;

/// Returns the error of `...` from a function that returns a Result, or declares `declaration` and sets it to
/// the value. Must be a statement by itself.
#define TRY(declaration, ...)                                                             \
    auto ANIMBRIDGE_RESULT = (__VA_ARGS__);                                               \
    if (!ANIMBRIDGE_RESULT) {                                                             \
        return tl::unexpected<::animbridge::Error>(std::move(ANIMBRIDGE_RESULT).error()); \
    }                                                                                     \
    declaration = *std::move(ANIMBRIDGE_RESULT)

/// Like TRY, for a Result<void>.
#define TRY_VOID(...)                                                                   \
    if (auto animbridge_done = (__VA_ARGS__); !animbridge_done) {                       \
        return tl::unexpected<::animbridge::Error>(std::move(animbridge_done).error()); \
    }                                                                                   \
    static_assert(true, "ends with a semicolon")

#define ANIMBRIDGE_JOINED(a, b) a##b
#define ANIMBRIDGE_NAMED(a, b) ANIMBRIDGE_JOINED(a, b)
#define ANIMBRIDGE_RESULT ANIMBRIDGE_NAMED(animbridge_result_, __LINE__)

/// An error about a field that begins at byte `at` of the file. `reason` says what was found and what is
/// allowed.
[[nodiscard]] inline tl::unexpected<Error> fail_at(ErrorCode code, std::string field, std::size_t at,
                                                   std::string reason) {
    return tl::unexpected<Error>(
        Error{code, std::move(reason), {}, std::move(field), static_cast<std::int64_t>(at)});
}

/// `return fail(error)` returns the error from a function that returns a Result.
[[nodiscard]] inline tl::unexpected<Error> fail(Error error) {
    return tl::unexpected<Error>(std::move(error));
}

/// Like fail(error), for an error without a position; `field`: a field or an option, if it is about one.
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string reason, std::string field = {}) {
    return fail(Error{code, std::move(reason), {}, std::move(field)});
}

/// The error, with `file` unless it already names a file.
[[nodiscard]] inline Error in_file(Error error, const std::string& file) {
    if (error.file.empty()) {
        error.file = file;
    }
    return error;
}

/// The error, marked as one in the call's options.
[[nodiscard]] inline Error in_request(Error error) {
    error.is_in_request = true;
    return error;
}

/// The error, now about a member of the object `name` in the call's options.
[[nodiscard]] inline Error in_member(Error error, const std::string& name) {
    if (error.field != name) {
        error.field = error.field.empty() ? name : name + "." + error.field;
    }
    return in_request(std::move(error));
}

// ---- text ----

[[nodiscard]] bool is_utf8(std::string_view text);

/// For messages: every byte that is not part of valid UTF-8 becomes U+FFFD.
[[nodiscard]] std::string to_utf8(std::string_view text);

/// For people: all text from a file, and every file name, goes through this function on its way to a terminal
/// or a message. Control characters become \xNN (below 0x20, and 0x7F) or \uNNNN (U+0080 to U+009F, line
/// separators, and characters that change the writing direction). Bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string without_controls(std::string_view text);

/// For messages: "a, b, c and 17 more", with at most `most` names of at most 60 bytes each.
[[nodiscard]] std::string some_of(const std::vector<std::string>& names, std::size_t most = 6);

/// A to Z as a to z, and no other byte: as many file systems compare names.
[[nodiscard]] constexpr char in_lower_case(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
[[nodiscard]] std::string in_lower_case(std::string text);
/// Whether they are the same in lower case.
[[nodiscard]] bool same_letters(std::string_view a, std::string_view b);

/// "1 joint", "2 joints".
[[nodiscard]] std::string counted(std::uint64_t number, std::string_view noun);

/// The longest prefix of at most `most_bytes` that does not split a character.
[[nodiscard]] std::string_view shortened(std::string_view text, std::size_t most_bytes);

/// The text as a finite decimal number, or as a whole one; nullopt if it is not one. A sign may be a plus.
[[nodiscard]] std::optional<double> decimal_number(std::string_view text);
[[nodiscard]] std::optional<std::int64_t> whole_number(std::string_view text);

// ---- bytes: little-endian in every format, like every machine that Blender runs on ----

static_assert(std::endian::native == std::endian::little);

/// A float as stored in a file. Compared and copied by its bits, so that NaN payloads and -0 survive every
/// round trip.
struct RawFloat {
    std::uint32_t bits = 0;

    RawFloat() = default;
    explicit RawFloat(float value) : bits(std::bit_cast<std::uint32_t>(value)) {}

    [[nodiscard]] float value() const { return std::bit_cast<float>(bits); }
    [[nodiscard]] bool is_finite() const { return std::isfinite(value()); }

    bool operator==(const RawFloat&) const = default;
};

/// Asks the system to back new memory with huge pages, which avoids most page faults when tens of megabytes
/// are filled. This is only a hint: nothing depends on it.
void prefer_huge_pages(const void* begin, std::size_t size);

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

// ---- long tasks ----

/// Progress and cancellation of a long task.
class Job {
public:
    Job() = default;
    /// `keep_going` gets the fraction done, 0 to 1, and returns false to cancel.
    explicit Job(std::function<bool(double)> keep_going) : keep_going_(std::move(keep_going)) {}

    /// Reports progress. ErrorCode::cancelled if the caller cancels.
    [[nodiscard]] Result<void> report(double fraction) const {
        if (keep_going_ && !keep_going_(fraction)) {
            return fail(ErrorCode::cancelled, "cancelled");
        }
        return {};
    }

    /// A job for one stage: the stage's 0 to 1 is `from` to `to` of this job.
    [[nodiscard]] Job part(double from, double to) const {
        if (!keep_going_) {
            return {};
        }
        return Job([keep_going = keep_going_, from, to](double fraction) {
            return keep_going(from + (to - from) * fraction);
        });
    }

private:
    std::function<bool(double)> keep_going_;
};

/// Makes new and malloc of the whole program keep freed memory for later requests, and asks for huge pages
/// for the first `bytes` of it. For programs that do one large job and end: filling fresh small pages takes
/// longer than most of the work on them. No memory is taken before it is used. This is only a hint, and does
/// nothing if the C library has no such setting. Call it before the program starts a thread.
void keep_freed_memory(std::size_t bytes);

}  // namespace animbridge

/// Compiles a function twice, the second time for processors with AVX2, which run it in half the time. The
/// results are equal, because neither version fuses or reorders operations. The sanitizers' runtimes do not
/// support this kind of dispatch.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define ANIMBRIDGE_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define ANIMBRIDGE_WIDE
#endif
#define ANIMBRIDGE_INLINE __attribute__((always_inline)) inline
