// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/scene/document.h"

namespace animbridge::scene_child {

/// Where AnimBridge's files say their frame rate, in the extras of "asset": glTF has no word for it.
inline constexpr const char* gltf_rate_member = "frames_per_second";

/// How a glTF file says that the keys of one part of one node are to be read.
struct GltfChannel {
    std::uint32_t node = 0;
    scene::Target target = scene::Target::rotation;
    scene::KeyKind kind = scene::KeyKind::linear;
};

struct GltfAnimation {
    std::string name;
    std::vector<GltfChannel> channels;
};

/// The JSON of a glTF 2 file, which says what Assimp drops: the index of each node, its exact placement,
/// which channels are the file's own, and the humanoid map of VRM.
class GltfJson {  // NOLINT(bugprone-exception-escape): JSON that moves only asserts
public:
    /// Takes .gltf and .glb. Errors: no JSON, or a GLB whose chunks do not fit (bad_value, truncated).
    [[nodiscard]] static Result<GltfJson> parse(ByteView file);

    /// The same file for Assimp: its nodes are called by their index (see node_of), its buffers by the names
    /// of their files. Materials, textures and images, which are other files or take time, are not there.
    [[nodiscard]] Result<Bytes> numbered() const;
    /// The index in a name that numbered() gave; none: a node that Assimp made up.
    [[nodiscard]] static std::optional<std::uint32_t> node_of(std::string_view name);

    [[nodiscard]] bool is_binary() const { return is_binary_; }
    /// glTF 1.0, of which this class knows no more than that.
    [[nodiscard]] bool is_first_version() const;
    [[nodiscard]] std::uint32_t node_count() const;
    [[nodiscard]] std::string name_of(std::uint32_t index) const;
    /// None: the node has a matrix, or numbers that are not a placement.
    [[nodiscard]] std::optional<scene::Placement> placement_of(std::uint32_t index) const;
    [[nodiscard]] bool is_mesh(std::uint32_t index) const;
    /// The camera's horizontal field of view in degrees, 0 if it has none; none: the node has no camera.
    [[nodiscard]] std::optional<double> camera_of(std::uint32_t index) const;

    [[nodiscard]] std::vector<GltfAnimation> animations() const;
    [[nodiscard]] std::string generator() const;
    /// 0: the file does not say.
    [[nodiscard]] double frames_per_second() const;
    /// The extension that compresses the keys and that a reader must know; empty: none does.
    [[nodiscard]] std::string compression() const;
    /// "VRM 1.0", "VRM 0.x", "VRMA", or empty.
    [[nodiscard]] std::string human_format() const;
    /// Node indices as in the file.
    [[nodiscard]] std::vector<scene::HumanBone> human_bones() const;

private:
    [[nodiscard]] const nlohmann::json& node(std::uint32_t index) const;

    nlohmann::json json_;
    Bytes chunk_;  ///< the data of a GLB's binary chunk
    bool is_binary_ = false;
};

}  // namespace animbridge::scene_child
