// SPDX-License-Identifier: MIT
#include "scene_child/gltf_json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <utility>

#include "scene_child/glb.h"
#include "scene_child/gltf_integers.h"
#include "scene_child/placement.h"

namespace animbridge::scene_child {

namespace {

using Json = nlohmann::json;

constexpr std::string_view node_prefix = "n";
constexpr double usual_aspect = 16.0 / 9.0;

/// The member of an object; null: there is none.
const Json& member(const Json& object, const char* key) {
    static const Json none;
    if (!object.is_object()) {
        return none;
    }
    const auto found = object.find(key);
    return found == object.end() ? none : *found;
}

const Json& item(const Json& array, std::uint32_t index) {
    static const Json none;
    return array.is_array() && index < array.size() ? array[index] : none;
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

/// N finite numbers; `missing` where there is no such member; none: something else is there.
template <std::size_t N>
std::optional<std::array<double, N>> numbers_in(const Json& value, std::array<double, N> missing) {
    if (value.is_null()) {
        return missing;
    }
    if (!value.is_array() || value.size() != N) {
        return std::nullopt;
    }
    std::array<double, N> result{};
    for (std::size_t i = 0; i < N; ++i) {
        if (!value[i].is_number() || !std::isfinite(value[i].get<double>())) {
            return std::nullopt;
        }
        result[i] = value[i].get<double>();
    }
    return result;
}

std::optional<scene::Target> target_of(const std::string& path) {
    if (path == "translation") {
        return scene::Target::translation;
    }
    if (path == "rotation") {
        return scene::Target::rotation;
    }
    if (path == "scale") {
        return scene::Target::scale;
    }
    return std::nullopt;
}

scene::KeyKind kind_of(const std::string& interpolation) {
    if (interpolation == "STEP") {
        return scene::KeyKind::step;
    }
    return interpolation == "CUBICSPLINE" ? scene::KeyKind::cubic : scene::KeyKind::linear;
}

/// What a reader of motion has no use for.
void drop_materials(Json& json) {
    for (const char* key : {"materials", "textures", "images", "samplers"}) {
        json.erase(key);
    }
    const auto meshes = json.find("meshes");
    if (meshes == json.end() || !meshes->is_array()) {
        return;
    }
    for (Json& mesh : *meshes) {
        const auto primitives = mesh.is_object() ? mesh.find("primitives") : mesh.end();
        if (primitives == mesh.end() || !primitives->is_array()) {
            continue;
        }
        for (Json& primitive : *primitives) {
            if (primitive.is_object()) {
                primitive.erase("material");
            }
        }
    }
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string percent_decoded(const std::string& uri) {
    std::string result;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        const bool is_code =
            uri[i] == '%' && i + 2 < uri.size() && hex_digit(uri[i + 1]) >= 0 && hex_digit(uri[i + 2]) >= 0;
        result.push_back(is_code ? static_cast<char>(16 * hex_digit(uri[i + 1]) + hex_digit(uri[i + 2]))
                                 : uri[i]);
        i += is_code ? 2 : 0;
    }
    return result;
}

/// Names of files are URIs, which Assimp takes for plain names.
void decode_uris(Json& json) {
    const auto buffers = json.find("buffers");
    if (buffers == json.end() || !buffers->is_array()) {
        return;
    }
    for (Json& buffer : *buffers) {
        const std::string uri = text_in(member(buffer, "uri"));
        if (!uri.empty() && !uri.starts_with("data:")) {
            buffer["uri"] = percent_decoded(uri);
        }
    }
}

}  // namespace

Result<GltfJson> GltfJson::parse(ByteView file) {
    GltfJson result;
    ByteView json = file;
    result.is_binary_ = is_glb(file);
    if (result.is_binary_) {
        TRY(const GlbChunks chunks, read_glb(file));
        json = chunks.json;
        result.chunk_.assign(chunks.binary.begin(), chunks.binary.end());
    }
    result.json_ = Json::parse(json.begin(), json.end(), nullptr, false);
    if (!result.json_.is_object()) {
        return fail(ErrorCode::bad_value, "its JSON is not an object, or cannot be read");
    }
    return result;
}

Result<Bytes> GltfJson::numbered() const {
    Json json = json_;
    Bytes chunk = chunk_;
    drop_materials(json);
    decode_uris(json);
    TRY_VOID(widen_integers(json, chunk));
    const auto nodes = json.find("nodes");
    if (nodes != json.end() && nodes->is_array()) {
        std::size_t index = 0;
        for (Json& node : *nodes) {
            if (node.is_object()) {
                node["name"] = std::string(node_prefix) + std::to_string(index);
            }
            ++index;
        }
    }
    std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (!is_binary_) {
        const ByteView view = view_of(text);
        return Bytes(view.begin(), view.end());
    }
    return write_glb(std::move(text), std::move(chunk));
}

std::optional<std::uint32_t> GltfJson::node_of(std::string_view name) {
    if (!name.starts_with(node_prefix)) {
        return std::nullopt;
    }
    name.remove_prefix(node_prefix.size());
    std::uint32_t index = 0;
    const auto [end, fault] = std::from_chars(name.data(), name.data() + name.size(), index);
    if (fault != std::errc() || end != name.data() + name.size()) {
        return std::nullopt;
    }
    return index;
}

const Json& GltfJson::node(std::uint32_t index) const { return item(member(json_, "nodes"), index); }

bool GltfJson::is_first_version() const {
    return member(json_, "nodes").is_object() ||
           text_in(member(member(json_, "asset"), "version")).starts_with('1');
}

std::uint32_t GltfJson::node_count() const {
    const Json& nodes = member(json_, "nodes");
    return nodes.is_array() ? static_cast<std::uint32_t>(nodes.size()) : 0;
}

std::string GltfJson::name_of(std::uint32_t index) const { return text_in(member(node(index), "name")); }

std::optional<scene::Placement> GltfJson::placement_of(std::uint32_t index) const {
    const Json& from = node(index);
    if (!from.is_object() || from.contains("matrix")) {
        return std::nullopt;
    }
    const auto t = numbers_in<3>(member(from, "translation"), {0, 0, 0});
    const auto r = numbers_in<4>(member(from, "rotation"), {0, 0, 0, 1});
    const auto s = numbers_in<3>(member(from, "scale"), {1, 1, 1});
    if (!t || !r || !s) {
        return std::nullopt;
    }
    const glm::dquat rotation((*r)[3], (*r)[0], (*r)[1], (*r)[2]);
    if (!(glm::length(rotation) > 1e-12)) {
        return std::nullopt;
    }
    return scene::Placement{
        {(*t)[0], (*t)[1], (*t)[2]}, glm::normalize(rotation), {(*s)[0], (*s)[1], (*s)[2]}};
}

bool GltfJson::is_mesh(std::uint32_t index) const { return member(node(index), "mesh").is_number(); }

std::optional<double> GltfJson::camera_of(std::uint32_t index) const {
    const auto number = index_in(member(node(index), "camera"));
    if (!number) {
        return std::nullopt;
    }
    const Json& perspective = member(item(member(json_, "cameras"), *number), "perspective");
    const Json& vertical = member(perspective, "yfov");
    const Json& aspect = member(perspective, "aspectRatio");
    if (!vertical.is_number() || !(vertical.get<double>() > 0) ||
        !(vertical.get<double>() < std::numbers::pi)) {
        return 0;
    }
    const bool has_aspect = aspect.is_number() && aspect.get<double>() > 0;
    const double ratio = has_aspect ? aspect.get<double>() : usual_aspect;
    return 2 * std::atan(std::tan(vertical.get<double>() / 2) * ratio) * degrees_per_radian;
}

std::vector<GltfAnimation> GltfJson::animations() const {
    std::vector<GltfAnimation> result;
    const Json& animations = member(json_, "animations");
    if (!animations.is_array()) {
        return result;
    }
    for (const Json& animation : animations) {
        GltfAnimation& made = result.emplace_back();
        made.name = text_in(member(animation, "name"));
        const Json& channels = member(animation, "channels");
        if (!channels.is_array()) {
            continue;
        }
        for (const Json& channel : channels) {
            const Json& target = member(channel, "target");
            const auto node = index_in(member(target, "node"));
            const auto part = target_of(text_in(member(target, "path")));
            const auto sampler = index_in(member(channel, "sampler"));
            if (node && part && sampler) {
                const Json& from = item(member(animation, "samplers"), *sampler);
                made.channels.push_back({*node, *part, kind_of(text_in(member(from, "interpolation")))});
            }
        }
    }
    return result;
}

std::string GltfJson::generator() const { return text_in(member(member(json_, "asset"), "generator")); }

std::string GltfJson::compression() const {
    const Json& required = member(json_, "extensionsRequired");
    if (required.is_array()) {
        for (const Json& extension : required) {
            std::string name = text_in(extension);
            if (name.ends_with("_meshopt_compression")) {
                return name;
            }
        }
    }
    return {};
}

double GltfJson::frames_per_second() const {
    const Json& rate = member(member(member(json_, "asset"), "extras"), gltf_rate_member);
    const double value = rate.is_number() ? rate.get<double>() : 0;
    return value > 0 && std::isfinite(value) ? value : 0;
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

std::string GltfJson::human_format() const {
    for (const HumanMap& map : human_maps) {
        if (!human_bones_in(json_, map.extension).is_null()) {
            return map.format;
        }
    }
    return {};
}

std::vector<scene::HumanBone> GltfJson::human_bones() const {
    std::vector<scene::HumanBone> result;
    const auto add = [&](std::string slot, const Json& bone) {
        const auto node = index_in(member(bone, "node"));
        if (node && *node < node_count() && !slot.empty()) {
            result.push_back({std::move(slot), *node});
        }
    };
    for (const HumanMap& map : human_maps) {
        const Json& bones = human_bones_in(json_, map.extension);
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

}  // namespace animbridge::scene_child
