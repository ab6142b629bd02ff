// SPDX-License-Identifier: MIT
#include "formats/scene_file/gltf/gltf.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "formats/scene_file/clip/clip.h"
#include "formats/scene_file/gltf/parts.h"

namespace animbridge::scene_file::gltf {

namespace {

/// The results of the channels have shared numbers once for each channel, although the file and the document
/// do not: JSON has those of all animations, and a clip those of one.
Result<void> check_room(const file::Document& document, const GltfRoom& left, std::uint32_t memory_mib) {
    GltfRoom for_all(memory_mib);
    for (const file::Animation& animation : document.animations) {
        GltfRoom for_clip = left;
        for (const file::Channel& channel : animation.channels) {
            TRY_VOID(for_all.take(
                (channel.times_seconds.size() + channel.values.size() + channel.tangents.size()) *
                sizeof(double)));
            TRY_VOID(for_clip.take(clip::track_bytes(channel)));
        }
    }
    return {};
}

/// A node is one body part, the first that names it; a body part is one node.
void take_human_bones(const GltfFile& file, const GltfNodeMap& map, file::Document& document,
                      file::Notes& notes) {
    document.human_format = human_format_of(file);
    std::set<std::uint32_t> nodes;
    std::set<std::string> slots;
    for (file::HumanBone& bone : human_bones_of(file)) {
        if (bone.node >= map.size() || map[bone.node] < 0) {
            continue;
        }
        bone.node = static_cast<std::uint32_t>(map[bone.node]);
        if (nodes.contains(bone.node) || slots.contains(bone.slot)) {
            notes.say("The file names a body part twice, or two for one node. The first stays.");
            continue;
        }
        nodes.insert(bone.node);
        slots.insert(bone.slot);
        document.human_bones.push_back(std::move(bone));
    }
}

}  // namespace

Result<file::Document> read_gltf(const GltfFile& file, const std::string& folder, std::uint32_t memory_mib) {
    file::Document document;
    document.loader = "gltf";
    document.program = "AnimBridge";
    document.generator = generator_of(file);
    document.frames_per_second = frames_per_second_of(file);
    // Y up, +Z forward, metres: defined by the specification.
    document.space.says_axes = true;
    document.space.says_unit = true;
    const file::SideFiles side_files(folder);
    GltfRoom room(memory_mib);
    GltfBuffers buffers(file, side_files, room);
    file::Notes notes;
    TRY(const GltfNodeMap map, take_gltf_nodes(file, buffers, room, document, notes));
    TRY_VOID(take_gltf_animations(file, buffers, map, document, notes));
    TRY_VOID(check_room(document, room, memory_mib));
    take_human_bones(file, map, document, notes);
    document.notes = notes.take();
    return document;
}

namespace {

/// nullopt: not part of a placement, such as the weights of a mesh's shapes.
std::optional<file::Target> target_of(const std::string& path) {
    if (path == "translation") {
        return file::Target::translation;
    }
    if (path == "rotation") {
        return file::Target::rotation;
    }
    return path == "scale" ? std::optional(file::Target::scale) : std::nullopt;
}

file::KeyKind kind_of(const std::string& interpolation) {
    if (interpolation == "STEP") {
        return file::KeyKind::step;
    }
    return interpolation == "CUBICSPLINE" ? file::KeyKind::cubic : file::KeyKind::linear;
}

/// glTF's rotations are x, y, z, w.
void put_w_first(std::vector<double>& rows) {
    for (std::size_t row = 0; row + 3 < rows.size(); row += 4) {
        std::rotate(&rows[row], &rows[row + 3], &rows[row] + 4);
    }
}

/// Each key has an in-tangent, a value and an out-tangent.
void part_rows(const std::vector<double>& rows, file::Channel& channel) {
    const std::size_t width = file::width_of(channel.target);
    std::vector<double>& values = channel.values.edit();
    std::vector<double>& tangents = channel.tangents.edit();
    values.reserve(rows.size() / 3);
    tangents.reserve(rows.size() / 3 * 2);
    const auto append = [&](std::vector<double>& to, std::size_t row) {
        const auto first = rows.begin() + static_cast<std::ptrdiff_t>(row * width);
        to.insert(to.end(), first, first + static_cast<std::ptrdiff_t>(width));
    };
    for (std::size_t row = 0; row < rows.size() / width; row += 3) {
        append(tangents, row);
        append(values, row + 1);
        append(tangents, row + 2);
    }
}

/// The keys of a channel, without a node.
struct ChannelKeys {
    file::Channel channel;
    file::LeftOutKeys left_out;
};

/// The keys that several channels may share, by their accessors.
struct SharedKeys {
    struct Source {
        std::uint32_t input = 0;
        std::uint32_t output = 0;
        file::Target target = file::Target::rotation;
        file::KeyKind kind = file::KeyKind::linear;

        auto operator<=>(const Source&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 errs
    };

    std::map<std::uint32_t, file::SharedNumbers> times{};
    std::map<Source, ChannelKeys> keys{};
};

class GltfTaker {
public:
    GltfTaker(const Json& animation, GltfBuffers& buffers, SharedKeys& shared, const GltfNodeMap& map,
              const file::Document& document, file::Notes& notes)
        : animation_(animation),
          buffers_(buffers),
          shared_(shared),
          map_(map),
          document_(document),
          notes_(notes),
          maker_(text_in(member(animation, "name")), notes) {}

    Result<void> take_all() {
        const Json& channels = member(animation_, "channels");
        for (std::uint32_t i = 0; i < count_in(channels); ++i) {
            TRY_VOID(take(channels[i]));
        }
        return {};
    }

    /// Whether one of its channels moves a node.
    [[nodiscard]] bool moves_nodes() const { return moves_nodes_; }
    file::Animation result() { return maker_.take(); }

private:
    Result<void> take(const Json& channel) {
        const Json& target = member(channel, "target");
        const auto node = index_in(member(target, "node"));
        const auto part = target_of(text_in(member(target, "path")));
        if (!node || !part) {
            return {};
        }
        moves_nodes_ = true;
        if (*node >= map_.size() || map_[*node] < 0) {
            notes_.say("An animation moves the node number " + std::to_string(*node) +
                       ", which is not in the file's scene. It is left out.");
            return {};
        }
        const auto sampler = index_in(member(channel, "sampler"));
        const Json& from = item(member(animation_, "samplers"), sampler.value_or(UINT32_MAX));
        const auto input = index_in(member(from, "input"));
        const auto output = index_in(member(from, "output"));
        if (!input || !output) {
            return fail(ErrorCode::bad_value, in_animation() + " a channel has no keys");
        }
        const auto moved = static_cast<std::uint32_t>(map_[*node]);
        TRY(const ChannelKeys* keys,
            keys_of({*input, *output, *part, kind_of(text_in(member(from, "interpolation")))}, moved));
        file::Channel made = keys->channel;
        made.node = moved;
        maker_.add_clean(std::move(made), keys->left_out);
        return {};
    }

    /// `node` needs them; it is named in an error.
    Result<const ChannelKeys*> keys_of(const SharedKeys::Source& source, std::uint32_t node) {
        const auto found = shared_.keys.find(source);
        if (found != shared_.keys.end()) {
            return &found->second;
        }
        TRY(ChannelKeys made, read_keys(source, node));
        return &shared_.keys.emplace(source, std::move(made)).first->second;
    }

    Result<ChannelKeys> read_keys(const SharedKeys::Source& source, std::uint32_t node) {
        TRY(const file::SharedNumbers times, times_of(source.input, node));
        TRY(GltfNumbers rows, buffers_.numbers(source.output));
        const std::size_t rows_of_key = source.kind == file::KeyKind::cubic ? 3 : 1;
        const std::size_t width = file::width_of(source.target);
        if (rows.width != width || rows.count() != rows_of_key * times.size()) {
            return fail(ErrorCode::bad_value,
                        in_channel_of(node) + std::to_string(times.size()) + " times and " +
                            std::to_string(rows.count()) + " values of " + std::to_string(rows.width) +
                            " numbers; needed are " + std::to_string(rows_of_key * times.size()) + " of " +
                            std::to_string(width));
        }
        if (source.target == file::Target::rotation) {
            put_w_first(rows.values);
        }
        ChannelKeys made{{0, source.target, source.kind, times}, {}};
        if (source.kind == file::KeyKind::cubic) {
            part_rows(rows.values, made.channel);
        } else {
            made.channel.values = std::move(rows.values);
        }
        made.left_out = file::clean_keys(made.channel);
        return made;
    }

    Result<file::SharedNumbers> times_of(std::uint32_t input, std::uint32_t node) {
        const auto found = shared_.times.find(input);
        if (found != shared_.times.end()) {
            return found->second;
        }
        TRY(GltfNumbers numbers, buffers_.numbers(input));
        if (numbers.width != 1) {
            return fail(ErrorCode::bad_value, in_channel_of(node) + "times of " +
                                                  std::to_string(numbers.width) +
                                                  " numbers each; needed is 1");
        }
        return shared_.times.emplace(input, std::move(numbers.values)).first->second;
    }

    [[nodiscard]] std::string in_animation() const {
        return "in animation \"" + text_in(member(animation_, "name")) + "\"";
    }
    [[nodiscard]] std::string in_channel_of(std::uint32_t node) const {
        return in_animation() + " a channel of node \"" + document_.nodes[node].name + "\" has ";
    }

    const Json& animation_;
    GltfBuffers& buffers_;
    SharedKeys& shared_;
    const GltfNodeMap& map_;
    const file::Document& document_;
    file::Notes& notes_;
    file::AnimationMaker maker_;
    bool moves_nodes_ = false;
};

}  // namespace

Result<void> take_gltf_animations(const GltfFile& file, GltfBuffers& buffers, const GltfNodeMap& map,
                                  file::Document& document, file::Notes& notes) {
    SharedKeys shared;
    const Json& animations = member(file.json, "animations");
    for (std::uint32_t i = 0; i < count_in(animations); ++i) {
        GltfTaker taker(animations[i], buffers, shared, map, document, notes);
        TRY_VOID(taker.take_all());
        if (taker.moves_nodes()) {
            document.animations.push_back(taker.result());
        }
    }
    return {};
}

}  // namespace animbridge::scene_file::gltf
