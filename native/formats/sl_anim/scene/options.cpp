// SPDX-License-Identifier: MIT
#include "formats/sl_anim/scene/scene.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "formats/sl_anim/avatar/avatar.h"

namespace animbridge::sl_anim::scene {

namespace {

constexpr std::string_view priority_range =
    "a whole number from -1 to 6: other values are refused or changed";
constexpr std::string_view finite_seconds = "seconds that are a finite number: the viewer refuses others";

/// The given header of a new file: loop points are used only if it loops.
struct GivenHeader {
    clip::Header header{};
    float loop_in_seconds = 0;
    std::optional<float> loop_out_seconds{};
};

/// The given values, before the template and the timing change them.
struct Given {
    ExportOptions options{};
    bool keeps_duration = false;
    std::optional<double> frame_end{};
    animbridge::reduce::Bound bound{};
    bool has_size_curve = false;
};

float header_seconds(const Json& value) { return float_from_json(value, "").value().value(); }

template <auto Field>
void set_header_integer(GivenHeader& given, const Json& value) {
    using Number = std::remove_reference_t<decltype(given.header.*Field)>;
    given.header.*Field = static_cast<Number>(value.get<std::int64_t>());
}
template <auto Field>
void set_header_seconds(GivenHeader& given, const Json& value) {
    given.header.*Field = header_seconds(value);
}

constexpr std::array<OptionRow<GivenHeader>, 9> header_rows = {{
    {{.name = "base_priority",
      .type = OptionType::integer,
      .low = -1,
      .high = 6,
      .standard = "2",
      .allowed = priority_range,
      .help =
          "Which animation wins if several move the same joint: 0 is the weakest, 4 beats the viewer's own "
          "walks and stands, 6 is the strongest"},
     set_header_integer<&clip::Header::base_priority>},
    {{.name = "joint_priority",
      .type = OptionType::integer,
      .low = -1,
      .high = 6,
      .standard = "-1",
      .allowed = priority_range,
      .help = "Priority of the file's joints. -1: the animation's own"},
     set_header_integer<&clip::Header::joint_priority>},
    {{.name = "loop",
      .type = OptionType::flag,
      .standard = "false",
      .help = "Repeat until the animation is stopped"},
     [](GivenHeader& given, const Json& value) { given.header.loop = value.get<bool>(); }},
    {{.name = "loop_in_seconds",
      .type = OptionType::seconds,
      .standard = "0",
      .unit = "s",
      .allowed = finite_seconds,
      .help = "Seconds from the animation's start to where the repeated part begins"},
     [](GivenHeader& given, const Json& value) { given.loop_in_seconds = header_seconds(value); }},
    {{.name = "loop_out_seconds",
      .type = OptionType::seconds,
      .without = "the end",
      .unit = "s",
      .allowed = finite_seconds,
      .help = "Seconds from the animation's start to where the repeated part ends"},
     [](GivenHeader& given, const Json& value) { given.loop_out_seconds = header_seconds(value); }},
    {{.name = "ease_in_seconds",
      .type = OptionType::seconds,
      .standard = "0.3",
      .unit = "s",
      .allowed = finite_seconds,
      .help = "Seconds in which the animation blends in"},
     set_header_seconds<&clip::Header::ease_in_seconds>},
    {{.name = "ease_out_seconds",
      .type = OptionType::seconds,
      .standard = "0.3",
      .unit = "s",
      .allowed = finite_seconds,
      .help = "Seconds in which the animation blends out"},
     set_header_seconds<&clip::Header::ease_out_seconds>},
    {{.name = "hand_pose",
      .type = OptionType::integer,
      .low = 0,
      .high = 13,
      .standard = "1",
      .allowed = "a whole number from 0 to 13: other values are refused or changed",
      .help = "Hands of the system avatar; finger joints move mesh hands instead"},
     set_header_integer<&clip::Header::hand_pose>},
    {{.name = "emote",
      .type = OptionType::text,
      .without = "none",
      .help = "A facial expression that starts with the animation, such as express_smile, or the id of "
              "another animation"},
     [](GivenHeader& given, const Json& value) {
         given.header.emote_name = text_from_json(value, "emote").value();
     }},
}};
constexpr auto header_table = options_of(header_rows);

void set_header(Given& given, const Json& value) {
    GivenHeader read;
    set_options(value, header_rows, read);
    if (read.header.loop) {
        read.header.loop_in_seconds = read.loop_in_seconds;
        read.header.loop_out_seconds = read.loop_out_seconds;
    }
    given.options.from_clip.header = std::move(read.header);
}

/// Keyed by the joints' own names.
void take_priorities(Given& given, const Json& value) {
    for (const auto& [name, priority] : value.items()) {
        const auto joint = avatar::find_joint(name);
        given.options.from_clip.joint_priorities[joint ? avatar::skeleton()[*joint].node.name : name] =
            static_cast<std::int32_t>(priority.get<std::int64_t>());
    }
}

void set_encoder(Given& given, const Json& value) {
    given.options.from_clip.encoder = value == "nearest"  ? codes::Encoder::nearest
                                      : value == "viewer" ? codes::Encoder::viewer
                                                          : codes::Encoder::upload;
}

constexpr std::array<OptionRow<Given>, 7> curve_rows = {{
    {{.name = "frame_end",
      .type = OptionType::number,
      .low = -no_limit,
      .high = no_limit,
      .without = "an error, unless keep_duration is true",
      .unit = "frames of the scene",
      .allowed = "a frame of the scene",
      .help = "The last frame of the animation"},
     [](Given& given, const Json& value) { given.frame_end = value.get<double>(); }},
    {{.name = "keep_duration",
      .type = OptionType::flag,
      .standard = "false",
      .help = "Keep the template's duration exactly, instead of taking it from frame_end"},
     [](Given& given, const Json& value) { given.keeps_duration = value.get<bool>(); }},
    {{.name = "header",
      .type = OptionType::object,
      .members = header_table.data(),
      .member_count = header_table.size(),
      .without = "the defaults of its members",
      .help = "Values of a new file. With a template, the template's header stays"},
     set_header},
    {{.name = "joint_priorities",
      .type = OptionType::integers_by_name,
      .low = std::numeric_limits<std::int32_t>::min(),
      .high = std::numeric_limits<std::int32_t>::max(),
      .without = "the template's, or header.joint_priority",
      .allowed = "an object of joints and their priorities",
      .help = "Priorities of single joints, by any of their names. Joints without keys get none"},
     take_priorities},
    {{.name = "encoder",
      .type = OptionType::choice,
      .choices = {"upload", "nearest", "viewer"},
      .standard = "upload",
      .help = "How changed keys are rounded to the file's numbers. What is untouched since an import stays"},
     set_encoder},
    {{.name = "target",
      .type = OptionType::choice,
      .choices = {"second_life", "opensim"},
      .standard = "second_life",
      .help =
          "The grid whose limits apply. second_life refuses more than 60 s or 250,000 bytes; for opensim, "
          "both are only reported"},
     [](Given& given, const Json& value) {
         given.options.limits.target = value == "opensim" ? check::Grid::opensim : check::Grid::second_life;
     }},
    {{.name = "fit_bytes",
      .type = OptionType::integer,
      .low = 0,
      .high = 9007199254740992.0,
      .standard = "0",
      .unit = "bytes",
      .zero = "no limit but the target's",
      .help = "Drop keys, with the smallest error, until the file is no larger than this"},
     [](Given& given, const Json& value) {
         given.options.limits.fit_bytes = static_cast<std::uint64_t>(value.get<std::int64_t>());
     }},
}};

/// Samples lose keys unless the options say otherwise, because each sample is a key; an animator's keys stay.
constexpr std::array<OptionRow<Given>, 2> bound_rows(bool of_samples) {
    return {{
        {{.name = "max_position_mm",
          .type = OptionType::number,
          .low = -no_limit,
          .high = no_limit,
          .standard = of_samples ? "0.5" : "0",
          .unit = "mm",
          .zero = "every key stays",
          .allowed = "a number; 0 keeps every key",
          .help = of_samples ? "How far any joint may be from where the scene shows it, at every sample"
                             : "How far dropped keys may move any joint, at every key and between. "
                               "Untouched imported keys stay"},
         [](Given& given, const Json& value) { given.bound.position_mm = value.get<double>(); }},
        {{.name = "max_rotation_degrees",
          .type = OptionType::number,
          .low = -no_limit,
          .high = no_limit,
          .standard = of_samples ? "0.05" : "0",
          .unit = "degrees",
          .zero = "every key stays",
          .allowed = "a number; 0 keeps every key",
          .help = of_samples ? "How far any joint's own rotation may be off, at every sample"
                             : "How far dropped keys may rotate any joint, at every key and between"},
         [](Given& given, const Json& value) { given.bound.rotation_degrees = value.get<double>(); }},
    }};
}

/// For curves only: samples have no keys of a user.
constexpr std::array<OptionRow<Given>, 1> free_rows = {{
    {{.name = "free_keys",
      .type = OptionType::flag,
      .standard = "false",
      .help = "The curves come from samples: the file's keys may have other values and times than theirs. "
              "Without it, keys that stay keep their values"},
     [](Given& given, const Json& value) { given.options.are_keys_free = value.get<bool>(); }},
}};

constexpr auto common_rows = joined_rows(joined_rows(curve_rows, stop_rows<Given>), size_curve_rows<Given>);
constexpr auto all_curve_rows = joined_rows(joined_rows(common_rows, free_rows), bound_rows(false));
constexpr auto sample_rows = joined_rows(common_rows, bound_rows(true));
constexpr auto curve_table = options_of(all_curve_rows);
constexpr auto sample_table = options_of(sample_rows);

Result<float> duration_of(const Given& given, const rig::curves::Timing& timing, const file::Document* base) {
    if (given.keeps_duration) {
        return base == nullptr ? fail(ErrorCode::invalid_argument,
                                      "keep_duration asks for the template's duration, and there is no "
                                      "template_document")
                               : Result<float>(base->duration.value());
    }
    if (!given.frame_end) {
        return fail(ErrorCode::bad_value, "is missing; it says where the animation ends", "frame_end");
    }
    const auto duration = static_cast<float>(timing.seconds_at(*given.frame_end));
    if (!std::isfinite(duration)) {
        return fail(ErrorCode::invalid_argument, "frame_end is too far from timing.frame_start");
    }
    if (!(duration >= 0.0F)) {
        return fail(ErrorCode::invalid_argument, "frame_end is before timing.frame_start");
    }
    return duration;
}

}  // namespace

std::span<const Option> curve_options() { return curve_table; }
std::span<const Option> sample_options() { return sample_table; }

Result<ExportOptions> export_options_from(const SceneMotion& motion) {
    Given given;
    TRY_VOID(motion.samples != nullptr ? read_options(motion.options, sample_rows, given)
                                       : read_options(motion.options, all_curve_rows, given));
    ExportOptions& options = given.options;
    options.from_clip.base =
        motion.template_document == nullptr ? nullptr : as_sl_anim(*motion.template_document);
    const file::Document* const base = options.from_clip.base;
    TRY(options.from_clip.duration_seconds, duration_of(given, motion.timing, base));
    if (base != nullptr) {
        options.from_clip.header = {};  // the template's stays
    }
    if (given.bound.position_mm > 0.0 && given.bound.rotation_degrees > 0.0) {
        options.bound = given.bound;
    }
    options.has_size_curve = given.has_size_curve;
    return std::move(options);
}

}  // namespace animbridge::sl_anim::scene
