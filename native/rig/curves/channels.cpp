// SPDX-License-Identifier: MIT
#include "rig/curves/channels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace animbridge::rig::curves {

namespace {

bool all_linear(const CurveView& curve) {
    return std::ranges::all_of(curve.interpolation, [](std::uint8_t code) { return code == 1; });
}

/// Whether the keys are finite and in order of time. If not, scalar_track reports the error.
bool is_sound(std::span<const float> points) {
    bool sound = true;
    for (std::size_t i = 0; i + 1 < points.size(); i += 2) {
        sound = sound && std::isfinite(points[i]) && std::isfinite(points[i + 1]) &&
                (i == 0 || points[i] >= points[i - 2]);
    }
    return sound;
}

/// Whether a curve has exactly one key at each frame, like a recording.
bool is_at_each(std::span<const float> points, std::span<const double> frames) {
    bool equal = points.size() == 2 * frames.size();
    for (std::size_t i = 0; equal && i < frames.size(); ++i) {
        equal = static_cast<double>(points[2 * i]) == frames[i];
    }
    return equal;
}

std::vector<double> values_at_keys(std::span<const float> points) {
    std::vector<double> values(points.size() / 2);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = points[2 * i + 1];
    }
    return values;
}

/// Evaluates a curve of linear segments in one pass over the frames.
std::vector<double> linear_values(std::span<const float> points, std::span<const double> frames) {
    constexpr double single_precision = 2.4e-7;
    const std::size_t keys = points.size() / 2;
    std::vector<double> values;
    values.reserve(frames.size());
    std::size_t key = 0;
    for (const double frame : frames) {
        const double slack = single_precision * std::max(1.0, std::abs(frame));
        while (key + 1 < keys && static_cast<double>(points[2 * key + 2]) <= frame + slack) {
            ++key;
        }
        const double start = points[2 * key];
        const double value = points[2 * key + 1];
        if (key + 1 == keys || frame <= start + slack) {
            values.push_back(value);
            continue;
        }
        const double fraction = (frame - start) / (static_cast<double>(points[2 * key + 2]) - start);
        values.push_back(value + (static_cast<double>(points[2 * key + 3]) - value) * fraction);
    }
    return values;
}

Result<std::vector<double>> values_of(const CurveView& curve, const armature::Bone& bone,
                                      std::span<const double> frames) {
    if (all_linear(curve) && is_sound(curve.points)) {
        return is_at_each(curve.points, frames) ? values_at_keys(curve.points)
                                                : linear_values(curve.points, frames);
    }
    TRY(const auto track, scalar_track(curve, bone));
    std::vector<double> values;
    values.reserve(frames.size());
    for (const double frame : frames) {
        values.push_back(evaluate(track, frame));
    }
    return values;
}

/// The rotation with its axis rotated by `axes`.
glm::dquat with_axis_rotated(const glm::dquat& axes, const glm::dquat& q) {
    const glm::dvec3 v = axes * glm::dvec3(q.x, q.y, q.z);
    return {q.w, v.x, v.y, v.z};
}

/// The channels of each bone. `values` are ordered by bone.
std::vector<std::span<const ChannelValues>> by_bone(const std::vector<ChannelValues>& values) {
    std::vector<std::span<const ChannelValues>> runs;
    for (std::size_t first = 0, end = 0; first < values.size(); first = end) {
        while (end < values.size() && values[end].bone == values[first].bone) {
            ++end;
        }
        runs.push_back(std::span(values).subspan(first, end - first));
    }
    return runs;
}

/// Among the channels of one bone: that of its rotation_channel, else the last one.
const ChannelValues* applied_rotation(std::span<const ChannelValues> channels, const armature::Bone& bone) {
    const ChannelValues* applied = nullptr;
    for (const ChannelValues& channel : channels) {
        const bool settled = applied != nullptr && applied->channel == bone.rotation_channel;
        if (channel.channel != armature::BoneChannel::location && !settled) {
            applied = &channel;
        }
    }
    return applied;
}

std::vector<glm::dquat> rotations_of(const ChannelValues& turns, const armature::Bone& bone,
                                     std::size_t frame_count) {
    std::vector<glm::dquat> rotations;
    rotations.reserve(frame_count);
    for (std::size_t i = 0; i < frame_count; ++i) {
        rotations.push_back(with_axis_rotated(bone.rest.rotation, turns.rotation(i)));
    }
    return rotations;
}

std::vector<glm::dvec3> positions_of(const ChannelValues& channel, const armature::Armature& armature,
                                     std::size_t frame_count) {
    const armature::Bone& bone = armature.bones[channel.bone];
    const glm::dquat outer =
        bone.parent ? armature.bones[*bone.parent].rest.rotation : glm::dquat(1, 0, 0, 0);
    const glm::dquat& axes = bone.local_location ? bone.rest.rotation : outer;
    const glm::dvec3 step = rest_step(armature, channel.bone);
    std::vector<glm::dvec3> positions;
    positions.reserve(frame_count);
    for (std::size_t i = 0; i < frame_count; ++i) {
        positions.push_back(step +
                            axes * glm::dvec3(channel.value(0, i), channel.value(1, i), channel.value(2, i)));
    }
    return positions;
}

}  // namespace

glm::dquat ChannelValues::rotation(std::size_t frame) const {
    if (channel == armature::BoneChannel::quaternion) {
        const glm::dquat q(value(0, frame), value(1, frame), value(2, frame), value(3, frame));
        const double length = std::sqrt(glm::dot(q, q));
        // Blender shows a zero quaternion as no rotation.
        return length > 0.0 ? q / length : glm::dquat(1, 0, 0, 0);
    }
    if (channel == armature::BoneChannel::axis_angle) {
        const glm::dvec3 axis(value(1, frame), value(2, frame), value(3, frame));
        const double length = glm::length(axis);
        return length > 0.0 ? glm::angleAxis(value(0, frame), axis / length) : glm::dquat(1, 0, 0, 0);
    }
    return rotation_of_euler(channel, {value(0, frame), value(1, frame), value(2, frame)});
}

Result<std::vector<ChannelValues>> channel_values(std::span<const CurveView> curves,
                                                  const armature::Armature& armature,
                                                  std::span<const double> frames) {
    std::map<std::pair<std::size_t, armature::BoneChannel>, ChannelValues> channels;
    for (const CurveView& curve : curves) {
        if (curve.points.empty()) {
            continue;
        }
        TRY(auto values, values_of(curve, armature.bones[curve.bone], frames));
        ChannelValues& channel = channels[{curve.bone, curve.channel}];
        channel.bone = curve.bone;
        channel.channel = curve.channel;
        channel.components.resize(armature::components_of(curve.channel));
        channel.components[curve.component] = std::move(values);
    }
    std::vector<ChannelValues> result;
    result.reserve(channels.size());
    for (auto& [key, channel] : channels) {
        result.push_back(std::move(channel));
    }
    return result;
}

glm::dvec3 rest_step(const armature::Armature& armature, std::size_t bone) {
    const armature::Bone& child = armature.bones[bone];
    return child.rest.translation -
           (child.parent ? armature.bones[*child.parent].rest.translation : glm::dvec3(0));
}

std::vector<const ChannelValues*> applied_rotations(const std::vector<ChannelValues>& values,
                                                    const armature::Armature& armature) {
    std::vector<const ChannelValues*> applied(armature.bones.size(), nullptr);
    for (const std::span<const ChannelValues> channels : by_bone(values)) {
        const std::size_t bone = channels.front().bone;
        applied[bone] = applied_rotation(channels, armature.bones[bone]);
    }
    return applied;
}

BoneMotion bone_motion(std::span<const ChannelValues> channels, const armature::Armature& armature,
                       std::size_t bone, std::size_t frame_count) {
    BoneMotion motion;
    if (const ChannelValues* turns = applied_rotation(channels, armature.bones[bone])) {
        motion.rotations = rotations_of(*turns, armature.bones[bone], frame_count);
    }
    for (const ChannelValues& channel : channels) {
        if (channel.channel == armature::BoneChannel::location && !armature.bones[bone].connected) {
            motion.positions = positions_of(channel, armature, frame_count);
        }
    }
    return motion;
}

std::vector<BoneMotion> bone_motions(const std::vector<ChannelValues>& values,
                                     const armature::Armature& armature, std::size_t frame_count) {
    std::vector<BoneMotion> motions(armature.bones.size());
    for (const std::span<const ChannelValues> channels : by_bone(values)) {
        const std::size_t bone = channels.front().bone;
        motions[bone] = bone_motion(channels, armature, bone, frame_count);
    }
    return motions;
}

EulerOrder order_of(armature::BoneChannel channel) {
    constexpr std::array<EulerOrder, 6> orders = {
        {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
    return orders.at(static_cast<std::size_t>(channel) -
                     static_cast<std::size_t>(armature::BoneChannel::euler_xyz));
}

glm::dquat rotation_of_euler(armature::BoneChannel order, const glm::dvec3& angles) {
    return animbridge::rotation_of_euler(order_of(order), angles);
}

glm::dvec3 euler_near(armature::BoneChannel order, const glm::dquat& rotation, const glm::dvec3& before) {
    return animbridge::euler_near(order_of(order), rotation, before);
}

namespace {

/// The track between two of its keys, in the bone's channel, as the clip interpolates it.
struct Path {
    double first_frame = 0;
    double last_frame = 0;
    glm::dquat first{};
    glm::dquat last{};

    [[nodiscard]] glm::dquat at(double frame) const {
        const double u = (frame - first_frame) / (last_frame - first_frame);
        return glm::normalize(first * (1.0 - u) + last * u);
    }
};

struct EulerKey {
    double frame = 0;
    glm::dvec3 angles{0, 0, 0};
};

/// Appends keys so that the curves follow the track.
class Fit {
public:
    Fit(std::size_t bone, armature::BoneChannel order) : order_(order) {
        result_.curves.bone = bone;
        result_.curves.channel = order;
        result_.curves.points.resize(armature::components_of(order));
    }

    void add(double frame, const glm::dquat& rotation, bool inserted) {
        const auto rounded = static_cast<float>(frame);
        last_ = {rounded, euler_near(order_, glm::normalize(rotation), last_.angles)};
        for (int c = 0; c < 3; ++c) {
            std::vector<float>& points = result_.curves.points[static_cast<std::size_t>(c)];
            points.push_back(rounded);
            points.push_back(static_cast<float>(last_.angles[c]));
        }
        result_.curves.inserted.push_back(inserted ? 1 : 0);
    }

    /// Inserts as many keys between the last key and `frame` as the path needs.
    void follow(const Path& path, double frame, double tolerance_degrees) {
        // Works from left to right, because a key's angles depend on those of the key before. `ends` is the
        // stack of segments to do.
        std::vector<double> ends = {frame};
        while (!ends.empty()) {
            const double end = ends.back();
            const EulerKey next{end, euler_near(order_, path.at(end), last_.angles)};
            const double error = error_degrees(path, last_, next);
            // A frame that is also distinct in Blender's single precision.
            const double middle = static_cast<float>((last_.frame + end) / 2.0);
            const bool has_room = middle - last_.frame > 2.0 * merge_distance_frames &&
                                  end - middle > 2.0 * merge_distance_frames;
            if (error > tolerance_degrees && has_room) {
                ends.push_back(middle);
                continue;
            }
            if (error > result_.error_degrees) {
                result_.error_degrees = error;
                result_.error_frame = middle;
            }
            ends.pop_back();
            if (!ends.empty()) {
                add(end, path.at(end), true);
            }
        }
    }

    [[nodiscard]] EulerCurves take() { return std::move(result_); }

private:
    [[nodiscard]] double error_degrees(const Path& path, const EulerKey& a, const EulerKey& b) const {
        constexpr std::array<double, 5> fractions = {1.0 / 6.0, 2.0 / 6.0, 3.0 / 6.0, 4.0 / 6.0, 5.0 / 6.0};
        double worst = 0;
        for (const double u : fractions) {
            const glm::dquat shown = rotation_of_euler(order_, a.angles * (1.0 - u) + b.angles * u);
            worst = std::max(worst, angle_between_degrees(shown, path.at(a.frame * (1.0 - u) + b.frame * u)));
        }
        return worst;
    }

    armature::BoneChannel order_;
    EulerCurves result_{};
    EulerKey last_{};
};

/// Whether an inserted key is too close to its neighbours, `before` and the track's next key, for a Blender
/// that merges keys.
bool crowds(const Track& track, std::size_t key, double before, const Timing& timing) {
    const double frame = timing.frame_at(track.times[key]);
    return frame - before < merge_distance_frames ||
           timing.frame_at(track.times[key + 1]) - frame < merge_distance_frames;
}

}  // namespace

EulerCurves euler_curves(const Track& track, const armature::BoneSpace& space, std::size_t bone,
                         armature::BoneChannel order, const Timing& timing) {
    // If the track already has inserted keys, the player's curve uses most of the tolerance.
    constexpr double beside_inserted = 0.2 * euler_tolerance_degrees;
    constexpr double beside_real = 0.9 * euler_tolerance_degrees;
    Fit fit(bone, order);
    const auto is_inserted = [&](std::size_t key) { return !track.inserted.empty() && track.inserted[key]; };
    std::size_t last = 0;
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        const double frame = timing.frame_at(track.times[key]);
        const double last_frame = timing.frame_at(track.times[last]);
        if (is_inserted(key) && crowds(track, key, last_frame, timing)) {
            continue;
        }
        const glm::dquat rotation = space.rotation_to_bone(track.rotation(key));
        if (frame > last_frame) {
            const Path path{last_frame, frame, space.rotation_to_bone(track.rotation(last)), rotation};
            fit.follow(path, frame, is_inserted(key) || is_inserted(last) ? beside_inserted : beside_real);
        }
        fit.add(frame, rotation, is_inserted(key));
        last = key;
    }
    return fit.take();
}

namespace {

Error curve_error(const armature::Bone& bone, const CurveView& curve, std::string reason) {
    const bool is_property = curve.channel == armature::BoneChannel::property;
    const std::string name = is_property ? std::string(curve.property) : bone.name;
    return {ErrorCode::bad_value,
            (is_property ? "the curve of the property "
                         : "the curve " + std::to_string(curve.component) + " of bone ") +
                name + " " + std::move(reason),
            {},
            name};
}

}  // namespace

Result<Track> scalar_track(const CurveView& curve, const armature::Bone& bone) {
    Track track{0, Channel::property};
    const std::size_t keys = curve.points.size() / 2;
    bool bezier = false;
    for (std::size_t i = 0; i < keys; ++i) {
        const double frame = curve.points[2 * i];
        const double value = curve.points[2 * i + 1];
        if (!std::isfinite(frame) || !std::isfinite(value)) {
            return fail(curve_error(bone, curve, "has a key that is not a number"));
        }
        if (i > 0 && frame < track.times.back()) {
            return fail(curve_error(bone, curve, "has keys out of the order of time"));
        }
        track.times.push_back(frame);
        track.values.push_back(value);
        const std::uint8_t code = curve.interpolation.empty() ? std::uint8_t{1} : curve.interpolation[i];
        if (code > 2) {
            return fail(curve_error(bone, curve,
                                    "has the interpolation " + std::to_string(code) +
                                        "; constant, linear and Bezier are allowed: bake the others"));
        }
        track.interpolation.push_back(static_cast<Interpolation>(code));
        bezier = bezier || code == 2;
    }
    if (bezier && (curve.handles_left.size() != 2 * keys || curve.handles_right.size() != 2 * keys)) {
        return fail(curve_error(bone, curve, "has Bezier keys without handles"));
    }
    const auto finite = [](std::span<const float> numbers) {
        return std::ranges::all_of(numbers, [](float number) { return std::isfinite(number); });
    };
    if (bezier && (!finite(curve.handles_left) || !finite(curve.handles_right))) {
        return fail(curve_error(bone, curve, "has a handle that is not a number"));
    }
    for (std::size_t i = 0; bezier && i < keys; ++i) {
        const double frame = track.times[i];
        const double value = track.values[i];
        track.handles.push_back(
            {std::min(0.0, curve.handles_left[2 * i] - frame), curve.handles_left[2 * i + 1] - value,
             std::max(0.0, curve.handles_right[2 * i] - frame), curve.handles_right[2 * i + 1] - value});
    }
    return track;
}

}  // namespace animbridge::rig::curves
