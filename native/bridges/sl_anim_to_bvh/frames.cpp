// SPDX-License-Identifier: MIT
#include "bridges/sl_anim_to_bvh/parts.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/trigonometric.hpp>
#include <iterator>

#include "formats/sl_anim/avatar/avatar.h"
#include "model/clip/clip.h"

namespace animbridge::sl_anim_to_bvh {

namespace {

using sl_anim::play::Player;

/// Just above the loader's thresholds: 0.001 inch, and 0.001 for the summed distance by which the tips of the
/// unit vectors x and y move. The loader works in single precision.
constexpr double surely_seen = 0.0011;
/// Enough to be seen even if motion below surely_seen counteracts it: a rotation by this many degrees moves
/// the two tips by at least 0.0026.
constexpr double shift_degrees = 0.15;
/// 0.04 mm, a quarter of a step of the position codes, so that a pelvis at 0 stays at 0.
constexpr double shift_inches = 0.0015;

glm::dquat unit(const sl_anim::codes::Quaternion& q) {
    return glm::normalize(glm::dquat(q.w, q.x, q.y, q.z));
}

/// The position of mPelvis in frame 0, in the avatar's space.
glm::dvec3 standing() { return sl_anim::avatar::skeleton()[pelvis].node.rest_local.translation; }

glm::dquat in_file_axes(const PlannedJoint& planned, const glm::dquat& rotation) {
    return planned.own_axes ? rotation : to_bvh_axes(rotation);
}

glm::dvec3 in_file_inches(const PlannedJoint& planned, const glm::dvec3& metres) {
    return (planned.own_axes ? metres : to_bvh_axes(metres)) / metres_per_inch;
}

/// The number of the track's keys that are at no frame's time.
std::size_t keys_between(const std::vector<float>& times, const FrameGrid& grid) {
    std::vector<float> carried;
    for (const float seconds : grid.times_seconds) {
        const float key = time_of_key(times, seconds, grid);
        if (std::binary_search(times.begin(), times.end(), key)) {
            carried.push_back(key);
        }
    }
    carried.erase(std::unique(carried.begin(), carried.end()), carried.end());
    return times.size() - carried.size();
}

/// One joint's columns; `width` doubles from one frame to the next.
struct Columns {
    double* first;
    std::size_t width;

    [[nodiscard]] double* row(std::size_t frame) const { return first + frame * width; }
};

void write_positions(const std::vector<glm::dvec3>& positions, const Columns& columns) {
    for (std::size_t frame = 0; frame < positions.size(); ++frame) {
        double* row = columns.row(frame);
        for (int axis = 0; axis < 3; ++axis) {
            row[axis] = rounded(positions[frame][axis]);
        }
    }
}

void write_rotations(const std::vector<glm::dvec3>& degrees, AxisOrder order, const Columns& columns) {
    for (std::size_t frame = 0; frame < degrees.size(); ++frame) {
        double* row = columns.row(frame);
        for (std::size_t i = 0; i < 3; ++i) {
            row[i] = rounded(degrees[frame][order.at(i)]);
        }
    }
}

std::vector<glm::dvec3> continuous_degrees(const std::vector<glm::dquat>& rotations, AxisOrder order) {
    std::vector<glm::dvec3> degrees;
    degrees.reserve(rotations.size());
    for (const glm::dquat& rotation : rotations) {
        degrees.push_back(degrees_near(order, rotation, degrees.empty() ? glm::dvec3(0) : degrees.back()));
    }
    return degrees;
}

/// Moves frames so that the loader keeps the keys that matter; returns the moved frames.
std::vector<std::size_t> hold_keys(std::vector<glm::dvec3>& degrees, AxisOrder order, std::size_t depth) {
    std::vector<glm::dquat> products;
    products.reserve(degrees.size());
    std::transform(degrees.begin(), degrees.end(), std::back_inserter(products),
                   [&](const glm::dvec3& angles) { return rotation_of(order, angles); });
    std::vector<std::size_t> moved = hold_rotation_keys(products, depth);
    for (const std::size_t frame : moved) {
        degrees[frame] = degrees_near(order, products[frame], degrees[frame]);
    }
    return moved;
}

/// Shifts mPelvis in frame 0, to which the loader takes it relative. The shift is smaller than a position
/// code can hold. It points away from frame 1, so that the two do not coincide.
void shift_pelvis(std::vector<glm::dvec3>& positions) {
    positions[0].y -= std::copysign(shift_inches, positions[1].y - positions[0].y);
}

/// The number of joints on the longest chain below each joint, by which the loader tightens its threshold.
std::vector<std::size_t> depths_of(const JointPlan& plan) {
    std::vector<std::size_t> depths(plan.joints.size(), 0);
    for (std::size_t i = plan.joints.size(); i-- > 0;) {
        if (const auto parent = plan.joints[i].parent) {
            depths[*parent] = std::max(depths[*parent], depths[i] + 1);
        }
    }
    return depths;
}

/// Fills one joint's columns.
class JointWriter {
public:
    JointWriter(const PlannedJoint& planned, const FrameGrid& grid)
        : planned_(planned),
          frames_(sample_frames(planned, grid)),
          order_(axis_order(sl_anim::avatar::skeleton()[planned.joint].node.name, frames_.rotations)),
          degrees_(continuous_degrees(frames_.rotations, order_)) {}

    /// Changes frame 0 if the loader would otherwise drop the joint; returns whether it did.
    bool show() {
        if (planned_.keys == nullptr || change_is_seen(frames_, planned_.positions)) {
            return false;
        }
        if (planned_.joint == pelvis) {
            shift_pelvis(frames_.positions);
        } else {
            degrees_[0][order_[2]] += shift_degrees;
        }
        return true;
    }

    /// Moves frames so that the loader keeps keys; returns the moved frames.
    std::vector<std::size_t> hold(std::size_t depth) {
        std::vector<std::size_t> moved = hold_keys(degrees_, order_, depth);
        if (planned_.positions) {
            const auto also = hold_position_keys(frames_.positions);
            moved.insert(moved.end(), also.begin(), also.end());
            std::sort(moved.begin(), moved.end());
            moved.erase(std::unique(moved.begin(), moved.end()), moved.end());
        }
        return moved;
    }

    [[nodiscard]] std::vector<bvh::file::ChannelKind> channels() const {
        return channels_of(order_, planned_.positions);
    }

    void write(double* first, std::size_t width) const {
        if (planned_.positions) {
            write_positions(frames_.positions, {first, width});
        }
        write_rotations(degrees_, order_, {planned_.positions ? first + 3 : first, width});
    }

private:
    const PlannedJoint& planned_;
    JointFrames frames_;
    AxisOrder order_;
    std::vector<glm::dvec3> degrees_;
};

}  // namespace

JointFrames sample_frames(const PlannedJoint& planned, const FrameGrid& grid) {
    const sl_anim::avatar::SkeletonJoint& row = sl_anim::avatar::skeleton()[planned.joint];
    const Transform& rest = row.node.rest_local;
    const std::size_t frames = grid.times_seconds.size() + 1;
    JointFrames sampled{
        std::vector<glm::dquat>(frames, in_file_axes(planned, rest.rotation)),
        std::vector<glm::dvec3>(frames, in_file_inches(planned, rest.translation)),
    };
    if (planned.keys == nullptr) {
        return sampled;
    }
    const auto& rotation = planned.keys->rotation;
    const auto& position = planned.keys->position;
    const glm::dvec3 origin = planned.joint == pelvis ? standing() : glm::dvec3(0);
    for (std::size_t frame = 1; frame < frames; ++frame) {
        const float seconds = grid.times_seconds[frame - 1];
        if (!rotation.empty()) {
            const auto q = sl_anim::codes::value_at(rotation, time_of_key(rotation.times, seconds, grid));
            sampled.rotations[frame] = in_file_axes(planned, unit(q));
        }
        if (!position.empty()) {
            const auto p = sl_anim::codes::value_at(position, time_of_key(position.times, seconds, grid));
            sampled.positions[frame] = in_file_inches(planned, origin + glm::dvec3(p[0], p[1], p[2]));
        }
    }
    return sampled;
}

bool change_is_seen(const JointFrames& frames, bool positions) {
    const std::size_t count = frames.rotations.size();
    // With three or more frames, the loader never looks at the last frame's rotation, nor at frame 2's
    // position.
    const std::size_t last_rotation = std::max<std::size_t>(1, count - 2);
    for (std::size_t frame = 1; frame < count; ++frame) {
        if (frame <= last_rotation &&
            tip_distance(frames.rotations[0], frames.rotations[frame]) > surely_seen) {
            return true;
        }
        if (positions && frame != 2 &&
            glm::length(frames.positions[frame] - frames.positions[0]) > surely_seen) {
            return true;
        }
    }
    return false;
}

FrameMotion build_motion(const JointPlan& plan, const FrameGrid& grid, bool hold_keys,
                         std::vector<bvh::file::Joint>& hierarchy) {
    std::size_t width = 0;
    for (const PlannedJoint& planned : plan.joints) {
        width += planned.positions ? 6 : 3;
    }
    const std::vector<std::size_t> depths = depths_of(plan);
    FrameMotion motion;
    motion.values.resize(width * (grid.times_seconds.size() + 1));
    std::size_t column = 0;
    for (std::size_t i = 0; i < plan.joints.size(); ++i) {
        const PlannedJoint& planned = plan.joints[i];
        JointWriter writer(planned, grid);
        if (writer.show()) {
            motion.shifted.push_back(i);
        }
        if (planned.keys != nullptr) {
            if (hold_keys) {
                motion.moved.push_back({i, writer.hold(depths[i])});
            }
            motion.keys_between_frames += keys_between(planned.keys->rotation.times, grid) +
                                          keys_between(planned.keys->position.times, grid);
        }
        writer.write(motion.values.data() + column, width);
        hierarchy[i].channels = writer.channels();
        column += hierarchy[i].channels.size();
    }
    return motion;
}

namespace {

constexpr AxisOrder xyz = {0, 1, 2};
constexpr AxisOrder xzy = {0, 2, 1};
constexpr AxisOrder yzx = {1, 2, 0};
constexpr AxisOrder zyx = {2, 1, 0};
constexpr std::array<AxisOrder, 6> all_orders = {{xzy, xyz, {1, 0, 2}, yzx, {2, 0, 1}, zyx}};

struct UsualOrder {
    std::string_view joint;
    AxisOrder order;
};

/// Joints whose order differs from that of the trunk and the legs.
constexpr std::array<UsualOrder, 11> usual_orders = {{
    {"mSkull", zyx},
    {"mCollarLeft", yzx},
    {"mCollarRight", yzx},
    {"mShoulderLeft", zyx},
    {"mShoulderRight", zyx},
    {"mElbowLeft", yzx},
    {"mElbowRight", yzx},
    {"mWristLeft", zyx},
    {"mWristRight", zyx},
    {"mAnkleLeft", xyz},
    {"mAnkleRight", xyz},
}};

AxisOrder usual_order(std::string_view joint) {
    const auto* const found = std::find_if(usual_orders.begin(), usual_orders.end(),
                                           [&](const UsualOrder& row) { return row.joint == joint; });
    return found == usual_orders.end() ? xzy : found->order;
}

/// The largest sine of the middle angle, for each first and last axis.
using MiddleSines = std::array<std::array<double, 3>, 3>;

MiddleSines largest_middle_sines(const std::vector<glm::dquat>& rotations) {
    MiddleSines largest{};
    for (const glm::dquat& rotation : rotations) {
        // glm indexes a matrix by column, then row; the first axis of an order is a row.
        const glm::dmat3 m = glm::mat3_cast(rotation);
        for (std::size_t first = 0; first < 3; ++first) {
            for (std::size_t last = 0; last < 3; ++last) {
                double& sine = largest.at(first).at(last);
                sine = std::max(sine, std::fabs(m[static_cast<int>(last)][static_cast<int>(first)]));
            }
        }
    }
    return largest;
}

double middle_sine(const MiddleSines& sines, AxisOrder order) {
    return sines.at(static_cast<std::size_t>(order[0])).at(static_cast<std::size_t>(order[2]));
}

/// The file's last axis turns first.
EulerOrder euler_order_of(AxisOrder order) { return {order[2], order[1], order[0]}; }

}  // namespace

AxisOrder axis_order(std::string_view joint, const std::vector<glm::dquat>& rotations) {
    const MiddleSines sines = largest_middle_sines(rotations);
    const AxisOrder usual = usual_order(joint);
    const double near_lock = std::sin(glm::radians(85.0));
    if (middle_sine(sines, usual) < near_lock) {
        return usual;
    }
    return *std::min_element(all_orders.begin(), all_orders.end(), [&](AxisOrder a, AxisOrder b) {
        return middle_sine(sines, a) < middle_sine(sines, b);
    });
}

std::vector<bvh::file::ChannelKind> channels_of(AxisOrder order, bool positions) {
    using bvh::file::ChannelKind;
    constexpr std::array<ChannelKind, 3> kinds = {ChannelKind::x_rotation, ChannelKind::y_rotation,
                                                  ChannelKind::z_rotation};
    std::vector<ChannelKind> channels;
    if (positions) {
        channels = {ChannelKind::x_position, ChannelKind::y_position, ChannelKind::z_position};
    }
    for (const int axis : order) {
        channels.push_back(kinds.at(static_cast<std::size_t>(axis)));
    }
    return channels;
}

glm::dquat rotation_of(AxisOrder order, const glm::dvec3& degrees) {
    return rotation_of_euler(euler_order_of(order), glm::radians(degrees));
}

glm::dvec3 degrees_near(AxisOrder order, const glm::dquat& rotation, const glm::dvec3& before) {
    return glm::degrees(euler_near(euler_order_of(order), rotation, glm::radians(before)));
}

}  // namespace animbridge::sl_anim_to_bvh
