// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/trim.h"

namespace animbridge::bvh {

/// One column of the motion. Positions and offsets are in the file's own unit, which a BVH does not state;
/// rotations are in degrees; scales are factors.
enum class ChannelKind : std::uint8_t {
    x_position,
    y_position,
    z_position,
    x_rotation,
    y_rotation,
    z_rotation,
    x_scale,
    y_scale,
    z_scale,
};

[[nodiscard]] constexpr bool is_position(ChannelKind kind) { return kind <= ChannelKind::z_position; }
[[nodiscard]] constexpr bool is_rotation(ChannelKind kind) {
    return kind >= ChannelKind::x_rotation && kind <= ChannelKind::z_rotation;
}
/// 0, 1, 2 for x, y, z.
[[nodiscard]] constexpr std::size_t axis_of(ChannelKind kind) { return static_cast<std::size_t>(kind) % 3; }

/// Spelled as in files: "Xposition", "Zrotation", ...
[[nodiscard]] std::string_view name_of(ChannelKind kind);
[[nodiscard]] std::optional<ChannelKind> channel_kind_named(std::string_view name);

/// Deeper nesting, or more channels in one joint, is an error.
inline constexpr std::size_t max_depth = 1000;
inline constexpr std::size_t max_joint_channels = 9;

using Offset = std::array<double, 3>;

/// The end of a chain. It gives the last bone its length and does not move.
struct EndSite {
    std::string name{};  ///< usually empty
    Offset offset{};

    bool operator==(const EndSite&) const = default;
};

struct Joint {
    std::string name;  ///< as in the file, including inner spaces; need not be UTF-8 or unique
    std::optional<std::size_t> parent{};  ///< an index lower than this joint's own; null for a root
    Offset offset{};                      ///< from the parent, in the file's unit and axes
    std::vector<ChannelKind> channels{};  ///< in file order
    std::vector<EndSite> end_sites{};

    bool operator==(const Joint&) const = default;
};

[[nodiscard]] bool has_positions(const Joint& joint);

/// Something that the lenient reader accepted, or that the text has and the values do not show.
struct Note {
    std::string rule;  ///< a rule's id (rules.h)
    std::int64_t line = -1;
    std::string found;

    bool operator==(const Note&) const = default;
};

/// A BVH file: all its values, but not its text layout.
struct Document {
    std::vector<Joint> joints{};  ///< in file order: depth first, parents before children
    double frame_time_seconds = 0;
    std::size_t frame_count = 0;
    std::vector<double> motion{};  ///< [frame][channel]; the channels of all joints in file order
    std::vector<Note> notes{};     ///< about the text that the file was read from

    [[nodiscard]] std::size_t channel_count() const;
    /// The index of each joint's first column of the motion.
    [[nodiscard]] std::vector<std::size_t> first_columns() const;
    [[nodiscard]] std::span<const double> frame(std::size_t index) const {
        const std::size_t width = frame_count == 0 ? 0 : motion.size() / frame_count;
        return std::span(motion).subspan(index * width, width);
    }

    bool operator==(const Document&) const = default;
};

/// Keeps the frames around the times of `trim`; see Format::trimmed.
[[nodiscard]] Result<Document> trimmed(Document document, const Trim& trim);

}  // namespace animbridge::bvh
