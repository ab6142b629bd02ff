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

namespace animbridge::bvh {

/// One column of the motion. Positions and offsets are in the file's own unit, which a BVH does not tell;
/// rotations are in degrees; a scale is a factor.
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

/// As files spell it: "Xposition", "Zrotation", ...
[[nodiscard]] std::string_view name_of(ChannelKind kind);
[[nodiscard]] std::optional<ChannelKind> channel_kind_named(std::string_view name);

/// More nested joints than this are an error; so are more channels of one joint.
inline constexpr std::size_t max_depth = 1000;
inline constexpr std::size_t max_joint_channels = 9;

using Offset = std::array<double, 3>;

/// Where a chain ends; only drawn, never moved.
struct EndSite {
    std::string name{};  ///< usually empty
    Offset offset{};

    bool operator==(const EndSite&) const = default;
};

struct Joint {
    std::string name;  ///< as it stands in the file, inner blanks included; need be neither UTF-8 nor unique
    std::optional<std::size_t> parent{};  ///< an index before this one; none: a root
    Offset offset{};                      ///< from the parent, in the file's unit and axes
    std::vector<ChannelKind> channels{};  ///< in file order
    std::vector<EndSite> end_sites{};

    bool operator==(const Joint&) const = default;
};

[[nodiscard]] bool has_positions(const Joint& joint);

/// Something that the lenient reader put up with, or that the file's text shows and its values do not.
struct Note {
    std::string rule;  ///< the id of a rule, as check.h lists them
    std::int64_t line = -1;
    std::string found;

    bool operator==(const Note&) const = default;
};

/// A BVH file: every value of it, without its layout.
struct Document {
    std::vector<Joint> joints{};  ///< in file order, which is depth first: parents come first
    double frame_time_seconds = 0;
    std::size_t frame_count = 0;
    std::vector<double> motion{};  ///< [frame][channel], the joints' channels one after another
    std::vector<Note> notes{};     ///< of the text that it was read from

    [[nodiscard]] std::size_t channel_count() const;
    /// The first column of each joint.
    [[nodiscard]] std::vector<std::size_t> first_columns() const;
    [[nodiscard]] std::span<const double> frame(std::size_t index) const {
        const std::size_t width = frame_count == 0 ? 0 : motion.size() / frame_count;
        return std::span(motion).subspan(index * width, width);
    }

    bool operator==(const Document&) const = default;
};

}  // namespace animbridge::bvh
