// SPDX-License-Identifier: MIT
#include "scene_child/gltf_integers.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <set>
#include <string>

namespace animbridge::scene_child {

namespace {

using Json = nlohmann::json;

constexpr int component_float = 5126;

/// One kind of integer, and what it is divided by.
struct IntegerKind {
    std::size_t size = 0;
    double most = 1;
    bool is_signed = false;
};

std::optional<IntegerKind> integer_kind(int component_type) {
    switch (component_type) {
        case 5120:
            return IntegerKind{1, 127, true};
        case 5121:
            return IntegerKind{1, 255, false};
        case 5122:
            return IntegerKind{2, 32767, true};
        case 5123:
            return IntegerKind{2, 65535, false};
        default:
            return std::nullopt;
    }
}

std::size_t width_of_type(const std::string& type) {
    return type == "VEC4" ? 4 : type == "VEC3" ? 3 : type == "VEC2" ? 2 : type == "SCALAR" ? 1 : 0;
}

/// A member that is a size; 0 where there is none.
std::uint64_t size_in(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

float float_at(ByteView bytes, std::size_t at, const IntegerKind& kind) {
    double value = 0;
    if (kind.size == 1) {
        value = kind.is_signed ? static_cast<std::int8_t>(bytes[at]) : bytes[at];
    } else {
        std::uint16_t raw = 0;
        std::memcpy(&raw, bytes.data() + at, sizeof raw);
        value = kind.is_signed ? static_cast<std::int16_t>(raw) : raw;
    }
    return static_cast<float>(std::max(value / kind.most, -1.0));
}

tl::unexpected<Error> refuse(const std::string& why) {
    return fail(ErrorCode::bad_value, "its animation keys are normalised integers " + why);
}

/// Where the integers of an accessor are.
struct Place {
    std::size_t first = 0;
    std::size_t stride = 0;
    std::size_t count = 0;
    std::size_t width = 0;
};

Result<Place> place_of(const Json& json, const Json& accessor, const IntegerKind& kind, std::size_t bytes) {
    const auto views = json.find("bufferViews");
    const std::uint64_t index = size_in(accessor, "bufferView");
    if (accessor.contains("sparse") || !accessor.contains("bufferView")) {
        return refuse("with a sparse part, which can't be read");
    }
    if (views == json.end() || !views->is_array() || index >= views->size() || !(*views)[index].is_object()) {
        return refuse("in a buffer view that is not there");
    }
    const Json& view = (*views)[index];
    const auto buffers = json.find("buffers");
    const bool is_chunk = size_in(view, "buffer") == 0 && buffers != json.end() && buffers->is_array() &&
                          !buffers->empty() && (*buffers)[0].is_object() && !(*buffers)[0].contains("uri");
    if (!is_chunk) {
        return refuse("outside the GLB's binary chunk. Convert the file to a GLB with one buffer");
    }
    Place place;
    const auto type = accessor.find("type");
    place.width = type != accessor.end() && type->is_string() ? width_of_type(type->get<std::string>()) : 0;
    const std::uint64_t row = place.width * kind.size;
    const std::uint64_t stride = std::max(size_in(view, "byteStride"), row);
    const std::uint64_t first = size_in(view, "byteOffset") + size_in(accessor, "byteOffset");
    const std::uint64_t count = size_in(accessor, "count");
    if (row == 0 || first > bytes || stride > bytes + 1 || count > (bytes - first) / row ||
        (count > 0 && (count - 1) * stride + row > bytes - first)) {
        return refuse("beyond the " + std::to_string(bytes) + " bytes of the GLB's binary chunk");
    }
    place.first = first;
    place.stride = stride;
    place.count = count;
    return place;
}

Result<void> widen(Json& json, Json& accessor, const IntegerKind& kind, Bytes& chunk) {
    TRY(const Place place, place_of(json, accessor, kind, chunk.size()));
    chunk.resize((chunk.size() + 3) / 4 * 4);
    const std::size_t offset = chunk.size();
    chunk.resize(offset + place.count * place.width * sizeof(float));
    std::size_t to = offset;
    for (std::size_t row = 0; row < place.count; ++row) {
        for (std::size_t i = 0; i < place.width; ++i, to += sizeof(float)) {
            const float value = float_at(chunk, place.first + row * place.stride + i * kind.size, kind);
            std::memcpy(chunk.data() + to, &value, sizeof value);
        }
    }
    Json& views = json["bufferViews"];
    accessor["bufferView"] = views.size();
    accessor["byteOffset"] = 0;
    accessor["componentType"] = component_float;
    for (const char* key : {"normalized", "min", "max"}) {
        accessor.erase(key);
    }
    views.push_back({{"buffer", 0}, {"byteOffset", offset}, {"byteLength", chunk.size() - offset}});
    json["buffers"][0]["byteLength"] = chunk.size();
    return {};
}

/// The accessors of all keys' values.
std::set<std::uint64_t> key_accessors(const Json& json) {
    std::set<std::uint64_t> result;
    const auto animations = json.find("animations");
    if (animations == json.end() || !animations->is_array()) {
        return result;
    }
    for (const Json& animation : *animations) {
        const auto samplers = animation.is_object() ? animation.find("samplers") : animation.end();
        if (samplers == animation.end() || !samplers->is_array()) {
            continue;
        }
        for (const Json& sampler : *samplers) {
            const auto output = sampler.is_object() ? sampler.find("output") : sampler.end();
            if (output != sampler.end() && output->is_number_unsigned()) {
                result.insert(output->get<std::uint64_t>());
            }
        }
    }
    return result;
}

}  // namespace

Result<void> widen_integers(Json& json, Bytes& chunk) {
    const auto accessors = json.find("accessors");
    if (accessors == json.end() || !accessors->is_array()) {
        return {};
    }
    for (const std::uint64_t index : key_accessors(json)) {
        if (index >= accessors->size() || !(*accessors)[index].is_object()) {
            continue;  // Assimp says so
        }
        Json& accessor = (*accessors)[index];
        const auto kind =
            integer_kind(static_cast<int>(std::min<std::uint64_t>(size_in(accessor, "componentType"), 9999)));
        if (kind) {
            TRY_VOID(widen(json, accessor, *kind, chunk));
        }
    }
    return {};
}

}  // namespace animbridge::scene_child
