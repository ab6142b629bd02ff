// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "scene_child/assimp_scene.h"

namespace animbridge::scene_child {

namespace {

using scene::Target;

constexpr double usual_ticks_per_second = 25;
/// The largest difference between a float key and the node's own number.
constexpr double same_number = 1e-5;

std::array<double, 3> row_of(const aiVectorKey& key) {
    return {static_cast<double>(key.mValue.x), static_cast<double>(key.mValue.y),
            static_cast<double>(key.mValue.z)};
}

std::array<double, 4> row_of(const aiQuatKey& key) {
    return {static_cast<double>(key.mValue.w), static_cast<double>(key.mValue.x),
            static_cast<double>(key.mValue.y), static_cast<double>(key.mValue.z)};
}

/// The keys of one part, in seconds.
template <typename Key>
scene::Channel channel_from(std::span<const Key> keys, double ticks_per_second) {
    std::vector<double> times;
    std::vector<double> values;
    times.reserve(keys.size());
    values.reserve(keys.size() * row_of(Key()).size());
    for (const Key& key : keys) {
        const auto row = row_of(key);
        times.push_back(key.mTime / ticks_per_second);
        values.insert(values.end(), row.begin(), row.end());
    }
    scene::Channel channel;
    channel.times_seconds = std::move(times);
    channel.values = std::move(values);
    return channel;
}

/// Takes the channels of one of Assimp's animations.
class Taker {
public:
    Taker(AssimpInput& from, const aiAnimation& animation)
        : from_(from),
          maker_(name_of(from, animation), from.notes),
          ticks_per_second_(from.ticks_per_second > 0 ? from.ticks_per_second : animation.mTicksPerSecond) {
        if (!(ticks_per_second_ > 0) || !std::isfinite(ticks_per_second_)) {
            ticks_per_second_ = usual_ticks_per_second;
            from.notes.add(scene::NoteKind::no_frame_rate, std::nullopt);
        }
        for (const aiNodeAnim* moved : std::span(animation.mChannels, animation.mNumChannels)) {
            take(*moved);
        }
    }

    scene::Animation result() { return maker_.take(); }

private:
    static std::string name_of(const AssimpInput& from, const aiAnimation& animation) {
        std::string name(chars_of(animation.mName));
        if (from.collada == nullptr) {
            return name;
        }
        // There is one for each node; together they are one motion without a name.
        const bool is_of_many =
            from.scene.mNumAnimations < from.collada->animations && from.collada->clip_names.empty();
        return is_of_many ? std::string() : animation_name(*from.collada, name);
    }

    void take(const aiNodeAnim& moved) {
        const auto found = from_.nodes.find(chars_of(moved.mNodeName));
        if (found == from_.nodes.end()) {
            from_.notes.say("An animation moves the node \"" + std::string(chars_of(moved.mNodeName)) +
                            "\", which is not there.");
            return;
        }
        const std::uint32_t node = found->second;
        const bool any_moves =
            moved.mNumPositionKeys > 1 || moved.mNumRotationKeys > 1 || moved.mNumScalingKeys > 1;
        take_part(node, Target::translation, any_moves,
                  std::span<const aiVectorKey>(moved.mPositionKeys, moved.mNumPositionKeys));
        take_part(node, Target::rotation, any_moves,
                  std::span<const aiQuatKey>(moved.mRotationKeys, moved.mNumRotationKeys));
        take_part(node, Target::scale, any_moves,
                  std::span<const aiVectorKey>(moved.mScalingKeys, moved.mNumScalingKeys));
    }

    template <typename Key>
    void take_part(std::uint32_t node, Target target, bool any_moves, std::span<const Key> keys) {
        scene::Channel channel = channel_from(keys, ticks_per_second_);
        channel.node = node;
        channel.target = target;
        if (keys.size() == 1 && any_moves && is_rest(channel)) {
            return;  // the same: a channel that moves has all three parts
        }
        maker_.add(std::move(channel));
    }

    [[nodiscard]] bool is_rest(const scene::Channel& channel) const {
        const scene::Placement& rest = from_.document.nodes[channel.node].rest;
        const std::span<const double> row = channel.values;
        const auto is_near = [](double a, double b) {
            return std::abs(a - b) <= same_number * std::max(1.0, std::abs(b));
        };
        if (channel.target == Target::rotation) {
            const glm::dquat& q = rest.rotation;
            return std::abs(row[0] * q.w + row[1] * q.x + row[2] * q.y + row[3] * q.z) >=
                   1 - same_number * same_number;
        }
        const glm::dvec3& v = channel.target == Target::scale ? rest.scale : rest.translation;
        return is_near(row[0], v.x) && is_near(row[1], v.y) && is_near(row[2], v.z);
    }

    AssimpInput& from_;
    scene::AnimationMaker maker_;
    double ticks_per_second_;
};

}  // namespace

void take_animations(AssimpInput& from) {
    for (const aiAnimation* animation : std::span(from.scene.mAnimations, from.scene.mNumAnimations)) {
        from.document.animations.push_back(Taker(from, *animation).result());
    }
}

}  // namespace animbridge::scene_child
