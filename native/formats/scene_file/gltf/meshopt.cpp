// SPDX-License-Identifier: MIT
#include "formats/scene_file/gltf/parts.h"

#include <meshoptimizer.h>
#include <algorithm>

namespace animbridge::scene_file::gltf {

namespace {

struct Filter {
    std::string_view name;
    void (*decode)(void* rows, std::size_t count, std::size_t stride);
    bool (*takes)(std::uint64_t stride);
};

constexpr std::array filters{
    Filter{"OCTAHEDRAL", meshopt_decodeFilterOct,
           [](std::uint64_t stride) { return stride == 4 || stride == 8; }},
    Filter{"QUATERNION", meshopt_decodeFilterQuat, [](std::uint64_t stride) { return stride == 8; }},
    Filter{"EXPONENTIAL", meshopt_decodeFilterExp, [](std::uint64_t) { return true; }},
    Filter{"COLOR", meshopt_decodeFilterColor,
           [](std::uint64_t stride) { return stride == 4 || stride == 8; }}};

tl::unexpected<Error> not_read() {
    return fail(ErrorCode::bad_value, "its compression is of a kind that is not read");
}

Result<void> result_of(int code) {
    return code == 0 ? Result<void>() : fail(ErrorCode::bad_value, "its compressed data is damaged");
}

Result<void> decode_attributes(const MeshoptRows& rows, ByteView packed, std::uint8_t* into) {
    const bool is_plain = rows.filter.empty() || rows.filter == "NONE";
    const auto* const filter =
        std::ranges::find_if(filters, [&](const Filter& one) { return one.name == rows.filter; });
    if (rows.stride < 4 || rows.stride > 256 || rows.stride % 4 != 0 ||
        (!is_plain && (filter == filters.end() || !filter->takes(rows.stride)))) {
        return not_read();
    }
    TRY_VOID(
        result_of(meshopt_decodeVertexBuffer(into, rows.count, rows.stride, packed.data(), packed.size())));
    if (!is_plain) {
        filter->decode(into, rows.count, rows.stride);
    }
    return {};
}

}  // namespace

Result<void> decode_meshopt(const MeshoptRows& rows, ByteView packed, std::uint8_t* into) {
    if (rows.mode == "ATTRIBUTES") {
        return decode_attributes(rows, packed, into);
    }
    const bool is_index = rows.stride == 2 || rows.stride == 4;
    const bool is_plain = rows.filter.empty() || rows.filter == "NONE";
    if (rows.mode == "TRIANGLES" && is_index && is_plain && rows.count % 3 == 0) {
        return result_of(
            meshopt_decodeIndexBuffer(into, rows.count, rows.stride, packed.data(), packed.size()));
    }
    if (rows.mode == "INDICES" && is_index && is_plain) {
        return result_of(
            meshopt_decodeIndexSequence(into, rows.count, rows.stride, packed.data(), packed.size()));
    }
    return not_read();
}

}  // namespace animbridge::scene_file::gltf
