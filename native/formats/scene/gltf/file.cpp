// SPDX-License-Identifier: MIT
#include "formats/scene/gltf/file.h"

#include <cmath>

#include "base/json/json.h"
#include "formats/scene/gltf/glb.h"
#include "formats/scene/gltf/json_members.h"

namespace animbridge::scene {

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

}  // namespace animbridge::scene
