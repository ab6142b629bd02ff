// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "scene_child/gltf_file.h"
#include "scene_child/side_files.h"

namespace animbridge::scene_child {

/// The numbers of an accessor, in rows.
struct GltfNumbers {
    std::size_t width = 1;  ///< 1 for SCALAR, 3 for VEC3, 4 for VEC4, 16 for MAT4 (by columns)
    std::vector<double> values;

    [[nodiscard]] std::size_t count() const { return values.size() / width; }
};

/// The data of a glTF file: the binary chunk, data in URIs, and files beside it, which are opened when
/// something asks for them.
class GltfBuffers {
public:
    /// Both outlive this.
    GltfBuffers(const GltfFile& file, const SideFiles& side_files) : file_(file), side_files_(side_files) {}

    /// An accessor as the specification of glTF 2.0, section 3.6.2, says: normalised integers are divided,
    /// sparse values replace others, and without a buffer view all others are 0. ErrorCode::bad_value: it
    /// leads out of its data, or is of a kind that is not read, or a file is missing.
    [[nodiscard]] Result<GltfNumbers> numbers(std::uint32_t accessor);

private:
    struct Rows;  ///< where an accessor's components are

    [[nodiscard]] Result<ByteView> buffer(std::uint32_t index);
    [[nodiscard]] Result<Bytes> load_buffer(std::uint32_t index) const;
    [[nodiscard]] Result<Rows> rows_of(const nlohmann::json& from, const nlohmann::json& shape,
                                       const std::string& what);
    [[nodiscard]] Result<void> put_sparse(const nlohmann::json& accessor, const std::string& what,
                                          GltfNumbers& numbers);

    const GltfFile& file_;
    const SideFiles& side_files_;
    std::map<std::uint32_t, Bytes> loaded_;
};

}  // namespace animbridge::scene_child
