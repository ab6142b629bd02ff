// SPDX-License-Identifier: MIT
#include "formats/sl_anim/scene/scene.h"

#include "formats/sl_anim/avatar/avatar.h"

namespace animbridge::sl_anim::scene {

namespace {

/// The given options. A ReduceOptions, so that the rows of reductions are its rows too.
struct GivenOfClip : ReduceOptions {
    check::Grid target = check::Grid::second_life;
    clip::Header header{};
    std::map<std::string, std::int32_t> joint_priorities{};
    std::optional<bool> loop{};
    std::optional<SecondsOrShare> loop_in{};
    std::optional<SecondsOrShare> loop_out{};
    bool has_size_curve = false;
    codes::Encoder encoder = codes::Encoder::upload;
};

constexpr std::array<std::string_view, 8> encoder_names = {"upload", "nearest", "viewer"};

template <auto Field>
void set_clip_header_seconds(GivenOfClip& given, const Json& value) {
    given.header.*Field = value.get<float>();
}

/// The rows of reductions. An upload has its own limit.
constexpr auto clip_reduction_rows = [] {
    auto rows = rows_of_reduction<GivenOfClip>();
    for (auto& row : rows) {
        if (row.option.name == "fit_bytes") {
            row.option.without =
                "249,999 bytes for Second Life, unless you say how large errors may be; no limit for OpenSim";
        }
    }
    return rows;
}();

constexpr std::array<OptionRow<GivenOfClip>, 11> clip_header_rows = {{
    {clip::header_options::grid,
     [](GivenOfClip& given, const Json& value) { given.target = check::target_from(value); }},
    {{.name = "priority",
      .type = OptionType::integer,
      .command_name = "--priority",
      .value_name = "PRIORITY",
      .low = 0,
      .high = 6,
      .standard = "2",
      .help = "Which animation wins if several move the same joint: 4 beats the viewer's own walks and "
              "stands"},
     [](GivenOfClip& given, const Json& value) {
         given.header.base_priority = static_cast<std::int32_t>(value.get<std::int64_t>());
     }},
    {{.name = "joint_priorities",
      .type = OptionType::integers_by_name,
      .command_name = "--joint-priority",
      .value_name = "PRIORITY",
      .low = -1,
      .high = 6,
      .without = "the animation's",
      .allowed = "an object of joints and their priorities from -1 to 6",
      .help = "Priorities of single joints, by a name of the avatar. On the command line, repeat the option "
              "for each joint"},
     [](GivenOfClip& given, const Json& value) {
         for (const auto& [name, priority] : value.items()) {
             given.joint_priorities[name] = static_cast<std::int32_t>(priority.get<std::int64_t>());
         }
     }},
    {clip::header_options::or_else(clip::header_options::loop, "as the input's markers say"),
     [](GivenOfClip& given, const Json& value) { given.loop = value.get<bool>(); }},
    {clip::header_options::or_else(clip::header_options::loop_in,
                                   "the input's marker, or where the motion begins"),
     [](GivenOfClip& given, const Json& value) { given.loop_in = seconds_or_share(value); }},
    {clip::header_options::or_else(clip::header_options::loop_out, "the input's marker, or the end"),
     [](GivenOfClip& given, const Json& value) { given.loop_out = seconds_or_share(value); }},
    {clip::header_options::by_default(clip::header_options::ease_in, "0.3"),
     set_clip_header_seconds<&clip::Header::ease_in_seconds>},
    {clip::header_options::by_default(clip::header_options::ease_out, "0.3"),
     set_clip_header_seconds<&clip::Header::ease_out_seconds>},
    {clip::header_options::by_default(clip::header_options::hand_pose, "1"),
     [](GivenOfClip& given, const Json& value) {
         given.header.hand_pose = static_cast<std::uint32_t>(value.get<std::int64_t>());
     }},
    {clip::header_options::or_else(clip::header_options::emote, "none"),
     [](GivenOfClip& given, const Json& value) {
         given.header.emote_name = text_from_json(value, "emote").value();
     }},
    {{.name = "encoder",
      .type = OptionType::choice,
      .choices = encoder_names,
      .without = "nearest for a pose, else upload",
      .help =
          "How keys are rounded to the file's numbers: best after an upload, best in the file itself, or as "
          "the viewer rounds"},
     [](GivenOfClip& given, const Json& value) {
         given.encoder =
             value_named<codes::Encoder>(std::span(encoder_names).first(3), value.get<std::string_view>())
                 .value();
     }},
}};
constexpr auto clip_rows =
    joined_rows(joined_rows(clip_reduction_rows, clip_header_rows), size_curve_rows<GivenOfClip>);
constexpr auto clip_table = options_of(clip_rows);

float loop_seconds(const SecondsOrShare& point, double duration_seconds) {
    return point.is_percent ? static_cast<float>(static_cast<double>(point.value) / 100.0 * duration_seconds)
                            : point.value;
}

/// A loop point without --loop also requests a loop.
void set_loop(const GivenOfClip& given, const Clip& clip, clip::Header& header) {
    const auto marked = loop_of(clip);
    header.loop = given.loop.value_or(marked || given.loop_in || given.loop_out);
    if (!header.loop) {
        return;
    }
    if (marked) {
        header.loop_in_seconds = static_cast<float>(marked->in_seconds);
        header.loop_out_seconds = static_cast<float>(marked->out_seconds);
    }
    if (given.loop_in) {
        header.loop_in_seconds = loop_seconds(*given.loop_in, clip.duration_seconds);
    }
    if (given.loop_out) {
        header.loop_out_seconds = loop_seconds(*given.loop_out, clip.duration_seconds);
    }
    // A pose that is held before the motion is not repeated.
    const auto hold = static_cast<float>(leading_hold_seconds(clip));
    const float end = header.loop_out_seconds.value_or(static_cast<float>(clip.duration_seconds));
    if (!marked && !given.loop_in && hold < end) {
        header.loop_in_seconds = hold;
    }
}

Result<std::map<std::string, std::int32_t>> by_own_names(
    const std::map<std::string, std::int32_t>& priorities) {
    std::map<std::string, std::int32_t> result;
    for (const auto& [name, priority] : priorities) {
        const auto joint = avatar::find_joint(name);
        if (!joint) {
            return fail(in_request(
                {ErrorCode::bad_value, "the avatar has no joint \"" + name + "\"", {}, "joint_priorities"}));
        }
        result[avatar::skeleton()[*joint].node.name] = priority;
    }
    return result;
}

}  // namespace

std::span<const Option> clip_options() { return clip_table; }

Result<ExportOptions> clip_options_from(const Json& json, const Clip& clip) {
    GivenOfClip given;
    TRY_VOID(read_options(json, clip_rows, given));
    ExportOptions options{{}, {given.target, given.fit_bytes}, given.bound};
    options.has_size_curve = given.has_size_curve;
    options.from_clip.encoder = given.encoder;
    TRY(options.from_clip.joint_priorities, by_own_names(given.joint_priorities));
    if (options.limits.fit_bytes == 0 && given.target == check::Grid::second_life && !has_bound(json)) {
        // Tools are said to refuse a file that reaches the limit.
        options.limits.fit_bytes = check::max_upload_bytes - 1;
    }
    clip::Header& header = options.from_clip.header;
    header = given.header;
    set_loop(given, clip, header);
    const auto end = static_cast<float>(clip.duration_seconds);
    options.from_clip.duration_seconds = end;
    const float loop_out = header.loop_out_seconds.value_or(end);
    if (header.loop && !(header.loop_in_seconds <= loop_out && loop_out <= end)) {
        return fail(
            in_request({ErrorCode::bad_value,
                        "the repeated part goes from " + std::to_string(header.loop_in_seconds) + " to " +
                            std::to_string(loop_out) + " s; allowed are times in order from 0 to " +
                            std::to_string(end) + " s, the animation's end",
                        {},
                        given.loop_out ? "loop_out" : "loop_in"}));
    }
    return options;
}

}  // namespace animbridge::sl_anim::scene
