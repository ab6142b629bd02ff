// SPDX-License-Identifier: MIT
#include "formats/bvh/clip/clip.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <utility>

namespace animbridge::bvh::clip {

namespace {

/// Below this limit the steps of half_angle_lane are exact, and a double still resolves half turns.
constexpr double exact_limit = 1125899906842624.0;  // 2^50

constexpr double radians_of_half_degree = 0x1.1df46a2529d39p-7;  // pi / 360

/// sin x = x + x^3 g(x^2) and cos x = 1 - x^2 / 2 + x^4 h(x^2) for
/// x
/// <= pi / 4. Chebyshev fits of g and h, with errors of 2e-17 and 1e-18; highest power first.
constexpr std::array<double, 6> sine_terms = {0x1.5e0b19f38405ap-33, -0x1.ae600b02a7c74p-26,
                                              0x1.71de37968a024p-19, -0x1.a01a019e83aaep-13,
                                              0x1.1111111110bb2p-7,  -0x1.5555555555555p-3};
constexpr std::array<double, 6> cosine_terms = {-0x1.907da36274fc5p-37, 0x1.1eeb68e934339p-29,
                                                -0x1.27e4fa17da030p-22, 0x1.a01a019f4eb00p-16,
                                                -0x1.6c16c16c16967p-10, 0x1.5555555555555p-5};

ANIMBRIDGE_INLINE double polynomial(const std::array<double, 6>& terms, double x) {
    double sum = terms[0];
    for (std::size_t i = 1; i < terms.size(); ++i) {
        sum = sum * x + terms[i];
    }
    return sum;
}

/// Requires
/// degrees
/// < exact_limit.
ANIMBRIDGE_INLINE void half_angle_lane(double degrees, double& sine, double& cosine) {
    // Adding this constant rounds to a whole number and leaves it in the lowest bits.
    constexpr double rounder = 6755399441055744.0;  // 1.5 * 2^52
    const double shifted = degrees * (1.0 / 180.0) + rounder;
    const double half_turns = shifted - rounder;
    // Exact: the rest is a multiple of the angle's last bit and not larger than the angle.
    const double rest = degrees - half_turns * 180.0;
    const double x = rest * radians_of_half_degree;
    const double square = x * x;
    const double s = x + x * (square * polynomial(sine_terms, square));
    const double c = 1.0 - (0.5 * square - square * (square * polynomial(cosine_terms, square)));
    // Quarter turns of the half angle swap sine and cosine and change their signs.
    const auto quarter = std::bit_cast<std::uint64_t>(shifted);
    const std::uint64_t swap = 0 - (quarter & 1U);
    const auto s_bits = std::bit_cast<std::uint64_t>(s);
    const auto c_bits = std::bit_cast<std::uint64_t>(c);
    const std::uint64_t difference = (s_bits ^ c_bits) & swap;
    sine = std::bit_cast<double>(s_bits ^ difference ^ ((quarter & 2U) << 62U));
    cosine = std::bit_cast<double>(c_bits ^ difference ^ (((quarter + 1U) & 2U) << 62U));
}

ANIMBRIDGE_WIDE void half_angle_lanes(const Lane& degrees, HalfAngles& out) {
    for (std::size_t i = 0; i < block_frames; ++i) {
        half_angle_lane(degrees[i], out.sine[i], out.cosine[i]);
    }
}

/// Multiplies q by (cosine + sine e), e being the axis. q times e alone is (-along, w, last, -next), where
/// `next` and `last` are the components that follow the axis cyclically.
template <std::size_t axis>
ANIMBRIDGE_INLINE void rotate_lanes(const HalfAngles& half, QuaternionBlock& q) {
    constexpr std::size_t next_part = 1 + (axis + 1) % 3;
    constexpr std::size_t last_part = 1 + (axis + 2) % 3;
    for (std::size_t i = 0; i < block_frames; ++i) {
        const double s = half.sine[i];
        const double c = half.cosine[i];
        const double w = q.parts[0][i];
        const double along = q.parts[1 + axis][i];
        const double next = q.parts[next_part][i];
        const double last = q.parts[last_part][i];
        q.parts[0][i] = w * c - along * s;
        q.parts[1 + axis][i] = along * c + w * s;
        q.parts[next_part][i] = next * c + last * s;
        q.parts[last_part][i] = last * c - next * s;
    }
}
ANIMBRIDGE_WIDE void rotate_x(const HalfAngles& half, QuaternionBlock& q) { rotate_lanes<0>(half, q); }
ANIMBRIDGE_WIDE void rotate_y(const HalfAngles& half, QuaternionBlock& q) { rotate_lanes<1>(half, q); }
ANIMBRIDGE_WIDE void rotate_z(const HalfAngles& half, QuaternionBlock& q) { rotate_lanes<2>(half, q); }

/// Whether any angle is at or beyond exact_limit.
ANIMBRIDGE_WIDE bool any_huge(const Lane& degrees) {
    std::uint64_t huge = 0;
    for (std::size_t i = 0; i < block_frames; ++i) {
        huge |= static_cast<std::uint64_t>(std::fabs(degrees[i]) >= exact_limit);
    }
    return huge != 0;
}

}  // namespace

void half_angles(const Lane& degrees, HalfAngles& out) {
    if (!any_huge(degrees)) {
        half_angle_lanes(degrees, out);
        return;
    }
    Lane reduced{};
    std::ranges::transform(degrees, reduced.begin(), [](double angle) { return std::fmod(angle, 720.0); });
    half_angle_lanes(reduced, out);
}

void rotations_of(std::span<const std::uint8_t> axes, std::span<const Lane> degrees, QuaternionBlock& out) {
    for (std::size_t part = 0; part < 4; ++part) {
        out.parts[part].fill(part == 0 ? 1.0 : 0.0);
    }
    HalfAngles half{};
    for (std::size_t i = 0; i < axes.size(); ++i) {
        half_angles(degrees[i], half);
        if (i == 0) {
            out.parts[0] = half.cosine;
            out.parts.at(1U + axes[0]) = half.sine;
            continue;
        }
        constexpr std::array rotate = {rotate_x, rotate_y, rotate_z};
        rotate.at(axes[i])(half, out);
    }
}

namespace {

constexpr std::array<std::string_view, 6> euler_letters = {"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"};

/// The joints as bones, in armature space. They point at their children and end sites.
std::vector<rig::armature::BoneEnds> rest_ends(const file::Document& document, const Placement& placement) {
    std::vector<rig::armature::BoneEnds> ends(document.joints.size());
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const file::Joint& joint = document.joints[i];
        const glm::dvec3 offset = placement.place({joint.offset[0], joint.offset[1], joint.offset[2]});
        ends[i].parent = joint.parent;
        ends[i].head = joint.parent ? ends[*joint.parent].head + offset : offset;
        if (joint.parent) {
            ends[*joint.parent].point_at(ends[i].head);
        }
        for (const file::EndSite& end : joint.end_sites) {
            ends[i].point_at(ends[i].head + placement.place({end.offset[0], end.offset[1], end.offset[2]}));
        }
    }
    return ends;
}

bool within_limits(const glm::dvec3& place) {
    return std::abs(place.x) <= largest_number && std::abs(place.y) <= largest_number &&
           std::abs(place.z) <= largest_number;
}

}  // namespace

std::vector<std::string> bone_names(const file::Document& document) {
    std::vector<std::string> names;
    names.reserve(document.joints.size());
    for (const file::Joint& joint : document.joints) {
        names.push_back(joint.name);
    }
    return rig::armature::bone_names(names);
}

Result<std::vector<RestJoint>> rest_joints(const file::Document& document, const Placement& placement) {
    const std::vector<rig::armature::BoneEnds> ends = rest_ends(document, placement);
    std::vector<std::string> names = bone_names(document);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!within_limits(ends[i].head) || !within_limits(ends[i].target())) {
            return fail(ErrorCode::bad_value, "joint " + names[i] + " rests beyond 1e30 metres", "OFFSET");
        }
    }
    const std::vector<glm::dvec3> tails = rig::armature::bone_tails(ends, 0.1 * placement.scale);
    std::vector<RestJoint> joints;
    joints.reserve(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        joints.push_back({std::move(names[i]), ends[i].head, tails[i]});
    }
    return joints;
}

double hip_height(const file::Document& document, std::size_t root, const Axes& axes) {
    const std::vector<rig::armature::BoneEnds> ends = rest_ends(document, {axes, 1.0});
    double lowest = ends[root].head.z;
    for (std::size_t i = 0; i < document.joints.size(); ++i) {
        lowest = std::min(lowest, ends[i].head.z);
        for (const file::EndSite& end : document.joints[i].end_sites) {
            lowest = std::min(lowest,
                              ends[i].head.z + axes.place({end.offset[0], end.offset[1], end.offset[2]}).z);
        }
    }
    return ends[root].head.z - lowest;
}

std::optional<rig::armature::BoneChannel> euler_order_of(const std::vector<std::uint8_t>& axes) {
    std::string letters;
    for (const std::uint8_t axis : axes) {
        letters.insert(0, 1, "XYZ"[axis]);  // the first axis in the file turns last
    }
    for (std::size_t order = 0; order < euler_letters.size(); ++order) {
        std::size_t found = 0;
        for (const char letter : euler_letters.at(order)) {
            found += found < letters.size() && letters[found] == letter ? 1 : 0;
        }
        if (found == letters.size()) {
            return static_cast<rig::armature::BoneChannel>(
                order + static_cast<std::size_t>(rig::armature::BoneChannel::euler_xyz));
        }
    }
    return std::nullopt;
}

std::string_view letters_of(rig::armature::BoneChannel order) {
    if (order < rig::armature::BoneChannel::euler_xyz || order > rig::armature::BoneChannel::euler_zyx) {
        return "";
    }
    return euler_letters.at(static_cast<std::size_t>(order) -
                            static_cast<std::size_t>(rig::armature::BoneChannel::euler_xyz));
}

glm::dmat3 axes_to_bone(const Axes& axes, const glm::dquat& rest) {
    constexpr double askew = 2e-6;
    const glm::dmat3 to_armature(axes.place({1, 0, 0}), axes.place({0, 1, 0}), axes.place({0, 0, 1}));
    const glm::dmat3 given = glm::mat3_cast(glm::conjugate(rest)) * to_armature;
    glm::dmat3 straight(0.0);
    for (int column = 0; column < 3; ++column) {
        for (int row = 0; row < 3; ++row) {
            straight[column][row] = std::round(given[column][row]);
            if (std::abs(straight[column][row] - given[column][row]) > askew) {
                return given;
            }
        }
    }
    return straight;
}

}  // namespace animbridge::bvh::clip
