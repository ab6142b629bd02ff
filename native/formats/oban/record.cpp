// SPDX-License-Identifier: MIT
#include "formats/oban/record.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace animbridge::oban {

namespace {

/// The first 0x80 bytes as in the file.
struct StoredHead {
    std::uint32_t res_id = 0;
    std::uint32_t lev_id = 0;
    std::array<std::uint8_t, 12> padding{};
    std::uint32_t flags = 0;
    Matrix initial{};
    Matrix base{};
    std::uint16_t frame_length = 0;
    std::uint16_t frame_count = 0;
    std::uint16_t half_stop_frame = 0;
    std::uint16_t key_count = 0;
};
static_assert(sizeof(StoredHead) == head_bytes && std::is_trivially_copyable_v<StoredHead>);

struct HeadField {
    std::string_view name;
    std::size_t at;
    std::size_t bytes;
};

constexpr std::array<HeadField, 10> head_fields = {{{"res_id", 0x00, 4},
                                                    {"lev_id", 0x04, 4},
                                                    {"padding", 0x08, 12},
                                                    {"flags", 0x14, 4},
                                                    {"initial_transform", 0x18, 48},
                                                    {"base_transform", 0x48, 48},
                                                    {"frame_length", 0x78, 2},
                                                    {"frame_count", 0x7a, 2},
                                                    {"half_stop_frame", 0x7c, 2},
                                                    {"key_count", key_count_at, 2}}};

tl::unexpected<Error> cut_head(std::size_t start, std::size_t size, const std::string& path) {
    const auto* const field = std::find_if(head_fields.begin(), head_fields.end(),
                                           [&](const HeadField& f) { return f.at + f.bytes > size; });
    const std::size_t left = size > field->at ? size - field->at : 0;
    return fail_at(ErrorCode::truncated, path + std::string(field->name), start + field->at,
                   "needs " + std::to_string(field->bytes) + " bytes, " + std::to_string(left) + " are left");
}

StoredHead head_at(ByteView bytes) {
    StoredHead head;
    std::memcpy(&head, bytes.data(), sizeof head);
    return head;
}

}  // namespace

Result<Record> read_record(ByteView file, std::size_t start, std::size_t size, const std::string& path) {
    const ByteView bytes = file.subspan(start, size);
    if (size < head_bytes) {
        return cut_head(start, size, path);
    }
    const StoredHead head = head_at(bytes);
    const std::size_t room = (size - head_bytes) / sizeof(Key);
    if (head.key_count > room) {
        return fail_at(ErrorCode::truncated, path + "key_count", start + key_count_at,
                       "found " + std::to_string(head.key_count) + " keys, but the " +
                           std::to_string(size - head_bytes) + " bytes that are left hold " +
                           std::to_string(room) + " at most");
    }
    Record record{head.res_id, head.lev_id,       head.padding,     head.flags,           head.initial,
                  head.base,   head.frame_length, head.frame_count, head.half_stop_frame, {},
                  {}};
    record.keys.resize(head.key_count);
    const ByteView keys = bytes.subspan(head_bytes, sizeof(Key) * head.key_count);
    if (!keys.empty()) {
        std::memcpy(record.keys.data(), keys.data(), keys.size());
    }
    const ByteView tail = bytes.subspan(head_bytes + keys.size());
    record.tail.assign(tail.begin(), tail.end());
    return record;
}

Result<Record> read_raw(ByteView file) {
    auto record = read_record(file, 0, file.size(), "");
    if (record && !record->tail.empty()) {
        return fail_at(ErrorCode::bad_value, "key_count", key_count_at,
                       "found " + std::to_string(record->keys.size()) + " keys, which make " +
                           std::to_string(file.size() - record->tail.size()) + " bytes, not the " +
                           std::to_string(file.size()) + " of the file; a raw record has no others");
    }
    return record;
}

bool has_raw_size(ByteView file) {
    return file.size() >= head_bytes && file.size() == head_bytes + sizeof(Key) * head_at(file).key_count;
}

bool looks_like_raw(ByteView file) {
    if (file.size() < head_bytes + sizeof(Key)) {
        return false;
    }
    Key first;
    std::memcpy(&first, file.data() + head_bytes, sizeof first);
    double square = 0;
    for (const RawFloat part : first.rotation) {
        square += static_cast<double>(part.value()) * static_cast<double>(part.value());
    }
    // A smaller deviation is a finding; bytes of other formats deviate more.
    return has_raw_size(file) && square > 0.25 && square < 4.0;
}

bool may_be_raw(ByteView file) {
    constexpr std::array<std::uint8_t, 4> alone = {1, 0, 0, 0};
    return file.size() >= alone.size() && std::equal(alone.begin(), alone.end(), file.begin());
}

std::size_t record_bytes(const Record& record) {
    return head_bytes + sizeof(Key) * record.keys.size() + record.tail.size();
}

void append_record(ByteWriter& writer, const Record& record) {
    writer.write(StoredHead{record.res_id, record.lev_id, record.padding, record.flags, record.initial,
                            record.base, record.frame_length, record.frame_count, record.half_stop_frame,
                            static_cast<std::uint16_t>(record.keys.size())});
    writer.write_array(std::span(record.keys));
    writer.write_array(std::span(record.tail));
}

Bytes write_record(const Record& record) {
    ByteWriter writer(record_bytes(record));
    append_record(writer, record);
    return writer.take();
}

}  // namespace animbridge::oban
