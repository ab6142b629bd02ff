// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/base.h"
#include "formats/scene/gltf/file.h"
#include "formats/scene/gltf/room.h"
#include "formats/scene/side_files.h"

namespace animbridge::scene {

/// The numbers of an accessor, in rows.
struct GltfNumbers {
    std::size_t width = 1;  ///< 1 for SCALAR, 3 for VEC3, 4 for VEC4, 16 for MAT4 (by columns)
    std::vector<double> values;

    [[nodiscard]] std::size_t count() const { return values.size() / width; }
};

/// The data of a glTF file: the binary chunk, data in URIs, and files beside it, which are opened on request.
/// Views that meshoptimizer compressed are decompressed; their fallback data, if any, is not opened.
class GltfBuffers {
public:
    /// All arguments must outlive this.
    GltfBuffers(const GltfFile& file, const SideFiles& side_files, GltfRoom& room)
        : file_(file), side_files_(side_files), room_(room) {}

    /// An accessor, by section 3.6.2 of the glTF 2.0 specification: normalised integers are divided, sparse
    /// values replace others, and without a buffer view all others are 0. ErrorCode::bad_value: it points
    /// outside its data, is of an unsupported kind, a file is missing, data is damaged, or there is not
    /// enough memory.
    [[nodiscard]] Result<GltfNumbers> numbers(std::uint32_t accessor);

private:
    struct Rows;   ///< the location of an accessor's components
    struct Shape;  ///< an accessor's description of its rows

    [[nodiscard]] Result<ByteView> buffer(std::uint32_t index);
    [[nodiscard]] Result<Bytes> load_buffer(std::uint32_t index);
    [[nodiscard]] Result<Bytes> load_side_file(const std::string& path);
    [[nodiscard]] Result<ByteView> slice(const Json& place, const std::string& what);
    [[nodiscard]] Result<Bytes> unpacked(const Json& view, const Json& packing, const std::string& what);
    [[nodiscard]] Result<ByteView> view_bytes(std::uint32_t index, const std::string& what);
    [[nodiscard]] Result<Rows> rows_of(const Json& place, const Shape& shape, const std::string& what);
    [[nodiscard]] Result<std::vector<double>> values_of(const Rows& rows);
    [[nodiscard]] Result<void> put_sparse(const Json& accessor, const std::string& what,
                                          GltfNumbers& numbers);

    const GltfFile& file_;
    const SideFiles& side_files_;
    GltfRoom& room_;
    std::map<std::uint32_t, Bytes> loaded_;    ///< buffers
    std::map<std::uint32_t, Bytes> unpacked_;  ///< buffer views
};

}  // namespace animbridge::scene
