// SPDX-License-Identifier: MIT
#include "formats/scene/gltf/glb.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace animbridge::scene {

namespace {

constexpr std::uint32_t glb_magic = 0x46546C67;     // "glTF"
constexpr std::uint32_t json_chunk = 0x4E4F534A;    // "JSON"
constexpr std::uint32_t binary_chunk = 0x004E4942;  // "BIN"

}  // namespace

bool is_glb(ByteView file) {
    std::uint32_t magic = 0;
    if (file.size() >= sizeof magic) {
        std::memcpy(&magic, file.data(), sizeof magic);
    }
    return magic == glb_magic;
}

Result<GlbChunks> read_glb(ByteView file) {
    ByteReader reader(file);
    TRY_VOID(reader.read<std::array<std::uint32_t, 3>>("GLB header"));
    TRY(const auto head, (reader.read<std::array<std::uint32_t, 2>>("chunk header")));
    if (head[1] != json_chunk) {
        return fail(ErrorCode::bad_value, "the first chunk of the GLB is not JSON");
    }
    if (head[0] > reader.remaining()) {
        return fail(ErrorCode::truncated, "the JSON chunk says " + std::to_string(head[0]) + " bytes, but " +
                                              std::to_string(reader.remaining()) + " are left");
    }
    const std::size_t at = reader.offset();
    GlbChunks chunks{file.subspan(at, head[0]), {}};
    ByteReader rest(file.subspan(at + head[0]));
    if (rest.remaining() == 0) {
        return chunks;
    }
    TRY(const auto second, (rest.read<std::array<std::uint32_t, 2>>("chunk header")));
    if (second[0] > rest.remaining()) {
        return fail(ErrorCode::truncated, "the second chunk says " + std::to_string(second[0]) +
                                              " bytes, but " + std::to_string(rest.remaining()) +
                                              " are left");
    }
    if (second[1] == binary_chunk) {
        chunks.binary = file.subspan(at + head[0] + rest.offset(), second[0]);
    }
    return chunks;
}

}  // namespace animbridge::scene
