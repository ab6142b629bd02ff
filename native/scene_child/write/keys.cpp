// SPDX-License-Identifier: MIT
#include "scene_child/write/parts.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <numbers>
#include <utility>

#include "scene_child/common/common.h"

namespace animbridge::scene_child::write {

namespace {

using scene_file::file::Channel;
using scene_file::file::Target;

std::size_t width_of_keys(const Keys& keys) { return keys.values.size() / keys.times_seconds.size(); }

void append_row(Keys& to, double time, const double* row, std::size_t width) {
    to.times_seconds.push_back(time);
    to.values.insert(to.values.end(), row, row + width);
}

/// With the sign of the last row, and of unit length.
void append_rotation(Keys& to, double time, glm::dquat rotation) {
    rotation = glm::normalize(rotation);
    if (!to.times_seconds.empty() && glm::dot(rotation, rotation_at(to, to.times_seconds.size() - 1)) < 0.0) {
        rotation = -rotation;
    }
    const std::array<double, 4> row = {rotation.w, rotation.x, rotation.y, rotation.z};
    append_row(to, time, row.data(), row.size());
}

Result<void> check_written_channel(const Channel& channel, bool has_kinds) {
    if (!has_kinds && channel.kind != scene_file::file::KeyKind::linear && channel.times_seconds.size() > 1) {
        return fail(ErrorCode::rejected, "a channel of node " + std::to_string(channel.node) +
                                             " is not linear; only linear ones "
                                             "can be written");
    }
    if (channel.times_seconds.front() < 0.0) {
        return fail(ErrorCode::rejected, "a key of node " + std::to_string(channel.node) + " is at " +
                                             std::to_string(channel.times_seconds.front()) +
                                             " seconds; a file begins at 0");
    }
    return {};
}

/// Files store times as floats: if keys then have one time, the first stays.
Keys keys_of_channel(const Channel& channel) {
    Keys keys;
    keys.kind = channel.kind;
    const std::size_t width = width_of(channel.target);
    keys.times_seconds.reserve(channel.times_seconds.size());
    keys.values.reserve(channel.values.size());
    for (std::size_t i = 0; i < channel.times_seconds.size(); ++i) {
        const double time = channel.times_seconds[i];
        if (i > 0 && !(static_cast<float>(keys.times_seconds.back()) < static_cast<float>(time))) {
            continue;
        }
        const double* row = &channel.values[i * width];
        if (channel.kind == scene_file::file::KeyKind::cubic) {
            append_row(keys, time, row, width);
            const auto tangents = channel.tangents.begin() + static_cast<std::ptrdiff_t>(2 * i * width);
            keys.tangents.insert(keys.tangents.end(), tangents,
                                 tangents + static_cast<std::ptrdiff_t>(2 * width));
        } else if (channel.target == Target::rotation) {
            append_rotation(keys, time, {row[0], row[1], row[2], row[3]});
        } else {
            append_row(keys, time, row, width);
        }
    }
    return keys;
}

void hold_until(Keys& keys, double seconds) {
    if (static_cast<float>(keys.times_seconds.back()) < static_cast<float>(seconds)) {
        const std::size_t width = width_of_keys(keys);
        const std::vector<double> last(keys.values.end() - static_cast<std::ptrdiff_t>(width),
                                       keys.values.end());
        append_row(keys, seconds, last.data(), width);
        if (keys.kind == scene_file::file::KeyKind::cubic) {
            std::fill(keys.tangents.end() - static_cast<std::ptrdiff_t>(width), keys.tangents.end(), 0.0);
            keys.tangents.resize(2 * keys.values.size(), 0.0);
        }
    }
}

double last_time_of(const NodeKeys& keys) {
    double last = 0;
    for (const Keys& target : keys.targets) {
        last = target.times_seconds.empty() ? last : std::max(last, target.times_seconds.back());
    }
    return last;
}

double first_time_of(const NodeKeys& keys) {
    double first = last_time_of(keys);
    for (const Keys& target : keys.targets) {
        first = target.times_seconds.empty() ? first : std::min(first, target.times_seconds.front());
    }
    return first;
}

Result<NodeMotion> motion_of(const scene_file::file::Animation& animation, bool has_kinds) {
    NodeMotion motion;
    motion.name = animation.name;
    motion.duration_seconds = animation.duration_seconds;
    std::map<std::uint32_t, NodeKeys> by_node;
    for (const Channel& channel : animation.channels) {
        TRY_VOID(check_written_channel(channel, has_kinds));
        NodeKeys& keys = by_node[channel.node];
        keys.node = channel.node;
        keys.of(channel.target) = keys_of_channel(channel);
        motion.duration_seconds = std::max(motion.duration_seconds, channel.times_seconds.back());
    }
    motion.nodes.reserve(by_node.size());
    for (auto& [node, keys] : by_node) {
        motion.nodes.push_back(std::move(keys));
    }
    const auto lasts = [&](const NodeKeys& keys) { return last_time_of(keys) >= motion.duration_seconds; };
    if (!motion.nodes.empty() && std::ranges::none_of(motion.nodes, lasts)) {
        auto& targets = motion.nodes.front().targets;
        hold_until(
            *std::ranges::find_if(targets, [](const Keys& keys) { return !keys.times_seconds.empty(); }),
            motion.duration_seconds);
    }
    return motion;
}

/// The value at a time, for times that do not decrease from call to call.
class KeySampler {
public:
    explicit KeySampler(const Keys& keys) : keys_(keys), width_(width_of_keys(keys)) {}

    void sample_into(Keys& to, double time) {
        const std::vector<double>& times = keys_.times_seconds;
        while (next_ < times.size() && times[next_] <= time) {
            ++next_;
        }
        if (next_ == 0 || next_ == times.size()) {
            const std::size_t held = next_ == 0 ? 0 : next_ - 1;
            append_row(to, time, &keys_.values[held * width_], width_);
            return;
        }
        const std::size_t before = next_ - 1;
        const double share = (time - times[before]) / (times[next_] - times[before]);
        if (width_ == 4) {
            append_rotation(to, time, between(rotation_at(keys_, before), rotation_at(keys_, next_), share));
            return;
        }
        const glm::dvec3 value = vector_at(keys_, before) * (1.0 - share) + vector_at(keys_, next_) * share;
        append_row(to, time, &value.x, width_);
    }

private:
    const Keys& keys_;
    std::size_t width_;
    std::size_t next_ = 0;
};

}  // namespace

glm::dquat rotation_at(const Keys& rotations, std::size_t key) {
    const double* row = &rotations.values[key * 4];
    return {row[0], row[1], row[2], row[3]};
}

glm::dvec3 vector_at(const Keys& vectors, std::size_t key) {
    const double* row = &vectors.values[key * 3];
    return {row[0], row[1], row[2]};
}

glm::dquat between(const glm::dquat& from, const glm::dquat& to, double share) {
    return glm::normalize(glm::slerp(from, to, share));
}

Result<std::vector<NodeMotion>> motions_of(const scene_file::file::Document& document, bool has_kinds) {
    std::vector<NodeMotion> motions;
    for (const scene_file::file::Animation& animation : document.animations) {
        if (!animation.channels.empty()) {
            TRY(NodeMotion motion, motion_of(animation, has_kinds));
            motions.push_back(std::move(motion));
        }
    }
    return motions;
}

void fill_targets(NodeKeys& keys, const scene_file::file::Placement& rest, double shortest_seconds) {
    const double last = std::max(last_time_of(keys), shortest_seconds);
    const double first = std::min(first_time_of(keys), last - shortest_seconds);
    for (const Target target : {Target::translation, Target::rotation, Target::scale}) {
        Keys& one = keys.of(target);
        if (one.times_seconds.empty()) {
            if (target == Target::rotation) {
                append_rotation(one, first, rest.rotation);
            } else {
                const glm::dvec3& value = target == Target::scale ? rest.scale : rest.translation;
                append_row(one, first, &value.x, 3);
            }
        }
        if (one.times_seconds.size() == 1) {  // a single key is held all the time
            one.times_seconds.front() = first;
            hold_until(one, last);
        }
    }
}

void unite_times(NodeKeys& keys) {
    std::vector<double> all;
    for (const Keys& target : keys.targets) {
        all.insert(all.end(), target.times_seconds.begin(), target.times_seconds.end());
    }
    std::ranges::sort(all);
    const auto is_same = [](double a, double b) { return static_cast<float>(a) == static_cast<float>(b); };
    all.erase(std::unique(all.begin(), all.end(), is_same), all.end());
    for (Keys& target : keys.targets) {
        if (target.times_seconds.empty() || target.times_seconds.size() == all.size()) {
            continue;
        }
        Keys sampled;
        sampled.times_seconds.reserve(all.size());
        sampled.values.reserve(all.size() * width_of_keys(target));
        KeySampler sampler(target);
        for (const double time : all) {
            sampler.sample_into(sampled, time);
        }
        target = std::move(sampled);
    }
}

namespace {

constexpr std::array<double, 3> looked_at = {0.25, 0.5, 0.75};
constexpr int deepest_halving = 14;

struct RefinedPose {
    double time = 0;
    glm::dquat rotation{1, 0, 0, 0};
    glm::dvec3 angles{0, 0, 0};
};

bool is_off(Blend blend, const RefinedPose& from, const RefinedPose& to, double bound_chord) {
    const auto is_off_at = [&](double share) {
        const glm::dquat meant = between(from.rotation, to.rotation, share);
        const glm::dquat mixed = glm::normalize(from.rotation * (1.0 - share) + to.rotation * share);
        return chord(meant, mixed) > bound_chord ||
               (blend == Blend::euler && chord(meant, common::rotation_of(from.angles * (1.0 - share) +
                                                                          to.angles * share)) > bound_chord);
    };
    return std::ranges::any_of(looked_at, is_off_at);
}

class Refining {
public:
    Refining(Blend blend, double degrees, std::size_t keys)
        : blend_(blend), bound_chord_(chord_of_degrees(degrees)) {
        poses_.reserve(keys);
    }

    void begin(double time, const glm::dquat& rotation) {
        poses_.push_back({time, rotation, common::angles_of(rotation, glm::dvec3(0))});
    }

    /// Appends the path to a key, and the key.
    void go_to(double time, const glm::dquat& rotation, int halvings = 0) {
        const RefinedPose from = poses_.back();
        const double middle = 0.5 * (from.time + time);
        const bool fits = static_cast<float>(from.time) < static_cast<float>(middle) &&
                          static_cast<float>(middle) < static_cast<float>(time);
        const RefinedPose to{time, rotation, common::angles_of(rotation, from.angles)};
        if (halvings < deepest_halving && fits && is_off(blend_, from, to, bound_chord_)) {
            go_to(middle, between(from.rotation, rotation, 0.5), halvings + 1);
            go_to(time, rotation, halvings + 1);
            return;
        }
        poses_.push_back(to);
    }

    [[nodiscard]] Keys take() const {
        Keys keys;
        keys.times_seconds.reserve(poses_.size());
        keys.values.reserve(4 * poses_.size());
        for (const RefinedPose& pose : poses_) {
            const glm::dquat& q = pose.rotation;
            keys.times_seconds.push_back(pose.time);
            keys.values.insert(keys.values.end(), {q.w, q.x, q.y, q.z});
        }
        return keys;
    }

private:
    Blend blend_;
    double bound_chord_;
    std::vector<RefinedPose> poses_{};
};

}  // namespace

void add_rotations_for(Blend blend, Keys& rotations, double degrees) {
    if (blend == Blend::slerp || rotations.times_seconds.size() < 2) {
        return;
    }
    Refining refining(blend, degrees, rotations.times_seconds.size());
    refining.begin(rotations.times_seconds.front(), rotation_at(rotations, 0));
    for (std::size_t i = 1; i < rotations.times_seconds.size(); ++i) {
        refining.go_to(rotations.times_seconds[i], rotation_at(rotations, i));
    }
    rotations = refining.take();
}

}  // namespace animbridge::scene_child::write
