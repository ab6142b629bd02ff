// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "editing/bone_axes.h"
#include "editing/clip_tools.h"

namespace animbridge::editing {

namespace {

using rig::armature::BoneChannel;
using rig::curves::BoneCurves;
using rig::curves::CurveView;

// ---- F-curves as tracks of one number, in seconds ----

/// Which F-curve it is.
struct CurveName {
    std::size_t bone = 0;
    BoneChannel channel = BoneChannel::property;
    std::size_t component = 0;
    std::string property{};

    friend bool operator<(const CurveName& a, const CurveName& b) {
        return std::tie(a.bone, a.channel, a.component, a.property) <
               std::tie(b.bone, b.channel, b.component, b.property);
    }
};

struct NamedCurve {
    Track track{};
    std::vector<std::int32_t> sources{};  ///< per key, as in BoneCurves
};

struct Motion {
    std::map<CurveName, NamedCurve> curves{};
    std::vector<Marker> markers{};
    double duration_seconds = 0;
    double frames_per_second = 0;
};

Result<Motion> motion_of(const CurveEdits& given, double frame_end) {
    Motion motion{.duration_seconds = given.timing.seconds_at(frame_end),
                  .frames_per_second = given.timing.frames_per_second};
    std::int32_t count = 0;
    for (const CurveView& view : given.curves) {
        TRY(auto track, rig::curves::curve_track(view, given.armature, given.timing));
        NamedCurve curve{std::move(track)};
        for (std::size_t key = 0; key < curve.track.key_count(); ++key) {
            curve.sources.push_back(count++);
        }
        motion.curves[{view.bone, view.channel, view.component, std::string(view.property)}] =
            std::move(curve);
    }
    return motion;
}

/// The keys of a curve that are at these times; -1: a new key.
std::vector<std::int32_t> sources_at(const NamedCurve* old, const std::vector<double>& times) {
    constexpr double same_seconds = 1e-6;
    std::vector<std::int32_t> sources(times.size(), -1);
    for (std::size_t i = 0; old != nullptr && i < times.size(); ++i) {
        const auto at = std::ranges::lower_bound(old->track.times, times[i] - same_seconds);
        if (at != old->track.times.end() && *at <= times[i] + same_seconds) {
            sources[i] = old->sources[static_cast<std::size_t>(at - old->track.times.begin())];
        }
    }
    return sources;
}

// ---- tools that change times, on every curve ----

/// Rows of a curve's value, the number of its key, and nothing: so it is known of each key afterwards which
/// one it was. A key that was added has no whole number.
Track numbered_rows(const Track& curve) {
    Track rows{0, Channel::translation, curve.times, {}, curve.interpolation};
    const bool has_handles = !curve.handles.empty();
    for (std::size_t key = 0; key < curve.key_count(); ++key) {
        rows.values.insert(rows.values.end(), {curve.values[key], static_cast<double>(key), 0.0});
        if (has_handles) {
            const double third = 1.0 / 3.0;
            const double before = key == 0 ? 0.0 : curve.times[key] - curve.times[key - 1];
            const double after = key + 1 == curve.key_count() ? 0.0 : curve.times[key + 1] - curve.times[key];
            const Handles number{-before * third, key == 0 ? 0.0 : -third, after * third,
                                 key + 1 == curve.key_count() ? 0.0 : third};
            rows.handles.insert(rows.handles.end(), {curve.handles[key], number, number});
        }
    }
    return rows;
}

/// The curve of such rows. Keys at one time with one value become one; of two values, as at the end of a
/// step, the first comes a little earlier, because Blender has one key at a time.
NamedCurve curve_of_rows(const Track& rows, const NamedCurve& old, double frames_per_second) {
    constexpr double whole = 1e-6;
    const double apart_seconds = 2.0 * rig::curves::merge_distance_frames / frames_per_second;
    NamedCurve made{Track{0, Channel::property}};
    made.track.property = old.track.property;
    Track& track = made.track;
    for (std::size_t key = 0; key < rows.key_count(); ++key) {
        const double time = rows.times[key];
        const double value = rows.values[3 * key];
        const double number = rows.values[3 * key + 1];
        const bool is_old = std::abs(number - std::round(number)) < whole;
        const std::int32_t source = is_old ? old.sources[static_cast<std::size_t>(std::lround(number))] : -1;
        const bool is_there = track.key_count() > 0 && track.times.back() >= time - 1e-9;
        if (is_there && track.values.back() == value) {
            track.interpolation.back() = rows.interpolation_after(key);
            if (!rows.handles.empty()) {
                track.handles.back().out_time = rows.handles[3 * key].out_time;
                track.handles.back().out_value = rows.handles[3 * key].out_value;
            }
            continue;
        }
        if (is_there) {
            track.times.back() = time - apart_seconds;
        }
        track.add_key(time, std::array{value});
        track.interpolation.push_back(rows.interpolation_after(key));
        made.sources.push_back(source);
        if (!rows.handles.empty()) {
            track.handles.push_back(rows.handles[3 * key]);
        }
    }
    return made;
}

/// Changes all curves and markers as the function changes the clip.
template <typename Change>
Result<void> change_times(Motion& motion, Change&& change) {
    Clip lines{.skeleton = {{Node{}}},
               .tracks = {},
               .markers = motion.markers,
               .duration_seconds = motion.duration_seconds,
               .frames_per_second = motion.frames_per_second};
    for (const auto& [name, curve] : motion.curves) {
        lines.tracks.push_back(numbered_rows(curve.track));
    }
    TRY(const Clip changed, change(std::move(lines)));
    std::size_t index = 0;
    for (auto& [name, curve] : motion.curves) {
        curve = curve_of_rows(changed.tracks[index++], curve, motion.frames_per_second);
    }
    motion.markers = changed.markers;
    motion.duration_seconds = changed.duration_seconds;
    return {};
}

/// The tools that change times go from `tools` to the result.
Tools take_time_tools(Tools& tools) {
    Tools times;
    times.reverse = std::exchange(tools.reverse, false);
    times.speed = std::exchange(tools.speed, {});
    times.duration_seconds = std::exchange(tools.duration_seconds, {});
    times.beats_per_minute = std::exchange(tools.beats_per_minute, {});
    times.retime = std::exchange(tools.retime, {});
    times.hold_first_seconds = std::exchange(tools.hold_first_seconds, 0.0);
    times.hold_last_seconds = std::exchange(tools.hold_last_seconds, 0.0);
    return times;
}

// ---- tools that change poses, on the curves of bones ----

BoneCurves arrays_of(const NamedCurve& curve, const rig::curves::Timing& timing) {
    return rig::curves::property_curve(curve.track, timing);
}

CurveView view_of(const CurveName& name, const BoneCurves& arrays) {
    return {name.bone,
            name.channel,
            name.component,
            arrays.points.front(),
            arrays.interpolation.front(),
            arrays.handles_left.front(),
            arrays.handles_right.front(),
            {},
            name.property};
}

tl::unexpected<Error> axis_angle_refused(const rig::armature::Armature& armature, std::size_t bone) {
    return fail(ErrorCode::rejected,
                "bone " + armature.bones[bone].name +
                    " rotates by axis and angle, which tools on poses cannot change: give "
                    "it keyframes as a quaternion or as Euler angles");
}

/// Curves of bones and the clip of their joints, both ways.
class PoseWorker {
public:
    PoseWorker(const CurveEdits& given, const BoneAxes& axes, Motion& motion)
        : given_(given), axes_(axes), motion_(motion) {}

    /// The numbers of a channel that have keys at the same times are whole rows, if a clip can hold them.
    /// Axes with angles have no place in it: an error, unless it is only to be measured.
    [[nodiscard]] Result<Clip> clip(bool is_measured = false) const {
        Clip made{axes_.skeleton, {}, motion_.markers, motion_.duration_seconds, motion_.frames_per_second};
        std::vector<BoneCurves> angles;
        std::vector<CurveView> views;
        angles.reserve(motion_.curves.size());
        for (const auto& [name, curve] : motion_.curves) {
            if (name.channel == BoneChannel::property || curve.track.key_count() == 0) {
                continue;
            }
            if (name.channel == BoneChannel::axis_angle && is_measured) {
                continue;
            }
            if (name.channel == BoneChannel::axis_angle) {
                return axis_angle_refused(given_.armature, name.bone);
            }
            if (rig::curves::is_euler(name.channel)) {
                views.push_back(view_of(name, angles.emplace_back(arrays_of(curve, given_.timing))));
            } else if (name.channel != BoneChannel::location || !given_.armature.bones[name.bone].connected) {
                made.tracks.push_back(number_track(name, curve.track));
            }
        }
        TRY(auto turned, rig::curves::clip_from_curves(views, axes_.skeleton, axes_.flat, axes_.map,
                                                       given_.timing, motion_.duration_seconds));
        join_rows(made);
        std::ranges::move(turned.tracks, std::back_inserter(made.tracks));
        return made;
    }

    /// Takes the channels of `after` that are not as in `before`.
    Result<void> take(const Clip& before, const Clip& after, bool is_mirrored) {
        const auto old = by_channel(before);
        const auto now = by_channel(after);
        const Motion known = motion_;
        for (const auto& [channel, tracks] : old) {
            if (!now.contains(channel)) {
                remove(channel);
            }
        }
        const auto partners =
            is_mirrored ? partners_of(axes_.skeleton, axes_.rig) : std::vector<std::size_t>();
        for (const auto& [channel, tracks] : now) {
            const auto same = old.find(channel);
            if (same != old.end() && are_equal(same->second, tracks)) {
                continue;
            }
            const std::size_t source = is_mirrored ? partners[channel.first] : channel.first;
            TRY_VOID(put(channel, tracks, known, {source, channel.second}));
        }
        return {};
    }

private:
    using ChannelOf = std::pair<std::size_t, Channel>;  ///< a node's
    using Tracks = std::vector<const Track*>;

    [[nodiscard]] Track number_track(const CurveName& name, const Track& curve) const {
        Track track = curve;
        const bool moves = name.channel == BoneChannel::location;
        track.node = moves ? axes_.moves[name.bone] : axes_.turns[name.bone];
        track.channel = moves ? Channel::translation : Channel::rotation;
        track.component = static_cast<std::uint8_t>(name.component);
        track.property.clear();
        return track;
    }

    static std::map<ChannelOf, Tracks> by_channel(const Clip& clip) {
        std::map<ChannelOf, Tracks> found;
        for (const Track& track : clip.tracks) {
            found[{track.node, track.channel}].push_back(&track);
        }
        return found;
    }

    static void join_rows(Clip& clip) {
        std::set<ChannelOf> shared;
        for (const auto& [channel, tracks] : by_channel(clip)) {
            const std::vector<double>& times = tracks.front()->times;
            const bool is_shared = tracks.size() == width_of(channel.second) &&
                                   std::ranges::all_of(tracks, [&times](const Track* track) {
                                       return track->times == times && track->component.has_value();
                                   });
            if (is_shared) {
                shared.insert(channel);
            }
        }
        for (const ChannelOf& channel : shared) {
            std::vector<Track> numbers(width_of(channel.second));
            for (const Track& track : clip.tracks) {
                if (ChannelOf{track.node, track.channel} == channel) {
                    numbers[*track.component] = track;
                }
            }
            if (auto row = joined_numbers(std::move(numbers), channel.first, channel.second)) {
                std::erase_if(clip.tracks, [&](const Track& track) {
                    return ChannelOf{track.node, track.channel} == channel;
                });
                clip.tracks.push_back(std::move(*row));
            }
        }
    }

    static bool are_equal(const Tracks& a, const Tracks& b) {
        return std::ranges::equal(a, b, [](const Track* x, const Track* y) {
            const auto as_tuple = [](const Handles& h) {
                return std::tuple(h.in_time, h.in_value, h.out_time, h.out_value);
            };
            return x->component == y->component && x->times == y->times && x->values == y->values &&
                   x->interpolation == y->interpolation &&
                   std::ranges::equal(x->handles, y->handles, {}, as_tuple, as_tuple);
        });
    }

    [[nodiscard]] std::optional<std::size_t> bone_of(const ChannelOf& channel) const {
        const auto& nodes = channel.second == Channel::rotation ? axes_.turns : axes_.moves;
        const auto found = std::ranges::find(nodes, channel.first);
        return found == nodes.end() ? std::nullopt
                                    : std::optional(static_cast<std::size_t>(found - nodes.begin()));
    }

    [[nodiscard]] BoneChannel kind_of(const ChannelOf& channel, std::size_t bone) const {
        return channel.second == Channel::rotation ? given_.armature.bones[bone].rotation_channel
                                                   : BoneChannel::location;
    }

    void remove(const ChannelOf& channel) {
        const auto bone = bone_of(channel);
        for (auto& [name, curve] : motion_.curves) {
            if (bone && name.bone == *bone && name.channel == kind_of(channel, *bone)) {
                curve = {Track{0, Channel::property}};
            }
        }
    }

    /// `source`: the channel that the keys come from.
    Result<void> put(const ChannelOf& channel, const Tracks& tracks, const Motion& known,
                     const ChannelOf& source) {
        const auto bone = bone_of(channel);
        const auto source_bone = bone_of(source);
        if (!bone) {
            return {};
        }
        const BoneChannel kind = kind_of(channel, *bone);
        const auto put_number = [&](std::size_t component, Track track) {
            const auto old = known.curves.find(
                {source_bone.value_or(*bone), kind_of(source, source_bone.value_or(*bone)), component, {}});
            NamedCurve& curve = motion_.curves[{*bone, kind, component, {}}];
            curve.sources = sources_at(old == known.curves.end() ? nullptr : &old->second, track.times);
            curve.track = std::move(track);
        };
        if (rig::curves::is_euler(kind)) {
            Clip alone{axes_.skeleton, {*tracks.front()}, {}, motion_.duration_seconds};
            const auto made = rig::curves::curves_from_clip(alone, axes_.flat, axes_.map, given_.timing);
            for (std::size_t i = 0; i < made.curves.front().points.size(); ++i) {
                put_number(i, angle_track(made.curves.front(), i));
            }
            return {};
        }
        for (const Track* track : tracks) {
            for (std::size_t number = 0; number < track->width(); ++number) {
                put_number(track->component.value_or(number), alone(*track, number));
            }
        }
        return {};
    }

    [[nodiscard]] Track angle_track(const BoneCurves& curves, std::size_t component) const {
        Track track{0, Channel::property};
        for (std::size_t key = 0; key < curves.points[component].size() / 2; ++key) {
            track.add_key(given_.timing.seconds_at(curves.points[component][2 * key]),
                          std::array{static_cast<double>(curves.points[component][2 * key + 1])});
        }
        track.interpolation.assign(track.key_count(), Interpolation::linear);
        return track;
    }

    static Track alone(const Track& rows, std::size_t number) {
        Track track{0, Channel::property, rows.times, {}, rows.interpolation};
        track.interpolation.resize(track.key_count(), Interpolation::linear);
        for (std::size_t key = 0; key < rows.key_count(); ++key) {
            track.values.push_back(rows.value(key)[number]);
            if (!rows.handles.empty()) {
                track.handles.push_back(rows.handles[key * rows.width() + number]);
            }
        }
        return track;
    }

    const CurveEdits& given_;
    const BoneAxes& axes_;
    Motion& motion_;
};

// ---- an edit of the pose, spread ----

/// How one bone is posed otherwise.
struct PoseEdit {
    std::size_t bone = 0;
    std::optional<glm::dquat> turn{};  ///< about the bone's own axes, after its rotation
    std::optional<glm::dvec3> offset{};
};

/// Spreads the edit of one channel over its curves.
template <typename Edited>
Result<void> blend_channel(Motion& motion, const PoseEdit& edit, BoneChannel channel, const KeyEdit& spread,
                           Edited&& edited_row) {
    const std::size_t width = rig::armature::components_of(channel);
    std::vector<Track> numbers;
    for (std::size_t i = 0; i < width; ++i) {
        const auto found = motion.curves.find({edit.bone, channel, i, {}});
        if (found == motion.curves.end() || found->second.track.key_count() == 0) {
            return fail(ErrorCode::bad_value, "a curve of an edited bone has no keys", "pose_edit");
        }
        numbers.push_back(found->second.track);
    }
    const bool is_quaternion = channel == BoneChannel::quaternion;
    auto row =
        joined_numbers(std::move(numbers), 0, is_quaternion ? Channel::rotation : Channel::translation);
    if (!row) {
        return fail(ErrorCode::rejected,
                    "the curves of an edited bone step and slope at one time: give their keys one "
                    "interpolation",
                    "pose_edit");
    }
    blend_keys(*row, spread,
               {.skeleton = {},
                .tracks = {},
                .markers = motion.markers,
                .duration_seconds = motion.duration_seconds},
               edited_row);
    for (std::size_t i = 0; i < width; ++i) {
        NamedCurve& curve = motion.curves[{edit.bone, channel, i, {}}];
        Track made{0, Channel::property, row->times, {}, row->interpolation};
        for (std::size_t key = 0; key < row->key_count(); ++key) {
            made.values.push_back(row->values[key * width + i]);
            if (!row->handles.empty()) {
                made.handles.push_back(row->handles[key * width + i]);
            }
        }
        curve.sources = sources_at(&curve, made.times);
        curve.track = std::move(made);
    }
    return {};
}

Result<void> blend_bone(Motion& motion, const rig::armature::Armature& armature, const PoseEdit& edit,
                        const KeyEdit& spread) {
    using Row = std::array<double, 4>;
    if (edit.turn) {
        const glm::dvec3 half = log_of(*edit.turn);
        const BoneChannel channel = armature.bones[edit.bone].rotation_channel;
        if (motion.curves.contains({edit.bone, BoneChannel::axis_angle, 0, {}})) {
            return axis_angle_refused(armature, edit.bone);
        }
        const auto turned = [&](const Row& row, double part) -> Row {
            const glm::dquat q = product({row[0], row[1], row[2], row[3]}, exp_of(half * part));
            return {q.w, q.x, q.y, q.z};
        };
        const auto turned_angles = [&](const Row& row, double part) -> Row {
            const glm::dvec3 angles(row[0], row[1], row[2]);
            const glm::dquat q =
                product(rig::curves::rotation_of_euler(channel, angles), exp_of(half * part));
            const glm::dvec3 made = rig::curves::euler_near(channel, q, angles);
            return {made.x, made.y, made.z, 0.0};
        };
        if (rig::curves::is_euler(channel)) {
            TRY_VOID(blend_channel(motion, edit, channel, spread, turned_angles));
        } else {
            TRY_VOID(blend_channel(motion, edit, channel, spread, turned));
        }
    }
    if (edit.offset) {
        const auto moved = [&](const Row& row, double part) -> Row {
            return {row[0] + part * edit.offset->x, row[1] + part * edit.offset->y,
                    row[2] + part * edit.offset->z, 0.0};
        };
        TRY_VOID(blend_channel(motion, edit, BoneChannel::location, spread, moved));
    }
    return {};
}

// ---- what is asked for ----

struct CurveOptions {
    double frame_end = 0;
    std::optional<std::pair<double, double>> trim{};  ///< frames
    std::vector<Marker> markers{};
    Tools tools{};
    std::string rig_file{};
    KeyEdit spread{};
    std::vector<PoseEdit> edits{};
    double most_seconds = 0;  ///< of a part; 0: no parts are asked for
};

tl::unexpected<Error> bad_option(std::string_view name, std::string_view allowed) {
    return fail(ErrorCode::bad_value,
                std::string(name) + " has a wrong value or is unknown; allowed is " + std::string(allowed),
                std::string(name));
}

/// The numbers of an array of this length; empty: it is something else.
std::vector<double> numbers_in(const Json& value, std::size_t count) {
    std::vector<double> numbers;
    const bool fits = value.is_array() && value.size() == count;
    for (std::size_t i = 0; fits && i < count; ++i) {
        if (!value[i].is_number() || !std::isfinite(value[i].get<double>())) {
            return {};
        }
        numbers.push_back(value[i].get<double>());
    }
    return numbers;
}

/// {"bone": index, "rotation_wxyz": [4], "location": [3]}
std::optional<PoseEdit> pose_edit_of(const Json& row, std::size_t bones) {
    if (!row.is_object() || !row.contains("bone") || !row["bone"].is_number_unsigned() ||
        row["bone"].get<std::size_t>() >= bones) {
        return std::nullopt;
    }
    PoseEdit edit{row["bone"].get<std::size_t>()};
    if (row.contains("rotation_wxyz")) {
        const auto q = numbers_in(row["rotation_wxyz"], 4);
        if (q.empty()) {
            return std::nullopt;
        }
        edit.turn = glm::normalize(glm::dquat(q[0], q[1], q[2], q[3]));
    }
    if (row.contains("location")) {
        const auto p = numbers_in(row["location"], 3);
        if (p.empty()) {
            return std::nullopt;
        }
        edit.offset = glm::dvec3(p[0], p[1], p[2]);
    }
    return edit;
}

/// {"frame", "falloff_frames" (none: everywhere), "bones": [...]}
Result<void> take_pose_edit(const Json& given, const CurveEdits& edits, CurveOptions& options) {
    const char* const allowed =
        "an object with frame, falloff_frames (a number above 0, or null) and bones (objects with bone, "
        "rotation_wxyz and location)";
    if (!given.is_object() || !given.contains("frame") || !given["frame"].is_number() ||
        !given.contains("bones") || !given["bones"].is_array()) {
        return bad_option("pose_edit", allowed);
    }
    options.spread.at_seconds = edits.timing.seconds_at(given["frame"].get<double>());
    if (given.contains("falloff_frames") && !given["falloff_frames"].is_null()) {
        if (!given["falloff_frames"].is_number() || !(given["falloff_frames"].get<double>() > 0.0)) {
            return bad_option("pose_edit", allowed);
        }
        options.spread.falloff_seconds =
            given["falloff_frames"].get<double>() / edits.timing.frames_per_second;
    }
    for (const Json& row : given["bones"]) {
        auto edit = pose_edit_of(row, edits.armature.bones.size());
        if (!edit) {
            return bad_option("pose_edit", allowed);
        }
        options.edits.push_back(*edit);
    }
    return {};
}

Result<void> take_markers(const Json& given, const CurveEdits& edits, CurveOptions& options) {
    for (const Json& row : given.is_array() ? given : Json::array({Json()})) {
        const bool is_fine = row.is_object() && row.contains("name") && row["name"].is_string() &&
                             row.contains("frame") && row["frame"].is_number();
        if (!is_fine) {
            return bad_option("markers", "a list of objects with name and frame");
        }
        options.markers.push_back({std::string(row["name"].get<std::string_view>()),
                                   edits.timing.seconds_at(row["frame"].get<double>())});
    }
    return {};
}

Result<CurveOptions> options_of(const CurveEdits& edits) {
    CurveOptions options{.frame_end = edits.timing.frame_start};
    for (const auto& [name, value] : edits.options.items()) {
        if (name == "frame_end" && value.is_number()) {
            options.frame_end = std::max(value.get<double>(), edits.timing.frame_start);
        } else if (name == "trim") {
            const auto ends = numbers_in(value, 2);
            if (ends.empty() || ends[0] > ends[1]) {
                return bad_option(name, "two frames in order");
            }
            options.trim = {ends[0], ends[1]};
        } else if (name == "markers") {
            TRY_VOID(take_markers(value, edits, options));
        } else if (name == "tools" && value.is_object()) {
            TRY(auto tools, given_tools(value));
            if (tools.others != Json::object()) {
                return bad_option("tools", "the clip tools of docs/options.md");
            }
            options.tools = std::move(tools.tools);
        } else if (name == "rig" && value.is_string()) {
            options.rig_file = std::string(value.get<std::string_view>());
        } else if (name == "split_seconds" && value.is_number() && value.get<double>() >= 1.0) {
            options.most_seconds = value.get<double>();
        } else if (name == "pose_edit") {
            TRY_VOID(take_pose_edit(value, edits, options));
        } else {
            return bad_option(name, "frame_end, trim, markers, tools, rig, pose_edit and split_seconds");
        }
    }
    return options;
}

// ---- the report ----

bool shows_same(const NamedCurve& a, const NamedCurve& b, const rig::curves::Timing& timing) {
    const BoneCurves was = arrays_of(a, timing);
    const BoneCurves is = arrays_of(b, timing);
    return was.points == is.points && was.interpolation == is.interpolation &&
           was.handles_left == is.handles_left && was.handles_right == is.handles_right;
}

using ChannelName = std::tuple<std::size_t, BoneChannel, std::string>;

/// The channels of which a curve is not as it was.
std::set<ChannelName> changed_channels(const Motion& before, const Motion& after,
                                       const rig::curves::Timing& timing) {
    std::set<ChannelName> changed;
    for (const auto& [name, curve] : after.curves) {
        const auto old = before.curves.find(name);
        if (old == before.curves.end() || !shows_same(old->second, curve, timing)) {
            changed.emplace(name.bone, name.channel, name.property);
        }
    }
    return changed;
}

BoneCurves channel_without_keys(const ChannelName& name) {
    const auto& [bone, kind, property] = name;
    BoneCurves channel{bone, kind, {}, {}};
    const std::size_t width = rig::armature::components_of(kind);
    channel.property = property;
    channel.points.resize(width);
    channel.interpolation.resize(width);
    channel.handles_left.resize(width);
    channel.handles_right.resize(width);
    channel.sources.resize(width);
    return channel;
}

/// What changed, with all curves of its channel.
rig::curves::CurvesFromClip changed_curves(const Motion& before, const Motion& after,
                                           const rig::curves::Timing& timing) {
    rig::curves::CurvesFromClip result;
    for (const ChannelName& channel_name : changed_channels(before, after, timing)) {
        const auto& [bone, kind, property] = channel_name;
        BoneCurves& channel = result.curves.emplace_back(channel_without_keys(channel_name));
        for (std::size_t i = 0; i < channel.points.size(); ++i) {
            const auto found = after.curves.find({bone, kind, i, property});
            if (found == after.curves.end()) {
                continue;
            }
            BoneCurves arrays = arrays_of(found->second, timing);
            channel.points[i] = std::move(arrays.points.front());
            channel.interpolation[i] = std::move(arrays.interpolation.front());
            channel.handles_left[i] = std::move(arrays.handles_left.front());
            channel.handles_right[i] = std::move(arrays.handles_right.front());
            channel.sources[i] = found->second.sources;
        }
    }
    return result;
}

/// Where the fewest parts within a length begin, after the first one: at whole frames.
Json cuts_json(const Clip& clip, double most_seconds, const rig::curves::Timing& timing) {
    Json cuts = Json::array();
    double start = 0.0;
    while (clip.duration_seconds - start > most_seconds + 1e-6) {
        const double latest = start + most_seconds;
        const double slowest = slowest_moment(clip, {start, latest});
        const double frame = std::floor(timing.frame_at(slowest) + 1e-6);
        cuts.push_back(frame);
        start = timing.seconds_at(frame);
    }
    return cuts;
}

/// Bones on two sides, each with its partner.
Json pairs_json(const BoneAxes& axes) {
    Json pairs = Json::array();
    const std::vector<std::size_t> partners = partners_of(axes.skeleton, axes.rig);
    for (const std::size_t node : axes.turns) {
        if (partners[node] > node) {
            pairs.push_back(Json::array({json_text(axes.skeleton.nodes[node].name),
                                         json_text(axes.skeleton.nodes[partners[node]].name)}));
        }
    }
    return pairs;
}

Json markers_json(const std::vector<Marker>& markers, const rig::curves::Timing& timing) {
    Json rows = Json::array();
    for (const Marker& marker : markers) {
        rows.push_back({{"name", marker.name}, {"frame", timing.frame_at(marker.time_seconds)}});
    }
    return rows;
}

/// The tools on the curves: first those of times, then those of poses, then where the loop begins.
class CurveChain {
public:
    CurveChain(const CurveEdits& given, const BoneAxes& axes, CurveOptions& options, Motion& motion,
               const Job& job)
        : given_(given), axes_(axes), options_(options), motion_(motion), job_(job) {}

    /// Returns the rows of the report.
    Result<Json> run() {
        TRY_VOID(take_times());
        TRY_VOID(take_poses());
        TRY_VOID(take_start());
        return std::move(rows_);
    }

    [[nodiscard]] Result<Clip> measured_clip() const { return PoseWorker(given_, axes_, motion_).clip(true); }

    /// quality_of the motion, with the keys of all its curves.
    [[nodiscard]] Result<Json> numbers() const {
        TRY(const Clip clip, measured_clip());
        TRY(auto measured, quality_of(clip, axes_.rig, job_.part(0.0, 0.0)));
        std::size_t keys = 0;
        for (const auto& [name, curve] : motion_.curves) {
            keys += curve.track.key_count();
        }
        measured["keys"] = keys;
        return measured;
    }

private:
    Result<void> take_times() {
        if (options_.trim) {
            const double start = given_.timing.seconds_at(options_.trim->first);
            const double end = given_.timing.seconds_at(options_.trim->second);
            TRY_VOID(change_times(
                motion_, [&](Clip clip) -> Result<Clip> { return trimmed(std::move(clip), start, end); }));
            rows_.push_back(done("trim", end > start ? "it is cut to " + shown_number(end - start) + " s"
                                                     : "it is cut to one pose"));
        }
        const Tools times = take_time_tools(options_.tools);
        if (!times.any()) {
            return {};
        }
        return change_times(
            motion_, [&](Clip clip) { return with_tools(std::move(clip), axes_.rig, times, rows_, job_); });
    }

    Result<void> take_poses() {
        const auto start_at = std::exchange(options_.tools.start_at_seconds, {});
        if (options_.tools.any()) {
            PoseWorker worker(given_, axes_, motion_);
            TRY(const Clip clip, worker.clip());
            TRY(const Clip changed, with_tools(clip, axes_.rig, options_.tools, rows_, job_));
            TRY_VOID(worker.take(clip, changed, options_.tools.mirror));
            motion_.markers = changed.markers;
        }
        options_.tools.start_at_seconds = start_at;
        for (const PoseEdit& edit : options_.edits) {
            TRY_VOID(blend_bone(motion_, given_.armature, edit, options_.spread));
        }
        return {};
    }

    Result<void> take_start() {
        const double seconds = options_.tools.start_at_seconds.value_or(0.0);
        if (!(seconds > 0.0)) {
            return {};
        }
        TRY(const Clip clip, measured_clip());
        TRY_VOID(require_closed(clip, axes_.rig, seconds));
        rows_.push_back(done("start-at", "it begins at what was " + shown_number(seconds) + " s"));
        return change_times(motion_, [&](Clip lines) -> Result<Clip> {
            start_at(lines, seconds);
            return lines;
        });
    }

    const CurveEdits& given_;
    const BoneAxes& axes_;
    CurveOptions& options_;
    Motion& motion_;
    const Job& job_;
    Json rows_ = Json::array();
};

}  // namespace

Result<EditedCurves> edited_curves(const CurveEdits& given, const Job& job) {
    TRY(auto options, options_of(given));
    TRY(const BoneAxes axes, bone_axes(given.armature, options.rig_file));
    TRY(auto motion, motion_of(given, options.frame_end));
    motion.markers = options.markers;
    const Motion before = motion;
    CurveChain chain(given, axes, options, motion, job);
    TRY(auto numbers, chain.numbers());
    TRY(auto rows, chain.run());
    TRY(auto after, chain.numbers());
    EditedCurves made{changed_curves(before, motion, given.timing), Json::object()};
    made.report = {{"frame_end", given.timing.frame_at(motion.duration_seconds)},
                   {"markers", markers_json(motion.markers, given.timing)},
                   {"tools", std::move(rows)},
                   {"before", std::move(numbers)},
                   {"after", std::move(after)}};
    if (options.tools.mirror) {
        made.report["mirrored"] = pairs_json(axes);
    }
    if (options.most_seconds > 0.0) {
        TRY(const Clip clip, chain.measured_clip());
        made.report["cuts"] = cuts_json(clip, options.most_seconds, given.timing);
    }
    return made;
}

}  // namespace animbridge::editing
