// SPDX-License-Identifier: MIT
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "formats/mrtk/axes.h"
#include "formats/mrtk/loose_curves.h"
#include "formats/mrtk/player.h"
#include "formats/mrtk/repair.h"
#include "formats/mrtk/through_clip.h"

namespace animbridge::mrtk {

namespace {

struct ToClipOptions {
    bool raw_signs = false;
};

constexpr std::array<OptionRow<ToClipOptions>, 1> to_clip_rows = {{
    {{.name = "raw_signs",
      .type = OptionType::flag,
      .command_name = "--raw-signs",
      .standard = "false",
      .help = "Keep the signs of quaternions as recorded, which makes joints tumble where they change"},
     [](ToClipOptions& options, const Json& value) { options.raw_signs = value.get<bool>(); }},
}};
constexpr auto to_clip_table = options_of(to_clip_rows);

/// The segment from a key to the next one as interpolation and handles.
void add_segment(Track& track, std::size_t key, const CurveKey& left, const CurveKey& right, double sign) {
    const Segment segment = segment_between(left, right);
    if (segment.kind == Segment::Kind::step) {
        track.interpolation[key] = Interpolation::step;
        return;
    }
    if (segment.kind == Segment::Kind::linear) {
        return;
    }
    const double length = right.time - left.time;
    track.interpolation[key] = Interpolation::bezier;
    track.handles.resize(track.times.size());
    Handles& out = track.handles[key];
    out.out_time = segment.out_weight * length;
    out.out_value = sign * left.out_tangent * out.out_time;
    Handles& in = track.handles[key + 1];
    in.in_time = -segment.in_weight * length;
    in.in_value = sign * right.in_tangent * in.in_time;
}

Track track_of(const LooseCurve& curve, double sign) {
    Track track;
    const CurveView view = curve.view();
    track.times.reserve(view.size());
    track.values.reserve(view.size());
    for (std::size_t key = 0; key < view.size(); ++key) {
        track.times.push_back(view.time(key));
        track.values.push_back(sign * view.value(key));
    }
    track.interpolation.assign(view.size(), Interpolation::linear);
    for (std::size_t key = 1; key < view.size(); ++key) {
        add_segment(track, key - 1, view.key(key - 1), view.key(key), sign);
    }
    return track;
}

/// Fills a clip from curves.
class ClipMaker {
public:
    explicit ClipMaker(const LooseCurves& curves) : curves_(curves) {}

    void add_pose(std::size_t pose) {
        const std::size_t node = add_node(pose_name(pose));
        add_vector(node, first_curve_of(pose));
        for (std::size_t i = 0; i < rotation_sources.size(); ++i) {
            add_number(node, Channel::rotation, i, first_rotation_of(pose), rotation_sources.at(i));
        }
    }
    void add_gaze() {
        add_vector(add_node(std::string(gaze_name)), first_gaze_curve);
        add_vector(add_node(std::string(gaze_direction_name)), first_gaze_curve + 3);
    }
    /// On the first node, as a clip has no place for what belongs to none.
    void add_switches() {
        for (std::size_t i = 0; i < switch_count; ++i) {
            const LooseCurve& curve = curves_[first_switch + i];
            if (curve.keys.empty()) {
                continue;
            }
            if (clip.skeleton.nodes.empty()) {
                add_node(std::string(camera_name));
            }
            Track track = track_of(curve, 1.0);
            for (double& value : track.values) {
                value = value > 0.5 ? 1.0 : 0.0;
            }
            track.interpolation.assign(track.times.size(), Interpolation::step);
            track.handles.clear();
            track.channel = Channel::property;
            track.property = switch_names.at(i);
            clip.tracks.push_back(std::move(track));
        }
    }

    Clip clip{};

private:
    std::size_t add_node(std::string name) {
        clip.skeleton.nodes.push_back({std::move(name)});
        return clip.skeleton.nodes.size() - 1;
    }
    void add_vector(std::size_t node, std::size_t first) {
        for (std::size_t i = 0; i < translation_sources.size(); ++i) {
            add_number(node, Channel::translation, i, first, translation_sources.at(i));
        }
    }
    void add_number(std::size_t node, Channel channel, std::size_t number, std::size_t first,
                    const Source& source) {
        const LooseCurve& curve = curves_[first + source.curve];
        if (curve.keys.empty()) {
            return;
        }
        Track track = track_of(curve, source.sign);
        track.node = node;
        track.channel = channel;
        track.component = static_cast<std::uint8_t>(number);
        clip.tracks.push_back(std::move(track));
    }

    const LooseCurves& curves_;
};

bool repeats(const Document& document) {
    for (const Curve& curve : document.curves) {
        for (const std::int32_t mode : {curve.pre_wrap, curve.post_wrap}) {
            if (curve.count > 1 && (mode == loop || mode == ping_pong)) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace

std::span<const Option> to_clip_options() { return to_clip_table; }

Result<ClipMade> document_to_clip(const Document& document, const Json& options) {
    ToClipOptions wanted;
    TRY_VOID(read_options(options, to_clip_rows, wanted));
    TRY_VOID(require_playable(document));
    LooseCurves curves = taken_apart(document);
    for (LooseCurve& curve : curves) {
        sort_keys(curve);
    }
    if (!wanted.raw_signs) {
        continue_signs(curves);
    }
    ClipMaker maker(curves);
    for (std::size_t pose = 0; pose < pose_count; ++pose) {
        if (has_keys(document, pose)) {
            maker.add_pose(pose);
        }
    }
    if (has_gaze_keys(document)) {
        maker.add_gaze();
    }
    maker.add_switches();
    ClipMade made{std::move(maker.clip), {}};
    made.clip.duration_seconds = duration_seconds(document);
    for (const NamedMarker& marker : named_markers(document)) {
        if (marker.time.is_finite()) {
            made.clip.markers.push_back({std::string(marker.name), static_cast<double>(marker.time.value())});
        }
    }
    if (repeats(document)) {
        made.left_out.emplace_back("the repetition of curves beyond their keys");
    }
    return made;
}

}  // namespace animbridge::mrtk
