// SPDX-License-Identifier: MIT
#include "formats/bvh/joint_motion.h"

#include <algorithm>

namespace animbridge::bvh {

namespace {

/// A column of some rows, as a lane; zeros behind it.
void gather(const double* from, std::size_t width, std::size_t count, Lane& out) {
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = from[i * width];
    }
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(count), out.end(), 0.0);
}

}  // namespace

JointMotion::JointMotion(const Document& document, std::size_t joint, std::size_t first_column)
    : motion_(document.motion.data()),
      width_(document.frame_count == 0 ? 0 : document.motion.size() / document.frame_count),
      offset_(document.joints[joint].offset) {
    const std::vector<ChannelKind>& channels = document.joints[joint].channels;
    for (std::size_t i = 0; i < channels.size(); ++i) {
        if (is_rotation(channels[i])) {
            axes_.push_back(static_cast<std::uint8_t>(axis_of(channels[i])));
            angle_columns_.push_back(first_column + i);
        } else if (is_position(channels[i])) {
            position_columns_.at(axis_of(channels[i])) = first_column + i;
        }
    }
}

void JointMotion::rotations(std::size_t first, std::size_t count, QuaternionBlock& out) const {
    std::array<Lane, max_joint_channels> degrees;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
        gather(motion_ + first * width_ + angle_columns_[i], width_, count, degrees.at(i));
    }
    rotations_of(axes_, std::span(degrees).first(axes_.size()), out);
}

void JointMotion::places(std::size_t first, std::size_t count, PlaceBlock& out) const {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (const auto column = position_columns_.at(axis)) {
            gather(motion_ + first * width_ + *column, width_, count, out.parts.at(axis));
        } else {
            out.parts.at(axis).fill(offset_.at(axis));
        }
    }
}

std::vector<JointMotion> joint_motions(const Document& document) {
    std::vector<JointMotion> motions;
    motions.reserve(document.joints.size());
    const std::vector<std::size_t> columns = document.first_columns();
    for (std::size_t joint = 0; joint < document.joints.size(); ++joint) {
        motions.emplace_back(document, joint, columns[joint]);
    }
    return motions;
}

void SignKeeper::follow(QuaternionBlock& block, std::size_t count) {
    auto& [w, x, y, z] = block.parts;
    for (std::size_t i = 0; i < count; ++i) {
        const double dot = w[i] * last_[0] + x[i] * last_[1] + y[i] * last_[2] + z[i] * last_[3];
        const double sign = dot < 0.0 ? -1.0 : 1.0;
        last_ = {w[i] * sign, x[i] * sign, y[i] * sign, z[i] * sign};
        w[i] = last_[0];
        x[i] = last_[1];
        y[i] = last_[2];
        z[i] = last_[3];
    }
}

}  // namespace animbridge::bvh
