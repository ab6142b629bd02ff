// SPDX-License-Identifier: MIT
#include "formats/sl_anim/edit/edit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/codes/codes.h"
#include "formats/sl_anim/edit/cuts.h"
#include "model/clip/clip.h"

namespace animbridge::sl_anim::edit {

namespace {

/// Without the member, the file's value stays.
constexpr std::string_view the_files = "the file's";

constexpr double least_int32 = std::numeric_limits<std::int32_t>::min();
constexpr double most_int32 = std::numeric_limits<std::int32_t>::max();

template <auto Field>
void edit_integer(file::Document& document, const Json& value) {
    using Number = std::remove_reference_t<decltype(document.*Field)>;
    document.*Field = static_cast<Number>(value.get<std::int64_t>());
}
template <auto Field>
void edit_float(file::Document& document, const Json& value) {
    document.*Field = float_from_json(value, "").value();
}

/// Keeps the file's own number for "true" if the meaning does not change.
void edit_loop(file::Document& document, const Json& value) {
    if (value.get<bool>() != (document.loop != 0)) {
        document.loop = value.get<bool>() ? 1 : 0;
    }
}

constexpr OptionRow<file::Document> seconds_row(std::string_view name, std::string_view command_name,
                                                std::string_view help,
                                                void (*set)(file::Document& document, const Json& value)) {
    return {{.name = name,
             .type = OptionType::any_seconds,
             .command_name = command_name,
             .value_name = "SECONDS",
             .without = the_files,
             .unit = "s",
             .help = help},
            set};
}

/// Any value that the file can hold: the check reports what the viewer makes of it.
constexpr std::array<OptionRow<file::Document>, 9> edit_rows = {{
    {{.name = "base_priority",
      .type = OptionType::integer,
      .command_name = "--base-priority",
      .value_name = "PRIORITY",
      .low = least_int32,
      .high = most_int32,
      .without = the_files,
      .allowed = "a whole number from -2147483648 to 2147483647; the viewer takes -1 to 6",
      .help = "Which animation wins if several move the same joint: 0 is the weakest, 6 is the strongest"},
     edit_integer<&file::Document::base_priority>},
    {{.name = "emote_name",
      .type = OptionType::text_without_nul,
      .command_name = "--emote",
      .value_name = "NAME",
      .without = the_files,
      .help = "A facial expression that starts with the animation, or the id of another animation. Empty: "
              "none"},
     [](file::Document& document, const Json& value) {
         document.emote_name = text_from_json(value, "").value();
     }},
    {{.name = "loop",
      .type = OptionType::flag,
      .command_name = "--loop",
      .clear_name = "--no-loop",
      .without = the_files,
      .help = "Repeat the animation until it is stopped",
      .clear_help = "Play the animation once"},
     edit_loop},
    seconds_row("loop_in_point", "--loop-in",
                "Seconds from the animation's start to where the repeated part begins",
                edit_float<&file::Document::loop_in_point>),
    seconds_row("loop_out_point", "--loop-out",
                "Seconds from the animation's start to where the repeated part ends",
                edit_float<&file::Document::loop_out_point>),
    seconds_row("ease_in_duration", "--ease-in", "Seconds in which the animation blends in",
                edit_float<&file::Document::ease_in_duration>),
    seconds_row("ease_out_duration", "--ease-out", "Seconds in which the animation blends out",
                edit_float<&file::Document::ease_out_duration>),
    {{.name = "hand_pose",
      .type = OptionType::integer,
      .command_name = "--hand-pose",
      .value_name = "NUMBER",
      .high = std::numeric_limits<std::uint32_t>::max(),
      .without = the_files,
      .allowed = "a whole number from 0 to 4294967295; the viewer takes 0 to 13",
      .help = "Hands of the system avatar"},
     edit_integer<&file::Document::hand_pose>},
    {{.name = "joint_priorities",
      .type = OptionType::integers_by_name,
      .command_name = "--joint-priority",
      .value_name = "PRIORITY",
      .low = least_int32,
      .high = most_int32,
      .without = the_files,
      .allowed = "an object of joints and their priorities, whole numbers from -2147483648 to 2147483647; "
                 "the viewer takes -1 to 6",
      .help =
          "Priorities of joints, by any of their names; \"*\" is all joints. On the command line, repeat the "
          "option for each joint"},
     // edit() sets them, since the animation may lack a joint.
     [](file::Document& /*document*/, const Json& /*value*/) {}},
}};
constexpr auto edit_table = options_of(edit_rows);

/// Sets every record of the joint: a file may have several, under different names.
Result<void> set_joint_priority(file::Document& document, const std::string& name, const Json& value) {
    const auto wanted = avatar::find_joint(name);
    bool found = false;
    for (file::Joint& joint : document.joints) {
        if (joint.name != name && (!wanted || avatar::find_joint(joint.name) != wanted)) {
            continue;
        }
        joint.priority = static_cast<std::int32_t>(value.get<std::int64_t>());
        found = true;
    }
    if (!found) {
        return json_fail("joint_priorities." + name, name, "a joint of the animation");
    }
    return {};
}

/// Those of single joints take precedence over that of all.
Result<void> set_joint_priorities(file::Document& document, const Json& priorities) {
    constexpr std::string_view every_joint = "*";
    for (file::Joint& joint : document.joints) {
        const Json priority = priorities.value(every_joint, Json(joint.priority));
        joint.priority = static_cast<std::int32_t>(priority.get<std::int64_t>());
    }
    for (const auto& [name, priority] : priorities.items()) {
        if (name != every_joint) {
            TRY_VOID(set_joint_priority(document, name, priority));
        }
    }
    return {};
}

}  // namespace

std::span<const Option> edit_options() { return edit_table; }

Result<file::Document> edit(file::Document document, const Json& edits) {
    TRY_VOID(read_options(edits, edit_rows, document));
    TRY_VOID(set_joint_priorities(document, edits.value("joint_priorities", Json::object())));
    return document;
}

namespace {

/// Times in a part of an animation, or in one pose of it, which is held.
class KeptSpan {
public:
    KeptSpan(float duration_seconds, const TrimSpan& span) : before_(duration_seconds), span_(span) {}

    [[nodiscard]] bool is_pose() const { return span_.start_seconds == span_.end_seconds; }
    [[nodiscard]] double duration_seconds() const {
        constexpr double held_seconds = 1.0;  // its length means nothing
        return is_pose() ? held_seconds : span_.end_seconds - span_.start_seconds;
    }
    /// A time of the whole animation, relative to the part and clamped to it.
    [[nodiscard]] double moved(double seconds) const {
        const double later = seconds - span_.start_seconds;
        return is_pose() && later > 0.0 ? duration_seconds() : std::clamp(later, 0.0, duration_seconds());
    }

    /// `Keys`: as played. Encodes one value at a time.
    template <typename Keys, typename Encode>
    [[nodiscard]] std::vector<file::CodedKey> of(const std::vector<file::CodedKey>& all, const Keys& played,
                                                 Encode encode) const {
        std::vector<file::CodedKey> kept;
        bool has_earlier = false;
        bool has_later = false;
        bool is_at_start = false;
        bool is_at_end = false;
        for (const file::CodedKey& key : all) {
            const double seconds = codes::decode_time(key.time, before_);
            const double from_start = seconds - span_.start_seconds;
            const double to_end = span_.end_seconds - seconds;
            has_earlier = has_earlier || from_start < -half_step();
            has_later = has_later || to_end < -half_step();
            if (from_start >= -half_step() && to_end >= -half_step()) {
                is_at_start = is_at_start || from_start <= half_step();
                is_at_end = is_at_end || to_end <= half_step();
                kept.push_back({code_of(moved(seconds)), key.xyz});
            }
        }
        if (is_pose()) {
            if (kept.empty() && !all.empty()) {
                kept.push_back(cut_at(span_.start_seconds, 0, played, encode));
            }
            return kept.empty() ? kept : std::vector<file::CodedKey>{{0, kept.back().xyz}};
        }
        if (has_earlier && !is_at_start) {
            kept.insert(kept.begin(), cut_at(span_.start_seconds, 0, played, encode));
        }
        if (has_later && !is_at_end) {
            kept.push_back(cut_at(span_.end_seconds, last_code, played, encode));
        }
        return kept;
    }

private:
    static constexpr std::uint16_t last_code = 65535;

    /// Half of the steps in which the file stores times: keys nearer to a cut are at it.
    [[nodiscard]] double half_step() const { return 0.5 * static_cast<double>(before_ * codes::code_step); }
    [[nodiscard]] std::uint16_t code_of(double seconds) const {
        return static_cast<std::uint16_t>(std::lround(seconds / duration_seconds() * last_code));
    }
    template <typename Keys, typename Encode>
    static file::CodedKey cut_at(double seconds, std::uint16_t code, const Keys& played, Encode encode) {
        file::CodedKey key = encode(codes::value_at(played, static_cast<float>(seconds)));
        key.time = code;
        return key;
    }

    float before_;
    TrimSpan span_;
};

}  // namespace

namespace {

/// Adds a key with what the viewer shows, unless one has its time.
void add_shown_key(std::vector<file::CodedKey>& keys, const codes::RotationKeys& played, float seconds,
                   float duration_seconds) {
    file::CodedKey key =
        codes::encode_rotations({{0.0F}, {codes::value_at(played, seconds)}}, 1.0F, codes::Encoder::upload)
            .front();
    key.time = codes::encode_key_time(seconds, duration_seconds, codes::Encoder::nearest);
    if (std::ranges::find(keys, key.time, &file::CodedKey::time) == keys.end()) {
        const auto is_later = [&](const file::CodedKey& other) { return other.time > key.time; };
        keys.insert(std::ranges::find_if(keys, is_later), key);
    }
}

double turn_after(const codes::RotationKeys& played, std::size_t key) {
    const auto turn_of = [&](std::size_t i) {
        const codes::Quaternion& q = played.values[i];
        return glm::dquat(q.w, q.x, q.y, q.z);
    };
    return angle_between_degrees(turn_of(key), turn_of(key + 1));
}

}  // namespace

void add_keys_around_cuts(std::vector<file::CodedKey>& keys, const codes::RotationKeys& played,
                          float duration_seconds, std::span<const double> cuts_seconds) {
    const auto step = double{duration_seconds * codes::code_step};
    for (const double cut : cuts_seconds) {
        const auto after = std::ranges::upper_bound(played.times, static_cast<float>(cut));
        if (after == played.times.begin() || after == played.times.end()) {
            continue;
        }
        const auto left = static_cast<std::size_t>(after - played.times.begin()) - 1;
        const double start = played.times[left];
        const double length = played.times[left + 1] - start;
        const int chords = cut - start > step ? chords_of_turn(turn_after(played, left)) : 1;
        for (int i = 1; i < chords; ++i) {
            add_shown_key(keys, played, static_cast<float>(start + length * i / chords), duration_seconds);
        }
    }
}

Result<file::Document> trimmed(file::Document document, const Trim& trim) {
    const float duration = document.duration.value();
    TRY(const TrimSpan span, trim.in(static_cast<double>(duration), 0.0));
    if (span.start_seconds <= 0.0 && span.end_seconds >= static_cast<double>(duration)) {
        return document;
    }
    const KeptSpan part(duration, span);
    constexpr codes::Encoder encoder = codes::Encoder::upload;
    const std::array cuts = {span.start_seconds, span.end_seconds};
    for (file::Joint& joint : document.joints) {
        const auto played = codes::as_played(codes::decode_rotations(joint.rotation, duration));
        add_keys_around_cuts(joint.rotation.coded, played, duration, cuts);
        joint.rotation.coded = part.of(joint.rotation.coded, played, [](const codes::Quaternion& q) {
            return codes::encode_rotations({{0.0F}, {q}}, 1.0F, encoder).front();
        });
        joint.position.coded =
            part.of(joint.position.coded, codes::as_played(codes::decode_positions(joint.position, duration)),
                    [](const codes::Vector& v) {
                        return codes::encode_positions({{0.0F}, {v}}, 1.0F, encoder).front();
                    });
    }
    const auto moved = [&](RawFloat seconds) {
        return RawFloat(static_cast<float>(part.moved(static_cast<double>(seconds.value()))));
    };
    document.duration = RawFloat(static_cast<float>(part.duration_seconds()));
    const auto held = static_cast<double>(document.loop_in_point.value());
    const bool holds_inside = !part.is_pose() && document.loop_in_point == document.loop_out_point &&
                              held >= span.start_seconds && held <= span.end_seconds;
    document.loop_in_point = moved(document.loop_in_point);
    document.loop_out_point = moved(document.loop_out_point);
    document.loop = part.is_pose() ? 1 : document.loop;
    if (!holds_inside && !(document.loop_in_point.value() < document.loop_out_point.value())) {
        document.loop_in_point = RawFloat(0.0F);
        document.loop_out_point = document.duration;
    }
    for (file::Constraint& constraint : document.constraints) {
        for (RawFloat* time : {&constraint.ease_in_start, &constraint.ease_in_stop,
                               &constraint.ease_out_start, &constraint.ease_out_stop}) {
            // Also to before 0 and after the end: the weight at a time depends on all four.
            *time = span.start_seconds > 0.0
                        ? RawFloat(static_cast<float>(time->value() - span.start_seconds))
                        : *time;
        }
    }
    return document;
}

}  // namespace animbridge::sl_anim::edit
