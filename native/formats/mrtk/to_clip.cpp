// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <utility>

#include "formats/mrtk/clip.h"
#include "formats/mrtk/hand_motion.h"
#include "formats/mrtk/loose_curves.h"
#include "formats/mrtk/pose_numbers.h"
#include "formats/mrtk/repair.h"
#include "formats/mrtk/unity_curve.h"

namespace animbridge::mrtk {

namespace {

/// The handle that leaves a key to the right, or, with the left key's sign flipped, the one that arrives from
/// there.
struct Reach {
    double time = 0;
    double value = 0;
};

Reach reach_of(double tangent, double weight, double length, double sign) {
    return {weight * length, sign * tangent * weight * length};
}

Track number_track(const CurveView& curve, std::size_t node, const PoseNumber& number) {
    Track track{node, number.channel};
    track.component = number.component;
    bool curved = false;
    track.handles.resize(curve.size());
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const CurveKey key = curve.key(i);
        track.add_key(key.time, std::array{number.sign * key.value});
        track.interpolation.push_back(Interpolation::linear);
        if (i + 1 == curve.size()) {
            break;
        }
        const CurveKey next = curve.key(i + 1);
        const Segment segment = segment_between(key, next);
        if (segment.kind == Segment::Kind::step) {
            track.interpolation.back() = Interpolation::step;
        } else if (segment.kind == Segment::Kind::curved) {
            curved = true;
            track.interpolation.back() = Interpolation::bezier;
            const double length = next.time - key.time;
            const Reach out = reach_of(key.out_tangent, segment.out_weight, length, number.sign);
            const Reach in = reach_of(next.in_tangent, segment.in_weight, length, number.sign);
            track.handles[i].out_time = out.time;
            track.handles[i].out_value = out.value;
            track.handles[i + 1].in_time = -in.time;
            track.handles[i + 1].in_value = -in.value;
        }
    }
    if (!curved) {
        track.handles.clear();
    }
    return track;
}

/// A quaternion whose W has no keys has W = 0 in Unity, where a joint at rest has 1.
Track zero_track(std::size_t node, const PoseNumber& number) {
    Track track{node, number.channel};
    track.component = number.component;
    track.add_key(0.0, std::array{0.0});
    return track;
}

void add_pose(const LooseCurves& curves, std::size_t pose, std::size_t node, Clip& clip) {
    bool turns = false;
    for (std::size_t i = 0; i < pose_curves; ++i) {
        const PoseNumber number = pose_number(i);
        const CurveView curve = curves[first_curve_of(pose) + i].view();
        turns = turns || (number.channel == Channel::rotation && !curve.empty());
        if (!curve.empty()) {
            clip.tracks.push_back(number_track(curve, node, number));
        } else if (turns && i == rotation_w) {
            clip.tracks.push_back(zero_track(node, number));
        }
    }
}

}  // namespace

void add_gaze_tracks(const Player& player, std::size_t pose, std::size_t node, Clip& clip) {
    const std::size_t first = first_gaze_curve + 3 * (pose - gaze_pose);
    for (std::size_t i = 0; i < 3; ++i) {
        const CurveView& curve = player.curve(first + i);
        if (!curve.empty()) {
            clip.tracks.push_back(number_track(curve, node, pose_number(i)));
        }
    }
}

Clip to_clip(const Document& document, const Player& player, const HandRig& rig, Signs signs) {
    LooseCurves curves = taken_apart(document);
    std::for_each(curves.begin(), curves.end(), sort_keys);
    if (signs == Signs::continuous) {
        continue_signs(curves);
    }
    Clip clip{rig.skeleton, {}, {}, player.duration_seconds()};
    for (std::size_t node = 0; node < rig.skeleton.nodes.size(); ++node) {
        const std::size_t pose = rig.pose_of_node[node];
        if (pose < gaze_pose) {
            add_pose(curves, pose, node, clip);
        } else {
            add_gaze_tracks(player, pose, node, clip);
        }
    }
    add_switches_and_markers(document, player, clip);
    return clip;
}

}  // namespace animbridge::mrtk
