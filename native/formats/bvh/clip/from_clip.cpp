// SPDX-License-Identifier: MIT
#include "formats/bvh/clip/clip.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace animbridge::bvh::clip {

namespace {

constexpr double degrees_of_radian = 180.0 / std::numbers::pi;

/// Rounds to the given number of decimals, unless a double has fewer. Never returns -0.
class Rounding {
public:
    explicit Rounding(std::optional<int> decimals) : factor_(decimals ? std::pow(10.0, *decimals) : 0.0) {}

    [[nodiscard]] double operator()(double value) const {
        constexpr double whole_numbers_end = 9007199254740992.0;  // 2^53
        const double scaled = value * factor_;
        const bool fits = factor_ > 0.0 && std::abs(scaled) < whole_numbers_end;
        return (fits ? std::round(scaled) / factor_ : value) + 0.0;
    }

private:
    double factor_;
};

/// The Euler order whose product begins with the given axes; the missing axes follow.
EulerOrder order_beginning_with(const std::vector<std::uint8_t>& turns) {
    std::array<int, 3> axes{};
    std::size_t count = 0;
    const auto add = [&](int axis) {
        if (count < 3 && std::find(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(count), axis) ==
                             axes.begin() + static_cast<std::ptrdiff_t>(count)) {
            axes.at(count++) = axis;
        }
    };
    std::ranges::for_each(turns, add);
    for (int axis = 0; axis < 3; ++axis) {
        add(axis);
    }
    return {axes[2], axes[1], axes[0]};
}

std::vector<std::uint8_t> turns_of(const std::vector<file::ChannelKind>& channels) {
    std::vector<std::uint8_t> turns;
    for (const file::ChannelKind channel : channels) {
        if (file::is_rotation(channel)) {
            turns.push_back(static_cast<std::uint8_t>(file::axis_of(channel)));
        }
    }
    return turns;
}

/// Finds the angles (radians about x, y, z; only the given axes turn) that come nearest to a rotation.
class Angles {
public:
    explicit Angles(const std::vector<std::uint8_t>& turns)
        : turns_(turns), order_(order_beginning_with(turns)) {}

    [[nodiscard]] glm::dvec3 near(const glm::dquat& rotation, const glm::dvec3& before) const {
        if (turns_.size() != 1) {
            return euler_near(order_, rotation, before);
        }
        // The nearest rotation about a single axis.
        const int axis = turns_.front();
        glm::dvec3 angles(0);
        const double angle = 2.0 * std::atan2(rotation[axis], rotation.w);
        angles[axis] =
            angle + 2.0 * std::numbers::pi * std::round((before[axis] - angle) / (2.0 * std::numbers::pi));
        return angles;
    }
    /// The rotation that the channels show for these angles.
    [[nodiscard]] glm::dquat shown(glm::dvec3 angles) const {
        for (int axis = 0; axis < 3; ++axis) {
            if (std::ranges::find(turns_, axis) == turns_.end()) {
                angles[axis] = 0.0;
            }
        }
        return rotation_of_euler(order_, angles);
    }

private:
    const std::vector<std::uint8_t>& turns_;
    EulerOrder order_;
};

glm::dquat in_file(const Axes& file_axes, const glm::dquat& q) {
    const glm::dvec3 v = file_axes.place({q.x, q.y, q.z});
    return {q.w, v.x, v.y, v.z};
}

class DocumentMaker {
public:
    DocumentMaker(const Clip& clip, const FromClip& options)
        : clip_(clip),
          options_(options),
          file_axes_(options.placement.axes.inverse()),
          round_angle_(options.angle_decimals),
          round_place_(options.place_decimals),
          tracks_(tracks_by_node(clip)) {}

    file::Document make() {
        add_joints();
        document_.frame_time_seconds = options_.frame_time_seconds;
        document_.frame_count = options_.frame_count;
        width_ = document_.channel_count();
        document_.motion.assign(width_ * options_.frame_count, 0.0);
        const std::vector<std::size_t> columns = document_.first_columns();
        for (std::size_t node = 0; node < tracks_.size(); ++node) {
            fill(node, columns[node]);
        }
        return std::move(document_);
    }

private:
    [[nodiscard]] glm::dvec3 place_in_file(const glm::dvec3& place) const {
        const glm::dvec3 file = file_axes_.place(place) / options_.placement.scale;
        return {round_place_(file.x), round_place_(file.y), round_place_(file.z)};
    }
    [[nodiscard]] double time_of(std::size_t frame) const {
        return static_cast<double>(frame) * options_.frame_time_seconds;
    }

    void add_joints() {
        for (std::size_t node = 0; node < tracks_.size(); ++node) {
            const Node& given = clip_.skeleton.nodes[node];
            const glm::dvec3 offset = place_in_file(given.rest_local.translation);
            file::Joint& joint = document_.joints.emplace_back();
            joint.name = given.name;
            joint.parent = given.parent;
            joint.offset = {offset.x, offset.y, offset.z};
            joint.channels = options_.channels[node];
            if (!options_.end_sites.empty()) {
                joint.end_sites = options_.end_sites[node];
            }
        }
    }

    void fill(std::size_t node, std::size_t column) {
        const std::vector<file::ChannelKind>& channels = options_.channels[node];
        fill_rotations(node, column, turns_of(channels));
        if (std::ranges::any_of(channels, file::is_position)) {
            fill_places(node, column);
        }
        for (std::size_t i = 0; i < channels.size(); ++i) {
            const bool scales = !file::is_position(channels[i]) && !file::is_rotation(channels[i]);
            for (std::size_t frame = 0; scales && frame < options_.frame_count; ++frame) {
                document_.motion[frame * width_ + column + i] = 1.0;
            }
        }
    }

    void fill_rotations(std::size_t node, std::size_t column, const std::vector<std::uint8_t>& turns) {
        if (turns.empty()) {
            return;
        }
        const Angles angles_of(turns);
        const std::vector<file::ChannelKind>& channels = options_.channels[node];
        const Track* track = tracks_[node].rotation;
        std::optional<TrackCursor> cursor;
        if (track != nullptr) {
            cursor.emplace(*track);
        }
        glm::dvec3 angles(0);
        for (std::size_t frame = 0; frame < options_.frame_count; ++frame) {
            const glm::dquat& rest = clip_.skeleton.nodes[node].rest_local.rotation;
            const glm::dquat q = cursor ? cursor->rotation_at(time_of(frame)) : rest;
            angles = angles_of.near(in_file(file_axes_, q), angles);
            double* const row = document_.motion.data() + frame * width_ + column;
            for (std::size_t i = 0; i < channels.size(); ++i) {
                if (file::is_rotation(channels[i])) {
                    row[i] = round_angle_(angles[static_cast<int>(file::axis_of(channels[i]))] *
                                          degrees_of_radian);
                }
            }
        }
    }

    void fill_places(std::size_t node, std::size_t column) {
        const Track* track = tracks_[node].translation;
        std::optional<TrackCursor> cursor;
        if (track != nullptr) {
            cursor.emplace(*track);
        }
        const std::vector<file::ChannelKind>& channels = options_.channels[node];
        for (std::size_t frame = 0; frame < options_.frame_count; ++frame) {
            const glm::dvec3 place =
                place_in_file(cursor ? cursor->translation_at(time_of(frame))
                                     : clip_.skeleton.nodes[node].rest_local.translation);
            double* const row = document_.motion.data() + frame * width_ + column;
            for (std::size_t i = 0; i < channels.size(); ++i) {
                if (file::is_position(channels[i])) {
                    row[i] = place[static_cast<int>(file::axis_of(channels[i]))];
                }
            }
        }
    }

    const Clip& clip_;
    const FromClip& options_;
    Axes file_axes_;
    Rounding round_angle_;
    Rounding round_place_;
    std::vector<NodeTracks> tracks_;
    file::Document document_{};
    std::size_t width_ = 0;
};

}  // namespace

file::Document from_clip(const Clip& clip, const FromClip& options) {
    return DocumentMaker(clip, options).make();
}

bool can_hold(const Track& rotation, const Axes& axes, const std::vector<std::uint8_t>& turns) {
    constexpr double tolerated_degrees = 1e-3;
    const Axes file_axes = axes.inverse();
    const Angles angles_of(turns);
    glm::dvec3 angles(0);
    for (std::size_t key = 0; key < rotation.key_count(); ++key) {
        const glm::dquat wanted = glm::normalize(in_file(file_axes, rotation.rotation(key)));
        if (!turns.empty()) {
            angles = angles_of.near(wanted, angles);
        }
        if (angle_between_degrees(wanted, angles_of.shown(angles)) > tolerated_degrees) {
            return false;
        }
    }
    return true;
}

}  // namespace animbridge::bvh::clip
