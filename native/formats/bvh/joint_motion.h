// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "formats/bvh/document.h"
#include "formats/bvh/rotations.h"

namespace animbridge::bvh {

/// Places x, y, z in the parent's frame, in the file's unit.
struct PlaceBlock {
    alignas(64) std::array<Lane, 3> parts;
};

/// What the channels of one joint do, a block of frames at a time, in the file's axes. Positions stand in
/// place of the OFFSET, axis by axis; of channels that stand twice the last position counts and every
/// rotation turns. Scales are not played. Refers to the document.
class JointMotion {
public:
    /// `first_column`: as Document::first_columns has it.
    JointMotion(const Document& document, std::size_t joint, std::size_t first_column);

    [[nodiscard]] bool turns() const { return !axes_.empty(); }
    [[nodiscard]] bool moves() const { return position_columns_ != Columns{}; }
    /// The axes of the rotation channels in file order, 0, 1, 2 for x, y, z; and their columns.
    [[nodiscard]] const std::vector<std::uint8_t>& axes() const { return axes_; }
    [[nodiscard]] const std::vector<std::size_t>& angle_columns() const { return angle_columns_; }

    /// Frames first..first + count, count <= block_frames; the lanes behind are filled with something.
    void rotations(std::size_t first, std::size_t count, QuaternionBlock& out) const;
    void places(std::size_t first, std::size_t count, PlaceBlock& out) const;

private:
    using Columns = std::array<std::optional<std::size_t>, 3>;

    const double* motion_;
    std::size_t width_;
    Offset offset_;
    std::vector<std::uint8_t> axes_;
    std::vector<std::size_t> angle_columns_;
    Columns position_columns_{};
};

/// One for each joint, in their order.
[[nodiscard]] std::vector<JointMotion> joint_motions(const Document& document);

/// Turns signs so that each quaternion is on the side of the one before it, from block to block.
class SignKeeper {
public:
    void follow(QuaternionBlock& block, std::size_t count);

private:
    std::array<double, 4> last_{1.0, 0.0, 0.0, 0.0};
};

}  // namespace animbridge::bvh
