// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "editing/clip_tools.h"

namespace animbridge::editing {

namespace {

constexpr double most_speed = 1000.0;
constexpr double most_hold_seconds = 3600.0;

std::optional<double> number_of(std::string_view text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stopped == end && std::isfinite(value) ? std::optional(value)
                                                                          : std::nullopt;
}

/// The numbers between the separators; empty if one of them is not a number.
std::vector<double> numbers_of(std::string_view text, char separator) {
    std::vector<double> numbers;
    while (true) {
        const std::size_t end = text.find(separator);
        const auto number = number_of(text.substr(0, end));
        if (!number) {
            return {};
        }
        numbers.push_back(*number);
        if (end == std::string_view::npos) {
            return numbers;
        }
        text.remove_prefix(end + 1);
    }
}

std::optional<BlendEdit> blend_edit_of(std::string_view text) {
    const std::size_t at = text.rfind('@');
    const std::size_t equals = text.substr(0, at).rfind('=');
    if (at == std::string_view::npos || equals == std::string_view::npos || equals == 0) {
        return std::nullopt;
    }
    const auto degrees = numbers_of(text.substr(equals + 1, at - equals - 1), ',');
    const auto times = numbers_of(text.substr(at + 1), ',');
    constexpr double most_degrees = 360.0;
    const bool are_angles = degrees.size() == 3 && std::ranges::all_of(degrees, [](double angle) {
                                return std::abs(angle) <= most_degrees;
                            });
    if (!are_angles || times.empty() || times.size() > 2 || times[0] < 0.0 ||
        (times.size() == 2 && !(times[1] > 0.0))) {
        return std::nullopt;
    }
    return BlendEdit{std::string(text.substr(0, equals)),
                     {degrees[0], degrees[1], degrees[2]},
                     times[0],
                     times.size() == 2 ? std::optional(times[1]) : std::nullopt};
}

std::vector<TimePair> pairs_of(std::string_view text) {
    std::vector<TimePair> pairs;
    while (!text.empty()) {
        const std::size_t end = text.find(',');
        const auto pair = numbers_of(text.substr(0, end), '=');
        const bool ascends =
            pair.size() == 2 && pair[0] >= 0.0 && pair[1] >= 0.0 &&
            (pairs.empty() || (pair[0] > pairs.back().old_seconds && pair[1] > pairs.back().new_seconds));
        if (!ascends) {
            return {};
        }
        pairs.push_back({pair[0], pair[1]});
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return pairs;
}

std::optional<LoopPoints> loop_points_of(std::string_view text) {
    if (text == "best") {
        return LoopPoints{true};
    }
    const auto times = numbers_of(text, ':');
    return times.size() == 2 && times[0] >= 0.0 && times[0] < times[1]
               ? std::optional(LoopPoints{false, times[0], times[1]})
               : std::nullopt;
}

std::optional<PathScale> path_scale_of(std::string_view text) {
    const auto factors = numbers_of(text, ',');
    constexpr double most = 1e6;
    const bool are_fine = factors.size() == 2 && std::ranges::all_of(factors, [](double factor) {
                              return factor >= 0.0 && factor <= most;
                          });
    return are_fine ? std::optional(PathScale{factors[0], factors[1]}) : std::nullopt;
}

std::string_view text_in(const Json& value) {
    return value.is_string() ? value.get<std::string_view>() : std::string_view();
}

template <auto Parse>
bool parses(const Json& value) {
    return Parse(text_in(value)).has_value();
}

template <auto Field>
void set_flag(Tools& tools, const Json& value) {
    tools.*Field = value.get<bool>();
}
template <auto Field>
void set_number(Tools& tools, const Json& value) {
    tools.*Field = value.get<double>();
}
template <auto Field>
void set_texts(Tools& tools, const Json& value) {
    for (const Json& item : value) {
        std::string text = text_from_json(item, "").value();
        for (std::size_t comma = 0; (comma = text.find(',')) != std::string::npos; text.erase(0, comma + 1)) {
            (tools.*Field).push_back(text.substr(0, comma));
        }
        (tools.*Field).push_back(std::move(text));
    }
}

constexpr Option flag(std::string_view name, std::string_view flag_name, std::string_view help) {
    return {
        .name = name, .type = OptionType::flag, .command_name = flag_name, .standard = "false", .help = help};
}

constexpr Option number(std::string_view name, std::string_view flag_name, std::string_view value_name,
                        double low, double high, std::string_view help) {
    return {.name = name,
            .type = OptionType::number,
            .command_name = flag_name,
            .value_name = value_name,
            .low = low,
            .high = high,
            .above_low = low == 0.0,
            .without = "unchanged",
            .help = help};
}

constexpr Option names(std::string_view name, std::string_view flag_name, std::string_view help) {
    return {.name = name,
            .type = OptionType::texts,
            .command_name = flag_name,
            .value_name = "PART",
            .without = "all parts",
            .help = help};
}

constexpr std::array<OptionRow<Tools>, 20> rows = {{
    {names(
         "keep_parts", "--keep-parts",
         "Keep only the keys of these parts: body, arms, hands, fingers, legs, head, face, tail, wings, hind "
         "limbs, left, right, rotations, positions, or names of joints, in which * stands for any text. "
         "Repeat the option for each part"),
     set_texts<&Tools::keep_parts>},
    {names("leave_out", "--leave-out", "Leave out the keys of these parts, named as for --keep-parts"),
     set_texts<&Tools::leave_out>},
    {flag("mirror", "--mirror", "Exchange the left and the right side of the motion"),
     set_flag<&Tools::mirror>},
    {flag("reverse", "--reverse", "Play the motion backwards"), set_flag<&Tools::reverse>},
    {number("speed", "--speed", "FACTOR", 1.0 / most_speed, most_speed, "Play faster, or slower below 1"),
     set_number<&Tools::speed>},
    {number("duration", "--duration", "SECONDS", 0.0, 86400.0,
            "Play at the speed at which it lasts this long"),
     set_number<&Tools::duration_seconds>},
    {number("bpm", "--bpm", "BEATS", 1.0, 1000.0,
            "Play at the nearest speed at which the loop, or the whole, lasts a whole number of beats. Beats "
            "a minute"),
     set_number<&Tools::beats_per_minute>},
    {{.name = "retime",
      .type = OptionType::text,
      .command_name = "--retime",
      .value_name = "T=T,...",
      .is_fine = [](const Json& value) { return !pairs_of(text_in(value)).empty(); },
      .without = "unchanged",
      .allowed = "pairs of an old and a new time in seconds, both ascending, such as 1=1.5,4=3",
      .help = "Move what happens at these times to other times: OLD=NEW, in seconds"},
     [](Tools& tools, const Json& value) { tools.retime = pairs_of(text_in(value)); }},
    {number("hold_first", "--hold-first", "SECONDS", 0.0, most_hold_seconds,
            "Hold the first pose for this long before the motion begins"),
     set_number<&Tools::hold_first_seconds>},
    {number("hold_last", "--hold-last", "SECONDS", 0.0, most_hold_seconds,
            "Hold the last pose for this long after the motion"),
     set_number<&Tools::hold_last_seconds>},
    {{.name = "loop_points",
      .type = OptionType::text,
      .command_name = "--loop-points",
      .value_name = "A:B",
      .is_fine = parses<&loop_points_of>,
      .without = "the file's",
      .allowed = "two times in seconds, such as 0.5:3, or best",
      .help = "Repeat the part from A to B, in seconds. best: the part whose ends match best"},
     [](Tools& tools, const Json& value) { tools.loop_points = loop_points_of(text_in(value)); }},
    {flag("no_travel", "--no-travel", "Take out the way that the body goes in a loop, and keep its sway"),
     set_flag<&Tools::no_travel>},
    {number("travel", "--travel", "SPEED", 0.0, 100.0,
            "Move the body forward at this speed, in metres a second, in place of its own way"),
     set_number<&Tools::travel_metres_per_second>},
    {{.name = "root_scale",
      .type = OptionType::text,
      .command_name = "--root-scale",
      .value_name = "SCALE",
      .is_fine = parses<&path_scale_of>,
      .without = "1,1",
      .allowed = "two numbers from 0 to 1,000,000 with a comma between them, such as 1.2,1",
      .help = "How much longer the body's path becomes, horizontally and vertically"},
     [](Tools& tools, const Json& value) { tools.root_scale = path_scale_of(text_in(value)); }},
    {{.name = "smooth",
      .type = OptionType::number,
      .command_name = "--smooth",
      .value_name = "DEGREES[,MM]",
      .after_comma = "smooth_mm",
      .low = 0,
      .high = 180,
      .without = "unchanged",
      .unit = "degrees",
      .help = "Take out shaking, and turn no joint by more than this. The millimetres are for positions; "
              "without them, twice the degrees"},
     set_number<&Tools::smooth_degrees>},
    {{.name = "smooth_mm",
      .type = OptionType::number,
      .high = 1000,
      .without = "twice the degrees of smooth",
      .unit = "mm",
      .help = "How far smoothing may move a joint"},
     set_number<&Tools::smooth_mm>},
    {{.name = "filter",
      .type = OptionType::choice,
      .command_name = "--filter",
      .value_name = "FILTER",
      .choices = {"savgol", "one-euro"},
      .standard = "savgol",
      .help = "How --smooth works. savgol: fits a curve to seven frames. one-euro: smooths slow motion more "
              "than fast motion"},
     [](Tools& tools, const Json& value) {
         tools.filter = value == "one-euro" ? Filter::one_euro : Filter::savgol;
     }},
    {{.name = "blend_edits",
      .type = OptionType::texts,
      .command_name = "--blend-edit",
      .value_name = "JOINT=X,Y,Z@T[,FALLOFF]",
      .is_fine =
          [](const Json& value) {
              return std::ranges::all_of(
                  value, [](const Json& text) { return blend_edit_of(text_in(text)).has_value(); });
          },
      .without = "unchanged",
      .allowed = "JOINT=X,Y,Z@T or JOINT=X,Y,Z@T,FALLOFF, such as mShoulderLeft=0,0,20@1.5,0.5: degrees from "
                 "-360 to 360, and seconds",
      .help = "Turn a joint by X, Y and Z degrees about its own axes at the time T, and less and less until "
              "FALLOFF seconds before and after it. Without FALLOFF, in the whole motion. Repeat the option "
              "for each joint"},
     [](Tools& tools, const Json& value) {
         for (const Json& text : value) {
             tools.blend_edits.push_back(*blend_edit_of(text_in(text)));
         }
     }},
    {flag("close_loop", "--close-loop", "End the loop in the pose in which it begins"),
     set_flag<&Tools::close_loop>},
    {{.name = "start_at",
      .type = OptionType::number,
      .command_name = "--start-at",
      .value_name = "SECONDS",
      .high = 86400.0,
      .without = "0",
      .unit = "s",
      .help = "Begin a closed loop at this time; what comes before it follows at the end"},
     set_number<&Tools::start_at_seconds>},
}};
constexpr auto table = options_of(rows);

}  // namespace

std::span<const Option> tool_options() { return table; }

bool has_tools(const Json& edits) {
    return edits.is_object() &&
           std::ranges::any_of(table, [&](const Option& option) { return edits.contains(option.name); });
}

Result<GivenTools> given_tools(const Json& edits) {
    GivenTools given;
    Json tools = Json::object();
    for (const auto& [name, value] : edits.items()) {
        (has_option(table, name) ? tools : given.others)[name] = value;
    }
    TRY_VOID(read_options(tools, rows, given.tools));
    if (given.tools.smooth_mm && !given.tools.smooth_degrees) {
        return json_fail("smooth_mm", tools["smooth_mm"], "a value only where \"smooth\" has one");
    }
    return given;
}

bool Tools::any() const {
    return !keep_parts.empty() || !leave_out.empty() || mirror || reverse || speed || duration_seconds ||
           beats_per_minute || !retime.empty() || hold_first_seconds > 0.0 || hold_last_seconds > 0.0 ||
           loop_points || no_travel || travel_metres_per_second || root_scale || smooth_degrees ||
           !blend_edits.empty() || close_loop || start_at_seconds;
}

Result<std::optional<double>> take_speed(Tools& tools, double duration_seconds, double loop_seconds) {
    const auto speed = std::exchange(tools.speed, {});
    const auto wanted = std::exchange(tools.duration_seconds, {});
    const auto beats = std::exchange(tools.beats_per_minute, {});
    if ((speed ? 1 : 0) + (wanted ? 1 : 0) + (beats ? 1 : 0) > 1) {
        return fail(ErrorCode::bad_value, "speed, duration and bpm each set the speed: leave two of them out",
                    "speed");
    }
    if (!wanted && !beats) {
        return speed;
    }
    if (!(duration_seconds > 0.0)) {
        return fail(ErrorCode::rejected, "the animation lasts 0 s, so no speed changes how long it lasts",
                    wanted ? "duration" : "bpm");
    }
    if (wanted) {
        return duration_seconds / *wanted;
    }
    const double own_beats = loop_seconds * *beats / 60.0;
    return own_beats / std::max(1.0, std::round(own_beats));
}

}  // namespace animbridge::editing
