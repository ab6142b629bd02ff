// SPDX-License-Identifier: MIT
#include "formats/bvh/scene/scene.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>
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

/// Per bone, at the file's frames: the template's motion of unchanged channels, so that Blender's float
/// curves do not round it.
Result<std::vector<rig::curves::BoneMotion>> unchanged_motion(const SceneMotion& motion,
                                                              const ExportLayout& layout) {
    std::vector<rig::curves::BoneMotion> motions;
    if (motion.unchanged.empty()) {
        return motions;
    }
    const ExportOptions& options = layout.options;
    if (options.template_document == nullptr) {
        return fail(ErrorCode::invalid_argument,
                    "a curve is marked unchanged, and there is no template_document");
    }
    TRY(const auto clip,
        clip::to_clip(*options.template_document, options.placement, layout.template_frame_seconds));
    const std::vector<NodeTracks> tracks = tracks_by_node(clip);
    const double step_seconds =
        layout.same_times ? layout.frame_seconds : options.frame_step / motion.timing.frames_per_second;
    motions.resize(motion.rig->armature.bones.size());
    for (const rig::curves::UnchangedCurve& curve : motion.unchanged) {
        const auto joint = layout.joint_of_bone[curve.bone];
        const bool moves = curve.channel == rig::armature::BoneChannel::location;
        const Track* track = !joint ? nullptr : moves ? tracks[*joint].translation : tracks[*joint].rotation;
        rig::curves::BoneMotion& kept = motions[curve.bone];
        // One channel has several curves.
        if (track == nullptr || !(moves ? kept.positions.empty() : kept.rotations.empty())) {
            continue;
        }
        TrackCursor cursor(*track);
        const glm::dvec3 shift = rig::curves::rest_step(motion.rig->armature, curve.bone) -
                                 clip.skeleton.nodes[*joint].rest_local.translation;
        for (std::size_t frame = 0; frame < options.frame_count; ++frame) {
            const double second = static_cast<double>(frame) * step_seconds;
            if (moves) {
                kept.positions.push_back(cursor.translation_at(second) + shift);
            } else {
                kept.rotations.push_back(cursor.rotation_at(second));
            }
        }
    }
    return motions;
}

/// Writes what a clip cannot hold into a document that from_clip made.
class Finisher {
public:
    Finisher(const rig::armature::Armature& armature, const ExportLayout& layout, file::Document& document)
        : armature_(armature),
          layout_(layout),
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
                clip::axes_to_bone(layout_.options.placement.axes, armature_.bones[bone].rest.rotation) !=
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
        const std::vector<std::size_t> template_columns =
            layout_.options.template_document == nullptr ? std::vector<std::size_t>()
                                                         : layout_.options.template_document->first_columns();
        for (std::size_t node = 0; node < layout_.exported.bones.size(); ++node) {
            if (!layout_.same_offset[node]) {
                continue;
            }
            const file::Joint& joint =
                layout_.options.template_document->joints[*layout_.template_joints[node]];
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
        const file::Document& template_document = *layout_.options.template_document;
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
    const ExportLayout& layout_;
    file::Document& document_;
    std::vector<std::size_t> columns_;
    std::size_t width_;
};

/// The times of the document's frames.
std::vector<double> frame_times(const file::Document& document) {
    std::vector<double> times;
    for (std::size_t frame = 0; frame < document.frame_count; ++frame) {
        times.push_back(static_cast<double>(frame) * document.frame_time_seconds);
    }
    return times;
}

/// What the user has to decide.
std::vector<std::string> warnings_of(const FilePlan& plan) {
    if (plan.stuck.empty()) {
        return {};
    }
    return {"Choose moving positions (Blender: Positions) to keep that these bones leave their places: " +
            some_of(plan.stuck)};
}

/// That curves do not say how bones move that do not inherit rotation.
void warn_of_free_bones(const rig::armature::Armature& armature, const ExportLayout& layout,
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

Result<ExportRig> export_rig(const SceneMotion& motion) {
    TRY(const auto layout, bvh_layout(motion));
    ExportRig rig{motion.rig->armature};
    rig.armature.facing = rig::armature::Facing::x;  // the options' axes replace the armature's facing
    rig.skeleton = rig::curves::skeleton_of(layout.exported, rig.armature);
    rig.map = rig::curves::map_of(layout.exported, rig.armature);
    const std::size_t count = layout.options.frame_count;
    rig.duration_seconds = static_cast<double>(count - 1) * layout.frame_seconds;
    rig.frames = {count, layout.options.frame_step, layout.frame_seconds};
    if (motion.samples == nullptr) {
        TRY(rig.frames->kept, unchanged_motion(motion, layout));
    }
    return rig;
}

Result<Made> document_from_scene(const ClipOfScene& scene) {
    const SceneMotion& motion = scene.motion;
    const rig::armature::Armature& armature = scene.rig.armature;
    TRY(const auto layout, bvh_layout(motion));
    const ExportOptions& options = layout.options;
    const FilePlan plan = bvh_plan(layout, armature, scene.clip);
    file::Document document = clip::from_clip(scene.clip, plan.options);
    for (std::size_t node = 0; node < plan.names.size(); ++node) {
        document.joints[node].name = plan.names[node];
    }
    std::vector<std::string> warnings = warnings_of(plan);
    Finisher finisher(armature, layout, document);
    if (motion.samples == nullptr) {
        finisher.put_own_angles(rig::curves::applied_rotations(scene.values, armature));
        warn_of_free_bones(armature, layout, warnings);
    }
    finisher.keep_template();
    std::vector<std::string> details = plan.renamed;
    details.insert(details.end(), scene.left_out.begin(), scene.left_out.end());
    TRY_VOID(motion.job.report(0.7));
    TRY(auto measured, measured_file(document, options.placement, scene.shown(), frame_times(document)));
    WorstDifference& worst = measured.worst;
    Json report = {{"joints", document.joints.size()},
                   {"frames", document.frame_count},
                   {"forward", options.placement.axes.forward()},
                   {"moved_joints", moved_joints_json(scene.clip)},
                   {"max_rotation_error_degrees", worst.rotation_degrees},
                   {"max_position_error_mm", worst.position_mm},
                   {"worst", worst_json(worst)},
                   {"warnings", texts_json(warnings)},
                   {"details", texts_json(details)}};
    if (layout.same_times) {
        // Even if it is 0 or negative: such a file cannot be played, so it was not there before.
        document.frame_time_seconds = options.template_document->frame_time_seconds;
    }
    TRY_VOID(motion.job.report(1.0));
    return Made{file::make_document(std::move(document)), std::move(report), std::move(worst)};
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

Result<MeasuredFile> measured_file(const file::Document& document, const clip::Placement& placement,
                                   const Clip& wanted, std::span<const double> times) {
    TRY(const auto again, file::read(file::write(document), Reading::strict));
    TRY(auto shown, clip::to_clip(again, placement));
    WorstDifference worst = worst_errors(wanted, shown, times);
    return MeasuredFile{std::move(shown), std::move(worst)};
}

}  // namespace animbridge::bvh::scene
