// SPDX-License-Identifier: MIT
#include "base/base.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <glm/trigonometric.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "formats/scene_file/gltf/gltf.h"
#include "scene_child/write/parts.h"

namespace animbridge::scene_child::write {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::uint32_t chunk_json = 0x4E4F534A;
constexpr std::uint32_t chunk_binary = 0x004E4942;
constexpr std::size_t glb_header_bytes = 12;
constexpr std::size_t chunk_header_bytes = 8;

void set_json_placement(OrderedJson& node, const scene_file::file::Placement& place) {
    for (const char* member : {"matrix", "translation", "rotation", "scale"}) {
        node.erase(member);
    }
    const glm::dvec3& t = place.translation;
    const glm::dquat& q = place.rotation;
    const glm::dvec3& s = place.scale;
    if (t != glm::dvec3(0)) {
        node["translation"] = {t.x, t.y, t.z};
    }
    if (q != glm::dquat(1, 0, 0, 0)) {
        node["rotation"] = {q.x, q.y, q.z, q.w};
    }
    if (s != glm::dvec3(1)) {
        node["scale"] = {s.x, s.y, s.z};
    }
}

void set_json_name(OrderedJson& object, const std::string& name) {
    object.erase("name");
    if (!name.empty()) {
        object["name"] = to_utf8(name);
    }
}

/// The index that Assimp gave each node of the document.
std::vector<std::size_t> places_of_nodes(const OrderedJson& nodes, const std::vector<std::string>& names) {
    std::map<std::string, std::size_t> by_name;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        by_name.emplace(nodes[i].value("name", std::string()), i);
    }
    std::vector<std::size_t> places;
    places.reserve(names.size());
    std::ranges::transform(names, std::back_inserter(places),
                           [&](const std::string& name) { return by_name.at(name); });
    return places;
}

/// glTF stores the vertical field of view.
OrderedJson camera_json(const scene_file::file::Camera& camera, const std::string& name) {
    const double half_width = std::tan(0.5 * glm::radians(written_field_degrees(camera)));
    OrderedJson made = OrderedJson::object();
    set_json_name(made, name);
    made["type"] = "perspective";
    made["perspective"] = {{"aspectRatio", written_aspect},
                           {"yfov", 2.0 * std::atan(half_width / written_aspect)},
                           {"znear", 0.01}};
    return made;
}

/// Tells the graphics card too where the mesh's numbers are.
void set_targets(OrderedJson& json) {
    constexpr int array_buffer = 34962;
    for (const OrderedJson& mesh : json["meshes"]) {
        for (const OrderedJson& primitive : mesh["primitives"]) {
            for (const OrderedJson& attribute : primitive["attributes"]) {
                const OrderedJson& accessor = json["accessors"][attribute.get<std::size_t>()];
                json["bufferViews"][accessor["bufferView"].get<std::size_t>()]["target"] = array_buffer;
            }
        }
    }
}

/// A skinned mesh does not move with its ancestors, so it must have none.
void lift_carrier(OrderedJson& json) {
    OrderedJson& nodes = json["nodes"];
    OrderedJson& tops = json["scenes"][0]["nodes"];
    OrderedJson& children = nodes[tops[0].get<std::size_t>()]["children"];
    const auto is_carrier = [&](const OrderedJson& child) {
        return nodes[child.get<std::size_t>()].contains("skin");
    };
    const auto found = std::ranges::find_if(children, is_carrier);
    if (found != children.end()) {
        nodes[found->get<std::size_t>()]["name"] = carrier_name;  // Assimp gave it only to its mesh
        tops.push_back(*found);
        children.erase(found);
    }
}

void mend_gltf(GltfParts& parts, const scene_file::file::Document& document,
               const std::vector<NodeMotion>& motions) {
    OrderedJson& json = parts.json;
    json["asset"]["generator"] = generator_text();
    if (document.frames_per_second > 0) {
        json["asset"]["extras"] = {{scene_file::gltf::gltf_rate_member, document.frames_per_second}};
    }
    json.erase("extensionsUsed");  // for faces with more than three corners, of which there are none
    const bool is_skinned = json.contains("skins");
    if (is_skinned) {
        lift_carrier(json);
        set_targets(json);
    } else {
        json.erase("materials");
    }
    OrderedJson& nodes = json["nodes"];
    const std::vector<std::size_t> places = places_of_nodes(nodes, numbered_names(document));
    for (OrderedJson& node : nodes) {
        // Assimp treats anything within a hundredth of the identity as the identity.
        set_json_placement(node, {});
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        set_json_placement(nodes[places[i]], document.nodes[i].rest);
        set_json_name(nodes[places[i]], document.nodes[i].name);
    }
    // Blender gives the armature the root's name.
    nodes[json["scenes"][0]["nodes"][0].get<std::size_t>()]["name"] = is_skinned ? "Armature" : "Scene";
    for (std::size_t i = 0; i < motions.size(); ++i) {
        set_json_name(json["animations"][i], motions[i].name);
        set_kinds(parts, i, motions[i], places);
    }
    for (const scene_file::file::Camera& camera : document.cameras) {
        nodes[places[camera.node]]["camera"] = json["cameras"].size();
        json["cameras"].push_back(camera_json(camera, document.nodes[camera.node].name));
    }
}

Result<GltfParts> make_gltf(const scene_file::file::Document& document) {
    TRY(const std::vector<NodeMotion> motions, motions_of(document, true));
    const std::vector<std::string> names = numbered_names(document);
    const AssimpScene scene = make_scene(document, {names, motions, false});
    TRY(const Bytes file, export_scene(*scene, "glb2"));
    TRY(GltfParts parts, parts_of_glb(file));
    mend_gltf(parts, document, motions);
    return parts;
}

std::string text_of_json(const OrderedJson& json) {
    return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

void write_chunk(ByteWriter& out, std::uint32_t type, ByteView bytes, std::uint8_t filler) {
    const std::size_t padded = (bytes.size() + 3) / 4 * 4;
    out.write(static_cast<std::uint32_t>(padded));
    out.write(type);
    out.write_array(bytes);
    for (std::size_t i = bytes.size(); i < padded; ++i) {
        out.write(filler);
    }
}

std::string base64(ByteView bytes) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            bits = bits << 8U | (k < count ? bytes[i + k] : 0U);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            text.push_back(k <= count ? letters[bits >> (18U - 6U * k) & 63U] : '=');
        }
    }
    return text;
}

}  // namespace

Result<Bytes> write_glb(const scene_file::file::Document& document) {
    TRY(GltfParts parts, make_gltf(document));
    const Bytes binary = join_views(parts);
    const std::string text = text_of_json(parts.json);
    ByteWriter out(text.size() + binary.size() + 64);
    const std::size_t json_bytes = chunk_header_bytes + (text.size() + 3) / 4 * 4;
    const std::size_t binary_bytes = binary.empty() ? 0 : chunk_header_bytes + (binary.size() + 3) / 4 * 4;
    out.write_array(std::span<const char>("glTF", 4));
    out.write(std::uint32_t{2});
    out.write(static_cast<std::uint32_t>(glb_header_bytes + json_bytes + binary_bytes));
    write_chunk(out, chunk_json, view_of(text), ' ');
    if (!binary.empty()) {
        write_chunk(out, chunk_binary, binary, 0);
    }
    return out.take();
}

Result<Bytes> write_gltf(const scene_file::file::Document& document) {
    TRY(GltfParts parts, make_gltf(document));
    if (const Bytes binary = join_views(parts); !binary.empty()) {
        parts.json["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64(binary);
    }
    const std::string text = text_of_json(parts.json);
    return Bytes(text.begin(), text.end());
}

namespace {

using scene_file::file::KeyKind;

constexpr std::size_t alignment = 4;  // no component is longer

Result<Bytes> view_in(const OrderedJson& view, ByteView binary) {
    const auto offset = view.value("byteOffset", std::size_t{0});
    const auto length = view.value("byteLength", std::size_t{0});
    if (offset > binary.size() || length > binary.size() - offset) {
        return fail(ErrorCode::truncated, "a buffer view is not in the file that Assimp wrote");
    }
    const ByteView bytes = binary.subspan(offset, length);
    return Bytes(bytes.begin(), bytes.end());
}

/// A row in glTF's form: rotations are x, y, z, w.
void write_row(ByteWriter& out, const double* row, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) {
        out.write(static_cast<float>(row[width == 4 ? (i + 1) % 4 : i]));
    }
}

/// For each key: its in-tangent, its value and its out-tangent.
Bytes spline_rows(const Keys& keys, std::size_t width) {
    ByteWriter out(3 * keys.values.size() * sizeof(float));
    for (std::size_t key = 0; key < keys.times_seconds.size(); ++key) {
        write_row(out, &keys.tangents[2 * key * width], width);
        write_row(out, &keys.values[key * width], width);
        write_row(out, &keys.tangents[(2 * key + 1) * width], width);
    }
    return out.take();
}

void make_spline(GltfParts& parts, OrderedJson& sampler, const Keys& keys, std::size_t width) {
    sampler["interpolation"] = "CUBICSPLINE";
    OrderedJson& accessor = parts.json["accessors"][sampler["output"].get<std::size_t>()];
    accessor["count"] = 3 * keys.times_seconds.size();
    accessor.erase("min");  // for the earlier values
    accessor.erase("max");
    parts.views.at(accessor["bufferView"].get<std::size_t>()) = spline_rows(keys, width);
}

}  // namespace

Result<GltfParts> parts_of_glb(ByteView file) {
    TRY(const scene_file::gltf::GlbChunks chunks, scene_file::gltf::read_glb(file));
    const std::string_view text = text_of(chunks.json);
    GltfParts parts{OrderedJson::parse(text.begin(), text.end())};
    for (const OrderedJson& view : parts.json.value("bufferViews", OrderedJson::array())) {
        TRY(Bytes bytes, view_in(view, chunks.binary));
        parts.views.push_back(std::move(bytes));
    }
    return parts;
}

Bytes join_views(GltfParts& parts) {
    Bytes joined;
    for (std::size_t i = 0; i < parts.views.size(); ++i) {
        joined.resize((joined.size() + alignment - 1) / alignment * alignment, 0);
        OrderedJson& view = parts.json["bufferViews"][i];
        view["byteOffset"] = joined.size();
        view["byteLength"] = parts.views[i].size();
        joined.insert(joined.end(), parts.views[i].begin(), parts.views[i].end());
    }
    if (!joined.empty()) {
        parts.json["buffers"][0]["byteLength"] = joined.size();
    }
    return joined;
}

void set_kinds(GltfParts& parts, std::size_t animation, const NodeMotion& motion,
               const std::vector<std::size_t>& places) {
    std::map<std::size_t, const NodeKeys*> moved;
    for (const NodeKeys& keys : motion.nodes) {
        moved[places[keys.node]] = &keys;
    }
    constexpr std::array<std::pair<std::string_view, scene_file::file::Target>, 3> paths = {
        {{"translation", scene_file::file::Target::translation},
         {"rotation", scene_file::file::Target::rotation},
         {"scale", scene_file::file::Target::scale}}};
    OrderedJson& made = parts.json["animations"][animation];
    for (const OrderedJson& channel : made["channels"]) {
        const OrderedJson& target = channel["target"];
        const auto* const path = std::ranges::find(paths, target["path"].get<std::string>(),
                                                   [](const auto& one) { return one.first; });
        if (path == paths.end()) {
            continue;
        }
        const Keys& keys = moved.at(target["node"].get<std::size_t>())->of(path->second);
        OrderedJson& sampler = made["samplers"][channel["sampler"].get<std::size_t>()];
        if (keys.kind == KeyKind::step) {
            sampler["interpolation"] = "STEP";
        } else if (keys.kind == KeyKind::cubic) {
            make_spline(parts, sampler, keys, width_of(path->second));
        }
    }
}

}  // namespace animbridge::scene_child::write
