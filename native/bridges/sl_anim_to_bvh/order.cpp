// SPDX-License-Identifier: MIT
#include "bridges/sl_anim_to_bvh/order.h"

#include <algorithm>
#include <cmath>
#include <glm/mat3x3.hpp>
#include <glm/trigonometric.hpp>

#include "model/clip/clip.h"

namespace animbridge::sl_anim_to_bvh {

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

std::vector<bvh::ChannelKind> channels_of(AxisOrder order, bool positions) {
    using bvh::ChannelKind;
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
