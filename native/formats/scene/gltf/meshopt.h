// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"

namespace animbridge::scene {

/// What a buffer view says of its compressed rows (glTF 2.0, EXT_meshopt_compression and
/// KHR_meshopt_compression). The second has one more version of ATTRIBUTES and the filter COLOR; both names
/// are read alike.
struct MeshoptRows {
    std::string_view mode;    ///< ATTRIBUTES, TRIANGLES or INDICES
    std::string_view filter;  ///< NONE, OCTAHEDRAL, QUATERNION, EXPONENTIAL or COLOR; empty: NONE
    std::uint64_t count = 0;
    std::uint64_t stride = 0;  ///< of a row, in bytes
};

/// No mode makes more bytes of one: 256 rows of 4 bytes with nothing but a byte that says they are all alike.
constexpr std::uint64_t most_meshopt_growth = 1024;

/// Decompresses into `rows.count * rows.stride` bytes, aligned for floats.
/// ErrorCode::bad_value: the specification rules the rows out, the data is damaged, or this build has no
/// decompressor.
[[nodiscard]] Result<void> decode_meshopt(const MeshoptRows& rows, ByteView packed, std::uint8_t* into);

}  // namespace animbridge::scene
