// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/oban/document.h"

namespace animbridge::oban {

/// The most keys that the 16-bit count can hold; more than max_keys is a finding.
inline constexpr std::size_t max_stored_keys = 0xffff;
/// The offset of the number of keys from the record's start.
inline constexpr std::size_t key_count_at = 0x7e;

/// Reads the record that fills `size` bytes of the file from `start` (both within the file), including its
/// 8-byte pre-header. Bytes after its keys become the tail. If it is truncated, the error names the first
/// field that is cut, or "key_count" if the keys do not fit. `path` is prepended to Error::field
/// ("instances[3]."); byte_offset is from the file's beginning. docs/oban-format.md, "The record".
[[nodiscard]] Result<Record> read_record(ByteView file, std::size_t start, std::size_t size,
                                         const std::string& path);

/// Reads a file that is one record. It is recognised only by its size, so bytes after the keys are an error.
[[nodiscard]] Result<Record> read_raw(ByteView file);

/// Whether the file's size is exactly that of a record with its number of keys.
[[nodiscard]] bool has_raw_size(ByteView file);

/// Whether the bytes are almost certainly a raw record, which has no signature: the size fits the number of
/// keys, there is at least one, and the first rotation has nearly unit length.
[[nodiscard]] bool looks_like_raw(ByteView file);

/// Whether the file begins with the ids of a stand-alone record (1 and 0); the rest is not checked. Second
/// Life animations begin like that too.
[[nodiscard]] bool may_be_raw(ByteView file);

/// The record's size in bytes, with pre-header and tail.
[[nodiscard]] std::size_t record_bytes(const Record& record);

/// Appends the bytes of write_record to the writer, so that a large record is not copied twice.
void append_record(ByteWriter& writer, const Record& record);

/// The bytes from the pre-header on, for at most max_stored_keys keys.
[[nodiscard]] Bytes write_record(const Record& record);

}  // namespace animbridge::oban
