// SPDX-License-Identifier: MIT
#include "formats/scene/gltf/animations.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "formats/scene/gltf/json_members.h"

namespace animbridge::scene {

namespace {

/// None: it is not part of a placement, such as the weights of a mesh's shapes.
std::optional<Target> target_of(const std::string& path) {
    if (path == "translation") {
        return Target::translation;
    }
    if (path == "rotation") {
        return Target::rotation;
    }
    return path == "scale" ? std::optional(Target::scale) : std::nullopt;
}

KeyKind kind_of(const std::string& interpolation) {
    if (interpolation == "STEP") {
        return KeyKind::step;
    }
    return interpolation == "CUBICSPLINE" ? KeyKind::cubic : KeyKind::linear;
}

/// glTF's rotations are x, y, z, w.
void put_w_first(std::vector<double>& rows) {
    for (std::size_t row = 0; row + 3 < rows.size(); row += 4) {
        std::rotate(&rows[row], &rows[row + 3], &rows[row] + 4);
    }
}

/// Each key has an in-tangent, a value and an out-tangent.
void part_rows(const std::vector<double>& rows, Channel& channel) {
    const std::size_t width = width_of(channel.target);
    channel.values.reserve(rows.size() / 3);
    channel.tangents.reserve(rows.size() / 3 * 2);
    const auto append = [&](std::vector<double>& to, std::size_t row) {
        const auto first = rows.begin() + static_cast<std::ptrdiff_t>(row * width);
        to.insert(to.end(), first, first + static_cast<std::ptrdiff_t>(width));
    };
    for (std::size_t row = 0; row < rows.size() / width; row += 3) {
        append(channel.tangents, row);
        append(channel.values, row + 1);
        append(channel.tangents, row + 2);
    }
}

class GltfTaker {
public:
    GltfTaker(const Json& animation, GltfBuffers& buffers, const GltfNodeMap& map, const Document& document,
              Notes& notes)
        : animation_(animation),
          buffers_(buffers),
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

    /// Whether a channel of it moves a node.
    [[nodiscard]] bool moves_nodes() const { return moves_nodes_; }
    Animation result() { return maker_.take(); }

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
        Channel made;
        made.node = static_cast<std::uint32_t>(map_[*node]);
        made.target = *part;
        made.kind = kind_of(text_in(member(from, "interpolation")));
        TRY_VOID(take_keys(made, *input, *output));
        maker_.add(std::move(made));
        return {};
    }

    Result<void> take_keys(Channel& channel, std::uint32_t input, std::uint32_t output) {
        TRY(GltfNumbers times, buffers_.numbers(input));
        TRY(GltfNumbers rows, buffers_.numbers(output));
        const std::size_t rows_of_key = channel.kind == KeyKind::cubic ? 3 : 1;
        const std::size_t width = width_of(channel.target);
        if (times.width != 1 || rows.width != width || rows.count() != rows_of_key * times.count()) {
            return fail(ErrorCode::bad_value,
                        in_animation() + " a channel of node \"" + document_.nodes[channel.node].name +
                            "\" has " + std::to_string(times.values.size()) + " times and " +
                            std::to_string(rows.count()) + " values of " + std::to_string(rows.width) +
                            " numbers; needed are " + std::to_string(rows_of_key * times.count()) + " of " +
                            std::to_string(width));
        }
        if (channel.target == Target::rotation) {
            put_w_first(rows.values);
        }
        channel.times_seconds = std::move(times.values);
        if (channel.kind == KeyKind::cubic) {
            part_rows(rows.values, channel);
        } else {
            channel.values = std::move(rows.values);
        }
        return {};
    }

    [[nodiscard]] std::string in_animation() const {
        return "in animation \"" + text_in(member(animation_, "name")) + "\"";
    }

    const Json& animation_;
    GltfBuffers& buffers_;
    const GltfNodeMap& map_;
    const Document& document_;
    Notes& notes_;
    AnimationMaker maker_;
    bool moves_nodes_ = false;
};

}  // namespace

Result<void> take_gltf_animations(const GltfFile& file, GltfBuffers& buffers, const GltfNodeMap& map,
                                  Document& document, Notes& notes) {
    const Json& animations = member(file.json, "animations");
    for (std::uint32_t i = 0; i < count_in(animations); ++i) {
        GltfTaker taker(animations[i], buffers, map, document, notes);
        TRY_VOID(taker.take_all());
        if (taker.moves_nodes()) {
            document.animations.push_back(taker.result());
        }
    }
    return {};
}

}  // namespace animbridge::scene
