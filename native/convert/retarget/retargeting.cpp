// SPDX-License-Identifier: MIT
#include "convert/retarget/retarget.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base.h"
#include "base/options/options.h"
#include "model/clip/clip.h"
#include "rig/exchange/exchange.h"
#include "rig/retarget/retarget.h"

namespace animbridge {

namespace {

constexpr std::string_view frame_prefix = "frame:";
constexpr std::string_view poses_allowed = "automatic, rest, tpose or frame:N with a whole number N from 1";

/// The given options, before the clip is known.
struct Given {
    rig::retarget::RetargetOptions options{.keep_touch = true};
    std::size_t source_frame = 0;  ///< from 1; 0: none
    std::string source_rig{};
    std::string target_rig{};
    bool swap_sides = false;
    StopBound stop{};
    bool force = false;
    bool keep_first_frame = false;
};

/// The number of a text "frame:N"; 0 for another text.
std::size_t frame_of(std::string_view text) {
    std::size_t frame = 0;
    if (text.starts_with(frame_prefix)) {
        const std::string_view digits = text.substr(frame_prefix.size());
        const char* const end = digits.data() + digits.size();
        const auto [stopped, error] = std::from_chars(digits.data(), end, frame);
        frame = error == std::errc() && stopped == end ? frame : 0;
    }
    return frame;
}

bool is_reference(const Json& value) {
    if (!value.is_string()) {
        return false;
    }
    const auto text = value.get<std::string_view>();
    return text == "automatic" || text == "rest" || text == "tpose" || frame_of(text) > 0;
}

/// The two numbers of a text "1.2,1"; nullopt for another text.
std::optional<rig::retarget::RootScale> root_scale_of(std::string_view text) {
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos) {
        return std::nullopt;
    }
    const auto number = [](std::string_view digits) {
        double value = 0;
        const char* const end = digits.data() + digits.size();
        const auto [stopped, error] = std::from_chars(digits.data(), end, value);
        return error == std::errc() && stopped == end && value >= 0.0 && value <= 1e6 ? std::optional(value)
                                                                                      : std::nullopt;
    };
    const auto horizontal = number(text.substr(0, comma));
    const auto vertical = number(text.substr(comma + 1));
    return horizontal && vertical ? std::optional(rig::retarget::RootScale{*horizontal, *vertical})
                                  : std::nullopt;
}

bool is_root_scale(const Json& value) {
    if (!value.is_string()) {
        return false;
    }
    const auto text = value.get<std::string_view>();
    return text == "auto" || root_scale_of(text).has_value();
}

rig::retarget::ReferenceKind kind_of(std::string_view text) {
    return text == "rest"    ? rig::retarget::ReferenceKind::rest
           : text == "tpose" ? rig::retarget::ReferenceKind::tpose
                             : rig::retarget::ReferenceKind::automatic;
}

/// X first, then Y, then Z, like Blender's "XYZ Euler".
glm::dquat turn_of_degrees(const Json& vector) {
    const auto about = [&](std::size_t axis) {
        glm::dvec3 unit(0);
        unit[static_cast<glm::length_t>(axis)] = 1.0;
        return glm::angleAxis(glm::radians(vector[axis].get<double>()), unit);
    };
    return about(2) * about(1) * about(0);
}

void take_offsets(Given& given, const Json& value) {
    for (const auto& [slot, vector] : value.items()) {
        given.options.offsets.push_back({std::string(slot), turn_of_degrees(vector)});
    }
}

std::string text_of_value(const Json& value) { return std::string(value.get<std::string_view>()); }

constexpr std::array<OptionRow<Given>, 18> motion_rows = {{
    {{.name = "source_reference",
      .type = OptionType::text,
      .command_name = "--reference",
      .value_name = "POSE",
      .is_fine = is_reference,
      .standard = "automatic",
      .allowed = poses_allowed,
      .help =
          "The pose of the input in which it stands like the output's skeleton: its rest pose, a T-pose, "
          "or one of its frames. Automatic: the pose that the rig file stores, else the rest pose; if "
          "that is a fighting stance or a crouch, the first frame, if it is nearer to a T-pose or A-pose; "
          "if no body stands in the rest pose, the first frame in which it stands, made straight"},
     [](Given& given, const Json& value) {
         const auto text = value.get<std::string_view>();
         given.options.source_reference.kind = kind_of(text);
         given.source_frame = frame_of(text);
     }},
    {{.name = "target_reference",
      .type = OptionType::choice,
      .command_name = "--target-reference",
      .value_name = "POSE",
      .choices = {"automatic", "rest", "tpose"},
      .standard = "automatic",
      .help = "The same for the output's skeleton"},
     [](Given& given, const Json& value) {
         given.options.target_reference.kind = kind_of(value.get<std::string_view>());
     }},
    {{.name = "align",
      .type = OptionType::flag,
      .command_name = "--no-align",
      .switch_value = false,
      .standard = "true",
      .help = "Turn the bones of the output's reference pose until they point where the input's do",
      .switch_help = "Take the two reference poses as equal, even if their bones point elsewhere"},
     [](Given& given, const Json& value) { given.options.align = value.get<bool>(); }},
    {{.name = "root_scale",
      .type = OptionType::text,
      .command_name = "--root-scale",
      .value_name = "SCALE",
      .is_fine = is_root_scale,
      .standard = "auto",
      .allowed = "auto, or two numbers from 0 to 1,000,000 with a comma between them, such as 1,1",
      .help = "How much longer the body's path becomes, horizontally and vertically. Auto: by the lengths of "
              "the legs, or without legs by the heights of the hips"},
     [](Given& given, const Json& value) {
         given.options.root_scale = root_scale_of(value.get<std::string_view>());
     }},
    {{.name = "in_place",
      .type = OptionType::flag,
      .command_name = "--in-place",
      .standard = "false",
      .help = "Keep the body above its place; it still moves up and down"},
     [](Given& given, const Json& value) { given.options.in_place = value.get<bool>(); }},
    {{.name = "from_origin",
      .type = OptionType::flag,
      .command_name = "--from-origin",
      .standard = "false",
      .help = "Begin the body's path where the output's skeleton rests"},
     [](Given& given, const Json& value) { given.options.from_origin = value.get<bool>(); }},
    {{.name = "on_ground",
      .type = OptionType::flag,
      .command_name = "--on-ground",
      .standard = "false",
      .help = "Raise or lower the whole motion until its lowest foot touches the ground"},
     [](Given& given, const Json& value) { given.options.on_ground = value.get<bool>(); }},
    {{.name = "keep_first_frame",
      .type = OptionType::flag,
      .command_name = "--keep-first-frame",
      .standard = "false",
      .help = "Keep a first frame that is a T-pose or rest pose from which the motion jumps away; without "
              "this, the second frame's pose is held from the start instead"},
     [](Given& given, const Json& value) { given.keep_first_frame = value.get<bool>(); }},
    {{.name = "plant_feet",
      .type = OptionType::flag,
      .command_name = "--plant-feet",
      .standard = "false",
      .help = "Hold heels and toes still while they stand, and on the ground, by bending the legs and "
              "lowering the hips where a leg is too short"},
     [](Given& given, const Json& value) { given.options.plant_feet = value.get<bool>(); }},
    {{.name = "keep_touch",
      .type = OptionType::flag,
      .command_name = "--no-keep-touch",
      .switch_value = false,
      .standard = "true",
      .help =
          "Where the input's hands touch each other, the head, the hips or the thighs, the output's hands "
          "do too",
      .switch_help =
          "Leave the arms as they are where the input's hands touch each other, the head, the hips "
          "or the thighs"},
     [](Given& given, const Json& value) { given.options.keep_touch = value.get<bool>(); }},
    {{.name = "only_feet",
      .type = OptionType::flag,
      .standard = "false",
      .help = "Plant the feet of the source on its own skeleton, and make curves of nothing else; source and "
              "target are one armature"},
     [](Given& /*given*/, const Json& /*value*/) {}},
    {{.name = "source_ground_metres",
      .type = OptionType::number,
      .low = -largest_scene_number,
      .high = largest_scene_number,
      .may_be_null = true,
      .without = "found from the feet",
      .unit = "m",
      .help = "The height of the floor on which the input walks"},
     [](Given& given, const Json& value) { given.options.source_ground_metres = value.get<double>(); }},
    {{.name = "slots",
      .type = OptionType::texts,
      .may_be_null = true,
      .without = "all that both rigs have",
      .help = "The parts of the body to retarget, such as leftHand"},
     [](Given& given, const Json& value) {
         for (const Json& slot : value) {
             given.options.slots.push_back(text_of_value(slot));
         }
     }},
    {{.name = "only_keyed",
      .type = OptionType::flag,
      .standard = "false",
      .help = "Leave out the parts of the body that nothing of their own moves in the input"},
     [](Given& given, const Json& value) { given.options.only_keyed = value.get<bool>(); }},
    {{.name = "offsets",
      .type = OptionType::vectors_by_name,
      .command_name = "--offset",
      .value_name = "SLOT=X,Y,Z",
      .low = -360,
      .high = 360,
      .without = "none",
      .unit = "degrees",
      .allowed = "an object of parts and [x, y, z] in degrees, each from -360 to 360",
      .help = "Turns of single parts after everything else, in degrees about the axes of the part's bone: X "
              "first, then Y, then Z. A joint of a file has the axes of its skeleton at rest, with Z up"},
     take_offsets},
    {{.name = "source_rig",
      .type = OptionType::file_text,
      .command_name = "--rig",
      .value_name = "FILE",
      .without = "found from the joints' names and places",
      .help = "A rig file that says what the joints of the input are. The command also takes the name of one "
              "that comes with AnimBridge, such as quadruped for four legs"},
     [](Given& given, const Json& value) { given.source_rig = text_of_value(value); }},
    {{.name = "swap_sides",
      .type = OptionType::flag,
      .command_name = "--swap-sides",
      .standard = "false",
      .help = "Take the input's left for its right, and its right for its left"},
     [](Given& given, const Json& value) { given.swap_sides = value.get<bool>(); }},
    {{.name = "target_rig",
      .type = OptionType::file_text,
      .command_name = "--target-rig",
      .value_name = "FILE",
      .without = "found from the joints' names and places",
      .help = "The same for the skeleton of the output"},
     [](Given& given, const Json& value) { given.target_rig = text_of_value(value); }},
}};

constexpr auto flagged_stop_rows = [] {
    auto rows = clip_stop_rows<Given>;
    rows[0].option.command_name = "--stop-above";
    rows[0].option.value_name = "MM[,DEGREES]";
    rows[0].option.after_comma = "stop_above_degrees";
    return rows;
}();

constexpr std::array<OptionRow<Given>, 1> force_rows = {{
    {{.name = "force",
      .type = OptionType::flag,
      .command_name = "--force",
      .standard = "false",
      .help = "Make the file even if it is farther off than that, if the output has joints for under half of "
              "the arms, hands, legs and feet that the input moves, or if the input doesn't look like a "
              "person"},
     [](Given& given, const Json& value) { given.force = value.get<bool>(); }},
}};

constexpr auto rows = joined_rows(joined_rows(motion_rows, flagged_stop_rows), force_rows);
constexpr auto table = options_of(rows);

Result<Given> given_from(const Json& options) {
    Given given;
    return read_options(options, rows, given).map([&] { return std::move(given); });
}

/// The local rotations at a clip's frame: its Nth time at which any joint has a key.
Result<rig::retarget::Reference> frame_of_clip(const Clip& clip, std::size_t frame) {
    const std::vector<double> times = frame_times_of(clip);
    if (frame > times.size()) {
        const std::string allowed = times.empty()
                                        ? "automatic, rest or tpose, because the animation has no frames"
                                        : "a frame of the animation: 1 to " + std::to_string(times.size());
        Error error{ErrorCode::bad_value, "found frame:" + std::to_string(frame) + ", allowed is " + allowed};
        error.field = "source_reference";
        return fail(in_request(std::move(error)));
    }
    ClipPoser poser(clip);
    poser.pose(times[frame - 1]);
    rig::retarget::Reference reference{rig::retarget::ReferenceKind::given};
    for (const Transform& local : poser.local()) {
        reference.local.emplace_back(local.rotation);
    }
    return reference;
}

void set_pose(const std::vector<glm::dquat>& local, rig::retarget::Reference& reference) {
    using rig::retarget::ReferenceKind;
    if (!local.empty()) {
        reference.kind = reference.kind == ReferenceKind::tpose ? ReferenceKind::tpose : ReferenceKind::given;
        reference.local.assign(local.begin(), local.end());
    }
}

}  // namespace

std::span<const Option> retarget_options() { return table; }

Result<GivenRigs> given_rigs(const Json& options) {
    return given_from(options).map([](Given given) {
        return GivenRigs{std::move(given.source_rig), std::move(given.target_rig), given.swap_sides};
    });
}

Json take_bounds(const Json& retarget, Json& options) {
    constexpr std::array<std::string_view, 2> bounds = {"stop_above_mm", "stop_above_degrees"};
    Json rest = Json::object();
    for (const auto& [name, value] : retarget.items()) {
        const bool is_bound = std::find(bounds.begin(), bounds.end(), name) != bounds.end();
        if (name != "force") {
            (is_bound ? options : rest)[name] = value;
        }
    }
    if (retarget.value("force", Json(false)) == true) {
        constexpr double never = 0.0;
        for (const std::string_view bound : bounds) {
            options[bound] = never;
        }
    }
    return rest == Json::object() ? Json(nullptr) : rest;
}

bool has_bounds(const Json& retarget) {
    return retarget.is_object() && (retarget.contains("force") || retarget.contains("stop_above_mm") ||
                                    retarget.contains("stop_above_degrees"));
}

Result<Made> unless_too_far_off(Made made, const Json& options) {
    TRY(const auto given, given_from(options));
    return unless_too_far(std::move(made), given.force ? StopBound{0.0, 0.0} : given.stop,
                          "the retargeted motion");
}

Result<void> require_person(const RigMotion& source, const Json& options) {
    TRY(const auto given, given_from(options));
    // A caller who names joints or parts knows what they are.
    if (given.force || !given.source_rig.empty() || !given.options.slots.empty()) {
        return {};
    }
    const std::string why = why_no_person(source);
    if (why.empty()) {
        return {};
    }
    std::string reason = "the input doesn't look like a person: " + why + ". ";
    for (const std::string& warning : source.rig.warnings) {
        reason += warning + " ";
    }
    const std::string& looks = source.rig.looks_like;
    const bool may_have_four_legs = looks == "four legs" || looks == "a spine that lies flat";
    return fail(ErrorCode::rejected,
                reason + "Name its joints in a rig file (command: --rig" +
                    (!may_have_four_legs ? "" : ", or --rig quadruped for an animal with four legs") +
                    "; library: source_rig), or move what was "
                    "found (Blender: Import Anyway or Write Anyway; command: --force; library: force)");
}

Result<void> require_limbs(const RigMotion& source, const rig::humanoid::FoundRig& target,
                           const Json& options) {
    TRY(const auto given, given_from(options));
    const std::vector<std::string> limbs = moved_limbs(source);
    const std::vector<std::string> found = limbs_found(limbs, target);
    // A caller who names parts wants only these.
    if (given.force || !given.options.slots.empty() || !are_too_few(found.size(), limbs.size())) {
        return {};
    }
    std::vector<std::string> without;
    std::copy_if(limbs.begin(), limbs.end(), std::back_inserter(without),
                 [&](const std::string& limb) { return !target.joint_of(limb); });
    return fail(ErrorCode::rejected,
                "the output's skeleton has joints for " + std::to_string(found.size()) + " of the " +
                    std::to_string(limbs.size()) +
                    " arms, hands, legs and feet that the input moves (none for " + some_of(without) +
                    "). Name its joints in a rig file (command: --target-rig; library: target_rig), or move "
                    "the parts that were found (command: --force; library: force)");
}

Error in_rig_text(Error error, const RigText& text, const std::string& option) {
    if (!text.empty() && error.is_in_request) {
        error.file = option;
    }
    return error;
}

Result<rig::retarget::RetargetOptions> motion_options(const RigMotion& source,
                                                      const std::vector<glm::dquat>& target_reference,
                                                      const Json& options, const ReferencePoses& poses) {
    TRY(auto given, given_from(options));
    if (given.source_frame > 0) {
        TRY(given.options.source_reference, frame_of_clip(source.clip, given.source_frame));
    }
    if (given.options.source_reference.kind == rig::retarget::ReferenceKind::automatic) {
        set_pose(source.reference, given.options.source_reference);
    }
    if (given.options.target_reference.kind == rig::retarget::ReferenceKind::automatic) {
        set_pose(target_reference, given.options.target_reference);
    }
    set_pose(poses.source, given.options.source_reference);
    set_pose(poses.target, given.options.target_reference);
    given.options.target_axes = poses.target_axes;
    return std::move(given.options);
}

namespace {

/// The target's rig with the slots that the source's rig file names after joints of the target: a tail or
/// hind legs, which no person has.
rig::humanoid::FoundRig with_named_joints(const RigTarget& target, const rig::humanoid::FoundRig& source) {
    rig::humanoid::FoundRig rig = target.rig;
    for (const rig::humanoid::FoundSlot& slot : source.slots) {
        if (rig::humanoid::find_slot(slot.slot) || rig.joint_of(slot.slot)) {
            continue;
        }
        const auto& nodes = target.skeleton.nodes;
        const auto joint = std::find_if(nodes.begin(), nodes.end(),
                                        [&](const Node& node) { return node.name == slot.slot; });
        if (joint != nodes.end()) {
            rig.slots.push_back({slot.slot, static_cast<std::size_t>(joint - nodes.begin()),
                                 rig::humanoid::FoundBy::given, 1});
        }
    }
    return rig;
}

/// What a reference pose is. `frame`: from 1; 0: it is none.
std::string reference_words(const rig::retarget::Reference& asked, std::size_t frame, bool is_given,
                            const rig::humanoid::FoundRig& rig) {
    using rig::retarget::ReferenceKind;
    const bool is_stored = !rig.reference_local.empty() && asked.kind != ReferenceKind::rest;
    const std::string straight = asked.kind == ReferenceKind::tpose ? " with straight limbs" : "";
    return is_given    ? "the pose that was given" + straight
           : frame > 0 ? "frame " + std::to_string(frame)
           : is_stored ? "the pose in the rig file"
                       : "the rest pose" + straight;
}

}  // namespace

Result<rig::retarget::Retargeted> retargeted(const RigMotion& source, const RigTarget& target,
                                             const Json& options, const Job& job,
                                             const ReferencePoses& poses) {
    TRY(const auto given, given_from(options));
    const rig::humanoid::FoundRig target_rig = with_named_joints(target, source.rig);
    TRY(const auto wanted, motion_options(source, target.reference, options, poses));
    const auto odd =
        given.keep_first_frame ? std::nullopt : rig::retarget::odd_first_frame(source.clip, source.rig);
    const Clip rest_of_clip = odd ? rig::retarget::without_first_frame(source.clip, *odd) : Clip();
    return rig::retarget::retarget(odd ? rest_of_clip : source.clip, source.rig, target.skeleton, target_rig,
                                   wanted, job)
        .map([&](rig::retarget::Retargeted done) {
            done.report.first_frame = odd;
            const bool is_automatic =
                given.options.source_reference.kind == rig::retarget::ReferenceKind::automatic;
            done.report.source_reference = reference_words(given.options.source_reference,
                                                           given.source_frame > 0 ? given.source_frame
                                                           : is_automatic         ? source.reference_frame
                                                                                  : 0,
                                                           !poses.source.empty(), source.rig);
            if (is_automatic && poses.source.empty() && source.is_straightened) {
                done.report.source_reference += " with straight limbs";
            }
            const bool target_stands_elsewhere =
                given.options.target_reference.kind == rig::retarget::ReferenceKind::automatic &&
                poses.target.empty() && !target.reference.empty();
            done.report.target_reference =
                target_stands_elsewhere
                    ? "a frame in which it stands"
                    : reference_words(given.options.target_reference, 0, !poses.target.empty(), target.rig);
            std::vector<std::string>& warnings = done.report.warnings;
            warnings.insert(warnings.end(), source.rig.warnings.begin(), source.rig.warnings.end());
            warnings.insert(warnings.end(), target.rig.warnings.begin(), target.rig.warnings.end());
            return done;
        });
}

Result<Made> with_planted_feet(const AnyDocument& document, const Json& options) {
    const Format& format = document.format();
    if (format.edit.with_tracks == nullptr) {
        return fail(ErrorCode::invalid_argument,
                    "feet can be planted in a BVH or a Second Life animation. Convert " +
                        std::string(format.noun) +
                        " instead, with its own skeleton: animbridge convert IN OUT --onto IN --plant-feet");
    }
    TRY(const auto given, given_from(options));
    Json to_clip = at_body_size(format, Json::object());
    TRY(const auto motion, motion_with_rig(document, to_clip, given.source_rig, rig::humanoid::RigUse::source)
                               .map_error([&](Error error) {
                                   return in_rig_text(std::move(error), given.source_rig, "source_rig");
                               }));
    to_clip.update(motion.axes);
    TRY(auto planted, rig::retarget::plant_feet(motion.clip, motion.rig));
    planted.warnings.insert(planted.warnings.end(), motion.rig.warnings.begin(), motion.rig.warnings.end());
    TRY(auto made, format.edit.with_tracks(document, planted.changed, to_clip));
    return Made{std::move(made), rig::retarget::planted_json(planted)};
}

}  // namespace animbridge
