// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/mrtk/axes.h"
#include "formats/mrtk/format.h"
#include "formats/mrtk/loose_curves.h"
#include "formats/mrtk/player.h"
#include "formats/mrtk/repair.h"
#include "formats/mrtk/through_clip.h"
#include "formats/mrtk/version.h"
#include "model/clip_poser.h"
#include "model/comparison.h"

namespace animbridge::mrtk {

namespace {

struct FromClipOptions {
    std::optional<std::int32_t> minor{};
};

constexpr std::array<OptionRow<FromClipOptions>, 1> from_clip_rows = {{
    {{.name = "version",
      .type = OptionType::choice,
      .command_name = "--mrtk-version",
      .value_name = "VERSION",
      .choices = {"1.0", "1.1"},
      .without = "1.0 if a curve is not made of straight lines, else 1.1",
      .help = "Version of the format"},
     [](FromClipOptions& options, const Json& value) { options.minor = value == "1.1" ? 1 : 0; }},
}};
constexpr auto from_clip_table = options_of(from_clip_rows);

/// What is not keyed in the file's own way is sampled at MRTK's default rate.
constexpr double samples_per_second = 60.0;
constexpr double largest_samples = 1e6;

RawFloat narrowed(double value) { return RawFloat(static_cast<float>(value)); }

/// A weight this near to a third is that of a key without weights.
constexpr double third_tolerance = 1e-9;

/// One side of a Bezier key: its tangent, and its weight unless that is a third.
struct Side {
    RawFloat tangent{};
    RawFloat weight{};
    bool is_weighted = true;
};
Side side_of(double time, double value, double length) {
    Side side;
    const double weight = std::clamp(time / length, 0.0, 1.0);
    side.tangent = narrowed(time > 0.0 ? value / time : 0.0);
    side.is_weighted = std::abs(weight - 1.0 / 3.0) > third_tolerance;
    side.weight = side.is_weighted ? narrowed(weight) : RawFloat();
    return side;
}

/// One number of a track as a curve; `sign` as in axes.h.
LooseCurve curve_of(const Track& track, std::size_t number, double sign) {
    LooseCurve curve;
    const std::size_t width = track.width();
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        curve.keys.push_back(
            full_key_of({narrowed(track.times[key]), narrowed(sign * track.values[key * width + number])}));
    }
    for (std::size_t key = 0; key + 1 < track.key_count(); ++key) {
        FullKey& left = curve.keys[key];
        FullKey& right = curve.keys[key + 1];
        const double length = track.times[key + 1] - track.times[key];
        const Interpolation kind = track.interpolation_after(key);
        if (kind == Interpolation::step) {
            left.out_tangent = RawFloat(INFINITY);
        } else if (kind == Interpolation::bezier && length > 0.0) {
            const Handles& from = track.handles[key * width + number];
            const Handles& to = track.handles[(key + 1) * width + number];
            const Side out = side_of(from.out_time, sign * from.out_value, length);
            const Side in = side_of(-to.in_time, -sign * to.in_value, length);
            left.out_tangent = out.tangent;
            left.out_weight = out.weight;
            left.weighted_mode &= out.is_weighted ? weighted_both : ~weighted_out;
            right.in_tangent = in.tangent;
            right.in_weight = in.weight;
            right.weighted_mode &= in.is_weighted ? weighted_both : ~weighted_in;
        }
    }
    return curve;
}

LooseCurve constant(double value) {
    return {clamp_forever, clamp_forever, {full_key_of({RawFloat(0.0F), narrowed(value)})}};
}

/// Where a node's motion goes in the file.
struct Place {
    std::size_t position = 0;               ///< first curve
    std::optional<std::size_t> rotation{};  ///< first curve; none: of the gaze
};
std::optional<Place> place_of(const std::string& name) {
    if (name == gaze_name) {
        return Place{first_gaze_curve};
    }
    if (name == gaze_direction_name) {
        return Place{first_gaze_curve + 3};
    }
    const auto pose = pose_named(name);
    return pose ? std::optional(Place{first_curve_of(*pose), first_rotation_of(*pose)}) : std::nullopt;
}

class CurvesMaker {
public:
    explicit CurvesMaker(const Clip& clip) : clip_(clip) {
        for (std::size_t node = 0; node < clip.skeleton.nodes.size(); ++node) {
            places_.push_back(place_of(clip.skeleton.nodes[node].name));
        }
    }

    void make() {
        for (const Track& track : clip_.tracks) {
            if (track.key_count() == 0) {
                continue;
            }
            if (track.channel == Channel::property) {
                add_property(track);
            } else if (!places_[track.node]) {
                leave_out("joint " + clip_.skeleton.nodes[track.node].name);
            } else if (!clip_.skeleton.nodes[track.node].parent) {
                add_track(track);
            }
        }
        for (std::size_t node = 0; node < places_.size(); ++node) {
            if (places_[node] && !clip_.skeleton.nodes[node].parent) {
                add_rest(node);
            }
        }
        sample_parented();
    }

    LooseCurves curves = LooseCurves(curve_count);
    std::vector<std::string> left_out{};

    [[nodiscard]] bool has_any() const {
        return std::any_of(curves.begin(), curves.end(),
                           [](const LooseCurve& curve) { return !curve.keys.empty(); });
    }
    [[nodiscard]] const std::vector<std::optional<Place>>& places() const { return places_; }

private:
    void leave_out(const std::string& what) {
        if (std::find(left_out.begin(), left_out.end(), what) == left_out.end()) {
            left_out.push_back(what);
        }
    }
    void add_property(const Track& track) {
        const auto* const found = std::find(switch_names.begin(), switch_names.end(), track.property);
        if (found == switch_names.end()) {
            leave_out("the channel \"" + track.property + "\" of " + clip_.skeleton.nodes[track.node].name);
            return;
        }
        LooseCurve& curve = curves[first_switch + static_cast<std::size_t>(found - switch_names.begin())];
        curve = {};
        for (std::size_t key = 0; key < track.key_count(); ++key) {
            const float on = track.values[key] > 0.5 ? 1.0F : 0.0F;
            curve.keys.push_back(full_key_of({narrowed(track.times[key]), RawFloat(on)}));
        }
    }
    void add_track(const Track& track) {
        const Place& place = *places_[track.node];
        const bool turns = track.channel == Channel::rotation;
        if (turns && !place.rotation) {
            leave_out("the rotation of " + clip_.skeleton.nodes[track.node].name);
            return;
        }
        const std::size_t first = turns ? *place.rotation : place.position;
        for (std::size_t i = 0; i < track.width(); ++i) {
            const std::size_t number = track.component ? *track.component : i;
            const Source& source = turns ? rotation_sources.at(number) : translation_sources.at(number);
            curves[first + source.curve] = curve_of(track, i, source.sign);
        }
    }
    /// What a moving node does not key has a key where it rests.
    void add_rest(std::size_t node) {
        const Place& place = *places_[node];
        const std::size_t count = place.rotation ? pose_curves : 3;
        bool moves = false;
        for (std::size_t i = 0; i < count; ++i) {
            moves = moves || !curves[place.position + i].keys.empty();
        }
        const Transform& rest = clip_.skeleton.nodes[node].rest_local;
        const glm::dvec3 at = swapped(rest.translation);
        const glm::dquat turned = swapped(rest.rotation);
        const std::array<double, pose_curves> numbers = {at.x,     at.y,     at.z,    turned.x,
                                                         turned.y, turned.z, turned.w};
        for (std::size_t i = 0; moves && i < count; ++i) {
            if (curves[place.position + i].keys.empty()) {
                curves[place.position + i] = constant(numbers.at(i));
            }
        }
    }
    /// Nodes with parents, whose poses in the world no track has.
    void sample_parented() {
        std::vector<std::size_t> nodes;
        ClipPoser poser(clip_);
        for (std::size_t node = 0; node < places_.size(); ++node) {
            if (places_[node] && clip_.skeleton.nodes[node].parent && poser.moves(node)) {
                nodes.push_back(node);
            }
        }
        if (nodes.empty()) {
            return;
        }
        const auto last = static_cast<std::size_t>(
            std::min(std::ceil(clip_.duration_seconds * samples_per_second), largest_samples));
        for (std::size_t sample = 0; sample <= last; ++sample) {
            const double seconds =
                std::min(static_cast<double>(sample) / samples_per_second, clip_.duration_seconds);
            poser.pose(seconds);
            for (const std::size_t node : nodes) {
                add_sample(*places_[node], poser.world()[node], seconds);
            }
        }
    }
    void add_sample(const Place& place, const Transform& world, double seconds) {
        const glm::dvec3 at = swapped(world.translation);
        const glm::dquat q = swapped(world.rotation);
        const std::array<double, pose_curves> numbers = {at.x, at.y, at.z, q.x, q.y, q.z, q.w};
        for (std::size_t i = 0; i < (place.rotation ? pose_curves : 3); ++i) {
            curves[place.position + i].keys.push_back(
                full_key_of({narrowed(seconds), narrowed(numbers.at(i))}));
        }
    }

    const Clip& clip_;
    std::vector<std::optional<Place>> places_{};
};

void add_markers(const Clip& clip, Document& document) {
    std::vector<animbridge::Marker> sorted = clip.markers;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const animbridge::Marker& a, const animbridge::Marker& b) {
                         return a.time_seconds < b.time_seconds;
                     });
    for (const animbridge::Marker& marker : sorted) {
        document.markers.push_back({narrowed(marker.time_seconds),
                                    static_cast<std::uint32_t>(marker.name.size()),
                                    length_bytes_of(marker.name.size())});
        document.marker_names += marker.name;
    }
}

/// How far the file plays from the clip, at the clip's keys and half-way between.
Result<JointDifference> error_of(const Clip& clip, const Document& document,
                                 const std::vector<std::optional<Place>>& places, const Job& job) {
    std::vector<double> times{0.0, clip.duration_seconds};
    for (const Track& track : clip.tracks) {
        times.insert(times.end(), track.times.begin(), track.times.end());
    }
    times = with_midpoints(sorted_unique(std::move(times)));
    const Player player(document);
    ClipPoser poser(clip);
    JointDifference worst;
    for (std::size_t i = 0; i < times.size(); ++i) {
        TRY_VOID(job.report(static_cast<double>(i) / static_cast<double>(times.size())));
        poser.pose(times[i]);
        for (std::size_t node = 0; node < places.size(); ++node) {
            const auto pose = pose_named(clip.skeleton.nodes[node].name);
            if (!pose || !player.exists(*pose)) {
                continue;
            }
            const ShownPose shown = player.pose(*pose, times[i]);
            const Transform& wanted = poser.world()[node];
            worst.widen(1000.0 * glm::length(swapped(shown.position) - wanted.translation),
                        angle_between_degrees(swapped(shown.meant), wanted.rotation), times[i]);
        }
    }
    return worst;
}

Result<void> require_floats(const LooseCurves& curves) {
    for (std::size_t i = 0; i < curve_count; ++i) {
        for (const FullKey& key : curves[i].keys) {
            if (!key.time.is_finite() || !key.value.is_finite()) {
                Error error{ErrorCode::bad_value, "is too large for the single precision of a recording"};
                error.field = curve_name(i);
                return tl::unexpected<Error>(std::move(error));
            }
        }
    }
    return {};
}

/// The version, and the sections that have keys.
Document head_for(const LooseCurves& curves, std::int32_t minor) {
    Document head;
    head.minor = minor;
    if (minor == 1) {
        head.sections = {0, 0, 0};
        for (std::size_t i = 0; i < curve_count; ++i) {
            if (!curves[i].keys.empty()) {
                head.sections.at(static_cast<std::size_t>(section_of(i))) = 1;
            }
        }
    }
    return head;
}

}  // namespace

std::span<const Option> from_clip_options() { return from_clip_table; }

Result<Made> document_from_clip(const ClipRequest& request) {
    FromClipOptions options;
    TRY_VOID(read_options(request.options, from_clip_rows, options));
    const Clip& clip = request.clip;
    CurvesMaker maker(clip);
    maker.make();
    if (!maker.has_any()) {
        return fail(ErrorCode::invalid_argument,
                    "none of the joints that move is one of an MRTK recording; it has Camera, L_Wrist, "
                    "R_IndexTip and the others that docs/mrtk-format.md lists");
    }
    TRY_VOID(require_floats(maker.curves));
    continue_signs(maker.curves);
    const std::int32_t minor = options.minor.value_or(is_all_lines(maker.curves) ? 1 : 0);
    Document head;
    head.minor = 1;
    head.sections = {1, 1, 1};
    const VersionChange change = change_version(head, maker.curves, minor);
    head = head_for(maker.curves, minor);
    add_markers(clip, head);
    std::vector<std::string> left_out = std::move(maker.left_out);
    if (change.gaze_keys > 0) {
        left_out.emplace_back("the gaze, which version 1.0 does not have");
    }
    if (change.curved_segments > 0) {
        left_out.push_back(std::to_string(change.curved_segments) + " curved segments, which are lines now");
    }
    Document document = put_together(head, maker.curves);
    TRY(const auto worst, error_of(clip, document, maker.places(), request.job));
    Json report = {{"version", version_text(document)},
                   {"keys", document.full_keys.size() + document.simple_keys.size()},
                   {"max_position_error_mm", worst.position_mm},
                   {"max_rotation_error_degrees", worst.rotation_degrees},
                   {"left_out", left_out_json(left_out)}};
    return Made{make_document(std::move(document)), std::move(report)};
}

}  // namespace animbridge::mrtk
