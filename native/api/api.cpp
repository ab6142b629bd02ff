// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstring>

#include "api/api.h"
#include "base/base.h"
#include "base/files/files.h"
#include "convert/convert.h"

namespace animbridge::api {

namespace {

/// Copies text into a caller's array, cut at a character boundary if it is too long.
void copy_text(char* out, std::size_t capacity, const char* text) noexcept {
    std::size_t length = std::min(std::strlen(text), capacity - 1);
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) {
        --length;
    }
    std::memcpy(out, text, length);
    out[length] = '\0';
}

/// Writes as much of the struct as the caller's struct can hold.
void fill(ab_error* out, const ab_error& filled) noexcept {
    if (out != nullptr && out->struct_size >= sizeof(out->struct_size)) {
        const std::uint32_t size = out->struct_size;
        std::memcpy(out, &filled, std::min<std::size_t>(size, sizeof(filled)));
        out->struct_size = size;
    }
}

}  // namespace

void set_error(ab_error* out, ErrorCode code, const char* message) noexcept {
    ab_error filled{};
    filled.code = static_cast<ab_status>(code);
    filled.byte_offset = -1;
    filled.line = -1;
    copy_text(filled.message, sizeof(filled.message), message);
    fill(out, filled);
}

void set_error(ab_error* out, const Error& error) noexcept {
    try {
        ab_error filled{};
        filled.code = static_cast<ab_status>(error.code);
        filled.byte_offset = error.byte_offset;
        filled.line = error.line;
        copy_text(filled.field, sizeof(filled.field), without_controls(error.field).c_str());
        copy_text(filled.message, sizeof(filled.message), error.message().c_str());
        fill(out, filled);
    } catch (...) {
        set_error(out, error.code, "out of memory while describing an error");
    }
}

Result<Job> take_job(const ab_job* given) {
    if (given == nullptr) {
        return Job();
    }
    TRY(const auto job, take_struct(given, ab_job{}, "job"));
    if (job.progress == nullptr) {
        return Job();
    }
    return Job([progress = job.progress, user = job.user](double fraction) {
        return progress(user, fraction) == 0;
    });
}

ab_buffer* new_buffer(std::string text) {
    return std::make_unique<ab_buffer>(ab_buffer{std::move(text)}).release();
}

ab_buffer* new_json_buffer(const Json& json) { return new_buffer(print_json(json)); }

ab_document* new_document(DocumentPtr document, std::string name) {
    return std::make_unique<ab_document>(ab_document{std::move(document), std::move(name)}).release();
}

}  // namespace animbridge::api

using namespace animbridge;

namespace {

ByteView content_of(const ab_buffer& buffer) {
    const auto* const text = std::get_if<std::string>(&buffer.content);
    return text != nullptr ? view_of(*text) : ByteView(std::get<Bytes>(buffer.content));
}

}  // namespace

extern "C" {

int32_t ab_abi_version(void) { return AB_ABI_VERSION; }

const char* ab_version(void) { return ANIMBRIDGE_VERSION; }

const char* ab_status_name(ab_status status) {
    static constexpr std::array<const char*, 11> names = {
        "ok",        "invalid argument", "input/output", "unknown format", "truncated", "unsupported version",
        "bad value", "rejected",         "cancelled",    "out of memory",  "internal"};
    return status <= 0 && status > -static_cast<ab_status>(names.size())
               ? names.at(static_cast<std::size_t>(-status))
               : "unknown status";
}

ab_status ab_formats_json(ab_buffer** out, ab_error* error) {
    return api::guarded(error, [&]() -> Result<void> {
        TRY_VOID(api::require("out", out));
        *out = api::new_json_buffer(all_options_json());
        return {};
    });
}

ab_status ab_file_stem(const char* words, size_t size, const char* ending, ab_buffer** out, ab_error* error) {
    return api::guarded(error, [&]() -> Result<void> {
        if (out == nullptr || ending == nullptr || (words == nullptr && size > 0)) {
            return api::misuse("words, ending or out is NULL");
        }
        if (std::strlen(ending) > longest_ending) {
            return api::misuse("found an ending of " + std::to_string(std::strlen(ending)) +
                               " bytes; allowed are " + std::to_string(longest_ending));
        }
        *out = api::new_buffer(file_stem(std::string_view(size > 0 ? words : "", size), ending));
        return {};
    });
}

const uint8_t* ab_buffer_data(const ab_buffer* buffer) {
    return buffer == nullptr ? nullptr : content_of(*buffer).data();
}
size_t ab_buffer_size(const ab_buffer* buffer) { return buffer == nullptr ? 0 : content_of(*buffer).size(); }
void ab_buffer_free(ab_buffer* buffer) { delete buffer; }

}  // extern "C"
