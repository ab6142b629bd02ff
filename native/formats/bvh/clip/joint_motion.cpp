// SPDX-License-Identifier: MIT
#include "formats/bvh/clip/clip.h"

#include <algorithm>

namespace animbridge::bvh::clip {

namespace {

/// Copies one column of `count` rows into a lane and fills the rest with zeros.
void gather(const double* from, std::size_t width, std::size_t count, Lane& out) {
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = from[i * width];
    }
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(count), out.end(), 0.0);
}

/// Sets -1 where a quaternion lies in the opposite hemisphere from its predecessor, else 1. `last` precedes
/// the first.
ANIMBRIDGE_WIDE void find_sign_flips(const QuaternionBlock& block, const std::array<double, 4>& last,
                                     Lane& signs) {
    const auto& [w, x, y, z] = block.parts;
    const double first = w[0] * last[0] + x[0] * last[1] + y[0] * last[2] + z[0] * last[3];
    signs[0] = first < 0.0 ? -1.0 : 1.0;
    for (std::size_t i = 1; i < block_frames; ++i) {
        const double dot = w[i] * w[i - 1] + x[i] * x[i - 1] + y[i] * y[i - 1] + z[i] * z[i - 1];
        signs[i] = dot < 0.0 ? -1.0 : 1.0;
    }
}

ANIMBRIDGE_WIDE void multiply(const Lane& factors, Lane& values) {
    for (std::size_t i = 0; i < block_frames; ++i) {
        values[i] *= factors[i];
    }
}

}  // namespace

JointMotion::JointMotion(const file::Document& document, std::size_t joint, std::size_t first_column)
    : motion_(document.motion.data()),
      width_(document.frame_count == 0 ? 0 : document.motion.size() / document.frame_count),
      offset_(document.joints[joint].offset) {
    const std::vector<file::ChannelKind>& channels = document.joints[joint].channels;
    for (std::size_t i = 0; i < channels.size(); ++i) {
        if (file::is_rotation(channels[i])) {
            axes_.push_back(static_cast<std::uint8_t>(file::axis_of(channels[i])));
            angle_columns_.push_back(first_column + i);
        } else if (file::is_position(channels[i])) {
            position_columns_.at(file::axis_of(channels[i])) = first_column + i;
        }
    }
}

void JointMotion::rotations(std::size_t first, std::size_t count, QuaternionBlock& out) const {
    // rotations_of reads only the lanes that are filled; clearing the rest would cost time.
    std::array<Lane, file::max_joint_channels> degrees;  // NOLINT(cppcoreguidelines-pro-type-member-init)
    for (std::size_t i = 0; i < axes_.size(); ++i) {
        gather(motion_ + first * width_ + angle_columns_[i], width_, count, degrees.at(i));
    }
    rotations_of(axes_, std::span(degrees).first(axes_.size()), out);
}

void JointMotion::positions(std::size_t first, std::size_t count, PositionBlock& out) const {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (const auto column = position_columns_.at(axis)) {
            gather(motion_ + first * width_ + *column, width_, count, out.parts.at(axis));
        } else {
            out.parts.at(axis).fill(offset_.at(axis));
        }
    }
}

std::vector<JointMotion> joint_motions(const file::Document& document) {
    std::vector<JointMotion> motions;
    motions.reserve(document.joints.size());
    const std::vector<std::size_t> columns = document.first_columns();
    for (std::size_t joint = 0; joint < document.joints.size(); ++joint) {
        motions.emplace_back(document, joint, columns[joint]);
    }
    return motions;
}

void SignKeeper::follow(QuaternionBlock& block, std::size_t count) {
    if (count == 0) {
        return;
    }
    // Each sign depends on one pair of neighbours only, so the expensive part runs in vector registers.
    alignas(64) Lane signs;
    find_sign_flips(block, last_, signs);
    double sign = 1.0;
    for (std::size_t i = 0; i < count; ++i) {
        sign *= signs[i];
        signs[i] = sign;
    }
    for (std::size_t part = 0; part < 4; ++part) {
        multiply(signs, block.parts[part]);
        last_[part] = block.parts[part][count - 1];
    }
}

namespace {

Transform lane(const PathBlock& block, std::size_t i) {
    const auto& q = block.rotations.parts;
    const auto& p = block.positions.parts;
    return {{q[0][i], q[1][i], q[2][i], q[3][i]}, {p[0][i], p[1][i], p[2][i]}};
}

void set_lane(PathBlock& block, std::size_t i, const Transform& value) {
    auto& q = block.rotations.parts;
    auto& p = block.positions.parts;
    q[0][i] = value.rotation.w;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        q.at(1 + axis)[i] = value.rotation[static_cast<int>(axis)];
        p.at(axis)[i] = value.translation[static_cast<int>(axis)];
    }
}

/// The joint and all its ancestors, from the root down.
std::vector<std::size_t> chain_to(std::size_t joint, const file::Document& document) {
    std::vector<std::size_t> chain;
    for (std::optional<std::size_t> at = joint; at; at = document.joints[*at].parent) {
        chain.push_back(*at);
    }
    std::ranges::reverse(chain);
    return chain;
}

/// The joint of the nearest ancestor bone that has one.
std::optional<std::size_t> joint_above(std::size_t bone, const rig::armature::Armature& armature,
                                       const rig::armature::JointMatch& match) {
    std::size_t steps = 0;  // a caller's parents may form a cycle
    for (auto above = armature.bones[bone].parent; above && steps <= armature.bones.size();
         above = armature.bones[*above].parent, ++steps) {
        if (match.joint_of_bone[*above]) {
            return match.joint_of_bone[*above];
        }
    }
    return std::nullopt;
}

void read_joint(const JointMotion& motion, bool with_positions, std::size_t first, std::size_t count,
                PathBlock& out) {
    motion.rotations(first, count, out.rotations);
    if (with_positions) {
        motion.positions(first, count, out.positions);
    }
}

}  // namespace

JointPath path_of_bone(std::size_t bone, const file::Document& document,
                       const rig::armature::Armature& armature, const rig::armature::JointMatch& match) {
    JointPath path;
    path.joint = *match.joint_of_bone[bone];
    path.down = chain_to(path.joint, document);
    const auto above = joint_above(bone, armature, match);
    path.from_root = !above;
    if (above) {
        path.up = chain_to(*above, document);
        std::size_t common = 0;
        while (common < path.up.size() && common < path.down.size() && path.up[common] == path.down[common]) {
            ++common;
        }
        const auto skipped = static_cast<std::ptrdiff_t>(common);
        path.up.erase(path.up.begin(), path.up.begin() + skipped);
        path.down.erase(path.down.begin(), path.down.begin() + skipped);
        std::ranges::reverse(path.up);
    }
    return path;
}

void follow_path(const JointPath& path, const std::vector<JointMotion>& motions, bool with_positions,
                 std::size_t first, std::size_t count, PathBlock& out) {
    if (path.is_single()) {
        read_joint(motions[path.joint], with_positions, first, count, out);
        return;
    }
    rotations_of({}, {}, out.rotations);
    for (Lane& positions : out.positions.parts) {
        positions.fill(0.0);
    }
    PathBlock step{};
    for (const bool upwards : {true, false}) {
        for (const std::size_t joint : upwards ? path.up : path.down) {
            read_joint(motions[joint], with_positions, first, count, step);
            for (std::size_t i = 0; i < count; ++i) {
                const Transform local = lane(step, i);
                set_lane(out, i, lane(out, i) * (upwards ? inverse(local) : local));
            }
        }
    }
}

}  // namespace animbridge::bvh::clip
