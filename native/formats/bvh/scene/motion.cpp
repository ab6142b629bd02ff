// SPDX-License-Identifier: MIT
#include "formats/bvh/scene/scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "base/options/options.h"
#include "formats/bvh/clip/clip.h"
#include "formats/bvh/scene/export_layout.h"
#include "model/clip/clip.h"
#include "model/format/format.h"

namespace animbridge::bvh::scene {

namespace {

rig::armature::JointMatch match_joints(const file::Document& document, const rig::armature::SceneRig& rig,
                                       bool by_rig_map) {
    const std::vector<rig::armature::NamedJoint> joints = named_joints(document);
    return by_rig_map ? rig::armature::match_by_rig_map(joints, rig.armature, *rig.avatar, rig.map())
                      : rig::armature::match_by_names(joints, rig.armature);
}

}  // namespace

Result<CurvesMade> to_scene_curves(const file::File& file, const ToCurves& request) {
    const file::Document& document = file.document;
    const rig::armature::SceneRig& rig = *request.rig;
    TRY(const auto options, import_options_from(request.options));
    const rig::armature::JointMatch match = match_joints(document, rig, options.by_rig_map);
    clip::Placement placement = options.placement;
    if (options.by_rig_map) {
        placement.axes = clip::rotated_like(rig.armature, document, placement.axes, match);
    }
    return to_curves(document, placement, options.fit_height, rig.armature, match, request.timing)
        .map([&](Curves made) {
            Json report = curves_report(document, rig.armature, placement.axes, match, request.timing, made);
            return CurvesMade{std::move(made.result), std::move(report)};
        });
}

Result<std::vector<std::string>> played_joints(const file::File& file) {
    std::vector<std::string> names;
    for (const file::Joint& joint : file.document.joints) {
        names.push_back(joint.name);
    }
    return names;
}

Result<void> play(const file::File& file, std::span<const double> times_seconds,
                  std::optional<double> /*stop_seconds*/, const PoseArrays& out) {
    const double frame_seconds =
        file.document.frame_time_seconds > 0.0 ? file.document.frame_time_seconds : 1.0;
    return clip::to_clip(file.document, {}, frame_seconds).and_then([&](const Clip& clip) {
        return play_clip(clip, times_seconds, out);
    });
}

namespace {

/// The placement's rows with names for the command, which has none for imports.
template <typename Target>
constexpr std::array<OptionRow<Target>, 3> clip_placement_rows() {
    auto rows = placement_rows<Target>(false);
    constexpr std::array<std::string_view, 3> names = {"--forward", "--up", "--scale"};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].option.command_name = names[i];
    }
    rows[2].option.value_name = "METRES";
    return rows;
}

struct ClipOptions : PlacementOptions {
    std::optional<double> frames_per_second{};
    StopBound stop{};
};

/// The highest rate that is chosen automatically.
constexpr double highest_rate = 240.0;

constexpr auto clip_rate_rows = rate_rows<ClipOptions>(
    "the lowest usual rate at which every key is a frame, or else about the rate of the keys, and 30 at "
    "least; a multiple of that, up to 240, if the file would be too far off otherwise",
    "Frames per second");
struct ToClipOptions : PlacementOptions {
    bool is_human_scale = false;  ///< "scale" is "auto"
};

constexpr auto to_clip_rows = [] {
    auto rows = clip_placement_rows<ToClipOptions>();
    rows[2].option.choices[0] = "auto";
    rows[2].option.standard = {};
    rows[2].option.without = "1 to another BVH, else auto";
    rows[2].option.help =
        "Metres for one unit of the file: 0.01 for centimetres, 0.0254 for inches. auto: 1, 0.01 or 0.0254, "
        "whichever makes a body as tall as a person; if none does, the scale that makes it 1.75 m tall. "
        "Without a body, 1";
    rows[2].set = [](ToClipOptions& options, const Json& value) {
        options.is_human_scale = value.is_string();
        options.scale = value.is_string() ? 1.0 : value.get<double>();
    };
    return rows;
}();
constexpr auto from_clip_rows =
    joined_rows(joined_rows(clip_placement_rows<ClipOptions>(), clip_rate_rows), clip_stop_rows<ClipOptions>);
constexpr auto to_clip_table = options_of(to_clip_rows);
constexpr auto from_clip_table = options_of(from_clip_rows);

/// The clip with its nodes in the order in which a file nests them.
Clip depth_first(const Clip& clip) {
    const std::vector<Node>& nodes = clip.skeleton.nodes;
    std::vector<std::vector<std::size_t>> children(nodes.size() + 1);
    for (std::size_t node = 0; node < nodes.size(); ++node) {
        children[nodes[node].parent.value_or(nodes.size())].push_back(node);
    }
    Clip sorted{{}, clip.tracks, clip.markers, clip.duration_seconds, clip.frames_per_second};
    std::vector<std::size_t> new_index(nodes.size());
    std::vector<std::size_t> waiting(children.back().rbegin(), children.back().rend());
    while (!waiting.empty()) {
        const std::size_t node = waiting.back();
        waiting.pop_back();
        new_index[node] = sorted.skeleton.nodes.size();
        Node& added = sorted.skeleton.nodes.emplace_back(nodes[node]);
        added.parent = added.parent ? std::optional(new_index[*added.parent]) : std::nullopt;
        waiting.insert(waiting.end(), children[node].rbegin(), children[node].rend());
    }
    for (Track& track : sorted.tracks) {
        track.node = new_index[track.node];
    }
    return sorted;
}

/// Sets channels and end sites: roots and moving nodes have positions; a leaf ends a little further on.
void lay_out(const Clip& clip, clip::FromClip& made) {
    using enum file::ChannelKind;
    const std::vector<NodeTracks> tracks = tracks_by_node(clip);
    std::vector<bool> has_children(tracks.size(), false);
    for (const Node& node : clip.skeleton.nodes) {
        if (node.parent) {
            has_children[*node.parent] = true;
        }
    }
    const double end = 0.1 / made.placement.scale;
    for (std::size_t node = 0; node < tracks.size(); ++node) {
        const bool moves = !clip.skeleton.nodes[node].parent || tracks[node].translation != nullptr;
        std::vector<file::ChannelKind>& channels = made.channels.emplace_back();
        if (moves) {
            channels = {x_position, y_position, z_position};
        }
        channels.insert(channels.end(), {z_rotation, x_rotation, y_rotation});
        made.end_sites.push_back(has_children[node] ? std::vector<file::EndSite>{}
                                                    : std::vector<file::EndSite>{{"", {0.0, end, 0.0}}});
    }
}

/// Reports the unit that was assumed, because a BVH does not state it. Nothing if metres make a human.
void add_size(const clip::HumanScale& human, bool is_body, ClipMade& made) {
    if (human.scale == 1.0) {
        return;
    }
    if (is_body) {
        made.size_note = "A BVH does not say its unit. One unit counts as " + six_digits(human.scale) +
                         " m, so the figure is " + shown_number(human.height * human.scale) +
                         " m tall. For another length: --scale METRES (library: scale).";
        return;
    }
    made.size_warning = "A BVH does not say its unit, and a metre makes the figure " +
                        shown_number(human.height) +
                        " m tall. For a human, give the unit's length (command: --scale " +
                        six_digits(human.scale) + "; library: scale).";
}

/// How many frames show the whole motion: the last one is at the end or after it.
double frames_until(double last) {
    constexpr double rounding = 1e-3;  // of times in single precision
    return std::max(0.0, std::ceil(last - rounding)) + 1.0;
}

/// What is counted apart from the largest errors.
std::string jump_warning(std::size_t frames, const WorstDifference& errors) {
    return "The motion jumps within " + std::to_string(frames) + (frames == 1 ? " frame" : " frames") +
           ". A BVH has no jumps, so each one becomes a move that lasts a frame. Meanwhile, joints are up "
           "to " +
           shown_number(errors.position_mm) + " mm and " + shown_number(errors.rotation_degrees) +
           " degrees away. For shorter moves, give more frames per second (command: --fps; library: "
           "frames_per_second).";
}

/// A file at some rate, and how far it is from the clip where that does not jump.
struct AtRate {
    file::Document document;
    Json report;
    WorstDifference worst;
};

Result<std::size_t> frames_at_rate(const Clip& clip, const clip::FromClip& made, double rate) {
    std::size_t columns = 0;
    for (const auto& channels : made.channels) {
        columns += channels.size();
    }
    const double frames = frames_until(clip.duration_seconds * rate);
    if (!(frames * static_cast<double>(columns) <= most_motion_numbers)) {
        return fail(ErrorCode::bad_value,
                    "the animation takes " + std::to_string(clip.duration_seconds) +
                        " seconds, too long for a BVH at " + std::to_string(rate) +
                        " frames a second; allowed are 50,000,000 numbers in all frames");
    }
    return static_cast<std::size_t>(frames);
}

Result<AtRate> made_at_rate(const ClipRequest& request, const clip::Placement& placement, double rate) {
    const Clip& wanted = request.clip;
    Clip clip = with_linear_rows(wanted, 1.0 / rate);
    clip::FromClip made;
    made.placement = placement;
    made.frame_time_seconds = 1.0 / rate;
    made.angle_decimals = 6;
    made.place_decimals = 6;
    lay_out(clip, made);
    TRY(made.frame_count, frames_at_rate(clip, made, rate));
    for (Node& node : clip.skeleton.nodes) {
        node.name = writable_name(node.name);
    }
    file::Document document = clip::from_clip(clip, made);
    const ComparedTimes times = compared_times(document, wanted);
    TRY(auto measured, measured_file(document, made.placement, wanted, times.even));
    WorstDifference& worst = measured.worst;
    Json report = {{"frames", document.frame_count},
                   {"frames_per_second", rate},
                   {"joints", document.joints.size()},
                   {"max_rotation_error_degrees", worst.rotation_degrees},
                   {"max_position_error_mm", worst.position_mm},
                   {"worst", worst_json(worst)},
                   {"warnings", Json::array()},
                   {"left_out", texts_json(left_out_of(request, {}))}};
    if (times.jumps > 0) {
        const WorstDifference ramps = worst_errors(wanted, measured.shown, times.jumping);
        report["jumps"] = {{"frames", times.jumps},
                           {"max_rotation_error_degrees", ramps.rotation_degrees},
                           {"max_position_error_mm", ramps.position_mm}};
        report["warnings"].push_back(jump_warning(times.jumps, ramps));
    }
    return AtRate{std::move(document), std::move(report), std::move(worst)};
}

/// Such as "30 frames a second".
std::string frames_a_second(double rate) { return shown_number(rate) + " frames a second"; }

std::string rate_warning(double rate, const WorstDifference& errors, double last_rate) {
    return "The file has " + frames_a_second(last_rate) + ": at " + shown_number(rate) +
           ", joints are up to " + shown_number(errors.position_mm) + " mm and " +
           shown_number(errors.rotation_degrees) + " degrees away between frames.";
}

/// The document, unless its error is too large.
Result<Made> within(AtRate made, double rate, const StopBound& stop) {
    return unless_too_far({file::make_document(std::move(made.document)),
                           std::move(made.report),
                           std::move(made.worst),
                           {"The motion may be too fast for " + frames_a_second(rate) +
                            ". Give it more (command: --fps; library: frames_per_second)"}},
                          stop, "the input's motion");
}

}  // namespace

std::span<const Option> to_clip_options() { return to_clip_table; }
std::span<const Option> from_clip_options() { return from_clip_table; }

namespace {

/// Where the file is put; says in `made` how large it was taken.
Result<clip::Placement> placement_of(const file::Document& document, const Json& options, ClipMade& made) {
    ToClipOptions given;
    TRY_VOID(read_options(options, to_clip_rows, given));
    TRY(clip::Placement placement, given.placement());
    if (given.is_human_scale) {
        const clip::HumanScale human = clip::human_scale(document, placement.axes);
        const bool is_body = clip::has_body(document, placement.axes);
        placement.scale = is_body ? human.scale : 1.0;
        add_size(human, is_body, made);
    }
    made.metres_per_unit = placement.scale;
    return placement;
}

}  // namespace

Result<file::Document> with_tracks(const file::File& file, const Clip& changed, const Json& to_clip) {
    ClipMade unused;
    clip::FromClip options;
    TRY(options.placement, placement_of(file.document, to_clip, unused));
    const double frame_seconds = file.document.frame_time_seconds;
    options.frame_time_seconds = frame_seconds > 0.0 ? frame_seconds : 1.0 / usual_rate;
    options.frame_count = file.document.frame_count;
    for (const file::Joint& joint : file.document.joints) {
        options.channels.push_back(joint.channels);
    }
    const file::Document made = clip::from_clip(changed, options);
    file::Document document = file.document;
    const std::size_t width = document.channel_count();
    const std::vector<std::size_t> columns = document.first_columns();
    for (const Track& track : changed.tracks) {
        const std::vector<file::ChannelKind>& channels = document.joints[track.node].channels;
        const bool turns = track.channel == Channel::rotation;
        if (std::ranges::count_if(channels, turns ? file::is_rotation : file::is_position) < 3) {
            return fail(ErrorCode::rejected,
                        "joint '" + without_controls(document.joints[track.node].name) +
                            "' lacks channels to " + (turns ? "turn" : "move") +
                            " freely, so its motion cannot be changed in this file. Write another kind of "
                            "file, such as .glb, with convert, --onto and --plant-feet");
        }
        for (std::size_t i = 0; i < channels.size(); ++i) {
            const bool is_of_track = turns ? file::is_rotation(channels[i]) : file::is_position(channels[i]);
            const std::size_t column = columns[track.node] + i;
            for (std::size_t at = column; is_of_track && at < document.motion.size(); at += width) {
                document.motion[at] = made.motion[at];
            }
        }
    }
    return document;
}

Result<file::Document> with_tools(file::Document document, editing::Tools& left, Json& rows) {
    const std::size_t width = document.channel_count();
    if (document.frame_count == 0 || !(document.frame_time_seconds > 0.0)) {
        return document;
    }
    const auto row = [&](std::size_t frame) {
        return document.motion.begin() + static_cast<std::ptrdiff_t>(frame * width);
    };
    if (std::exchange(left.reverse, false)) {
        for (std::size_t frame = 0; frame < document.frame_count / 2; ++frame) {
            std::swap_ranges(row(frame), row(frame + 1), row(document.frame_count - 1 - frame));
        }
        rows.push_back(editing::done("reverse", "the motion plays backwards"));
    }
    const double duration = static_cast<double>(document.frame_count - 1) * document.frame_time_seconds;
    TRY(const auto factor, editing::take_speed(left, duration, duration));
    if (factor) {
        document.frame_time_seconds /= *factor;
        rows.push_back(editing::done("speed",
                                     "it plays " + shown_number(*factor) + " times as fast and lasts " +
                                         shown_number(duration / *factor) + " s",
                                     {{"factor", *factor}, {"duration_seconds", duration / *factor}}));
    }
    const auto frames_of = [&](double seconds) {
        return static_cast<std::size_t>(std::round(seconds / document.frame_time_seconds));
    };
    const std::size_t before = frames_of(std::exchange(left.hold_first_seconds, 0.0));
    const std::size_t after = frames_of(std::exchange(left.hold_last_seconds, 0.0));
    if (before + after > 0) {
        const std::vector<double> first(row(0), row(1));
        const std::vector<double> last(row(document.frame_count - 1), document.motion.end());
        std::vector<double> motion;
        motion.reserve(document.motion.size() + (before + after) * width);
        for (std::size_t i = 0; i < before; ++i) {
            motion.insert(motion.end(), first.begin(), first.end());
        }
        motion.insert(motion.end(), document.motion.begin(), document.motion.end());
        for (std::size_t i = 0; i < after; ++i) {
            motion.insert(motion.end(), last.begin(), last.end());
        }
        document.motion = std::move(motion);
        document.frame_count += before + after;
        rows.push_back(editing::done(
            "hold", "the first or last pose is held for " + std::to_string(before + after) + " frames"));
    }
    return document;
}

Result<ClipMade> file_to_clip(const file::File& file, const Json& options) {
    const file::Document& document = file.document;
    ClipMade made;
    TRY(const clip::Placement placement, placement_of(document, options, made));
    const bool is_timed = document.frame_time_seconds > 0.0;
    TRY(made.clip,
        clip::to_clip(document, placement, is_timed ? document.frame_time_seconds : 1.0 / usual_rate));
    if (is_timed && document.frame_count > 1) {
        made.clip.frames_per_second = 1.0 / document.frame_time_seconds;
    }
    if (!is_timed && document.frame_count > 1) {
        made.left_out.emplace_back("the frame time, which is not above 0: 30 frames a second are taken");
    }
    const bool scales =
        std::any_of(document.joints.begin(), document.joints.end(), [](const file::Joint& joint) {
            return std::any_of(joint.channels.begin(), joint.channels.end(), [](file::ChannelKind kind) {
                return !file::is_position(kind) && !file::is_rotation(kind);
            });
        });
    if (scales) {
        made.left_out.emplace_back("scale channels");
    }
    return made;
}

Result<Made> file_from_clip(const ClipRequest& request) {
    if (request.scene != nullptr) {
        return document_from_scene(*request.scene);
    }
    ClipOptions options;
    TRY_VOID(read_options(request.options, from_clip_rows, options));
    if (request.clip.skeleton.nodes.empty()) {
        return fail(ErrorCode::bad_value, "the animation has no joints; a BVH has at least one");
    }
    TRY(const auto placement, options.placement());
    const Clip clip = depth_first(request.clip);
    const ClipRequest ordered{clip, request.options, request.job, nullptr, request.left_out};
    const double rate = options.frames_per_second.value_or(frame_rate_of(request.clip));
    TRY(auto made, made_at_rate(ordered, placement, rate));
    TRY_VOID(request.job.report(0.3));
    if (options.frames_per_second || options.stop.allows(made.worst)) {
        return within(std::move(made), rate, options.stop);
    }
    const WorstDifference first = made.worst;
    double last_rate = rate;
    // Each of them is a whole conversion.
    constexpr double lowest_more = 10.0;
    double times = std::max(2.0, std::ceil(lowest_more / rate));
    for (; times * rate <= highest_rate && !options.stop.allows(made.worst); ++times) {
        TRY_VOID(request.job.report(0.3 + 0.7 * times * rate / highest_rate));
        auto more = made_at_rate(ordered, placement, times * rate);
        if (!more) {
            break;  // too many numbers
        }
        made = std::move(*more);
        last_rate = times * rate;
    }
    if (last_rate > rate) {
        made.report["warnings"].push_back(rate_warning(rate, first, last_rate));
    }
    return within(std::move(made), last_rate, options.stop);
}

}  // namespace animbridge::bvh::scene
