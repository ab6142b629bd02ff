// SPDX-License-Identifier: MIT
#include "scene_child/write/fbx_tree.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace animbridge::scene_child::write {

namespace {

constexpr std::size_t head_bytes = 27;
constexpr std::uint32_t supported_version = 7500;
// End, number of properties, their bytes; then a byte for the length of the name.
constexpr std::size_t record_bytes = 3 * sizeof(std::uint64_t) + 1;
constexpr int deepest_record = 32;
// The foot: an id, zeros up to a multiple of 16, then 4 + 4 + 120 + 16 bytes to the end of the file.
constexpr std::size_t id_bytes = 16;
constexpr std::size_t end_bytes = 144;

tl::unexpected<Error> not_as_expected(std::string_view reason) {
    return fail(ErrorCode::rejected,
                "Assimp wrote an FBX file that is not as expected: " + std::string(reason));
}

std::size_t bytes_of_type(char type) {
    switch (type) {
        case 'C':
        case 'b':
            return 1;
        case 'Y':
            return 2;
        case 'I':
        case 'F':
        case 'i':
        case 'f':
            return 4;
        case 'L':
        case 'D':
        case 'l':
        case 'd':
            return 8;
        default:
            return 0;
    }
}

bool is_array(char type) { return std::string_view("bifld").find(type) != std::string_view::npos; }
bool is_text(char type) { return type == 'S' || type == 'R'; }

Result<FbxProperty> read_fbx_property(ByteReader& in) {
    FbxProperty property;
    TRY(property.type, in.read<char>("type"));
    std::size_t size = bytes_of_type(property.type);
    if (is_text(property.type)) {
        TRY(size, in.read<std::uint32_t>("size"));
    } else if (is_array(property.type)) {
        TRY(const auto head, (in.read<std::array<std::uint32_t, 3>>("array")));
        if (head[1] != 0 || head[2] != head[0] * size) {
            return not_as_expected("an array is compressed");
        }
        size = head[2];
    } else if (size == 0) {
        return not_as_expected("a property has an unknown type");
    }
    TRY(property.data, in.read_array<std::uint8_t>(size, "property"));
    return property;
}

Result<FbxNode> read_record(ByteReader& in, std::uint64_t end, std::uint64_t properties, int depth) {
    FbxNode node;
    TRY(const auto length, in.read<std::uint8_t>("name"));
    TRY(const auto name, in.read_array<char>(length, "name"));
    node.name.assign(name.begin(), name.end());
    for (std::uint64_t i = 0; i < properties; ++i) {
        TRY(FbxProperty property, read_fbx_property(in));
        node.properties.push_back(std::move(property));
    }
    if (depth > deepest_record) {
        return not_as_expected("it is too deep");
    }
    while (in.offset() < end) {
        TRY(const auto head, (in.read<std::array<std::uint64_t, 3>>("record")));
        if (head[0] == 0) {
            TRY_VOID(in.read<std::uint8_t>("record"));
            node.ends_with_null = true;
            break;
        }
        TRY(FbxNode child, read_record(in, head[0], head[1], depth + 1));
        node.children.push_back(std::move(child));
    }
    if (in.offset() != end) {
        return not_as_expected("a record does not end where it says");
    }
    return node;
}

std::size_t fbx_size_of(const FbxProperty& property) {
    return 1 + property.data.size() + (is_text(property.type) ? 4 : is_array(property.type) ? 12 : 0);
}

void write_fbx_property(ByteWriter& out, const FbxProperty& property) {
    const auto size = static_cast<std::uint32_t>(property.data.size());
    out.write(property.type);
    if (is_text(property.type)) {
        out.write(size);
    } else if (is_array(property.type)) {
        out.write(static_cast<std::uint32_t>(size / bytes_of_type(property.type)));
        out.write(std::uint32_t{0});
        out.write(size);
    }
    out.write_array(std::span(property.data));
}

bool has_end(const FbxNode& node) { return node.ends_with_null || !node.children.empty(); }

std::size_t size_of_properties(const FbxNode& node) {
    std::size_t size = 0;
    for (const FbxProperty& property : node.properties) {
        size += fbx_size_of(property);
    }
    return size;
}

std::size_t fbx_size_of(const FbxNode& node) {
    std::size_t size = record_bytes + node.name.size() + size_of_properties(node);
    for (const FbxNode& child : node.children) {
        size += fbx_size_of(child);
    }
    return size + (has_end(node) ? record_bytes : 0);
}

void write_null(ByteWriter& out) { out.write(std::array<std::uint8_t, record_bytes>{}); }

/// Returns where the node ends.
std::size_t write_record(ByteWriter& out, const FbxNode& node, std::size_t begin) {
    const std::size_t end = begin + fbx_size_of(node);
    out.write(static_cast<std::uint64_t>(end));
    out.write(static_cast<std::uint64_t>(node.properties.size()));
    out.write(static_cast<std::uint64_t>(size_of_properties(node)));
    out.write(static_cast<std::uint8_t>(node.name.size()));
    out.write_array(std::span(node.name));
    for (const FbxProperty& property : node.properties) {
        write_fbx_property(out, property);
    }
    std::size_t at = begin + record_bytes + node.name.size() + size_of_properties(node);
    for (const FbxNode& child : node.children) {
        at = write_record(out, child, at);
    }
    if (has_end(node)) {
        write_null(out);
    }
    return end;
}

FbxNode* find_fbx_node(std::vector<FbxNode>& nodes, std::string_view wanted) {
    const auto found = std::ranges::find_if(nodes, [&](const FbxNode& node) { return node.name == wanted; });
    return found == nodes.end() ? nullptr : &*found;
}

}  // namespace

FbxNode* FbxNode::child(std::string_view wanted) { return find_fbx_node(children, wanted); }

FbxNode* FbxFile::child(std::string_view wanted) { return find_fbx_node(nodes, wanted); }

FbxNode* FbxNode::entry(std::string_view wanted) {
    FbxNode* const list = child("Properties70");
    if (list == nullptr) {
        return nullptr;
    }
    const auto found = std::ranges::find_if(list->children, [&](const FbxNode& one) {
        return !one.properties.empty() && text_of(one.properties[0].data) == wanted;
    });
    return found == list->children.end() ? nullptr : &*found;
}

Result<FbxFile> read_fbx_tree(ByteView bytes) {
    ByteReader in(bytes);
    FbxFile file;
    TRY(file.head, in.read_array<std::uint8_t>(head_bytes, "head"));
    std::uint32_t version = 0;
    std::memcpy(&version, &file.head[head_bytes - sizeof(version)], sizeof(version));
    if (version != supported_version) {
        return not_as_expected("its version is " + std::to_string(version));
    }
    while (in.remaining() > record_bytes) {
        TRY(const auto head, (in.read<std::array<std::uint64_t, 3>>("record")));
        if (head[0] == 0) {
            TRY_VOID(in.read<std::uint8_t>("record"));
            file.foot = in.read_rest();
            if (file.foot.size() < id_bytes + end_bytes) {
                break;
            }
            return file;
        }
        TRY(FbxNode node, read_record(in, head[0], head[1], 0));
        file.nodes.push_back(std::move(node));
    }
    return not_as_expected("it has no end");
}

Bytes write_fbx_tree(const FbxFile& file) {
    std::size_t size = file.head.size() + record_bytes;
    for (const FbxNode& node : file.nodes) {
        size += fbx_size_of(node);
    }
    ByteWriter out(size + file.foot.size() + 16);
    out.write_array(std::span(file.head));
    std::size_t at = file.head.size();
    for (const FbxNode& node : file.nodes) {
        at = write_record(out, node, at);
    }
    write_null(out);
    const std::size_t filled = at + record_bytes + id_bytes;
    const ByteView foot(file.foot);
    out.write_array(foot.first(id_bytes));
    out.write_array(std::span<const std::uint8_t>(Bytes(16 - filled % 16, 0)));
    out.write_array(foot.last(end_bytes));
    return out.take();
}

FbxProperty fbx_text(std::string_view text) {
    return fbx_values('S', std::span<const char>(text.data(), text.size()));
}

FbxProperty fbx_number(std::int32_t value) {
    return fbx_values('I', std::span<const std::int32_t>(&value, 1));
}
FbxProperty fbx_number(std::int64_t value) {
    return fbx_values('L', std::span<const std::int64_t>(&value, 1));
}
FbxProperty fbx_number(double value) { return fbx_values('D', std::span<const double>(&value, 1)); }

std::int64_t fbx_id(const FbxNode& node) {
    std::int64_t id = 0;
    if (!node.properties.empty() && node.properties[0].data.size() == sizeof(id)) {
        std::memcpy(&id, node.properties[0].data.data(), sizeof(id));
    }
    return id;
}

FbxNode fbx_entry(std::string_view name, std::string_view type, std::string_view label,
                  std::vector<FbxProperty> values) {
    FbxNode entry;
    entry.name = "P";
    entry.properties = {fbx_text(name), fbx_text(type), fbx_text(label), fbx_text("A")};
    std::move(values.begin(), values.end(), std::back_inserter(entry.properties));
    return entry;
}

}  // namespace animbridge::scene_child::write
