// SPDX-License-Identifier: MIT
#include "formats/scene_file/reduce/reduce.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "formats/scene_file/clip/clip.h"
#include "model/clip/clip.h"

namespace animbridge::scene_file::reduce {

namespace {

using animbridge::reduce::Bound;
using animbridge::reduce::NewKeys;
using animbridge::reduce::ShownTrack;

/// Values as floats, and even turns between them. Where programs turn otherwise, the writer adds keys.
class Floats final : public animbridge::reduce::Storage {
public:
    [[nodiscard]] std::vector<glm::dquat> held(const std::vector<glm::dquat>& rotations) const override {
        std::vector<glm::dquat> values;
        std::ranges::transform(rotations, std::back_inserter(values),
                               [](const glm::dquat& q) { return glm::normalize(glm::dquat(glm::quat(q))); });
        return values;
    }
    [[nodiscard]] std::vector<glm::dvec3> held(const std::vector<glm::dvec3>& translations) const override {
        std::vector<glm::dvec3> values;
        std::ranges::transform(translations, std::back_inserter(values),
                               [](const glm::dvec3& v) { return glm::dvec3(glm::vec3(v)); });
        return values;
    }
    [[nodiscard]] glm::dquat between(const glm::dquat& a, const glm::dquat& b, float share) const override {
        return glm::normalize(glm::slerp(a, b, double{share}));
    }
    [[nodiscard]] glm::dvec3 between(const glm::dvec3& a, const glm::dvec3& b, float share) const override {
        return a + double{share} * (b - a);
    }
};

/// The animation of a scene as a motion to show.
class Shown {
public:
    explicit Shown(const file::Document& document)
        : document_(document), animation_(document.animations.front()) {
        const double rate = document.frames_per_second > 0.0 ? document.frames_per_second : usual_rate;
        std::size_t most_keys = 0;
        for (const file::Channel& channel : animation_.channels) {
            if (channel.is_recording) {
                ++recordings_;
                most_keys = std::max(most_keys, channel.times_seconds.size());
                std::ranges::transform(channel.times_seconds, std::back_inserter(frames_),
                                       [&](double seconds) { return static_cast<float>(seconds * rate); });
            }
        }
        std::ranges::sort(frames_);
        frames_.erase(std::unique(frames_.begin(), frames_.end()), frames_.end());
        std::ranges::transform(frames_, std::back_inserter(times_), [&](float frame) {
            return std::min(double{frame} / rate, animation_.duration_seconds);
        });
        constexpr std::size_t most_samples = 4;  // for each key: joints of one recording have common times
        if (times_.size() > most_samples * most_keys) {
            recordings_ = 0;
        }
    }

    Result<std::optional<Thinned>> thinned(const std::optional<Bound>& bound, std::size_t most_keys,
                                           const Job& job) const {
        if (recordings_ == 0) {
            return std::nullopt;
        }
        // Between the samples, errors are slightly larger.
        constexpr double share_at_samples = 0.9;
        const std::vector<bool> counted(document_.nodes.size(), true);
        const Skeleton skeleton = skeleton_of();
        std::vector<ShownTrack> tracks;
        for (std::size_t i = 0; i < animation_.channels.size(); ++i) {
            tracks.push_back(shown(i));
        }
        std::optional<Bound> aim;
        std::size_t most = std::max(most_keys, given_keys() + tracks.size()) - given_keys();
        if (bound) {
            aim = bound->scaled(share_at_samples);
            most = recordings_ * times_.size();
        }
        TRY(const auto made, animbridge::reduce::new_keys(
                                 {skeleton, counted, frames_, frames_, tracks, Floats()}, aim, most, job));
        Thinned few{document_, 0, 0, made.bound.scaled(1 / share_at_samples)};
        std::vector<file::Channel>& channels = few.document.animations.front().channels;
        for (std::size_t i = 0; i < channels.size(); ++i) {
            few.keys_before += channels[i].times_seconds.size();
            if (channels[i].is_recording) {
                take(made.tracks[i], channels[i]);
            }
            few.keys_after += channels[i].times_seconds.size();
        }
        const bool holds = !bound || (made.errors.position_mm <= bound->position_mm &&
                                      made.errors.rotation_degrees <= bound->rotation_degrees);
        return holds && few.keys_after < few.keys_before ? std::optional(std::move(few)) : std::nullopt;
    }

private:
    /// Of the channels that stay as they are.
    [[nodiscard]] std::size_t given_keys() const {
        std::size_t keys = 0;
        for (const file::Channel& channel : animation_.channels) {
            keys += channel.is_recording ? 0 : channel.times_seconds.size();
        }
        return keys;
    }

    [[nodiscard]] Skeleton skeleton_of() const {
        Skeleton skeleton;
        for (const file::Node& node : document_.nodes) {
            const Transform rest{node.rest.rotation, node.rest.translation * document_.space.metres_per_unit};
            skeleton.nodes.push_back({node.name, {}, node.parent, rest});
        }
        return skeleton;
    }

    [[nodiscard]] ShownTrack shown(std::size_t index) const {
        clip::Frame frame;
        frame.metres_per_unit = document_.space.metres_per_unit;
        const file::Channel& channel = animation_.channels[index];
        const Track track = clip::track_of(channel, frame, {1, 1, 1}, channel.node, 0.0);
        ShownTrack made{document_.nodes[track.node].name, track.node, track.channel, !channel.is_recording};
        TrackCursor cursor(track);
        for (const double seconds : times_) {
            if (track.channel == animbridge::Channel::rotation) {
                made.rotations.push_back(glm::normalize(cursor.rotation_at(seconds)));
            } else {
                made.translations.push_back(cursor.translation_at(seconds));
            }
        }
        return made;
    }

    void take(const NewKeys& keys, file::Channel& channel) const {
        std::vector<double> times;
        std::vector<double> values;
        std::ranges::transform(keys.samples, std::back_inserter(times),
                               [&](std::uint32_t sample) { return times_[sample]; });
        for (const glm::dquat& q : keys.rotations) {
            values.insert(values.end(), {q.w, q.x, q.y, q.z});
        }
        for (const glm::dvec3& metres : keys.translations) {
            const glm::dvec3 v = metres / document_.space.metres_per_unit;
            values.insert(values.end(), {v.x, v.y, v.z});
        }
        channel.times_seconds = std::move(times);
        channel.values = std::move(values);
        file::clean_keys(channel);
    }

    const file::Document& document_;
    const file::Animation& animation_;
    std::size_t recordings_ = 0;  ///< channels
    // Of the samples. As floats, seconds would be off by microseconds, which a jump shows; frames are exact.
    std::vector<float> frames_{};
    std::vector<double> times_{};  ///< seconds
};

/// Whether nodes keep their size, which a skeleton lacks.
bool is_rigid(const file::Document& document) {
    return std::ranges::all_of(document.nodes,
                               [](const file::Node& node) { return node.rest.scale == glm::dvec3(1); }) &&
           std::ranges::none_of(document.animations.front().channels, [](const file::Channel& channel) {
               return channel.target == file::Target::scale;
           });
}

}  // namespace

Result<std::optional<Thinned>> thinned(const file::Document& document, const std::optional<Bound>& bound,
                                       std::size_t most_keys, const Job& job) {
    if (document.animations.size() != 1 || !is_rigid(document)) {
        return std::nullopt;
    }
    return Shown(document).thinned(bound, most_keys, job);
}

}  // namespace animbridge::scene_file::reduce
