// SPDX-License-Identifier: MIT
#include "editing/editing.h"

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>

#include "editing/clip_tools.h"
#include "model/compare/compare.h"
#include "model/format/format.h"
#include "rig/exchange/exchange.h"

namespace animbridge::editing {

Json done(std::string_view tool, std::string what, const Json& numbers) {
    Json row = {{"tool", tool}, {"what", std::move(what)}};
    row.update(numbers);
    return row;
}

// ---- parts of the body ----

namespace {

/// A part of a body: humanoid slots that begin with one of the words after a side, and joints below them.
struct BodyPart {
    std::string_view name;
    std::array<std::string_view, 8> slots;  ///< in lower case, without the side; ends at the first empty one
};

constexpr std::array<BodyPart, 5> body_parts = {{
    {"arms", {"shoulder", "upperarm", "lowerarm", "hand"}},
    {"hands", {"hand"}},
    {"fingers", {"thumb", "index", "middle", "ring", "little"}},
    {"legs", {"upperleg", "lowerleg", "foot", "toe", "heel"}},
    {"head", {"neck", "head"}},
}};

/// Of avatars: parts whose joints are known by words in their names.
struct NamedPart {
    std::string_view name;
    std::array<std::string_view, 4> words;
};
constexpr std::array<NamedPart, 4> named_parts = {{
    {"face", {"face", "jaw", "eye", "lip"}},
    {"tail", {"tail"}},
    {"wings", {"wing"}},
    {"hind limbs", {"hind"}},
}};

std::string lower(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return result;
}

/// "*" stands for any text.
bool matches(std::string_view pattern, std::string_view name) {
    const std::size_t star = pattern.find('*');
    if (star == std::string_view::npos) {
        return pattern == name;
    }
    if (name.substr(0, star) != pattern.substr(0, star)) {
        return false;
    }
    const std::string_view rest = pattern.substr(star + 1);
    for (std::size_t from = star; from <= name.size(); ++from) {
        if (matches(rest, name.substr(from))) {
            return true;
        }
    }
    return false;
}

/// What is known of a joint's place in the body.
struct JointPlace {
    std::string slot{};  ///< without its side, in lower case; empty: none
    rig::humanoid::Side side = rig::humanoid::Side::centre;
};

std::vector<JointPlace> places_of(std::span<const std::string> joints, const rig::humanoid::FoundRig* rig) {
    std::vector<JointPlace> places(joints.size());
    for (std::size_t i = 0; i < joints.size(); ++i) {
        places[i].side = rig::humanoid::key_of(rig::humanoid::tokens_of(joints[i])).side;
    }
    for (std::size_t i = 0; rig != nullptr && i < rig->slots.size(); ++i) {
        JointPlace& place = places[rig->slots[i].joint];
        place.slot = lower(rig->slots[i].slot);
        if (const auto slot = rig::humanoid::find_slot(rig->slots[i].slot)) {
            place.side = rig::humanoid::humanoid_slots()[*slot].side;
        }
        for (const std::string_view side : {"left", "right"}) {
            place.slot.erase(0, place.slot.starts_with(side) ? side.size() : 0);
        }
    }
    return places;
}

template <std::size_t count>
bool has_any(std::string_view text, const std::array<std::string_view, count>& words, bool at_start) {
    return std::ranges::any_of(words, [&](std::string_view word) {
        return !word.empty() &&
               (at_start ? text.starts_with(word) : text.find(word) != std::string_view::npos);
    });
}

/// Which joints a word means; and whether it means only rotations, or only positions.
struct Meaning {
    std::vector<bool> joints;
    bool rotations = true;
    bool positions = true;
};

bool is_in_slots(std::string_view part_name, const JointPlace& place) {
    const auto* const part = std::ranges::find(body_parts, part_name, &BodyPart::name);
    return part != body_parts.end() && has_any(place.slot, part->slots, true);
}

bool is_in_names(std::string_view part_name, std::string_view joint) {
    const auto* const part = std::ranges::find(named_parts, part_name, &NamedPart::name);
    return part != named_parts.end() && has_any(lower(joint), part->words, false);
}

Meaning meaning_of(std::string_view word, std::span<const std::string> joints,
                   std::span<const std::string> own_names, const std::vector<JointPlace>& places) {
    const std::string plain = lower(word);
    Meaning meaning{std::vector<bool>(joints.size())};
    if (plain == "rotations" || plain == "positions") {
        meaning.joints.assign(joints.size(), true);
        meaning.rotations = plain == "rotations";
        meaning.positions = !meaning.rotations;
        return meaning;
    }
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const JointPlace& place = places[i];
        meaning.joints[i] = matches(word, joints[i]) ||
                            (i < own_names.size() && matches(word, own_names[i])) ||
                            is_in_slots(plain, place) || is_in_names(plain, joints[i]) ||
                            (plain == "left" && place.side == rig::humanoid::Side::left) ||
                            (plain == "right" && place.side == rig::humanoid::Side::right) ||
                            (plain == "body" && !place.slot.empty() && !is_in_slots("fingers", place) &&
                             !is_in_names("face", joints[i]));
    }
    return meaning;
}

}  // namespace

Result<Parts> Parts::from(const Tools& tools, std::span<const std::string> joints,
                          const rig::humanoid::FoundRig* rig, std::span<const std::string> own_names) {
    const std::vector<JointPlace> places = places_of(joints, rig);
    Parts parts;
    const bool keeps_all = tools.keep_parts.empty();
    parts.rotates_.assign(joints.size(), keeps_all);
    parts.moves_.assign(joints.size(), keeps_all);
    const auto apply = [&](const std::string& word, const char* option, bool keeps) -> Result<void> {
        const Meaning meaning = meaning_of(word, joints, own_names, places);
        if (std::ranges::find(meaning.joints, true) == meaning.joints.end()) {
            return json_fail(option, json_text(word),
                             "a part that the animation has, or a name of one of its joints, such as \"" +
                                 (joints.empty() ? "mHead" : without_controls(joints.front())) + "\"");
        }
        for (std::size_t i = 0; i < joints.size(); ++i) {
            if (meaning.joints[i]) {
                parts.rotates_[i] = meaning.rotations ? keeps : static_cast<bool>(parts.rotates_[i]);
                parts.moves_[i] = meaning.positions ? keeps : static_cast<bool>(parts.moves_[i]);
            }
        }
        return {};
    };
    for (const std::string& word : tools.keep_parts) {
        TRY_VOID(apply(word, "keep_parts", true));
    }
    for (const std::string& word : tools.leave_out) {
        TRY_VOID(apply(word, "leave_out", false));
    }
    return parts;
}

// ---- the chain on a clip ----

Result<void> require_closed(const Clip& clip, const rig::humanoid::FoundRig& rig, double at) {
    const TrimSpan loop = loop_span(clip);
    const bool is_whole = loop.start_seconds <= 1e-6 && loop.end_seconds >= clip.duration_seconds - 1e-6;
    if (!(at < clip.duration_seconds)) {
        return json_fail("start_at", at,
                         "a time before the end, " + shown_number(clip.duration_seconds) + " s");
    }
    constexpr double seen_degrees = 2.0;
    constexpr double seen_metres = 0.05;
    Clip closed = clip;
    const SeamClosed open = editing::close_loop(closed);
    const auto travel = travel_of(clip, rig);
    const bool travels = travel && travel->way_metres > seen_metres;
    if (!is_whole || travels || open.largest_degrees > seen_degrees) {
        return fail(ErrorCode::rejected,
                    !is_whole ? "only part of the animation repeats: cut it to the loop first, with --trim"
                    : travels ? "the loop ends in another place than it begins: add --no-travel"
                              : "the loop does not end as it begins: add --close-loop",
                    "start_at");
    }
    return {};
}

namespace {

/// A clip that tools change, the parts of its body, and what was done.
class Chain {
public:
    Chain(Clip clip, const rig::humanoid::FoundRig& rig, Tools tools, Json& rows, const Job& job)
        : clip_(std::move(clip)), tools_(std::move(tools)), rows_(rows), job_(job), rig_(rig) {}

    Result<Clip> run() {
        TRY_VOID(take_parts());
        TRY_VOID(take_mirror());
        TRY_VOID(take_times());
        TRY_VOID(take_loop_points());
        TRY_VOID(take_path());
        TRY_VOID(take_poses());
        TRY_VOID(take_start());
        return std::move(clip_);
    }

private:
    void add(std::string_view tool, std::string what, Json numbers = Json::object()) {
        rows_.push_back(done(tool, std::move(what), std::move(numbers)));
    }

    Result<void> take_parts() {
        if (tools_.keep_parts.empty() && tools_.leave_out.empty()) {
            return {};
        }
        const std::vector<std::string> names = names_of(clip_.skeleton);
        TRY(const Parts parts, Parts::from(tools_, names, &rig_));
        const std::size_t removed = std::erase_if(clip_.tracks, [&](const Track& track) {
            return track.channel == Channel::rotation      ? !parts.rotates(track.node)
                   : track.channel == Channel::translation ? !parts.moves(track.node)
                                                           : false;
        });
        if (clip_.tracks.empty()) {
            return fail(ErrorCode::rejected, "no keys would be left",
                        tools_.keep_parts.empty() ? "leave_out" : "keep_parts");
        }
        add("parts", shown_number(static_cast<double>(removed)) + " tracks are left out",
            {{"tracks_left_out", removed}});
        return {};
    }

    Result<void> take_mirror() {
        if (!tools_.mirror) {
            return {};
        }
        TRY(const Mirrored made, editing::mirror(clip_, rig_));
        std::string what = "left and right are exchanged";
        if (!made.left_alone.empty()) {
            what +=
                "; joints without a partner keep their motion: " + listed_text(texts_json(made.left_alone));
        }
        add("mirror", std::move(what),
            {{"pairs", made.pairs},
             {"sampled_channels", made.sampled},
             {"unpaired", texts_json(made.left_alone)}});
        return {};
    }

    Result<void> take_times() {
        if (tools_.reverse) {
            reverse(clip_);
            add("reverse", "the motion plays backwards");
        }
        const TrimSpan loop = loop_span(clip_);
        TRY(const auto factor,
            take_speed(tools_, clip_.duration_seconds, loop.end_seconds - loop.start_seconds));
        if (factor) {
            speed_up(clip_, *factor);
            add("speed",
                "it plays " + shown_number(*factor) + " times as fast and lasts " +
                    shown_number(clip_.duration_seconds) + " s",
                {{"factor", *factor}, {"duration_seconds", clip_.duration_seconds}});
        }
        if (!tools_.retime.empty()) {
            auto pairs = tools_.retime;
            if (pairs.front().old_seconds > 0.0) {
                pairs.insert(pairs.begin(), {0.0, 0.0});
            }
            if (pairs.back().old_seconds > clip_.duration_seconds || pairs.front().new_seconds > 0.0) {
                return fail(ErrorCode::bad_value,
                            "found a time outside the animation, or a beginning that is moved; allowed are "
                            "times from 0 to " +
                                shown_number(clip_.duration_seconds) + " s",
                            "retime");
            }
            retime(clip_, pairs);
            add("retime", "times are moved; it lasts " + shown_number(clip_.duration_seconds) + " s",
                {{"duration_seconds", clip_.duration_seconds}});
        }
        if (tools_.hold_first_seconds > 0.0 || tools_.hold_last_seconds > 0.0) {
            hold(clip_, tools_.hold_first_seconds, tools_.hold_last_seconds);
            add("hold",
                "the first or last pose is held; it lasts " + shown_number(clip_.duration_seconds) + " s",
                {{"duration_seconds", clip_.duration_seconds}});
        }
        return {};
    }

    Result<void> take_loop_points() {
        if (!tools_.loop_points) {
            return {};
        }
        LoopPoints points = *tools_.loop_points;
        Json numbers = Json::object();
        if (points.is_best) {
            TRY(const auto found, best_loops(clip_, rig_, job_));
            const auto as_json = [](const LoopChoice& choice) {
                return Json{{"in_seconds", choice.in_seconds},
                            {"out_seconds", choice.out_seconds},
                            {"distance_mm", choice.distance_mm},
                            {"worst_degrees", choice.worst_degrees}};
            };
            numbers["choices"] = list_json(found.choices, as_json);
            numbers["present"] = found.present ? as_json(*found.present) : Json();
            points.in_seconds = found.choices.front().in_seconds;
            points.out_seconds = found.choices.front().out_seconds;
        }
        if (points.out_seconds > clip_.duration_seconds + 1e-6) {
            return json_fail("loop_points", points.out_seconds,
                             "times from 0 to the end, " + shown_number(clip_.duration_seconds) + " s");
        }
        const auto marker = [&](std::string_view name) {
            return std::ranges::find(clip_.markers, name, &Marker::name);
        };
        const auto in = marker(loop_markers[0]);
        const auto out = marker(loop_markers[1]);
        const bool has_markers = in != clip_.markers.end() && out != clip_.markers.end();
        if (has_markers) {
            in->time_seconds = points.in_seconds;
            out->time_seconds = points.out_seconds;
        } else {
            // Files without loop points repeat as a whole.
            clip_ = trimmed(std::move(clip_), points.in_seconds,
                            std::min(points.out_seconds, clip_.duration_seconds));
        }
        numbers["in_seconds"] = points.in_seconds;
        numbers["out_seconds"] = points.out_seconds;
        add("loop-points",
            std::string(has_markers ? "it repeats from " : "it is cut to the loop from ") +
                shown_number(points.in_seconds) + " to " + shown_number(points.out_seconds) + " s",
            std::move(numbers));
        return {};
    }

    Result<void> take_path() {
        if (!tools_.no_travel && !tools_.travel_metres_per_second && !tools_.root_scale) {
            return {};
        }
        const auto travel = travel_of(clip_, rig_);
        if (!travel && !tools_.travel_metres_per_second) {
            add("travel", "no positions carry the body, so it does not travel");
            return {};
        }
        const auto hips = rig_.joint_of("hips");
        const std::size_t node = travel ? travel->node : hips.value_or(0);
        if (tools_.root_scale) {
            scale_path(clip_, node, *tools_.root_scale);
            add("root-scale", "the path is scaled");
        }
        if (tools_.no_travel || tools_.travel_metres_per_second) {
            const auto now = travel_of(clip_, rig_);
            const glm::dvec3 own = now ? now->metres_per_second : glm::dvec3(0);
            if (glm::dot(own, own) > 0.0) {
                add_travel(clip_, node, -own);
            }
            add("no-travel",
                "the way in the loop is taken out: " + shown_number(now ? now->way_metres : 0.0) + " m",
                {{"way_metres", now ? now->way_metres : 0.0},
                 {"metres_per_second", Json::array({own.x, own.y})}});
        }
        if (tools_.travel_metres_per_second) {
            const glm::dvec3 forward = rig_.facing.value_or(glm::dvec3(1, 0, 0));
            add_travel(clip_, node, forward * *tools_.travel_metres_per_second);
            add("travel", "it moves forward at " + shown_number(*tools_.travel_metres_per_second) + " m/s");
        }
        return {};
    }

    Result<void> take_poses() {
        if (tools_.smooth_degrees) {
            const double mm = tools_.smooth_mm.value_or(2.0 * *tools_.smooth_degrees);
            const Smoothed made = smooth(clip_, tools_.filter, *tools_.smooth_degrees, mm);
            add("smooth",
                shown_number(static_cast<double>(made.tracks)) + " tracks are smoothed, at most by " +
                    measured_text(made.largest_degrees) + " degrees and " + measured_text(made.largest_mm) +
                    " mm",
                {{"tracks", made.tracks},
                 {"max_rotation_change_degrees", made.largest_degrees},
                 {"max_position_change_mm", made.largest_mm}});
        }
        for (const BlendEdit& one : tools_.blend_edits) {
            TRY_VOID(blend(clip_, one));
            add("blend-edit",
                without_controls(one.joint) + " is turned, most at " + shown_number(one.at_seconds) + " s");
        }
        if (tools_.close_loop) {
            const SeamClosed made = editing::close_loop(clip_);
            add("close-loop",
                made.tracks == 0 ? "the loop is closed already"
                                 : "the loop ends as it begins: its end moves by up to " +
                                       measured_text(made.largest_degrees) + " degrees and " +
                                       measured_text(made.largest_mm) + " mm",
                {{"tracks", made.tracks},
                 {"max_rotation_change_degrees", made.largest_degrees},
                 {"max_position_change_mm", made.largest_mm}});
        }
        return {};
    }

    Result<void> take_start() {
        if (!tools_.start_at_seconds || *tools_.start_at_seconds == 0.0) {
            return {};
        }
        const double at = *tools_.start_at_seconds;
        TRY_VOID(require_closed(clip_, rig_, at));
        start_at(clip_, at);
        add("start-at", "it begins at what was " + shown_number(at) + " s");
        return {};
    }

    Clip clip_;
    Tools tools_;
    Json& rows_;
    const Job& job_;
    const rig::humanoid::FoundRig& rig_;
};

bool are_same(const Track& a, const Track& b) {
    return a.node == b.node && a.channel == b.channel && a.component == b.component && a.times == b.times &&
           a.values == b.values && a.interpolation == b.interpolation;
}

/// The document with the clip's motion: in place, if only some tracks changed, else written anew.
Result<DocumentPtr> with_motion(const AnyDocument& document, const ClipMade& made, Clip after, Json& report,
                                Json& rows, const Job& job) {
    const Format& format = document.format();
    const Clip& before = made.clip;
    const Json size = made.metres_per_unit ? Json{{"scale", *made.metres_per_unit}} : Json::object();
    const bool keeps_times = after.duration_seconds == before.duration_seconds;
    if (format.edit.with_tracks != nullptr && keeps_times && after.tracks.size() >= before.tracks.size()) {
        std::erase_if(after.tracks, [&](const Track& track) {
            return std::ranges::any_of(before.tracks,
                                       [&](const Track& other) { return are_same(track, other); });
        });
        return format.edit.with_tracks(document, after, size);
    }
    if (format.clip.from_clip == nullptr) {
        return fail(ErrorCode::invalid_argument,
                    std::string(format.noun) + " cannot be written with other motion");
    }
    return format.clip.from_clip({after, size, job}).map([&](Made made) {
        report["written_anew"] = true;
        if (format.clip.converts_to_itself) {
            rows.push_back(
                done("file", "written anew with its motion and skeleton, without meshes and materials"));
        }
        return std::move(made.document);
    });
}

/// How far a document is from what all tools make of the motion that it was made of; null: of motion without
/// a skeleton, or that only the format's own tools can change.
Result<Json> largest_difference(const AnyDocument& document, const Tools& tools, const AnyDocument& made,
                                const Job& job) {
    const Format& format = document.format();
    if (format.clip.to_clip == nullptr) {
        return Json();
    }
    TRY(const auto before, format.clip.to_clip(document, at_body_size(format, Json::object())));
    TRY(const auto written, format.clip.to_clip(made, at_body_size(format, Json::object())));
    TRY(const auto rig, rig::humanoid::find_rig(before.clip.skeleton, rig::humanoid::built_in_rigs()));
    Json rows = Json::array();
    const auto exact = with_tools(before.clip, rig, tools, rows, job);
    if (!exact) {
        return exact.error().code == ErrorCode::cancelled ? Result<Json>(tl::unexpected(exact.error()))
                                                          : Json();
    }
    constexpr std::size_t most_times = 8'000;
    const std::vector<double> all = times_to_compare(*exact, written.clip);
    std::vector<double> times;
    for (std::size_t i = 0; i < all.size(); i += all.size() / most_times + 1) {
        times.push_back(all[i]);
    }
    return compare_clips(*exact, written.clip, times, job).map([](const Comparison& comparison) {
        const WorstDifference worst = comparison.worst();
        return Json{{"position_mm", worst.position_mm},
                    {"position_joint", json_text(worst.joint)},
                    {"rotation_degrees", worst.rotation_degrees},
                    {"rotation_joint", json_text(worst.rotation_joint)}};
    });
}

}  // namespace

double slowest_moment(const Clip& clip, const TrimSpan& part) {
    constexpr double last_share = 0.2;
    constexpr double step_seconds = 1.0 / 30.0;
    const double from = part.end_seconds - last_share * (part.end_seconds - part.start_seconds);
    double best = part.end_seconds;
    double least = std::numeric_limits<double>::infinity();
    ClipPoser poser(clip);
    for (double time = part.end_seconds; time >= from; time -= step_seconds) {
        poser.pose(time - step_seconds);
        const std::vector<Transform> before = poser.local();
        poser.pose(std::min(time + step_seconds, clip.duration_seconds));
        double speed = 0;
        for (std::size_t node = 0; node < before.size(); ++node) {
            speed += chord(before[node].rotation, poser.local()[node].rotation) +
                     glm::length(before[node].translation - poser.local()[node].translation);
        }
        if (speed < least) {
            least = speed;
            best = time;
        }
    }
    return best;
}

Result<Clip> with_tools(Clip clip, const rig::humanoid::FoundRig& rig, Tools tools, Json& rows,
                        const Job& job) {
    return Chain(std::move(clip), rig, std::move(tools), rows, job).run();
}

Result<Made> edited(const AnyDocument& document, const Json& edits, const Job& job, Difference difference) {
    if (!has_tools(edits)) {
        return document.edited(edits);
    }
    TRY(auto given, given_tools(edits));
    const Tools all = given.tools;
    const Format& format = document.format();
    Json rows = Json::array();
    Json report = Json::object();
    auto made = std::make_unique<AnyDocument>(document);
    if (format.edit.tools != nullptr) {
        TRY(made, format.edit.tools(*made, given.tools, rows));
    }
    const bool is_by_clip = given.tools.any();
    if (is_by_clip) {
        if (format.clip.to_clip == nullptr) {
            return fail(ErrorCode::invalid_argument,
                        std::string(format.noun) +
                            " has no skeleton for these tools: " + std::string(format.reasons.no_clip));
        }
        TRY(const auto before, format.clip.to_clip(*made, at_body_size(format, Json::object())));
        TRY(const auto rig, rig::humanoid::find_rig(before.clip.skeleton, rig::humanoid::built_in_rigs()));
        TRY(auto after, with_tools(before.clip, rig, given.tools, rows, job));
        TRY(made, with_motion(*made, before, std::move(after), report, rows, job));
    }
    // One tool that the format does on its own numbers says itself what it does to them.
    if (difference == Difference::measured && (is_by_clip || rows.size() > 1)) {
        TRY(report["largest_difference"], largest_difference(document, all, *made, job));
    }
    if (given.others != Json::object()) {
        TRY(auto finished, made->edited(given.others));
        made = std::move(finished.document);
        report.update(finished.report);
    } else {
        const CheckLevel level = format.check.default_level;
        TRY(auto found, made->check(level, ""));
        TRY(const auto known, document.check(level, ""));
        std::erase_if(found, [&](const Finding& finding) {
            return std::ranges::any_of(known, [&](const Finding& old) { return old.rule == finding.rule; });
        });
        report.update(findings_json(found));
    }
    report["tools"] = std::move(rows);
    return Made{std::move(made), std::move(report)};
}

}  // namespace animbridge::editing
