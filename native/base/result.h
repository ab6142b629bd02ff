// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace animbridge {

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
    Error error{code, std::move(reason), {}, std::move(field)};
    error.byte_offset = static_cast<std::int64_t>(at);
    return tl::unexpected<Error>(std::move(error));
}

/// `return fail(error)` returns the error from a function that returns a Result.
[[nodiscard]] inline tl::unexpected<Error> fail(Error error) {
    return tl::unexpected<Error>(std::move(error));
}

/// Like fail(error), for an error without a position.
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string reason) {
    return fail(Error{code, std::move(reason)});
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

}  // namespace animbridge
