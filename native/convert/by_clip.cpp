// SPDX-License-Identifier: MIT
#include "convert/convert.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "base/options/options.h"
#include "convert/foreign.h"
#include "convert/retarget/retarget.h"
#include "formats/registry.h"
#include "model/clip/clip.h"
#include "rig/exchange/exchange.h"

namespace animbridge {

namespace {

/// The options of both ways, each with what its table has.
struct Options {
    Json to_clip = Json::object();
    Json from_clip = Json::object();
};

Result<Options> split(const Format& from, const Format& to, const Json& options) {
    const auto first = options_of_call(from, "to_clip");
    const auto second = options_of_call(to, "from_clip");
    std::vector<Option> all(first.begin(), first.end());
    std::copy_if(second.begin(), second.end(), std::back_inserter(all),
                 [&](const Option& option) { return !has_option(first, option.name); });
    TRY_VOID(check_options(options, all, ""));
    Options split;
    for (const auto& [name, value] : options.items()) {
        if (has_option(first, name)) {
            split.to_clip[name] = value;
        }
        if (has_option(second, name)) {
            split.from_clip[name] = value;
        }
    }
    return split;
}

tl::unexpected<Error> no_way(const Format& from, const Format& to) {
    const std::string_view why = from.clip.to_clip == nullptr ? from.reasons.no_clip : to.reasons.no_clip;
    return fail(ErrorCode::invalid_argument, std::string(from.noun) + " cannot be converted to " +
                                                 std::string(to.noun) + (why.empty() ? "" : ": ") +
                                                 std::string(why));
}

/// A file of the same format keeps its numbers.
Json at_body_size(const Format& from, const Format& to, Json to_clip) {
    return &from == &to ? std::move(to_clip) : animbridge::at_body_size(from, std::move(to_clip));
}

/// Keys of an MRTK recording have separate times, and a clip's hands have keys at all of these: a small file
/// can make a large clip. The results of a clip take up to six times its memory (measured: to GLB).
Result<void> check_room(const Clip& clip, std::uint32_t memory_mib) {
    constexpr std::uint64_t copies = 6;
    std::uint64_t bytes = 0;
    for (const Track& track : clip.tracks) {
        bytes += (track.times.size() + track.values.size()) * sizeof(double) +
                 track.handles.size() * sizeof(Handles);
    }
    return bytes * copies > std::uint64_t{memory_mib} << 20U ? Result<void>(fail(over_memory(memory_mib)))
                                                             : Result<void>();
}

/// The clip, in the axes in which its body stands if the file and the caller give none; `to_clip` gets these.
Result<ClipMade> clip_of(const AnyDocument& document, const Format& to, Json& to_clip) {
    const Format& from = document.format();
    TRY(auto made, from.clip.to_clip(document, to_clip));
    if (&from == &to || !from.clip.has_axes) {
        return made;
    }
    TRY(auto motion, motion_with_rig(document, made.clip, to_clip, RigText(), rig::humanoid::RigUse::source));
    if (motion.axes.empty()) {
        return made;
    }
    to_clip.update(motion.axes);
    TRY(auto turned, from.clip.to_clip(document, to_clip));
    if (!motion.are_axes_sure) {
        turned.warnings.push_back(std::move(motion.rig.warnings.back()));
    }
    return turned;
}

/// The clip that goes into the new document, and the retargeting's report.
struct Moved {
    Clip clip;
    std::optional<rig::retarget::RetargetReport> report{};
    // For a motion that was not retargeted.
    std::vector<std::string> warnings{};
    std::string note{};  ///< empty: none
};

/// The document's own clip.
Moved not_moved(ClipMade made) {
    if (!made.size_warning.empty()) {
        made.warnings.push_back(std::move(made.size_warning));
    }
    return {std::move(made.clip), {}, std::move(made.warnings), std::move(made.size_note)};
}

/// The skeleton that gets the motion, with its rig; its clip is not used. nullopt: the clip's own skeleton.
Result<std::optional<RigMotion>> target_of(const Clip& clip, const Format& to, const ClipWay& way,
                                           const RigText& own) {
    if (way.onto != nullptr) {
        return motion_with_rig(*way.onto, at_body_size(way.onto->format(), to, Json::object()), own,
                               rig::humanoid::RigUse::target)
            .map([](RigMotion found) { return std::optional(std::move(found)); })
            .map_error([&](Error error) { return in_rig_text(std::move(error), own, "target_rig"); });
    }
    const bool is_asked = way.retarget.is_object();
    if (to.clip.own_skeleton == nullptr && is_asked) {
        return fail(ErrorCode::invalid_argument,
                    std::string(to.noun) +
                        " has no fixed skeleton: name a file whose skeleton gets the motion "
                        "(command: --onto; library: onto)");
    }
    const bool is_needed = way.retarget.is_null() && to.clip.own_skeleton != nullptr &&
                           to.clip.takes != nullptr && !to.clip.takes(clip);
    if (!is_asked && !is_needed) {
        return std::nullopt;
    }
    RigMotion target{{to.clip.own_skeleton(), {}, {}, 0.0}, {}};
    TRY(target.rig,
        rig_of(target.clip.skeleton, own, rig::humanoid::RigUse::target).map_error([&](Error error) {
            return in_rig_text(std::move(error), own, "target_rig");
        }));
    return std::optional(std::move(target));
}

/// Whether the output's format itself finds the parts of the body, in any skeleton of the motion.
bool finds_body(const Format& to, const ClipWay& way) { return way.onto == nullptr && to.clip.finds_body; }

/// Moves the option to from_clip; null if nothing else is left.
Json without(const char* moved, const Json& retarget, Json& from_clip) {
    Json rest = Json::object();
    if (retarget.is_object()) {
        for (const auto& [name, value] : retarget.items()) {
            (name == moved ? from_clip : rest)[name] = value;
        }
    }
    return rest == Json::object() ? Json(nullptr) : rest;
}

/// The retargeting's options, without those that go to the output's format if it keeps the skeleton.
Json kept_options(const Format& to, const ClipWay& way, bool finds, Json& from_clip) {
    if (finds) {
        return without("source_rig", way.retarget, from_clip);
    }
    const bool takes_bounds = to.clip.own_skeleton == nullptr && to.clip.has_bounds;
    if (!takes_bounds || !has_bounds(way.retarget)) {
        return way.retarget;
    }
    const Json rest = take_bounds(way.retarget, from_clip);
    return way.onto == nullptr ? rest : way.retarget;
}

/// The rig file for from_clip.
RigText rig_for(const Options& given) {
    const Json rig = given.from_clip.value("source_rig", Json());
    return rig.is_null() ? RigText() : RigText(rig.get<std::string_view>());
}

/// The clip in the axes in which its body stands, with a warning about them.
Result<Clip> standing(const AnyDocument& document, const Clip& clip, const Options& given,
                      std::vector<std::string>& warnings) {
    const RigText text = rig_for(given);
    return motion_with_rig(document, clip, given.to_clip, text, rig::humanoid::RigUse::source)
        .map([&](RigMotion motion) {
            warnings.insert(warnings.end(), motion.rig.warnings.begin(), motion.rig.warnings.end());
            return std::move(motion.clip);
        })
        .map_error([&](Error error) { return in_rig_text(std::move(error), text, "source_rig"); });
}

/// Adds those that the report does not have yet.
void add_warnings(const std::vector<std::string>& warnings, Json& report) {
    Json all = report.value("warnings", Json::array());
    for (const std::string& warning : warnings) {
        const bool is_known =
            std::any_of(all.begin(), all.end(), [&](const Json& other) { return other == warning; });
        if (!is_known) {
            all.push_back(warning);
        }
    }
    report["warnings"] = std::move(all);
}

/// A file without a unit is read in metres.
void warn_of_unit(rig::retarget::RetargetReport& report) {
    constexpr double lowest_hips = 0.2;
    constexpr double highest_hips = 2.0;
    const double height = report.body ? report.body->target_hips_height_metres : 0.0;
    if (height > 0.0 && (height < lowest_hips || height > highest_hips)) {
        report.warnings.push_back("The output's hips are " + shown_number(height) +
                                  " m above its feet if its unit is metres. If it is not, read the "
                                  "millimetres of this report as thousandths of its unit.");
    }
}

/// The error of from_clip, or that the skeleton of the named file is not the format's fixed one.
Error why_not_written(Error error, const Clip& clip, const Format& to, const ClipWay& way,
                      const RigText& rig) {
    if (way.onto == nullptr || to.clip.own_skeleton == nullptr || to.clip.takes(clip)) {
        return in_rig_text(std::move(error), rig, "source_rig");
    }
    Error other{ErrorCode::bad_value,
                "the file's skeleton is not the one that " + std::string(to.noun) +
                    " always has. Leave the option out to move that one, or write a file of another format"};
    other.field = "onto";
    return in_request(std::move(other));
}

/// A file like the one whose skeleton gets the motion is written along the same axes if the caller names
/// none.
void take_axes(const Json& axes, const ClipWay& way, const Format& to, Json& from_clip) {
    const bool is_same = way.onto != nullptr && &way.onto->format() == &to;
    if (is_same && !from_clip.contains("up") && !from_clip.contains("forward")) {
        from_clip.update(axes);
    }
}

Result<Moved> moved_onto(const AnyDocument& document, ClipMade made, const Format& to, Options& given,
                         const ClipWay& way, const Job& job) {
    const Clip& clip = made.clip;
    const Json options = way.retarget.is_object() ? way.retarget : Json::object();
    TRY(const auto rigs, given_rigs(options));
    if (options.value("only_feet", Json(false)) == true) {
        return json_fail("only_feet", true, "false: it is for the curves of one armature");
    }
    TRY(auto found, target_of(clip, to, way, rigs.target));
    if (!found) {
        return not_moved(std::move(made));
    }
    take_axes(found->axes, way, to, given.from_clip);
    TRY(auto source,
        motion_with_rig(document, clip, given.to_clip, rigs.source, rig::humanoid::RigUse::source)
            .map_error(
                [&](Error error) { return in_rig_text(std::move(error), rigs.source, "source_rig"); }));
    if (rigs.swap_sides) {
        rig::humanoid::swap_sides(source.rig);
    }
    const bool is_asked = way.onto != nullptr || way.retarget.is_object();
    if (!is_asked && source.rig.slots.empty() && source.rig.chains.empty() && source.rig.looks_like.empty()) {
        // There is no body: the format reports what it needs.
        return not_moved(std::move(made));
    }
    source.rig.warnings.insert(source.rig.warnings.end(), made.warnings.begin(), made.warnings.end());
    TRY_VOID(require_person(source, options));
    TRY_VOID(require_limbs(source, found->rig, options));
    const RigTarget target{std::move(found->clip.skeleton), std::move(found->rig),
                           std::move(found->reference)};
    return retargeted(source, target, options, job).map([&](rig::retarget::Retargeted done) {
        if (way.onto != nullptr) {
            warn_of_unit(done.report);
        }
        return Moved{std::move(done.clip), std::move(done.report)};
    });
}

/// What the conversion adds to from_clip's report.
struct ClipReport {
    FrameKeys frames{};
    double leading_hold_seconds = 0;
    std::optional<std::vector<std::string>> warnings{};  ///< besides those of from_clip
    std::string note{};                                  ///< empty: none
    std::optional<rig::retarget::RetargetReport> retarget{};

    /// Both reports. "frames" is null if nothing was sampled.
    [[nodiscard]] Json to_json(Json made) const {
        made["way"] = "clip";
        made["frames"] = frames.frames_per_second == 0.0
                             ? Json(nullptr)
                             : Json{{"frames_per_second", frames.frames_per_second},
                                    {"is_baked", frames.is_baked},
                                    {"max_position_error_mm", frames.max_position_error_mm},
                                    {"max_rotation_error_degrees", frames.max_rotation_error_degrees}};
        made["leading_hold_seconds"] = leading_hold_seconds;
        if (warnings) {
            add_warnings(*warnings, made);
        }
        if (!note.empty()) {
            made["notes"] = texts_json({note});
        }
        if (retarget) {
            made["retarget"] = rig::retarget::retarget_json(*retarget);
        }
        return made;
    }
};

/// Only if the file's own keys are not already at frames.
std::string frames_text(const Json& frames) {
    if (frames.is_null() || frames["is_baked"] == true) {
        return "";
    }
    return "Keys at " + shown_number(frames["frames_per_second"].get<double>()) +
           " frames per second: between them, the motion is within " +
           measured_text(frames["max_position_error_mm"].get<double>()) + " mm and " +
           measured_text(frames["max_rotation_error_degrees"].get<double>()) +
           " degrees of the file's curves\n";
}

/// Which joints of the input are the hands', and which joints were placed without one.
std::string bones_text(const Json& bones, const Json& placed) {
    std::string own;
    std::string others;
    for (const auto& [joint, bone] : bones.items()) {
        const std::string name(joint);
        const bool is_placed =
            std::any_of(placed.begin(), placed.end(), [&](const Json& one) { return one == name; });
        std::string& list = is_placed ? others : own;
        list += (list.empty() ? "" : ", ") + name + (is_placed ? "" : " = " + plain_text(bone));
    }
    return own + "\n" + (others.empty() ? "" : "Placed without a joint of their own: " + others + "\n");
}

/// The name of an animation is kept if the caller gives none and the output's format has names. A NUL ends
/// names.
void keep_name(const std::string& name, const Format& to, Json& from_clip) {
    const char* const option = "animation_name";
    if (!name.empty() && name.find('\0') == std::string::npos && !from_clip.contains(option) &&
        to.clip.names_animations) {
        from_clip[option] = json_text(name);
    }
}

}  // namespace

bool takes_options(const Format& from, const Format& to, const Json& options) {
    return from.clip.to_clip != nullptr && to.clip.from_clip != nullptr &&
           split(from, to, options).has_value();
}

Result<Made> by_clip(const AnyDocument& document, const Format& to, const ClipWay& way, const Job& job) {
    const Format& from = document.format();
    if (from.clip.to_clip == nullptr || to.clip.from_clip == nullptr) {
        return no_way(from, to);
    }
    TRY(auto given, split(from, to, way.options));
    if (!from.clip.has_sampling && given.from_clip.value("keys", Json()) == "frames") {
        return json_fail("keys", "frames",
                         "exact: this input has keys, which are written as they are; only curves of scenes "
                         "become keys at frames");
    }
    if (way.in_frames && from.clip.has_sampling && !given.to_clip.contains("keys")) {
        given.to_clip["keys"] = "frames";
    }
    given.to_clip = at_body_size(from, to, std::move(given.to_clip));
    TRY(auto made_clip, clip_of(document, to, given.to_clip));
    TRY_VOID(check_room(made_clip.clip, way.memory_mib));
    keep_name(made_clip.name, to, given.from_clip);
    TRY_VOID(job.report(0.3));
    const double rate = made_clip.clip.frames_per_second;
    const double source_rate = frame_rate_of(made_clip.clip);
    const bool finds = finds_body(to, way);
    const Json retarget = kept_options(to, way, finds, given.from_clip);
    if (finds && !to.clip.takes(made_clip.clip)) {
        TRY(made_clip.clip, standing(document, made_clip.clip, given, made_clip.warnings));
    }
    std::vector<std::string> left_out = std::move(made_clip.left_out);
    ClipReport report{made_clip.frames};
    TRY(auto moved, moved_onto(document, std::move(made_clip), to, given,
                               {way.options, retarget, way.onto, way.in_frames}, job.part(0.3, 0.6)));
    // The retargeted clip has keys between those of the source.
    moved.clip.frames_per_second = moved.report ? source_rate : rate;
    TRY(auto made,
        to.clip.from_clip({moved.clip, given.from_clip, job.part(0.6, 1.0), nullptr, std::move(left_out)})
            .map_error([&](Error error) {
                return why_not_written(std::move(error), moved.clip, to, way, rig_for(given));
            }));
    if (finds || !moved.warnings.empty()) {
        report.warnings = std::move(moved.warnings);
    }
    report.note = std::move(moved.note);
    report.leading_hold_seconds = leading_hold_seconds(moved.clip);
    report.retarget = std::move(moved.report);
    made.report = report.to_json(std::move(made.report));
    return report.retarget
               ? unless_too_far_off(std::move(made), retarget.is_object() ? retarget : Json::object())
               : Result<Made>(std::move(made));
}

std::string describe_errors(const Json& errors) {
    const Json& moved = errors["position_mm"];
    const Json& turned = errors["rotation_degrees"];
    const auto place = [](const Json& spread) {
        return plain_text(spread["joint"]) + " at " + fixed_text(spread["at_seconds"].get<double>(), 2) +
               " s";
    };
    const bool has_moved = measured_text(moved["worst"].get<double>()) != "0";
    const bool has_turned = measured_text(turned["worst"].get<double>()) != "0";
    if (!has_moved && !has_turned) {
        return "";
    }
    return "(" + (has_moved ? "positions: " + place(moved) : "") + (has_moved && has_turned ? "; " : "") +
           (has_turned ? "rotations: " + place(turned) : "") + ". 99.9 % stay within " +
           measured_text(moved["percentile_99_9"].get<double>()) + " mm and " +
           measured_text(turned["percentile_99_9"].get<double>()) + " degrees; the mean is " +
           measured_text(moved["mean"].get<double>()) + " mm and " +
           measured_text(turned["mean"].get<double>()) + " degrees)\n";
}

std::string describe_by_clip(const Json& report) {
    const auto retarget = report.find("retarget");
    std::string text = (retarget == report.end() ? "" : rig::retarget::describe_retarget(*retarget)) +
                       "Largest difference: " + fixed_text(report["max_position_error_mm"].get<double>(), 3) +
                       " mm, " + fixed_text(report["max_rotation_error_degrees"].get<double>(), 4) +
                       " degrees\n";
    if (const auto errors = report.find("errors"); errors != report.end()) {
        text += describe_errors(*errors);
    }
    if (const auto hands = report.find("hands"); hands != report.end()) {
        text += "Hands found: " + bones_text((*hands)["bones"], (*hands)["placed"]);
    }
    text += frames_text(report["frames"]);
    // A hold of a frame or two is invisible.
    constexpr double seen_seconds = 0.1;
    if (const auto hold = report["leading_hold_seconds"].get<double>(); hold > seen_seconds) {
        text += "Nothing moves before " + shown_number(hold) + " s, where the first key is\n";
    }
    std::string left_out;
    for (const Json& item : report["left_out"]) {
        left_out += (left_out.empty() ? "" : ", ") + item.get<std::string>();
    }
    text += left_out.empty() ? "" : "Left out: " + left_out + "\n";
    for (const Json& note : report.value("notes", Json::array())) {
        text += plain_text(note) + "\n";
    }
    for (const Json& warning : report.value("warnings", Json::array())) {
        text += "Warning: " + plain_text(warning) + "\n";
    }
    return text;
}

namespace {

/// Matches a file that starts with `start` and contains `later` in its first bytes; "" matches any.
struct Signature {
    std::string_view start;
    std::string_view later;
    std::string_view kind;
};

constexpr std::array<Signature, 20> signatures = {{
    {"%YAML", "unity3d", "a Unity animation (YAML)"},
    {"%YAML", "", "a YAML file, as Unity writes its animations"},
    {"animVersion", "", "a Maya animation"},
    {"//Maya ASCII", "", "a Maya scene"},
    {"RSRC", "", "a Godot animation (binary resource)"},
    {"RSCC", "", "a Godot animation (compressed resource)"},
    {"[gd_resource", "", "a Godot animation (text resource)"},
    {"FORM", "ANIM", "an Amiga animation (IFF ANIM)"},
    {"BLENDER", "", "a Blender file"},
    {"SEAnim", "", "an SEAnim animation"},
    {"\x89PNG\r\n", "", "a PNG image"},
    {"\xFF\xD8\xFF", "", "a JPEG image"},
    {"GIF8", "", "a GIF image"},
    {"PK\x03\x04", "", "a ZIP file"},
    {"%PDF-", "", "a PDF file"},
    {"\xFF\xFE", "", "text in UTF-16 (save it as UTF-8)"},
    {"\xFE\xFF", "", "text in UTF-16 (save it as UTF-8)"},
    {"<!DOCTYPE html", "", "a web page (HTML)"},
    {"<!doctype html", "", "a web page (HTML)"},
    {"<html", "", "a web page (HTML)"},
}};

}  // namespace

std::string_view foreign_kind(ByteView bytes) {
    constexpr std::size_t longest_look = 128;
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    std::string_view text = text_of(bytes.first(std::min(bytes.size(), longest_look)));
    if (text.starts_with(byte_order_mark)) {
        text.remove_prefix(byte_order_mark.size());
    }
    const auto* const found =
        std::find_if(signatures.begin(), signatures.end(), [&](const Signature& signature) {
            return text.starts_with(signature.start) &&
                   text.find(signature.later, signature.start.size()) != std::string_view::npos;
        });
    return found == signatures.end() ? std::string_view() : found->kind;
}

}  // namespace animbridge
