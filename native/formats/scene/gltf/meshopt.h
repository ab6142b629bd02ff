// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "base/base.h"

namespace animbridge::scene {

/// A buffer view's description of its compressed rows (glTF 2.0, EXT_meshopt_compression and
/// KHR_meshopt_compression). The second has one more version of ATTRIBUTES and the filter COLOR; both are
/// read alike.
struct MeshoptRows {
    std::string_view mode;    ///< ATTRIBUTES, TRIANGLES or INDICES
    std::string_view filter;  ///< NONE, OCTAHEDRAL, QUATERNION, EXPONENTIAL or COLOR; empty: NONE
    std::uint64_t count = 0;
    std::uint64_t stride = 0;  ///< of a row, in bytes
};

/// No mode expands data more: 256 rows of 4 bytes can come from one byte that means they are all equal.
constexpr std::uint64_t most_meshopt_growth = 1024;

/// Decompresses into `rows.count * rows.stride` bytes, aligned for floats. ErrorCode::bad_value: the
/// specification does not allow the rows, the data is damaged, or this build has no decompressor.
[[nodiscard]] Result<void> decode_meshopt(const MeshoptRows& rows, ByteView packed, std::uint8_t* into);

}  // namespace animbridge::scene
