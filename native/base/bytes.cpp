// SPDX-License-Identifier: MIT
#include "base/bytes.h"

#include <algorithm>

namespace animbridge {

namespace {

Error error_at(ErrorCode code, std::string reason, std::string_view field, std::size_t offset) {
    Error error{code, std::move(reason)};
    error.field = field;
    error.byte_offset = static_cast<std::int64_t>(offset);
    return error;
}

}  // namespace

Error ByteReader::truncated(std::string_view field, std::size_t wanted) const {
    return error_at(
        ErrorCode::truncated,
        "needs " + std::to_string(wanted) + " bytes, " + std::to_string(remaining()) + " are left", field,
        offset_);
}

Error ByteReader::too_many(std::size_t count, std::size_t record_size, std::string_view field) const {
    return error_at(ErrorCode::truncated,
                    "found " + std::to_string(count) + (count == 1 ? " record of " : " records of ") +
                        std::to_string(record_size) + " bytes, but the " + std::to_string(remaining()) +
                        " bytes that are left hold " + std::to_string(remaining() / record_size),
                    field, offset_);
}

Result<std::string> ByteReader::read_c_string(std::string_view field) {
    const ByteView rest = bytes_.subspan(offset_);
    const auto end = std::find(rest.begin(), rest.end(), std::uint8_t{0});
    if (end == rest.end()) {
        return fail(error_at(ErrorCode::truncated,
                             "found no NUL at the end of the text in the " + std::to_string(rest.size()) +
                                 " bytes that are left",
                             field, offset_));
    }
    std::string text(rest.begin(), end);
    offset_ += text.size() + 1;
    return text;
}

Bytes ByteReader::read_rest() {
    const ByteView rest = bytes_.subspan(offset_);
    offset_ = bytes_.size();
    return {rest.begin(), rest.end()};
}

void ByteWriter::write_c_string(std::string_view text) {
    write_array(view_of(text));
    write(std::uint8_t{0});
}

}  // namespace animbridge
