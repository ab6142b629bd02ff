// SPDX-License-Identifier: MIT
#include "formats/mrtk/scene/scene.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "formats/mrtk/check/check.h"
#include "formats/mrtk/clip/clip.h"
#include "formats/mrtk/curves/curves.h"
#include "formats/mrtk/file/file.h"
#include "rig/curves/curves.h"

namespace animbridge::mrtk::scene {

namespace {

/// The curves of a pose or gaze for a channel of a bone.
struct CurveGroup {
    std::size_t first = 0;
    std::size_t count = 0;
};

CurveGroup group_of(std::size_t pose, rig::armature::BoneChannel channel) {
    if (pose >= hands::gaze_pose) {
        return {file::first_gaze_curve + 3 * (pose - hands::gaze_pose),
                channel == rig::armature::BoneChannel::location ? 3U : 0U};
    }
    return channel == rig::armature::BoneChannel::location ? CurveGroup{file::first_curve_of(pose), 3}
                                                           : CurveGroup{file::first_rotation_of(pose), 4};
}

std::optional<std::size_t> switch_of(std::string_view property) {
    const auto* const found = std::find(file::switch_names.begin(), file::switch_names.end(), property);
    return found == file::switch_names.end()
               ? std::nullopt
               : std::optional(file::first_switch +
                               static_cast<std::size_t>(found - file::switch_names.begin()));
}

/// A bone with a parent has values that are relative to it.
Result<void> require_free(const rig::armature::Armature& armature, const rig::armature::BoneMap& map,
                          const hands::HandRig& rig) {
    for (std::size_t bone = 0; bone < armature.bones.size(); ++bone) {
        const auto node = map.node_of_bone[bone];
        if (node && armature.bones[bone].parent && rig.pose_of_node[*node] <= hands::gaze_pose) {
            return fail(
                ErrorCode::invalid_argument,
                "bone '" + armature.bones[bone].name +
                    "' hangs on another bone, so its curves are not its pose in the world: sample it");
        }
    }
    return {};
}

/// Which curves of the file stay as the template has them.
std::set<std::size_t> kept_curves(const SceneMotion& request, const rig::armature::BoneMap& map,
                                  const hands::HandRig& rig, bool keeps_others) {
    std::set<std::size_t> kept;
    const auto keep = [&](const CurveGroup& group) {
        for (std::size_t i = 0; i < group.count; ++i) {
            kept.insert(group.first + i);
        }
    };
    for (const rig::curves::UnchangedCurve& curve : request.unchanged) {
        if (curve.channel == rig::armature::BoneChannel::property) {
            if (const auto number = switch_of(curve.property)) {
                kept.insert(*number);
            }
        } else if (const auto node = map.node_of_bone[curve.bone]) {
            keep(group_of(rig.pose_of_node[*node], curve.channel));
        }
    }
    // Poses that no bone shows were not edited either.
    std::set<std::size_t> shown(rig.pose_of_node.begin(), rig.pose_of_node.end());
    for (std::size_t pose = 0; keeps_others && pose < hands::gaze_pose + 2; ++pose) {
        if (!shown.contains(pose)) {
            keep(group_of(pose, rig::armature::BoneChannel::location));
            keep(group_of(pose, rig::armature::BoneChannel::quaternion));
        }
    }
    return kept;
}

/// Whether two numbers are equal within the single precision of Blender.
bool is_same(double a, double b, double magnitude) {
    constexpr double steps = 4.0 * static_cast<double>(std::numeric_limits<float>::epsilon());
    return std::abs(a - b) <= steps * std::max(magnitude, 1e-3);
}

/// Restores the template's times of keys that were not moved in time, and its tangents and weights if the
/// handles were not moved either: in Blender they were frames in single precision.
class Restorer {
public:
    Restorer(const curves::LooseCurve& before, const rig::curves::Timing& timing)
        : before_(before), timing_(timing) {}

    void restore(curves::LooseCurve& curve) const {
        std::size_t from = 0;
        const curves::LooseCurve made_curve{file::clamp_forever, file::clamp_forever, curve.keys};
        const std::vector<file::FullKey>& made = made_curve.keys;
        const curves::CurveView made_view = made_curve.view();
        const curves::CurveView old_view = before_.view();
        for (std::size_t i = 0; i < made.size(); ++i) {
            while (from < before_.keys.size() && frame_of(before_.keys[from]) < frame_of(made[i])) {
                ++from;
            }
            if (from == before_.keys.size() || frame_of(before_.keys[from]) != frame_of(made[i])) {
                continue;
            }
            // A key with another value also keeps its time, with those of the pose's other curves.
            const file::FullKey& old = before_.keys[from];
            curve.keys[i].time = old.time;
            if (old.value.value() == made[i].value.value()) {
                curve.keys[i].value = old.value;
                if (is_same_shape(made_view, i, old_view, from)) {
                    curve.keys[i] = old;
                }
            }
            ++from;
        }
    }

private:
    [[nodiscard]] float frame_of(const file::FullKey& key) const {
        return static_cast<float>(timing_.frame_at(static_cast<double>(key.time.value())));
    }

    /// Whether the key's two segments look like those of the old one.
    [[nodiscard]] bool is_same_shape(const curves::CurveView& made, std::size_t i,
                                     const curves::CurveView& old, std::size_t from) const {
        const bool same_before = i == 0 ? from == 0 : from > 0 && is_same_segment(made, i - 1, old, from - 1);
        const bool same_after = i + 1 == made.size()
                                    ? from + 1 == old.size()
                                    : from + 1 < old.size() && is_same_segment(made, i, old, from);
        return same_before && same_after;
    }

    [[nodiscard]] bool is_same_segment(const curves::CurveView& made, std::size_t i,
                                       const curves::CurveView& old, std::size_t from) const {
        const curves::CurveKey a = made.key(i);
        const curves::CurveKey b = made.key(i + 1);
        const curves::CurveKey old_a = old.key(from);
        const curves::CurveKey old_b = old.key(from + 1);
        const curves::Segment shape = curves::segment_between(a, b);
        const curves::Segment old_shape = curves::segment_between(old_a, old_b);
        if (shape.kind != old_shape.kind) {
            return false;
        }
        const double length = old_b.time - old_a.time;
        const double frames = std::abs(timing_.frame_at(old_b.time)) / timing_.frames_per_second;
        const double size = std::abs(a.value) + std::abs(b.value) + std::abs(old_a.value - old_b.value);
        const auto same_reach = [&](double weight, double old_weight, double slope, double old_slope) {
            return is_same(weight * length, old_weight * length, frames) &&
                   is_same(slope * weight * length, old_slope * old_weight * length,
                           size + std::abs(old_slope * old_weight * length));
        };
        return shape.kind != curves::Segment::Kind::curved ||
               (same_reach(shape.out_weight, old_shape.out_weight, a.out_tangent, old_a.out_tangent) &&
                same_reach(shape.in_weight, old_shape.in_weight, b.in_tangent, old_b.in_tangent));
    }

    const curves::LooseCurve& before_;
    const rig::curves::Timing& timing_;
};

double last_second(const SceneMotion& request) {
    double last = 0.0;
    for (const rig::curves::CurveView& curve : request.curves) {
        if (!curve.points.empty()) {
            const double frame = curve.points[curve.points.size() - 2];
            last = std::max(last, request.timing.seconds_at(frame));
        }
    }
    return last;
}

/// Takes from the template what is unchanged, and the bits of keys that were not moved.
void take_template(const file::Document& before, const std::set<std::size_t>& kept,
                   const rig::curves::Timing& timing, curves::LooseCurves& curves) {
    const curves::LooseCurves old = curves::taken_apart(before);
    for (std::size_t i = 0; i < file::curve_count; ++i) {
        if (kept.contains(i)) {
            curves[i] = old[i];
        } else {
            curves[i].pre_wrap = old[i].pre_wrap;
            curves[i].post_wrap = old[i].post_wrap;
            Restorer(old[i], timing).restore(curves[i]);
        }
    }
}

/// What the scene shows: the recording's unchanged poses, and the clip's others.
Clip shown_clip(const Clip& clip, const file::Document& document, const std::set<std::size_t>& kept,
                const hands::HandRig& rig) {
    if (kept.empty()) {
        return clip;
    }
    const play::Player player(document);
    Clip shown = clip;
    const Clip whole = clip::to_clip(document, player, rig, clip::Signs::continuous);
    for (const Track& track : whole.tracks) {
        if (track.channel != Channel::property && track.component) {
            const std::size_t pose = rig.pose_of_node[track.node];
            const CurveGroup group = group_of(pose, rig::armature::BoneChannel::location);
            const std::size_t number = curves::curve_of_number(track.channel, *track.component);
            if (kept.contains(group.first + number)) {
                shown.tracks.push_back(track);
            }
        }
    }
    return shown;
}

}  // namespace

Result<Made> from_curves(const SceneMotion& request) {
    TRY(const auto options, curve_options_from(request.options));
    const file::Document* const before =
        request.template_document == nullptr ? nullptr : as_mrtk(*request.template_document);
    rig::armature::Armature armature = request.rig->armature;
    armature.facing = rig::armature::Facing::x;
    const hands::HandRig rig = clip::rig_of_bones(armature);
    const rig::armature::BoneMap map = clip::bones_by_name(rig.skeleton, armature);
    TRY_VOID(require_free(armature, map, rig));
    TRY(Clip clip, rig::curves::clip_of_keys(request.curves, rig.skeleton, armature, map, request.timing,
                                             last_second(request)));
    clip::FromClip read = clip::from_clip(clip);
    TRY(read.recording.markers, new_markers(options, before, request.timing));
    std::set<std::size_t> kept;
    if (before != nullptr) {
        kept = kept_curves(request, map, rig, options.keep_others);
        take_template(*before, kept, request.timing, read.recording.curves);
    }
    if (before == nullptr) {
        read.recording.track_hands();
    }
    if (read.recording.is_empty() && before == nullptr) {
        return fail(
            ErrorCode::invalid_argument,
            "no bone of the armature has a name of a recording's, such as \"L_Wrist\", \"R_IndexTip\" or "
            "\"Camera\"; the hands of a character need samples (Blender: Method Samples; library: "
            "from_samples)");
    }
    std::vector<std::string> warnings;
    file::Document document = edit::assembled(std::move(read.recording), options.version, before, warnings);
    TRY_VOID(check::require_playable(document));
    const Clip shown = shown_clip(clip, document, kept, rig);
    return measured_export(std::move(document), shown, std::move(warnings), request.job);
}

}  // namespace animbridge::mrtk::scene
