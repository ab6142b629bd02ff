// SPDX-License-Identifier: MIT
#include "formats/mrtk/clip/clip.h"

#include <array>

namespace animbridge::mrtk::clip {

namespace {

template <bool for_clip>
constexpr std::array<OptionRow<RigChoice>, 4> rows = {{
    {{.name = "rig",
      .type = OptionType::choice,
      .command_name = "--hands",
      .choices = {"exact", "hands"},
      .standard = for_clip ? "hands" : "exact",
      .help = "What the recording becomes. exact: a bone for each recorded pose, without parents, and each "
              "key as it is. hands: joints hang on each other, and keys are resampled"},
     [](RigChoice& choice, const Json& value) { choice.is_exact = value == "exact"; }},
    {{.name = "signs",
      .type = OptionType::choice,
      .command_name = "--signs",
      .choices = {"continuous", "recorded"},
      .standard = "continuous",
      .help =
          "What happens where a recorded quaternion changes its sign, in exact rigs. continuous: the joint "
          "rotates as it did. recorded: it tumbles, as in MRTK"},
     [](RigChoice& choice, const Json& value) {
         choice.signs = value == "recorded" ? Signs::as_recorded : Signs::continuous;
     }},
    {{.name = "rest",
      .type = OptionType::choice,
      .command_name = "--rest",
      .choices = {"tracked", "flat"},
      .standard = "tracked",
      .help = "How the hands rest: as they were tracked, or flat"},
     [](RigChoice& choice, const Json& value) { choice.rest.is_flat = value == "flat"; }},
    {{.name = "rest_seconds",
      .type = OptionType::number,
      .command_name = "--rest-seconds",
      .value_name = "SECONDS",
      .low = -1e9,
      .high = 1e9,
      .may_be_null = true,
      .without = "the first time at which all joints of a hand are tracked",
      .unit = "s",
      .help = "The time of the recording at which the hands rest"},
     [](RigChoice& choice, const Json& value) { choice.rest.at_seconds = value.get<double>(); }},
}};
constexpr std::array<OptionRow<RigChoice>, 1> bone_rows = {{
    {{.name = "bone_names",
      .type = OptionType::texts,
      .may_be_null = true,
      .without = "no answer",
      .help = "The names of an armature's bones: the answer's \"is_character\" says whether hands are found "
              "in it"},
     [](RigChoice& choice, const Json& value) { choice.bone_names = texts_from_json(value); }},
}};
constexpr auto skeleton_rows = joined_rows(rows<false>, bone_rows);
constexpr auto skeleton_table = options_of(skeleton_rows);
constexpr auto scene_table = options_of(rows<false>);
constexpr auto clip_table = options_of(rows<true>);

}  // namespace

Result<RigChoice> rig_choice_from(const Json& options, bool for_clip) {
    RigChoice choice;
    return (for_clip ? read_options(options, rows<true>, choice) : read_options(options, rows<false>, choice))
        .map([&] { return choice; });
}

Result<RigChoice> skeleton_choice_from(const Json& options) {
    RigChoice choice;
    return read_options(options, skeleton_rows, choice).map([&] { return choice; });
}

std::span<const Option> skeleton_options() { return skeleton_table; }

std::span<const Option> rig_options(bool for_clip) {
    return for_clip ? std::span<const Option>(clip_table) : std::span<const Option>(scene_table);
}

}  // namespace animbridge::mrtk::clip
