// SPDX-License-Identifier: MIT
#include "formats/scene_file/file/file.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <type_traits>

namespace animbridge::scene_file::file {

namespace {

constexpr std::array<char, 8> signature = {'A', 'B', 's', 'c', 'e', 'n', 'e', '\x01'};

/// Appends the fields of the lists below.
class Writing {
public:
    explicit Writing(std::size_t expected_bytes) : out_(expected_bytes) {}

    template <typename T>
    requires std::is_arithmetic_v<T>
    void number(const T& value, std::string_view /*field*/) { out_.write(value); }

    void numbers(const double* values, std::size_t count) { out_.write_array(std::span(values, count)); }

    void text(const std::string& value, std::string_view /*field*/) {
        out_.write(static_cast<std::uint32_t>(value.size()));
        out_.write_array(std::span(value));
    }

    template <typename Enum>
    void choice(const Enum& value, std::size_t /*count*/, std::string_view /*field*/) {
        out_.write(static_cast<std::uint8_t>(value));
    }

    void array(const std::vector<double>& values, std::string_view /*field*/) {
        out_.write(static_cast<std::uint64_t>(values.size()));
        out_.write_array(std::span(values));
    }

    template <typename T, typename Item>
    void list(const std::vector<T>& items, std::size_t /*least_bytes*/, std::string_view /*field*/, Item item,
              std::size_t /*most*/ = 0) {
        out_.write(static_cast<std::uint32_t>(items.size()));
        for (const T& one : items) {
            item(one);
        }
    }

    template <typename T, typename Item>
    void maybe(const std::optional<T>& value, std::string_view /*field*/, Item item) {
        out_.write(static_cast<std::uint8_t>(value.has_value()));
        if (value) {
            item(*value);
        }
    }

    [[nodiscard]] Bytes take() { return out_.take(); }

private:
    ByteWriter out_;
};

/// Reads the same fields; after the first error, nothing changes.
class Parsing {
public:
    explicit Parsing(ByteView bytes) : in_(bytes) {}

    template <typename T>
    requires std::is_arithmetic_v<T>
    void number(T& value, std::string_view field) {
        if constexpr (std::same_as<T, bool>) {
            std::uint8_t byte = 0;
            choice(byte, 2, field);
            value = byte != 0;
        } else {
            take(in_.read<T>(field), value);
        }
    }

    void numbers(double* values, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            number(values[i], "placement");
        }
    }

    void text(std::string& value, std::string_view field) {
        std::uint32_t size = 0;
        number(size, field);
        std::vector<char> characters;
        take(error_ ? Result<std::vector<char>>() : in_.read_array<char>(size, field), characters);
        value.assign(characters.begin(), characters.end());
    }

    template <typename Enum>
    void choice(Enum& value, std::size_t count, std::string_view field) {
        const std::size_t at = in_.offset();
        std::uint8_t byte = 0;
        number(byte, field);
        if (byte >= count) {
            complain(field, at,
                     "found " + std::to_string(byte) + ", allowed is 0 to " + std::to_string(count - 1));
            return;
        }
        value = static_cast<Enum>(byte);
    }

    void array(std::vector<double>& values, std::string_view field) {
        std::uint64_t count = 0;
        number(count, field);
        take(error_ ? Result<std::vector<double>>() : in_.read_array<double>(count, field), values);
    }

    void array(SharedNumbers& values, std::string_view field) { array(values.edit(), field); }

    template <typename T, typename Item>
    void list(std::vector<T>& items, std::size_t least_bytes, std::string_view field, Item item,
              std::size_t most = std::numeric_limits<std::size_t>::max()) {
        std::uint32_t count = 0;
        const std::size_t at = in_.offset();
        number(count, field);
        const std::size_t free_bytes = in_.remaining() - std::min(owed_bytes_, in_.remaining());
        if (!error_ && count > std::min(free_bytes / least_bytes, most)) {
            complain(field, at, "found a count of " + std::to_string(count) + ", more than the bytes hold");
        }
        if (error_) {
            return;
        }
        items.resize(count);
        owed_bytes_ += count * least_bytes;
        for (T& one : items) {
            owed_bytes_ -= least_bytes;
            item(one);
        }
    }

    template <typename T, typename Item>
    void maybe(std::optional<T>& value, std::string_view field, Item item) {
        bool is_there = false;
        number(is_there, field);
        if (is_there && !error_) {
            item(value.emplace());
        }
    }

    /// The first error, or one about bytes that are left over.
    [[nodiscard]] std::optional<Error> end() {
        if (!error_ && in_.remaining() > 0) {
            complain("end", in_.offset(), std::to_string(in_.remaining()) + " bytes are left over");
        }
        return error_;
    }

private:
    template <typename T>
    void take(Result<T> read, T& value) {
        if (error_) {
            return;
        }
        if (read) {
            value = std::move(*read);
        } else {
            error_ = std::move(read).error();
        }
    }

    void complain(std::string_view field, std::size_t at, std::string reason) {
        if (!error_) {
            error_ = Error{ErrorCode::bad_value, std::move(reason)};
            error_->field = field;
            error_->byte_offset = static_cast<std::int64_t>(at);
        }
    }

    ByteReader in_;
    /// The least bytes of the items to come in the enclosing lists: inner lists cannot use them.
    std::size_t owed_bytes_ = 0;
    std::optional<Error> error_{};
};

// The fields of each part, in order, for both directions: `value` is const for writing.

constexpr std::size_t placement_bytes = 10 * sizeof(double);

void placement(auto& io, auto& value) {
    io.numbers(&value.translation.x, 3);
    io.numbers(&value.rotation.w, 1);
    io.numbers(&value.rotation.x, 1);
    io.numbers(&value.rotation.y, 1);
    io.numbers(&value.rotation.z, 1);
    io.numbers(&value.scale.x, 3);
}

void node(auto& io, auto& value) {
    io.text(value.name, "node.name");
    io.maybe(value.parent, "node.parent", [&](auto& parent) { io.number(parent, "node.parent"); });
    placement(io, value.rest);
    io.choice(value.role, 4, "node.role");
    io.number(value.is_skinned, "node.is_skinned");
    io.maybe(value.bind_world, "node.bind_world", [&](auto& bind) { placement(io, bind); });
}
constexpr std::size_t node_bytes = 4 + 1 + placement_bytes + 3;

void channel(auto& io, auto& value) {
    io.number(value.node, "channel.node");
    io.choice(value.target, 3, "channel.target");
    io.choice(value.kind, 3, "channel.kind");
    io.array(value.times_seconds, "channel.times");
    io.array(value.values, "channel.values");
    io.array(value.tangents, "channel.tangents");
}
constexpr std::size_t channel_bytes = 4 + 2 + 3 * 8;

void animation(auto& io, auto& value) {
    io.text(value.name, "animation.name");
    io.number(value.duration_seconds, "animation.duration");
    io.list(value.channels, channel_bytes, "animation.channels", [&](auto& one) { channel(io, one); });
}
constexpr std::size_t animation_bytes = 4 + 8 + 4;

void space(auto& io, auto& value) {
    io.choice(value.up, axis_names.size(), "space.up");
    io.choice(value.front, axis_names.size(), "space.front");
    io.number(value.metres_per_unit, "space.metres_per_unit");
    io.number(value.says_axes, "space.says_axes");
    io.number(value.says_unit, "space.says_unit");
}

void camera(auto& io, auto& value) {
    io.number(value.node, "camera.node");
    io.number(value.horizontal_field_degrees, "camera.horizontal_field");
}

void human_bone(auto& io, auto& value) {
    io.text(value.slot, "human_bone.slot");
    io.number(value.node, "human_bone.node");
}

void note(auto& io, auto& value) {
    io.choice(value.kind, 8, "note.kind");
    io.maybe(value.node, "note.node", [&](auto& one) { io.number(one, "note.node"); });
    io.number(value.count, "note.count");
    io.text(value.text, "note.text");
}

void document(auto& io, auto& value) {
    io.text(value.loader, "loader");
    io.text(value.program, "program");
    io.text(value.generator, "generator");
    io.text(value.human_format, "human_format");
    space(io, value.space);
    io.number(value.frames_per_second, "frames_per_second");
    io.number(value.uneven_degrees, "uneven_degrees");
    io.list(value.nodes, node_bytes, "nodes", [&](auto& one) { node(io, one); });
    io.list(value.cameras, 12, "cameras", [&](auto& one) { camera(io, one); });
    io.list(value.animations, animation_bytes, "animations", [&](auto& one) { animation(io, one); });
    io.list(
        value.human_bones, 8, "human_bones", [&](auto& one) { human_bone(io, one); }, value.nodes.size());
    io.list(value.notes, 14, "notes", [&](auto& one) { note(io, one); });
}

/// Counts the parts with most of the bytes.
std::size_t expected_bytes(const Document& document) {
    std::size_t bytes = 1024 + document.nodes.size() * (2 * node_bytes + 16);
    for (const Animation& animation : document.animations) {
        for (const Channel& channel : animation.channels) {
            bytes += channel_bytes +
                     8 * (channel.times_seconds.size() + channel.values.size() + channel.tangents.size());
        }
    }
    return bytes;
}

}  // namespace

Bytes to_wire(const Document& value) {
    Writing io(expected_bytes(value));
    for (const char& byte : signature) {
        io.number(byte, "signature");
    }
    document(io, value);
    return io.take();
}

Result<Document> from_wire(ByteView bytes) {
    if (bytes.size() < signature.size() ||
        !std::equal(signature.begin(), signature.end(), text_of(bytes).begin())) {
        return fail(ErrorCode::bad_value, "the bytes are not a scene");
    }
    Parsing io(bytes.subspan(signature.size()));
    Document read;
    document(io, read);
    if (auto error = io.end()) {
        return fail(std::move(*error));
    }
    return validate(read).map([&] { return std::move(read); });
}

namespace {

constexpr double unit_tolerance = 1e-4;

tl::unexpected<Error> wrong(std::string field, std::string reason) {
    return fail(ErrorCode::bad_value, std::move(reason), std::move(field));
}

bool is_unit(double w, double x, double y, double z) {
    return std::abs(w * w + x * x + y * y + z * z - 1.0) <= unit_tolerance;
}

bool is_fine(const Placement& placement) {
    const glm::dquat& q = placement.rotation;
    return is_finite(placement.translation) && is_finite(placement.scale) && is_unit(q.w, q.x, q.y, q.z);
}

Result<void> validate_nodes(const std::vector<Node>& nodes) {
    std::vector<std::size_t> depths(nodes.size(), 0);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Node& node = nodes[i];
        const std::string field = "nodes[" + std::to_string(i) + "]";
        if (node.parent && *node.parent >= i) {
            return wrong(field + ".parent",
                         "found " + std::to_string(*node.parent) + ", allowed is a node before this one");
        }
        depths[i] = node.parent ? depths[*node.parent] + 1 : 0;
        if (depths[i] > deepest_node) {
            return wrong(field, "the node hangs deeper than the " + std::to_string(deepest_node) +
                                    " levels that are allowed");
        }
        if (!is_fine(node.rest) || (node.bind_world && !is_fine(*node.bind_world))) {
            return wrong(field + ".rest", "found numbers that are not finite or a rotation off unit length");
        }
    }
    return {};
}

bool increases(const std::vector<double>& times) {
    return std::ranges::all_of(times, [](double time) { return std::isfinite(time); }) &&
           std::ranges::adjacent_find(times, [](double a, double b) { return !(a < b); }) == times.end();
}

bool are_finite(const std::vector<double>& values) {
    return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

bool are_units(const std::vector<double>& rotations) {
    for (std::size_t i = 0; i + 3 < rotations.size(); i += 4) {
        if (!is_unit(rotations[i], rotations[i + 1], rotations[i + 2], rotations[i + 3])) {
            return false;
        }
    }
    return true;
}

Result<void> validate_channel(const Channel& channel, std::size_t node_count, const std::string& field) {
    if (channel.node >= node_count) {
        return wrong(field + ".node", "found " + std::to_string(channel.node) + ", allowed is a node of " +
                                          std::to_string(node_count));
    }
    if (channel.times_seconds.empty() || !increases(channel.times_seconds)) {
        return wrong(field + ".times", "found times that do not increase, or none");
    }
    const std::size_t numbers = channel.times_seconds.size() * width_of(channel.target);
    const std::size_t tangents = channel.kind == KeyKind::cubic ? 2 * numbers : 0;
    if (channel.values.size() != numbers || channel.tangents.size() != tangents) {
        return wrong(field + ".values", "found another number of values than of keys");
    }
    const bool is_rotation = channel.target == Target::rotation;
    if (!are_finite(channel.values) || !are_finite(channel.tangents) ||
        (is_rotation && !are_units(channel.values))) {
        return wrong(field + ".values", "found numbers that are not finite or a rotation off unit length");
    }
    return {};
}

Result<void> validate_animation(const Animation& animation, std::size_t node_count,
                                const std::string& field) {
    if (!std::isfinite(animation.duration_seconds) || animation.duration_seconds < 0.0) {
        return wrong(field + ".duration", "found a duration that is not a number of seconds");
    }
    std::set<std::pair<std::uint32_t, Target>> seen;
    for (std::size_t i = 0; i < animation.channels.size(); ++i) {
        const Channel& channel = animation.channels[i];
        const std::string name = field + ".channels[" + std::to_string(i) + "]";
        TRY_VOID(validate_channel(channel, node_count, name));
        if (!seen.emplace(channel.node, channel.target).second) {
            return wrong(name, "found a second channel of the same node and kind");
        }
    }
    return {};
}

Result<void> validate_places(const Document& document) {
    const std::size_t count = document.nodes.size();
    const auto is_outside = [&](const auto& item) { return item.node >= count; };
    if (std::ranges::any_of(document.cameras, is_outside) ||
        std::ranges::any_of(document.human_bones, is_outside) ||
        std::ranges::any_of(document.notes,
                            [&](const Note& note) { return note.node && *note.node >= count; })) {
        return wrong("nodes", "found a node that is named and not there");
    }
    constexpr std::uint64_t most_times = std::numeric_limits<std::int64_t>::max();  // the largest in JSON
    if (std::ranges::any_of(document.notes, [](const Note& note) { return note.count > most_times; })) {
        return wrong("notes", "found a count that is too large");
    }
    if (document.human_bones.size() > count) {
        return wrong("human_bones", "found more body parts than nodes");
    }
    const double unit = document.space.metres_per_unit;
    if (!std::isfinite(unit) || !(unit > 0.0)) {
        return wrong("space.metres_per_unit", "found a unit that is not above 0");
    }
    // The axes' names come in pairs of opposite directions.
    if (static_cast<int>(document.space.up) / 2 == static_cast<int>(document.space.front) / 2) {
        return wrong("space.front", "found the line of space.up");
    }
    if (!std::isfinite(document.frames_per_second) || document.frames_per_second < 0.0) {
        return wrong("frames_per_second", "found a rate that is not a number");
    }
    for (const Camera& camera : document.cameras) {
        if (!(camera.horizontal_field_degrees >= 0.0 && camera.horizontal_field_degrees < 180.0)) {
            return wrong("camera.horizontal_field", "found no angle from 0 to 180 degrees");
        }
    }
    return {};
}

}  // namespace

Result<void> validate(const Document& document) {
    TRY_VOID(validate_nodes(document.nodes));
    TRY_VOID(validate_places(document));
    for (std::size_t i = 0; i < document.animations.size(); ++i) {
        TRY_VOID(validate_animation(document.animations[i], document.nodes.size(),
                                    "animations[" + std::to_string(i) + "]"));
    }
    return {};
}

}  // namespace animbridge::scene_file::file
