// SPDX-License-Identifier: MIT
#include "formats/sl_anim/play/play.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>

#include "formats/sl_anim/avatar/avatar.h"

namespace animbridge::sl_anim::play {

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
        names.insert(joint.joint ? avatar::skeleton()[*joint.joint].node.name : joint.name);
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
    const auto parent = avatar::skeleton()[joint].node.parent;
    return parent ? glm::conjugate(world[*parent].rotation) * world[joint].rotation : world[joint].rotation;
}

/// The joints that a comparison measures, and the joints that it must pose for that: these and all their
/// ancestors. Both lists are in skeleton order. Posing joints is most of the work, and many files move only a
/// few of the avatar's 214.
struct ComparedJoints {
    std::vector<std::size_t> joints{};
    std::vector<std::size_t> placed{};

    explicit ComparedJoints(std::vector<bool> has_track) {
        const std::vector<bool> counted = avatar::counted_joints(std::move(has_track));
        std::vector<bool> needed = counted;
        for (std::size_t i = avatar::skeleton().size(); i-- > 0;) {
            if (const auto parent = avatar::skeleton()[i].node.parent; needed[i] && parent) {
                needed[*parent] = true;
            }
        }
        for (std::size_t i = 0; i < avatar::skeleton().size(); ++i) {
            if (counted[i]) {
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
            if (const auto parent = avatar::skeleton()[i].node.parent) {
                pose[i] = pose[*parent] * pose[i];
            }
        }
    }
};

/// Marks the joints that a file has a track for.
void mark_tracks(const Player& player, std::vector<bool>& has_track) {
    for (const auto& joint : player.joints()) {
        if (joint.joint) {
            has_track[*joint.joint] = true;
        }
    }
}

/// Widens the joints' differences by those at one time.
void widen_differences(const std::vector<std::size_t>& joints, const std::vector<Transform>& a,
                       const std::vector<Transform>& b, double time,
                       std::vector<JointDifference>& differences, SpreadCounter& counted) {
    for (const std::size_t i : joints) {
        const double millimetres = glm::length(a[i].translation - b[i].translation) * 1000.0;
        const double degrees = angle_between_degrees(local_rotation(a, i), local_rotation(b, i));
        differences[i].widen(millimetres, degrees, time);
        counted.add(millimetres, degrees);
    }
}

/// The joints with the largest position and rotation differences from the other pose, and their sizes.
struct Farthest {
    std::size_t joint = 0;
    double millimetres = 0;
    std::size_t turned_joint = 0;
    double degrees = 0;

    /// Takes the smaller differences of another pose.
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

    /// Raises the largest differences by these.
    void widen(WorstDifference& worst, double at_seconds) const {
        if (millimetres > worst.position_mm) {
            worst.joint = avatar::skeleton()[joint].node.name;
        }
        if (degrees > worst.rotation_degrees) {
            worst.rotation_joint = avatar::skeleton()[turned_joint].node.name;
        }
        worst.widen(millimetres, degrees, at_seconds);
    }
};
Farthest farthest(const std::vector<std::size_t>& joints, const std::vector<Transform>& a,
                  const std::vector<Transform>& b, SpreadCounter* counted = nullptr) {
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
        if (counted != nullptr) {
            counted->add(millimetres, degrees);
        }
    }
    return result;
}

/// The two times next to a time that the file can store.
std::array<float, 2> held_times(float seconds, float duration) {
    if (!(duration > 0.0F)) {
        return {seconds, seconds};
    }
    constexpr double codes = codes::max_code;
    const double code = std::clamp(double{seconds} / double{duration}, 0.0, 1.0) * codes;
    const auto decoded = [&](double rounded) {
        return codes::decode_time(static_cast<std::uint16_t>(rounded), duration);
    };
    return {decoded(std::floor(code)), decoded(std::ceil(code))};
}

/// Replaces the file's value at a time with the clip's.
void apply(const Track& track, double seconds, std::vector<Transform>& local) {
    const auto right =
        static_cast<std::size_t>(std::ranges::lower_bound(track.times, seconds) - track.times.begin());
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

Result<Measured> measure(const Clip& wanted, const file::Document& written, const Job& job) {
    const Player player(written);
    const float duration = written.duration.value();
    std::vector<float> keys;
    std::vector<bool> has_track(avatar::skeleton().size(), false);
    mark_tracks(player, has_track);
    for (const Track& track : wanted.tracks) {
        keys.insert(keys.end(), track.times.begin(), track.times.end());
        has_track[track.node] = true;
    }
    const std::vector<float> times = sorted_unique(std::move(keys));
    const ComparedJoints compared(std::move(has_track));
    std::vector<Transform> shown;
    SpreadCounter counted;
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
        Farthest off = farthest(compared.joints, shown, played, &counted);
        off.widen(measured.worst, times[i]);
        const WorstDifference& at_held = measured.at_held_times;
        for (const float held : held_times(times[i], duration)) {
            if (off.millimetres > at_held.position_mm || off.degrees > at_held.rotation_degrees) {
                played = player.local_pose(held);
                compared.to_world(played);
                off.narrow(farthest(compared.joints, shown, played));
            }
        }
        off.widen(measured.at_held_times, times[i]);
    }
    if (measured.worst.joint.empty() && !compared.joints.empty()) {
        measured.worst.joint = avatar::skeleton()[compared.joints.front()].node.name;
    }
    measured.spread = counted.spreads(measured.worst, compared.joints.size(), times.size());
    return measured;
}

std::vector<float> key_times_and_midpoints(const file::Document& document) {
    std::vector<float> keys{0.0F};
    collect_times(Player(document), keys);
    return with_midpoints(sorted_unique(std::move(keys)));
}

Result<Comparison> compare(const file::Document& a, const file::Document& b, const Job& job) {
    std::vector<float> keys{0.0F};
    collect_times(Player(a), keys);
    collect_times(Player(b), keys);
    return compare_at(a, b, with_midpoints(sorted_unique(std::move(keys))), job);
}

Result<Comparison> compare_at(const file::Document& a, const file::Document& b,
                              const std::vector<float>& times, const Job& job) {
    const Player player_a(a);
    const Player player_b(b);
    std::vector<JointDifference> differences(avatar::skeleton().size());
    std::vector<bool> has_track(avatar::skeleton().size(), false);
    mark_tracks(player_a, has_track);
    mark_tracks(player_b, has_track);
    const ComparedJoints compared(std::move(has_track));
    SpreadCounter counted;
    for (std::size_t i = 0; i < times.size(); ++i) {
        TRY_VOID(job.report(static_cast<double>(i) / static_cast<double>(times.size())));
        std::vector<Transform> pose_a = player_a.local_pose(times[i]);
        std::vector<Transform> pose_b = player_b.local_pose(times[i]);
        compared.to_world(pose_a);
        compared.to_world(pose_b);
        widen_differences(compared.joints, pose_a, pose_b, times[i], differences, counted);
    }
    const std::set<std::string> moved_a = names_moved(player_a);
    const std::set<std::string> moved_b = names_moved(player_b);
    Comparison comparison{{}, missing_from(moved_a, moved_b), missing_from(moved_b, moved_a), times.size()};
    for (std::size_t i = 0; i < differences.size(); ++i) {
        differences[i].joint = avatar::skeleton()[i].node.name;
        const bool moved = moved_a.contains(differences[i].joint) || moved_b.contains(differences[i].joint);
        if (moved || differences[i].position_mm > 0.0) {
            comparison.joints.push_back(differences[i]);
        }
    }
    comparison.spread = counted.spreads(comparison.worst(), compared.joints.size(), times.size());
    return comparison;
}

}  // namespace animbridge::sl_anim::play
