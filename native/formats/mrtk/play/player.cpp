// SPDX-License-Identifier: MIT
#include "formats/mrtk/play/play.h"

#include <algorithm>
#include <cmath>

#include "formats/mrtk/check/check.h"
#include "model/findings/findings.h"
#include "model/format/format.h"

namespace animbridge::mrtk::play {

namespace {

glm::dquat quaternion_at(const curves::RotationViews& rotation, std::size_t key) {
    return {rotation[3].value(key), rotation[0].value(key), rotation[1].value(key), rotation[2].value(key)};
}

/// The key with the sign of its quaternion flipped.
curves::CurveKey with_sign(curves::CurveKey key, bool turned) {
    if (turned) {
        key.value = -key.value;
        key.in_tangent = -key.in_tangent;
        key.out_tangent = -key.out_tangent;
    }
    return key;
}

glm::dquat normalised(const glm::dquat& q) {
    const double length = std::sqrt(glm::dot(q, q));
    // The smallest normal double keeps the division defined; floats are far above it or zero.
    return length > 1e-300 ? q / length : glm::dquat(1, 0, 0, 0);
}

}  // namespace

std::vector<bool> sign_turns(const curves::RotationViews& rotation) {
    std::vector<bool> turns;
    bool turned = false;
    glm::dquat before(0, 0, 0, 0);
    for (std::size_t key = 0; key < rotation[0].size(); ++key) {
        const glm::dquat q = quaternion_at(rotation, key);
        // A zero quaternion does not define the sign of the next one.
        const bool is_zero = glm::dot(q, q) == 0.0;
        if (!is_zero) {
            turned = turned != (glm::dot(q, before) < 0.0);
            before = q;
        }
        if (turned && turns.empty()) {
            turns.resize(rotation[0].size(), false);
        }
        if (!turns.empty()) {
            turns[key] = turned;
        }
    }
    return turns;
}

Player::Player(const file::Document& document) : duration_(mrtk::curves::duration_seconds(document)) {
    curves_.reserve(file::curve_count);
    sorted_.reserve(file::curve_count);
    for (std::size_t i = 0; i < file::curve_count; ++i) {
        curves::CurveView view(document, i);
        if (!view.is_sorted()) {
            std::vector<file::FullKey>& keys = sorted_.emplace_back();
            for (std::size_t key = 0; key < view.size(); ++key) {
                keys.push_back(view.full_key(key));
            }
            std::ranges::stable_sort(keys, [](const file::FullKey& a, const file::FullKey& b) {
                return a.time.value() < b.time.value();
            });
            view = curves::CurveView(keys, document.curves[i], file::is_switch(i));
        }
        curves_.push_back(view);
        has_gaze_ = has_gaze_ || (i >= file::first_gaze_curve && !view.empty());
    }
    for (std::size_t pose = 0; pose < file::pose_count; ++pose) {
        const std::size_t first = file::first_curve_of(pose);
        for (std::size_t i = 0; i < file::pose_curves; ++i) {
            exists_.at(pose) = exists_.at(pose) || !curves_[first + i].empty();
        }
        const std::size_t turn = file::first_rotation_of(pose);
        const curves::RotationViews rotation = {curves_[turn], curves_[turn + 1], curves_[turn + 2],
                                                curves_[turn + 3]};
        if (curves::share_times(rotation)) {
            turned_.at(pose) = sign_turns(rotation);
        }
    }
}

glm::dquat Player::continuous(std::size_t pose, double seconds) const {
    const std::vector<bool>& turned = turned_.at(pose);
    const std::size_t first = file::first_rotation_of(pose);
    std::array<double, 4> xyzw{};
    for (std::size_t i = 0; i < 4; ++i) {
        const curves::CurveView& view = curves_[first + i];
        const double shown = view.wrapped(seconds);
        const std::size_t right = view.keys_until(shown);
        if (right == 0 || right == view.size()) {
            const std::size_t key = right == 0 ? 0 : right - 1;
            xyzw.at(i) = with_sign(view.key(key), turned[key]).value;
        } else {
            xyzw.at(i) = curves::value_between(with_sign(view.key(right - 1), turned[right - 1]),
                                               with_sign(view.key(right), turned[right]), shown);
        }
    }
    return {xyzw[3], xyzw[0], xyzw[1], xyzw[2]};
}

ShownPose Player::pose(std::size_t pose, double seconds) const {
    const double at = std::min(seconds, duration_);
    const std::size_t first = file::first_curve_of(pose);
    ShownPose shown;
    shown.position = {value(first, at), value(first + 1, at), value(first + 2, at)};
    shown.played = {value(first + 6, at), value(first + 3, at), value(first + 4, at), value(first + 5, at)};
    shown.meant = normalised(turned_.at(pose).empty() ? shown.played : continuous(pose, at));
    return shown;
}

bool Player::is_on(std::size_t switch_number, double seconds) const {
    return value(file::first_switch + switch_number, std::min(seconds, duration_)) > 0.5;
}

ShownGaze Player::gaze(double seconds) const {
    const double at = std::min(seconds, duration_);
    const auto vector = [&](std::size_t first) {
        return glm::dvec3(value(first, at), value(first + 1, at), value(first + 2, at));
    };
    return {vector(file::first_gaze_curve), vector(file::first_gaze_curve + 3)};
}

namespace {

std::vector<std::size_t> poses_of(const file::Document& document) {
    std::vector<std::size_t> existing;
    for (std::size_t pose = 0; pose < file::pose_count; ++pose) {
        if (curves::has_keys(document, pose)) {
            existing.push_back(pose);
        }
    }
    return existing;
}

Json joint_json(const Player& player, std::size_t pose, double seconds) {
    const ShownPose shown = player.pose(pose, seconds);
    return {{"joint", file::pose_name(pose)},
            {"position", vector_json(shown.position)},
            {"rotation_wxyz", quaternion_json(shown.meant)},
            {"played_rotation_wxyz", quaternion_json(shown.played)}};
}

Json gaze_json(const Player& player, double seconds) {
    if (!player.has_gaze()) {
        return nullptr;
    }
    const ShownGaze gaze = player.gaze(seconds);
    return {{"origin", vector_json(gaze.origin)}, {"direction", vector_json(gaze.direction)}};
}

Json row_json(const Player& player, const std::vector<std::size_t>& existing, double seconds) {
    Json joints = list_json(existing, [&](std::size_t pose) { return joint_json(player, pose, seconds); });
    Json row = {{"seconds", seconds}, {"joints", std::move(joints)}, {"gaze", gaze_json(player, seconds)}};
    for (std::size_t i = 0; i < file::switch_count; ++i) {
        row[file::switch_names.at(i)] = player.is_on(i, seconds);
    }
    return row;
}

}  // namespace

Result<std::vector<std::string>> played_joints(const file::Document& document) {
    return check::require_playable(document).map([&] {
        std::vector<std::string> names;
        for (const std::size_t pose : poses_of(document)) {
            names.emplace_back(file::pose_name(pose));
        }
        return names;
    });
}

Result<void> play(const file::Document& document, std::span<const double> times_seconds,
                  std::optional<double> /*stop_seconds*/, const PoseArrays& out) {
    const std::vector<std::size_t> existing = poses_of(document);
    TRY_VOID(require_room(out, existing.size()));
    return check::require_playable(document).map([&] {
        const Player player(document);
        for (std::size_t i = 0; i < times_seconds.size(); ++i) {
            PoseArrays::put(out.clip_seconds, i, {std::min(times_seconds[i], player.duration_seconds())});
            PoseArrays::put(out.ease_weights, i, {1.0});
            for (std::size_t joint = 0; joint < existing.size(); ++joint) {
                const ShownPose shown = player.pose(existing[joint], times_seconds[i]);
                const std::size_t row = i * out.joint_capacity + joint;
                PoseArrays::put(out.local_rotations, row, shown.meant);
                PoseArrays::put(out.local_positions, row, shown.position);
                PoseArrays::put(out.world_rotations, row, shown.meant);
                PoseArrays::put(out.world_positions, row, shown.position);
            }
            if (out.rows != nullptr) {
                out.rows->push_back(row_json(player, existing, times_seconds[i]));
            }
        }
    });
}

}  // namespace animbridge::mrtk::play
