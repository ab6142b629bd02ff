// SPDX-License-Identifier: MIT
#include "scene_child/gltf_parts.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/base.h"
#include "formats/scene/gltf/glb.h"

namespace animbridge::scene_child {

namespace {

using OrderedJson = nlohmann::ordered_json;
using scene::KeyKind;

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
    TRY(const scene::GlbChunks chunks, scene::read_glb(file));
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

void set_kinds(GltfParts& parts, std::size_t animation, const Motion& motion,
               const std::vector<std::size_t>& places) {
    std::map<std::size_t, const NodeKeys*> moved;
    for (const NodeKeys& keys : motion.nodes) {
        moved[places[keys.node]] = &keys;
    }
    constexpr std::array<std::pair<std::string_view, scene::Target>, 3> paths = {
        {{"translation", scene::Target::translation},
         {"rotation", scene::Target::rotation},
         {"scale", scene::Target::scale}}};
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

}  // namespace animbridge::scene_child
