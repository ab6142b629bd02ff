// SPDX-License-Identifier: MIT
#include "formats/sl_anim/edit.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <type_traits>

#include "formats/sl_anim/skeleton.h"

namespace animbridge::sl_anim {

namespace {

/// Without the member, the file's value stays.
constexpr std::string_view the_files = "the file's";

constexpr double least_int32 = std::numeric_limits<std::int32_t>::min();
constexpr double most_int32 = std::numeric_limits<std::int32_t>::max();

template <auto Field>
void edit_integer(Document& document, const Json& value) {
    using Number = std::remove_reference_t<decltype(document.*Field)>;
    document.*Field = static_cast<Number>(value.get<std::int64_t>());
}
template <auto Field>
void edit_float(Document& document, const Json& value) {
    document.*Field = float_from_json(value, "").value();
}

/// Keeps the file's own number for "true" if the meaning does not change.
void edit_loop(Document& document, const Json& value) {
    if (value.get<bool>() != (document.loop != 0)) {
        document.loop = value.get<bool>() ? 1 : 0;
    }
}

constexpr OptionRow<Document> seconds_row(std::string_view name, std::string_view command_name,
                                          std::string_view help,
                                          void (*set)(Document& document, const Json& value)) {
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
constexpr std::array<OptionRow<Document>, 9> edit_rows = {{
    {{.name = "base_priority",
      .type = OptionType::integer,
      .command_name = "--base-priority",
      .value_name = "PRIORITY",
      .low = least_int32,
      .high = most_int32,
      .without = the_files,
      .allowed = "a whole number from -2147483648 to 2147483647; the viewer takes -1 to 6",
      .help = "Which animation wins if several move the same joint: 0 is the weakest, 6 is the strongest"},
     edit_integer<&Document::base_priority>},
    {{.name = "emote_name",
      .type = OptionType::text_without_nul,
      .command_name = "--emote",
      .value_name = "NAME",
      .without = the_files,
      .help = "A facial expression that starts with the animation, or the id of another animation. Empty: "
              "none"},
     [](Document& document, const Json& value) { document.emote_name = text_from_json(value, "").value(); }},
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
                edit_float<&Document::loop_in_point>),
    seconds_row("loop_out_point", "--loop-out",
                "Seconds from the animation's start to where the repeated part ends",
                edit_float<&Document::loop_out_point>),
    seconds_row("ease_in_duration", "--ease-in", "Seconds in which the animation blends in",
                edit_float<&Document::ease_in_duration>),
    seconds_row("ease_out_duration", "--ease-out", "Seconds in which the animation blends out",
                edit_float<&Document::ease_out_duration>),
    {{.name = "hand_pose",
      .type = OptionType::integer,
      .command_name = "--hand-pose",
      .value_name = "NUMBER",
      .high = std::numeric_limits<std::uint32_t>::max(),
      .without = the_files,
      .allowed = "a whole number from 0 to 4294967295; the viewer takes 0 to 13",
      .help = "Hands of the system avatar"},
     edit_integer<&Document::hand_pose>},
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
          "Priorities of single joints, by any of their names. On the command line, repeat the option for "
          "each joint"},
     // edit() sets them, since the animation may lack a joint.
     [](Document& /*document*/, const Json& /*value*/) {}},
}};
constexpr auto edit_table = options_of(edit_rows);

/// Sets every record of the joint: a file may have several, under different names.
Result<void> set_joint_priority(Document& document, const std::string& name, const Json& value) {
    const auto wanted = find_joint(name);
    bool found = false;
    for (Joint& joint : document.joints) {
        if (joint.name != name && (!wanted || find_joint(joint.name) != wanted)) {
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

}  // namespace

std::span<const Option> edit_options() { return edit_table; }

Result<Document> edit(Document document, const Json& edits) {
    TRY_VOID(read_options(edits, edit_rows, document));
    const auto priorities = edits.find("joint_priorities");
    if (priorities != edits.end()) {
        for (const auto& [name, priority] : priorities->items()) {
            TRY_VOID(set_joint_priority(document, name, priority));
        }
    }
    return document;
}

}  // namespace animbridge::sl_anim
