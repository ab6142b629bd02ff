// SPDX-License-Identifier: MIT
#include "formats/mrtk/compare.h"

#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "formats/mrtk/player.h"
#include "model/skeleton.h"

namespace animbridge::mrtk {

namespace {

constexpr double millimetres = 1000.0;

void collect_key_times(const Document& document, std::vector<double>& times) {
    for (const FullKey& key : document.full_keys) {
        times.push_back(static_cast<double>(key.time.value()));
    }
    for (const SimpleKey& key : document.simple_keys) {
        times.push_back(static_cast<double>(key.time.value()));
    }
}

std::vector<double> times_of(const Document& a, const Document& b) {
    std::vector<double> keys{0.0};
    collect_key_times(a, keys);
    collect_key_times(b, keys);
    return with_midpoints(sorted_unique(std::move(keys)));
}

double angle_between(const glm::dvec3& a, const glm::dvec3& b) {
    return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b)) * 180.0 / std::numbers::pi;
}

void widen_pose(const Player& a, const Player& b, std::size_t pose, double seconds,
                JointDifference& difference) {
    const ShownPose shown_a = a.pose(pose, seconds);
    const ShownPose shown_b = b.pose(pose, seconds);
    difference.widen(millimetres * glm::length(shown_a.position - shown_b.position),
                     angle_between_degrees(shown_a.meant, shown_b.meant), seconds);
}

void widen_gaze(const Player& a, const Player& b, double seconds, JointDifference& difference) {
    const ShownGaze shown_a = a.gaze(seconds);
    const ShownGaze shown_b = b.gaze(seconds);
    difference.widen(millimetres * glm::length(shown_a.origin - shown_b.origin),
                     angle_between(shown_a.direction, shown_b.direction), seconds);
}

}  // namespace

Result<Comparison> compare(const Document& a, const Document& b, const Job& job) {
    TRY_VOID(require_playable(a));
    TRY_VOID(require_playable(b));
    const Player player_a(a);
    const Player player_b(b);
    const std::vector<double> times = times_of(a, b);
    Comparison comparison{{}, {}, {}, times.size()};
    std::vector<std::size_t> poses;
    for (std::size_t pose = 0; pose < pose_count; ++pose) {
        const bool in_a = player_a.exists(pose);
        const bool in_b = player_b.exists(pose);
        if (in_a && in_b) {
            poses.push_back(pose);
            comparison.joints.push_back({pose_name(pose)});
        } else if (in_a || in_b) {
            (in_a ? comparison.only_in_a : comparison.only_in_b).push_back(pose_name(pose));
        }
    }
    const bool both_gaze = player_a.has_gaze() && player_b.has_gaze();
    if (both_gaze) {
        comparison.joints.push_back({std::string(gaze_name)});
    } else if (player_a.has_gaze() || player_b.has_gaze()) {
        (player_a.has_gaze() ? comparison.only_in_a : comparison.only_in_b).emplace_back(gaze_name);
    }
    for (std::size_t i = 0; i < times.size(); ++i) {
        TRY_VOID(job.report(static_cast<double>(i) / static_cast<double>(times.size())));
        for (std::size_t joint = 0; joint < poses.size(); ++joint) {
            widen_pose(player_a, player_b, poses[joint], times[i], comparison.joints[joint]);
        }
        if (both_gaze) {
            widen_gaze(player_a, player_b, times[i], comparison.joints.back());
        }
    }
    return comparison;
}

std::vector<std::string> differing_switches(const Document& a, const Document& b) {
    const Player player_a(a);
    const Player player_b(b);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < switch_count; ++i) {
        for (const double seconds : times_of(a, b)) {
            if (player_a.is_on(i, seconds) != player_b.is_on(i, seconds)) {
                names.emplace_back(switch_names.at(i));
                break;
            }
        }
    }
    return names;
}

}  // namespace animbridge::mrtk
