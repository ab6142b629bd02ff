// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace animbridge {

/// Why something could not be done. The numbers are those of ab_status in animbridge.h.
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

/// What went wrong and where. `place` values of -1 and empty strings mean "does not apply".
struct Error {
    ErrorCode code = ErrorCode::internal;
    std::string reason;             ///< what was found and what is allowed, without the place
    std::string file{};             ///< the file's name as the user gave it
    std::string field{};            ///< the field at fault, as the format's page names it
    std::int64_t byte_offset = -1;  ///< where the field begins
    std::int64_t line = -1;         ///< from 1, for text formats
    std::int64_t column = -1;       ///< from 1, in bytes
    std::int64_t cut_at = -1;       ///< the file's size, where the file is cut off
    bool is_in_request = false;     ///< the fault is in the options that came with the call, not in a file

    /// One line with file, place and reason; UTF-8 without control characters, whatever stood in the file.
    [[nodiscard]] std::string message() const;
};

template <typename T>
using Result = tl::expected<T, Error>;

/// A function that gives a Result ends with the error of `...`, or goes on with its value: declares and sets
/// `declaration`. To be used as a statement of its own.
#define TRY(declaration, ...)                                                             \
    auto ANIMBRIDGE_RESULT = (__VA_ARGS__);                                               \
    if (!ANIMBRIDGE_RESULT) {                                                             \
        return tl::unexpected<::animbridge::Error>(std::move(ANIMBRIDGE_RESULT).error()); \
    }                                                                                     \
    declaration = *std::move(ANIMBRIDGE_RESULT)

/// The same of a Result<void>.
#define TRY_VOID(...)                                                                   \
    if (auto animbridge_done = (__VA_ARGS__); !animbridge_done) {                       \
        return tl::unexpected<::animbridge::Error>(std::move(animbridge_done).error()); \
    }                                                                                   \
    static_assert(true, "ends with a semicolon")

#define ANIMBRIDGE_JOINED(a, b) a##b
#define ANIMBRIDGE_NAMED(a, b) ANIMBRIDGE_JOINED(a, b)
#define ANIMBRIDGE_RESULT ANIMBRIDGE_NAMED(animbridge_result_, __LINE__)

/// Fails with a reason that needs no place.
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string reason) {
    return tl::unexpected<Error>(Error{code, std::move(reason)});
}

/// The same error, told to be about `file` unless it names one already.
[[nodiscard]] inline Error in_file(Error error, const std::string& file) {
    if (error.file.empty()) {
        error.file = file;
    }
    return error;
}

/// The same error, told to be about the options of the call.
[[nodiscard]] inline Error in_request(Error error) {
    error.is_in_request = true;
    return error;
}

}  // namespace animbridge
