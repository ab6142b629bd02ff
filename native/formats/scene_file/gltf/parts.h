// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "base/options/options.h"
#include "formats/scene_file/file/file.h"
#include "formats/scene_file/gltf/gltf.h"

/// How read_gltf works: memory, buffers, nodes, animations, VRM, and the JSON and compression around them.
namespace animbridge::scene_file::gltf {

/// A limit for the memory that reading a glTF file takes: many channels may use the same numbers, so that a
/// small file can ask for gigabytes.
class GltfRoom {
public:
    explicit GltfRoom(std::uint32_t mebibytes)
        : mebibytes_(mebibytes), left_bytes_(std::uint64_t{mebibytes} << 20U) {}

    /// ErrorCode::bad_value: less is left.
    [[nodiscard]] Result<void> take(std::uint64_t bytes) {
        if (bytes > left_bytes_) {
            return fail(over_memory(mebibytes_));
        }
        left_bytes_ -= bytes;
        return {};
    }

private:
    std::uint32_t mebibytes_;
    std::uint64_t left_bytes_;
};

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
    GltfBuffers(const GltfFile& file, const file::SideFiles& side_files, GltfRoom& room)
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
    const file::SideFiles& side_files_;
    GltfRoom& room_;
    std::map<std::uint32_t, Bytes> loaded_;    ///< buffers
    std::map<std::uint32_t, Bytes> unpacked_;  ///< buffer views
};

/// Maps the index of a node in the file to that in the document; -1: it is not in the file's scene.
using GltfNodeMap = std::vector<std::int64_t>;

/// Fills in the nodes of the file's scene with their roles, the cameras, and the bind poses of skins.
/// ErrorCode::bad_value: a node has several parents or is too deep, a skin's matrices point outside their
/// data, or there is not enough memory.
[[nodiscard]] Result<GltfNodeMap> take_gltf_nodes(const GltfFile& file, GltfBuffers& buffers, GltfRoom& room,
                                                  file::Document& document, file::Notes& notes);

/// Fills in the animations that move nodes; call it after take_gltf_nodes. ErrorCode::bad_value: keys point
/// outside their data, or their times and values do not match.
[[nodiscard]] Result<void> take_gltf_animations(const GltfFile& file, GltfBuffers& buffers,
                                                const GltfNodeMap& map, file::Document& document,
                                                file::Notes& notes);

[[nodiscard]] inline bool is_data_uri(std::string_view uri) { return uri.starts_with("data:"); }

/// The bytes of "data:...;base64,..."; nullopt if it has another form.
[[nodiscard]] std::optional<Bytes> bytes_of_data_uri(std::string_view uri);

/// "%20" becomes a space.
[[nodiscard]] std::string percent_decoded(std::string_view uri);

/// "VRM 1.0", "VRM 0.x", "VRMA", or empty.
[[nodiscard]] std::string human_format_of(const GltfFile& file);

/// The body parts that a VRM file names. The indices are those of nodes in the file, and may be invalid.
[[nodiscard]] std::vector<file::HumanBone> human_bones_of(const GltfFile& file);

// ---- members of foreign JSON, which may be missing or of another kind ----

/// The member of an object; null if it is missing, or `object` is not an object.
[[nodiscard]] const Json& member(const Json& object, const char* key);

/// The item of an array; null if it is missing, or `array` is not an array.
[[nodiscard]] const Json& item(const Json& array, std::uint32_t index);

/// The number of items; 0 if `array` is not an array.
[[nodiscard]] std::uint32_t count_in(const Json& array);

/// Empty if `value` is not text.
[[nodiscard]] std::string text_in(const Json& value);

/// nullopt if `value` is not an index.
[[nodiscard]] std::optional<std::uint32_t> index_in(const Json& value);

/// N finite numbers; `missing` if `value` is null; nullopt for anything else.
template <std::size_t N>
[[nodiscard]] std::optional<std::array<double, N>> numbers_in(const Json& value,
                                                              std::array<double, N> missing) {
    if (value.is_null()) {
        return missing;
    }
    if (!value.is_array() || value.size() != N) {
        return std::nullopt;
    }
    std::array<double, N> result{};
    for (std::size_t i = 0; i < N; ++i) {
        if (!value[i].is_number() || !std::isfinite(value[i].template get<double>())) {
            return std::nullopt;
        }
        result[i] = value[i].template get<double>();
    }
    return result;
}

// ---- compressed buffer views ----

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

}  // namespace animbridge::scene_file::gltf
