// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"

/// Binary FBX 7.5 as a tree, to change a file that Assimp wrote. Its arrays are not compressed.
namespace animbridge::scene_child::write {

struct FbxProperty {
    char type = 'I';  ///< C Y I L F D: a number; S R: text, bytes; f d l i b: an array
    Bytes data{};     ///< the numbers or bytes themselves, without counts
};

struct FbxNode {
    std::string name{};
    std::vector<FbxProperty> properties{};
    std::vector<FbxNode> children{};
    bool ends_with_null = false;  ///< an empty list of children is also written

    /// Null if no child has this name; if several have it, the first.
    [[nodiscard]] FbxNode* child(std::string_view wanted);

    /// Like child, for an entry of Properties70, whose values begin at property 4.
    [[nodiscard]] FbxNode* entry(std::string_view wanted);
};

struct FbxFile {
    std::vector<FbxNode> nodes{};
    Bytes head{};
    Bytes foot{};  ///< the bytes after the last node

    [[nodiscard]] FbxNode* child(std::string_view wanted);
};

[[nodiscard]] Result<FbxFile> read_fbx_tree(ByteView bytes);
[[nodiscard]] Bytes write_fbx_tree(const FbxFile& file);

[[nodiscard]] FbxProperty fbx_text(std::string_view text);

template <typename T>
[[nodiscard]] FbxProperty fbx_values(char type, std::span<const T> values) {
    const auto bytes = std::as_bytes(values);
    FbxProperty property;
    property.type = type;
    property.data.resize(bytes.size());
    if (!bytes.empty()) {
        std::memcpy(property.data.data(), bytes.data(), bytes.size());
    }
    return property;
}

[[nodiscard]] FbxProperty fbx_number(std::int32_t value);
[[nodiscard]] FbxProperty fbx_number(std::int64_t value);
[[nodiscard]] FbxProperty fbx_number(double value);

/// Its first property; 0 where that is none of type L.
[[nodiscard]] std::int64_t fbx_id(const FbxNode& node);

/// An entry of Properties70: name, type, label, flags, values.
[[nodiscard]] FbxNode fbx_entry(std::string_view name, std::string_view type, std::string_view label,
                                std::vector<FbxProperty> values);

}  // namespace animbridge::scene_child::write
