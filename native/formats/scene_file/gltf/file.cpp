// SPDX-License-Identifier: MIT
#include "formats/scene_file/gltf/gltf.h"

#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "formats/scene_file/gltf/parts.h"

namespace animbridge::scene_file::gltf {

Result<GltfFile> parse_gltf(ByteView file) {
    GltfFile result;
    ByteView json = file;
    if (is_glb(file)) {
        TRY(const GlbChunks chunks, read_glb(file));
        json = chunks.json;
        result.chunk = chunks.binary;
    }
    TRY(result.json, parse_json(text_of(json)).map_error([&](Error error) {
        if (error.byte_offset >= 0) {
            error.byte_offset += json.data() - file.data();
        }
        return error;
    }));
    if (!result.json.is_object()) {
        return fail(ErrorCode::bad_value, "its JSON is not an object");
    }
    return result;
}

bool is_first_version(const GltfFile& file) {
    return member(file.json, "nodes").is_object() ||
           text_in(member(member(file.json, "asset"), "version")).starts_with('1');
}

std::string generator_of(const GltfFile& file) {
    return text_in(member(member(file.json, "asset"), "generator"));
}

double frames_per_second_of(const GltfFile& file) {
    const Json& rate = member(member(member(file.json, "asset"), "extras"), gltf_rate_member);
    const double value = rate.is_number() ? rate.get<double>() : 0;
    return value > 0 && std::isfinite(value) ? value : 0;
}

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

namespace {

struct HumanMap {
    const char* extension;
    const char* format;
};

constexpr std::array human_maps{HumanMap{"VRMC_vrm", "VRM 1.0"}, HumanMap{"VRMC_vrm_animation", "VRMA"},
                                HumanMap{"VRM", "VRM 0.x"}};

const Json& human_bones_in(const Json& json, const char* extension) {
    return member(member(member(member(json, "extensions"), extension), "humanoid"), "humanBones");
}

}  // namespace

std::string human_format_of(const GltfFile& file) {
    for (const HumanMap& map : human_maps) {
        if (!human_bones_in(file.json, map.extension).is_null()) {
            return map.format;
        }
    }
    return {};
}

std::vector<file::HumanBone> human_bones_of(const GltfFile& file) {
    std::vector<file::HumanBone> result;
    const auto add = [&](std::string slot, const Json& bone) {
        const auto node = index_in(member(bone, "node"));
        if (node && !slot.empty()) {
            result.push_back({std::move(slot), *node});
        }
    };
    for (const HumanMap& map : human_maps) {
        const Json& bones = human_bones_in(file.json, map.extension);
        if (bones.is_object()) {
            for (const auto& [slot, bone] : bones.items()) {
                add(slot, bone);
            }
        } else if (bones.is_array()) {  // VRM 0.x
            for (const Json& bone : bones) {
                add(text_in(member(bone, "bone")), bone);
            }
        }
        if (!result.empty()) {
            break;
        }
    }
    return result;
}

namespace {

const Json& nothing() {
    static const Json none;
    return none;
}

}  // namespace

const Json& member(const Json& object, const char* key) {
    if (!object.is_object()) {
        return nothing();
    }
    const auto found = object.find(key);
    return found == object.end() ? nothing() : *found;
}

const Json& item(const Json& array, std::uint32_t index) {
    return array.is_array() && index < array.size() ? array[index] : nothing();
}

std::uint32_t count_in(const Json& array) {
    return array.is_array() ? static_cast<std::uint32_t>(array.size()) : 0;
}

std::string text_in(const Json& value) {
    return value.is_string() ? value.get<std::string>() : std::string();
}

std::optional<std::uint32_t> index_in(const Json& value) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > UINT32_MAX) {
        return std::nullopt;
    }
    return value.get<std::uint32_t>();
}

}  // namespace animbridge::scene_file::gltf
