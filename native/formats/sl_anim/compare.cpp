// SPDX-License-Identifier: MIT
#include "formats/sl_anim/compare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>

#include "formats/sl_anim/player.h"
#include "formats/sl_anim/quantise.h"
#include "formats/sl_anim/skeleton.h"

namespace animbridge::sl_anim {

namespace {

void collect_times(const Player& player, std::vector<float>& times) {
    for (const auto& joint : player.joints()) {
        times.insert(times.end(), joint.rotation.times.begin(), joint.rotation.times.end());
        times.insert(times.end(), joint.position.times.begin(), joint.position.times.end());
    }
}

std::set<std::string> names_moved(const Player& player) {
    std::set<std::string> names;
    for (const auto& joint : player.joints()) {
        names.insert(joint.joint ? skeleton()[*joint.joint].node.name : joint.name);
    }
    return names;
}

std::vector<std::string> missing_from(const std::set<std::string>& names,
                                      const std::set<std::string>& others) {
    std::vector<std::string> missing;
    std::set_difference(names.begin(), names.end(), others.begin(), others.end(),
                        std::back_inserter(missing));
    return missing;
}

glm::dquat local_rotation(const std::vector<Transform>& world, std::size_t joint) {
    const auto parent = skeleton()[joint].node.parent;
    return parent ? glm::conjugate(world[*parent].rotation) * world[joint].rotation : world[joint].rotation;
}

/// The joints that a comparison looks at, and the joints that it must pose for that: these and all their
/// ancestors. Both lists are in skeleton order. Posing joints is most of the work, and many files move only a
/// few of the avatar's 214.
struct ComparedJoints {
    std::vector<std::size_t> joints{};
    std::vector<std::size_t> placed{};

    template <typename IsCompared>
    explicit ComparedJoints(const IsCompared& is_compared) {
        std::vector<bool> needed(skeleton().size(), false);
        for (std::size_t i = skeleton().size(); i-- > 0;) {
            needed[i] = needed[i] || is_compared(i);
            if (const auto parent = skeleton()[i].node.parent; needed[i] && parent) {
                needed[*parent] = true;
            }
        }
        for (std::size_t i = 0; i < skeleton().size(); ++i) {
            if (is_compared(i)) {
                joints.push_back(i);
            }
            if (needed[i]) {
                placed.push_back(i);
            }
        }
    }

    /// Turns the local transforms of `placed` into transforms in the frame of mRoot; other joints stay local.
    void to_world(std::vector<Transform>& pose) const {
        for (const std::size_t i : placed) {
            if (const auto parent = skeleton()[i].node.parent) {
                pose[i] = pose[*parent] * pose[i];
            }
        }
    }
};

/// The joints that either player moves, through their own track or an ancestor's.
std::vector<bool> joints_moved(const Player& a, const Player& b) {
    std::vector<bool> moved(skeleton().size(), false);
    for (const Player* const player : {&a, &b}) {
        for (const auto& joint : player->joints()) {
            if (joint.joint) {
                moved[*joint.joint] = true;
            }
        }
    }
    for (std::size_t i = 0; i < moved.size(); ++i) {
        const auto parent = skeleton()[i].node.parent;
        moved[i] = moved[i] || (parent && moved[*parent]);
    }
    return moved;
}

/// Widens the joints' differences by those at one time.
void widen_differences(const std::vector<std::size_t>& joints, const std::vector<Transform>& a,
                       const std::vector<Transform>& b, double time,
                       std::vector<JointDifference>& differences) {
    for (const std::size_t i : joints) {
        const double millimetres = glm::length(a[i].translation - b[i].translation) * 1000.0;
        const double degrees = angle_between_degrees(local_rotation(a, i), local_rotation(b, i));
        differences[i].widen(millimetres, degrees, time);
    }
}

/// The joints that are farthest from their places and turns in the other pose, and how far.
struct Farthest {
    std::size_t joint = 0;
    double millimetres = 0;
    std::size_t turned_joint = 0;
    double degrees = 0;

    /// Takes what is nearer in another pose.
    void narrow(const Farthest& other) {
        if (other.millimetres < millimetres) {
            joint = other.joint;
            millimetres = other.millimetres;
        }
        if (other.degrees < degrees) {
            turned_joint = other.turned_joint;
            degrees = other.degrees;
        }
    }
};
Farthest farthest(const std::vector<std::size_t>& joints, const std::vector<Transform>& a,
                  const std::vector<Transform>& b) {
    Farthest result;
    for (const std::size_t i : joints) {
        const double millimetres = 1000.0 * glm::length(a[i].translation - b[i].translation);
        if (millimetres > result.millimetres) {
            result.joint = i;
            result.millimetres = millimetres;
        }
        const double degrees = angle_between_degrees(local_rotation(a, i), local_rotation(b, i));
        if (degrees > result.degrees) {
            result.turned_joint = i;
            result.degrees = degrees;
        }
    }
    return result;
}

/// The two times beside a time that the file can hold.
std::array<float, 2> held_times(float seconds, float duration) {
    if (!(duration > 0.0F)) {
        return {seconds, seconds};
    }
    constexpr double codes = max_code;
    const double code = std::clamp(double{seconds} / double{duration}, 0.0, 1.0) * codes;
    const auto decoded = [&](double rounded) {
        return decode_time(static_cast<std::uint16_t>(rounded), duration);
    };
    return {decoded(std::floor(code)), decoded(std::ceil(code))};
}

/// Replaces the file's value at a time with the clip's.
void apply(const Track& track, double seconds, std::vector<Transform>& local) {
    const auto right = static_cast<std::size_t>(
        std::lower_bound(track.times.begin(), track.times.end(), seconds) - track.times.begin());
    const std::size_t after = std::min(right, track.key_count() - 1);
    const std::size_t before = right == 0 ? 0 : right - 1;
    const double span = track.times[after] - track.times[before];
    const double u = span > 0.0 ? std::clamp((seconds - track.times[before]) / span, 0.0, 1.0) : 1.0;
    if (track.channel == Channel::translation) {
        local[track.node].translation = glm::mix(track.translation(before), track.translation(after), u);
        return;
    }
    const glm::dquat a = track.rotation(before);
    const glm::dquat b = track.rotation(after);
    local[track.node].rotation = glm::normalize(a * (1.0 - u) + b * (glm::dot(a, b) < 0.0 ? -u : u));
}

}  // namespace

Result<Measured> measure(const Clip& wanted, const Document& written, const Job& job) {
    const Player player(written);
    const float duration = written.duration.value();
    std::vector<float> keys;
    std::set<std::size_t> nodes;
    for (const Track& track : wanted.tracks) {
        keys.insert(keys.end(), track.times.begin(), track.times.end());
        nodes.insert(track.node);
    }
    const std::vector<float> times = sorted_unique(std::move(keys));
    std::vector<JointDifference> differences(skeleton().size());
    const ComparedJoints compared([&](std::size_t joint) { return nodes.contains(joint); });
    std::vector<Transform> shown;
    Measured measured;
    for (std::size_t i = 0; i < times.size(); ++i) {
        TRY_VOID(job.report(static_cast<double>(i) / static_cast<double>(times.size())));
        std::vector<Transform> played = player.local_pose(times[i]);
        shown = played;
        for (const Track& track : wanted.tracks) {
            apply(track, times[i], shown);
        }
        compared.to_world(shown);
        compared.to_world(played);
        widen_differences(compared.joints, shown, played, times[i], differences);
        WorstDifference& worst = measured.at_held_times;
        Farthest off = farthest(compared.joints, shown, played);
        for (const float held : held_times(times[i], duration)) {
            if (off.millimetres > worst.position_mm || off.degrees > worst.rotation_degrees) {
                played = player.local_pose(held);
                compared.to_world(played);
                off.narrow(farthest(compared.joints, shown, played));
            }
        }
        if (off.millimetres > worst.position_mm) {
            worst.joint = skeleton()[off.joint].node.name;
        }
        if (off.degrees > worst.rotation_degrees) {
            worst.rotation_joint = skeleton()[off.turned_joint].node.name;
        }
        worst.widen(off.millimetres, off.degrees, times[i]);
    }
    measured.errors.times = times.size();
    for (const std::size_t node : nodes) {
        differences[node].joint = skeleton()[node].node.name;
        measured.errors.joints.push_back(differences[node]);
    }
    return measured;
}

std::vector<float> key_times_and_midpoints(const Document& document) {
    std::vector<float> keys{0.0F};
    collect_times(Player(document), keys);
    return with_midpoints(sorted_unique(std::move(keys)));
}

Result<Comparison> compare(const Document& a, const Document& b, const Job& job) {
    const Player player_a(a);
    const Player player_b(b);
    std::vector<float> keys{0.0F};
    collect_times(player_a, keys);
    collect_times(player_b, keys);
    const std::vector<float> times = with_midpoints(sorted_unique(std::move(keys)));
    std::vector<JointDifference> differences(skeleton().size());
    const std::vector<bool> moves = joints_moved(player_a, player_b);
    const ComparedJoints compared([&](std::size_t joint) { return moves[joint]; });
    for (std::size_t i = 0; i < times.size(); ++i) {
        TRY_VOID(job.report(static_cast<double>(i) / static_cast<double>(times.size())));
        std::vector<Transform> pose_a = player_a.local_pose(times[i]);
        std::vector<Transform> pose_b = player_b.local_pose(times[i]);
        compared.to_world(pose_a);
        compared.to_world(pose_b);
        widen_differences(compared.joints, pose_a, pose_b, times[i], differences);
    }
    const std::set<std::string> moved_a = names_moved(player_a);
    const std::set<std::string> moved_b = names_moved(player_b);
    Comparison comparison{{}, missing_from(moved_a, moved_b), missing_from(moved_b, moved_a), times.size()};
    for (std::size_t i = 0; i < differences.size(); ++i) {
        differences[i].joint = skeleton()[i].node.name;
        const bool moved = moved_a.contains(differences[i].joint) || moved_b.contains(differences[i].joint);
        if (moved || differences[i].position_mm > 0.0) {
            comparison.joints.push_back(differences[i]);
        }
    }
    return comparison;
}

}  // namespace animbridge::sl_anim
