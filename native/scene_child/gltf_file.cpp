// SPDX-License-Identifier: MIT
#include "scene_child/gltf_file.h"

#include <cmath>
#include <string_view>

#include "scene_child/glb.h"
#include "scene_child/json_members.h"

namespace animbridge::scene_child {

using Json = nlohmann::json;

Result<GltfFile> parse_gltf(ByteView file) {
    GltfFile result;
    ByteView json = file;
    if (is_glb(file)) {
        TRY(const GlbChunks chunks, read_glb(file));
        json = chunks.json;
        result.chunk = chunks.binary;
    }
    const std::string_view text = text_of(json);  // libc++ has no traits of bytes
    result.json = Json::parse(text.begin(), text.end(), nullptr, false);
    if (!result.json.is_object()) {
        return fail(ErrorCode::bad_value, "its JSON is not an object, or cannot be read");
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

}  // namespace animbridge::scene_child
