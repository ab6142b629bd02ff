// SPDX-License-Identifier: MIT
#include "formats/bvh/scene/scene.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>
#include <set>
#include <utility>

#include "base/base.h"
#include "formats/bvh/clip/clip.h"
#include "formats/bvh/file/file.h"
#include "formats/bvh/scene/export_layout.h"
#include "model/clip/clip.h"
#include "model/compare/compare.h"
#include "rig/curves/curves.h"
#include "rig/exchange/exchange.h"

namespace animbridge::bvh::scene {

namespace {

glm::dvec3 placed_offset(const ExportOptions& options, std::size_t joint) {
    const file::Offset& offset = options.template_document->joints[joint].offset;
    return options.placement.place({offset[0], offset[1], offset[2]});
}

/// Takes the motion of unchanged channels from the template, so that Blender's float curves do not round it.
Result<void> take_unchanged(const rig::armature::Armature& armature,
                            std::span<const rig::curves::UnchangedCurve> unchanged, const Layout& layout,
                            const ExportOptions& options, const std::vector<double>& seconds,
                            std::vector<rig::curves::BoneMotion>& motions) {
    if (unchanged.empty()) {
        return {};
    }
    if (options.template_document == nullptr) {
        return fail(ErrorCode::invalid_argument,
                    "a curve is marked unchanged, and there is no template_document");
    }
    TRY(const auto clip,
        clip::to_clip(*options.template_document, options.placement, layout.template_frame_seconds));
    std::vector<std::array<const Track*, 2>> tracks(clip.skeleton.nodes.size());
    for (const Track& track : clip.tracks) {
        tracks[track.node].at(track.channel == Channel::rotation ? 0 : 1) = &track;
    }
    std::set<std::pair<std::size_t, bool>> taken;  // one channel has several curves
    for (const rig::curves::UnchangedCurve& curve : unchanged) {
        const auto joint = layout.joint_of_bone[curve.bone];
        const bool moves = curve.channel == rig::armature::BoneChannel::location;
        if (!taken.insert({curve.bone, moves}).second) {
            continue;
        }
        const Track* track = joint ? tracks[*joint].at(moves ? 1 : 0) : nullptr;
        if (track == nullptr) {
            continue;
        }
        TrackCursor cursor(*track);
        rig::curves::BoneMotion& motion = motions[curve.bone];
        moves ? motion.positions.clear() : motion.rotations.clear();
        const glm::dvec3 shift =
            rig::curves::rest_step(armature, curve.bone) - placed_offset(options, *joint);
        for (const double second : seconds) {
            if (moves) {
                motion.positions.push_back(cursor.translation_at(second) + shift);
            } else {
                motion.rotations.push_back(cursor.rotation_at(second));
            }
        }
    }
    return {};
}

/// Writes what a clip cannot hold into a document that from_clip made.
class Finisher {
public:
    Finisher(const rig::armature::Armature& armature, const Layout& layout, const ExportOptions& options,
             file::Document& document)
        : armature_(armature),
          layout_(layout),
          options_(options),
          document_(document),
          columns_(document.first_columns()),
          width_(document.channel_count()) {}

    /// Copies a bone's own Euler angles, including whole turns, if its axes and Euler order match the file's.
    void put_own_angles(const std::vector<const rig::curves::ChannelValues*>& rotations) {
        for (std::size_t node = 0; node < layout_.exported.bones.size(); ++node) {
            const std::size_t bone = layout_.exported.bones[node];
            const rig::curves::ChannelValues* values = rotations[bone];
            if (values == nullptr || !rig::curves::is_euler(values->channel) ||
                !keeps_parent(armature_, layout_.exported, node) || !is_in_order(node, values->channel) ||
                clip::axes_to_bone(options_.placement.axes, armature_.bones[bone].rest.rotation) !=
                    glm::dmat3(1.0)) {
                continue;
            }
            const auto& channels = document_.joints[node].channels;
            for (std::size_t i = 0; i < channels.size(); ++i) {
                if (file::is_rotation(channels[i])) {
                    put_angles(*values, file::axis_of(channels[i]), columns_[node] + i);
                }
            }
        }
    }

    void keep_template() {
        const std::vector<std::size_t> template_columns = options_.template_document == nullptr
                                                              ? std::vector<std::size_t>()
                                                              : options_.template_document->first_columns();
        for (std::size_t node = 0; node < layout_.exported.bones.size(); ++node) {
            if (!layout_.same_offset[node]) {
                continue;
            }
            const file::Joint& joint = options_.template_document->joints[*layout_.template_joints[node]];
            document_.joints[node].offset = joint.offset;
            if (!layout_.keeps_numbers[node]) {
                continue;
            }
            keep_columns(node, template_columns[*layout_.template_joints[node]]);
        }
    }

private:
    [[nodiscard]] bool is_in_order(std::size_t node, rig::armature::BoneChannel channel) const {
        const EulerOrder order = rig::curves::order_of(channel);
        const std::array<int, 3> product = {order.third, order.second, order.first};
        std::size_t count = 0;
        for (const file::ChannelKind kind : document_.joints[node].channels) {
            if (file::is_rotation(kind)) {
                if (count == 3 || product.at(count) != static_cast<int>(file::axis_of(kind))) {
                    return false;
                }
                ++count;
            }
        }
        return count == 3;
    }

    void put_angles(const rig::curves::ChannelValues& values, std::size_t axis, std::size_t column) {
        constexpr double steps = 1e6;  // the same precision as other angles
        for (std::size_t frame = 0; frame < document_.frame_count; ++frame) {
            const double degrees = values.value(axis, frame) * (180.0 / std::numbers::pi);
            document_.motion[frame * width_ + column] = std::round(degrees * steps) / steps + 0.0;
        }
    }

    /// Copies the template's own numbers; frames after its end repeat its last frame.
    void keep_columns(std::size_t node, std::size_t first) {
        const file::Document& template_document = *options_.template_document;
        const std::size_t joint = *layout_.template_joints[node];
        const auto& channels = template_document.joints[joint].channels;
        // A joint whose channels changed gets new numbers.
        const bool same_channels = channels == document_.joints[node].channels;
        for (std::size_t i = 0; same_channels && i < channels.size(); ++i) {
            const bool keeps = file::is_rotation(channels[i])   ? layout_.keeps_rotations[node]
                               : file::is_position(channels[i]) ? layout_.keeps_positions[node]
                                                                : true;
            for (std::size_t frame = 0; keeps && frame < document_.frame_count; ++frame) {
                document_.motion[frame * width_ + columns_[node] + i] =
                    template_document.frame(std::min(frame, template_document.frame_count - 1))[first + i];
            }
        }
    }

    const rig::armature::Armature& armature_;
    const Layout& layout_;
    const ExportOptions& options_;
    file::Document& document_;
    std::vector<std::size_t> columns_;
    std::size_t width_;
};

/// What the user has to decide.
std::vector<std::string> warnings_of(const Plan& plan) {
    if (plan.stuck.empty()) {
        return {};
    }
    return {"Choose moving positions (Blender: Positions) to keep that these bones leave their places: " +
            some_of(plan.stuck)};
}

Result<Made> finished(file::Document document, const Clip& wanted, const Layout& layout,
                      const ExportOptions& options, const std::vector<std::string>& warnings,
                      const std::vector<std::string>& details, const Job& job) {
    TRY_VOID(job.report(0.7));
    TRY(const auto shown, as_written(document, options.placement));
    WorstDifference worst = worst_errors(wanted, shown, frame_times(document));
    Json report = {{"joints", document.joints.size()},
                   {"frames", document.frame_count},
                   {"forward", options.placement.axes.forward()},
                   {"moved_joints", moved_joints_json(wanted)},
                   {"max_rotation_error_degrees", worst.rotation_degrees},
                   {"max_position_error_mm", worst.position_mm},
                   {"worst", worst_json(worst)},
                   {"warnings", texts_json(warnings)},
                   {"details", texts_json(details)}};
    if (layout.same_times) {
        // Even if it is 0 or negative: such a file cannot be played, so it was not there before.
        document.frame_time_seconds = options.template_document->frame_time_seconds;
    }
    TRY_VOID(job.report(1.0));
    return Made{file::make_document(std::move(document)), std::move(report), std::move(worst)};
}

std::vector<double> ramp(std::size_t count, double first, double step) {
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = first + static_cast<double>(i) * step;
    }
    return values;
}

file::Document document_of(const Clip& clip, const Plan& plan) {
    file::Document document = clip::from_clip(clip, plan.options);
    for (std::size_t node = 0; node < plan.names.size(); ++node) {
        document.joints[node].name = plan.names[node];
    }
    return document;
}

/// What the scene shows at the file's frames.
struct ShownFrames {
    Clip clip;
    std::vector<rig::curves::ChannelValues> values{};  ///< of curves
    std::vector<std::string> left_out{};               ///< of samples
};

Result<ShownFrames> frames_of_curves(const SceneMotion& motion, const rig::armature::Armature& armature,
                                     const Layout& layout, const ExportOptions& options) {
    const std::size_t count = options.frame_count;
    const rig::curves::Timing& timing = motion.timing;
    TRY(auto values, rig::curves::channel_values(motion.curves, armature,
                                                 ramp(count, timing.frame_start, options.frame_step)));
    std::vector<rig::curves::BoneMotion> motions = rig::curves::bone_motions(values, armature, count);
    const double step = options.frame_step / timing.frames_per_second;
    TRY_VOID(take_unchanged(armature, motion.unchanged, layout, options,
                            ramp(count, 0.0, layout.same_times ? layout.frame_seconds : step), motions));
    return ShownFrames{rig::curves::clip_of_motions(layout.exported, armature, motions,
                                                    ramp(count, 0.0, layout.frame_seconds)),
                       std::move(values)};
}

Result<ShownFrames> frames_of_samples(const SceneMotion& motion, const rig::armature::Armature& armature,
                                      const Layout& layout, const ExportOptions& options) {
    // In the file's own time, frame i is at i * frame_time_seconds.
    const rig::curves::Timing timing{options.frame_step / layout.frame_seconds, motion.timing.frame_start};
    const double duration = static_cast<double>(options.frame_count - 1) * layout.frame_seconds;
    return rig::curves::clip_from_samples(*motion.samples,
                                          rig::curves::skeleton_of(layout.exported, armature), 0, armature,
                                          rig::curves::map_of(layout.exported, armature), timing, duration)
        .map([](rig::curves::ClipFromSamples sampled) {
            return ShownFrames{std::move(sampled.clip), {}, std::move(sampled.left_out)};
        });
}

/// That curves do not say how bones move that do not inherit rotation.
void warn_of_free_bones(const rig::armature::Armature& armature, const Layout& layout,
                        std::vector<std::string>& warnings) {
    std::vector<std::string> free;
    for (const std::size_t bone : layout.exported.bones) {
        if (armature.bones[bone].parent && !armature.bones[bone].inherits_rotation) {
            free.push_back(armature.bones[bone].name);
        }
    }
    if (!free.empty()) {
        warnings.push_back(
            "Export samples instead: curves in a BVH can't show that these bones don't inherit rotation: " +
            some_of(free));
    }
}

}  // namespace

Result<Made> document_from_scene(const SceneMotion& motion, const rig::armature::Armature& armature,
                                 const ExportOptions& options) {
    const bool is_sampled = motion.samples != nullptr;
    std::vector<std::uint8_t> exported;
    if (is_sampled) {
        exported.assign(motion.samples->exported.begin(), motion.samples->exported.end());
    }
    TRY(const auto layout, bvh_layout(armature, options, motion.timing, exported, motion.unchanged));
    if (layout.exported.bones.empty()) {
        return fail(ErrorCode::bad_value, "no bone is exported; a BVH has one joint at least");
    }
    TRY(const auto shown, is_sampled ? frames_of_samples(motion, armature, layout, options)
                                     : frames_of_curves(motion, armature, layout, options));
    const Plan plan = bvh_plan(layout, armature, shown.clip, options);
    file::Document document = document_of(shown.clip, plan);
    std::vector<std::string> warnings = warnings_of(plan);
    Finisher finisher(armature, layout, options, document);
    if (!is_sampled) {
        finisher.put_own_angles(rig::curves::applied_rotations(shown.values, armature));
        warn_of_free_bones(armature, layout, warnings);
    }
    finisher.keep_template();
    std::vector<std::string> details = plan.renamed;
    details.insert(details.end(), shown.left_out.begin(), shown.left_out.end());
    return finished(std::move(document), shown.clip, layout, options, warnings, details, motion.job);
}

namespace {

/// The squared chord between two orientations, whatever their signs. It orders errors like the angle and is
/// cheaper.
double chord(const glm::dquat& a, const glm::dquat& b) {
    const glm::dquat minus = a - b;
    const glm::dquat plus = a + b;
    return std::min(glm::dot(minus, minus), glm::dot(plus, plus));
}

/// A slope this short or shorter is a jump: retargeting makes slopes of 10 microseconds, and scene files have
/// some of half a thousandth of a frame.
double shortest_slope(double frame_time_seconds) { return 2e-5 + 1e-3 * frame_time_seconds; }

/// Separates the times between two frames if a jump is after the first and not after the second of them. All
/// are sorted.
ComparedTimes split_at_jumps(const std::vector<double>& times, const std::vector<double>& frames,
                             const std::vector<double>& jumps) {
    ComparedTimes split;
    auto rest = times.begin();
    for (std::size_t frame = 0; frame + 1 < frames.size(); ++frame) {
        const auto jump = std::upper_bound(jumps.begin(), jumps.end(), frames[frame]);
        if (jump == jumps.end()) {
            break;
        }
        if (*jump > frames[frame + 1]) {
            continue;
        }
        ++split.jumps;
        const auto inside = std::upper_bound(rest, times.end(), frames[frame]);
        const auto after = std::lower_bound(inside, times.end(), frames[frame + 1]);
        split.even.insert(split.even.end(), rest, inside);
        split.jumping.insert(split.jumping.end(), inside, after);
        rest = after;
    }
    split.even.insert(split.even.end(), rest, times.end());
    return split;
}

}  // namespace

WorstDifference worst_errors(const Clip& wanted, const Clip& shown, std::span<const double> times) {
    ClipPoser a(wanted);
    ClipPoser b(shown);
    const std::vector<Node>& nodes = wanted.skeleton.nodes;
    WorstDifference worst{{nodes.front().name}, nodes.front().name};
    double worst_chord = 0;
    for (const double time : times) {
        a.pose(time);
        b.pose(time);
        for (std::size_t node = 0; node < a.local().size(); ++node) {
            const double apart = chord(a.local()[node].rotation, b.local()[node].rotation);
            if (apart > worst_chord) {
                worst_chord = apart;
                worst.rotation_joint = nodes[node].name;
                worst.rotation_at_seconds = time;
                worst.rotation_degrees =
                    angle_between_degrees(a.local()[node].rotation, b.local()[node].rotation);
            }
            const double away_mm =
                1000.0 * glm::length(a.world()[node].translation - b.world()[node].translation);
            if (away_mm > worst.position_mm) {
                worst.position_mm = away_mm;
                worst.joint = nodes[node].name;
                worst.position_at_seconds = time;
            }
        }
    }
    return worst;
}

std::vector<double> frame_times(const file::Document& document) {
    std::vector<double> times;
    for (std::size_t frame = 0; frame < document.frame_count; ++frame) {
        times.push_back(static_cast<double>(frame) * document.frame_time_seconds);
    }
    return times;
}

ComparedTimes compared_times(const file::Document& document, const Clip& wanted, double jump_seconds) {
    std::vector<double> times = frame_times(document);
    std::vector<double> bends;
    for (const Track& track : wanted.tracks) {
        if (track.channel == Channel::property) {
            continue;
        }
        add_bend_times(track, bends);
        times.insert(times.end(), track.times.begin(), track.times.end());
        // Equal times of many tracks take memory only until the next track.
        times = sorted_unique(std::move(times));
    }
    // Nothing is shown before the first frame.
    times.erase(times.begin(), std::lower_bound(times.begin(), times.end(), 0.0));
    return split_at_jumps(
        with_bends(with_midpoints(times), std::move(bends)), frame_times(document),
        jump_times(wanted, std::max(jump_seconds, shortest_slope(document.frame_time_seconds))));
}

Result<Clip> as_written(const file::Document& document, const clip::Placement& placement) {
    return file::read(file::write(document), Reading::strict).and_then([&](const file::Document& again) {
        return clip::to_clip(again, placement);
    });
}

}  // namespace animbridge::bvh::scene
