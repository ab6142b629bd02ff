// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "formats/bvh/document.h"
#include "formats/bvh/rotations.h"

namespace animbridge::bvh {

/// Positions x, y, z in the parent's frame, in the file's unit.
struct PositionBlock {
    alignas(64) std::array<Lane, 3> parts;
};

/// Evaluates the channels of one joint, in the file's axes, one block of frames at a time. A position channel
/// replaces the OFFSET on its axis. If a channel is repeated, the last position wins and every rotation
/// applies. Scale channels are ignored. Refers to the document, which must outlive it.
class JointMotion {
public:
    /// `first_column`: from Document::first_columns.
    JointMotion(const Document& document, std::size_t joint, std::size_t first_column);

    [[nodiscard]] bool rotates() const { return !axes_.empty(); }
    [[nodiscard]] bool moves() const { return position_columns_ != Columns{}; }
    /// The axes of the rotation channels in file order (0, 1, 2 for x, y, z), and their columns.
    [[nodiscard]] const std::vector<std::uint8_t>& axes() const { return axes_; }
    [[nodiscard]] const std::vector<std::size_t>& angle_columns() const { return angle_columns_; }

    /// Frames first to first + count - 1, count <= block_frames; the content of the remaining lanes is
    /// unspecified.
    void rotations(std::size_t first, std::size_t count, QuaternionBlock& out) const;
    void positions(std::size_t first, std::size_t count, PositionBlock& out) const;

private:
    using Columns = std::array<std::optional<std::size_t>, 3>;

    const double* motion_;
    std::size_t width_;
    Offset offset_;
    std::vector<std::uint8_t> axes_;
    std::vector<std::size_t> angle_columns_;
    Columns position_columns_{};
};

/// One per joint, in file order.
[[nodiscard]] std::vector<JointMotion> joint_motions(const Document& document);

/// Keeps quaternion signs continuous across blocks: flips each quaternion into the hemisphere of the one
/// before.
class SignKeeper {
public:
    void follow(QuaternionBlock& block, std::size_t count);

private:
    std::array<double, 4> last_{1.0, 0.0, 0.0, 0.0};
};

}  // namespace animbridge::bvh
