// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/oban/document.h"

namespace animbridge::oban {

/// Most keys that the 16-bit count can tell; more than max_keys is a finding.
inline constexpr std::size_t max_stored_keys = 0xffff;
/// Where the number of keys stands, from the record's begin.
inline constexpr std::size_t key_count_at = 0x7e;

/// The record that fills `size` bytes of the file from `start` (both within it), its 8-byte pre-header
/// included; what is behind its keys becomes the tail. A record that is cut is an error of the field that is
/// cut, keys that do not fit one of "key_count". Error::field gets `path` in front ("instances[3]."),
/// byte_offset counts from the begin of the file. docs/oban-format.md, "The record".
[[nodiscard]] Result<Record> read_record(ByteView file, std::size_t start, std::size_t size,
                                         const std::string& path);

/// A file that is one record. It is known by its size alone, so bytes behind the keys are an error.
[[nodiscard]] Result<Record> read_raw(ByteView file);

/// Whether the file is exactly as long as a record of its number of keys.
[[nodiscard]] bool has_raw_size(ByteView file);

/// Whether the bytes are as good as certainly a raw record, which has no mark: the size is that of the keys,
/// there is one at least, and the first one's rotation is near unit length.
[[nodiscard]] bool looks_like_raw(ByteView file);

/// Whether the file begins with the ids of a record on its own, 1 and 0, whatever follows. A Second Life
/// animation begins so too.
[[nodiscard]] bool may_be_raw(ByteView file);

/// Bytes of the record with pre-header and tail.
[[nodiscard]] std::size_t record_bytes(const Record& record);

/// What write_record gives, behind what the writer has already: a large record is not copied twice.
void append_record(ByteWriter& writer, const Record& record);

/// From the pre-header on. No more than max_stored_keys keys.
[[nodiscard]] Bytes write_record(const Record& record);

}  // namespace animbridge::oban
