// SPDX-License-Identifier: MIT
#include "base/options/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace animbridge {

namespace {

bool is_trim(const Json& value) {
    const auto text = text_from_json(value, "");
    return text && trim_from(*text).has_value();
}

constexpr std::array<OptionRow<ReadOptions>, 8> rows = {{
    {{.name = "strict",
      .type = OptionType::flag,
      .command_name = "--strict",
      .standard = "false",
      .help = "Refuse a file that contradicts itself. Without it, the file is read as far as it makes sense, "
              "and the report says what was wrong"},
     [](ReadOptions& options, const Json& value) {
         options.reading = value.get<bool>() ? Reading::strict : Reading::lenient;
     }},
    {{.name = "memory_mib",
      .type = OptionType::integer,
      .command_name = "--memory-mib",
      .value_name = "MIB",
      .low = 64,
      .high = 1048576,
      .standard = "2048",
      .unit = "MiB",
      .help = "The most memory for reading a scene (FBX, glTF and the like), and for motion on its way to "
              "another format"},
     [](ReadOptions& options, const Json& value) {
         options.memory_mib = static_cast<std::uint32_t>(value.get<std::int64_t>());
     }},
    {{.name = "processor_seconds",
      .type = OptionType::integer,
      .command_name = "--processor-seconds",
      .value_name = "SECONDS",
      .low = 1,
      .high = 86400,
      .standard = "120",
      .unit = "s",
      .help = "Of scenes other than glTF: the processor time that reading may take, and half of the time by "
              "the clock"},
     [](ReadOptions& options, const Json& value) {
         options.processor_seconds = static_cast<std::uint32_t>(value.get<std::int64_t>());
     }},
    {{.name = "side_files",
      .type = OptionType::flag,
      .command_name = "--no-side-files",
      .switch_value = false,
      .standard = "true",
      .help =
          "Of scenes: read the files in the same folder that a scene names, such as the buffers of a .gltf",
      .switch_help = "Of scenes: open no other file, even if the scene names some in its folder"},
     [](ReadOptions& options, const Json& value) { options.uses_side_files = value.get<bool>(); }},
    {{.name = "fbx_reader",
      .type = OptionType::choice,
      .command_name = "--fbx-reader",
      .choices = {"ufbx", "assimp"},
      .standard = "ufbx",
      .help = "What reads FBX. ufbx: exact curves; assimp: only the keys, with straight lines between them"},
     [](ReadOptions& options, const Json& value) { options.uses_assimp_for_fbx = value == "assimp"; }},
    {scene_reader_option, set_scene_reader},
    {{.name = "animation",
      .type = OptionType::text,
      .command_name = "--animation",
      .value_name = "NAME",
      .without = "the one that moves most",
      .help =
          "Of files with several animations: the one to show, by its name or, in a scene, its number from 1"},
     [](ReadOptions& options, const Json& value) {
         options.animation = text_from_json(value, "").value_or("");
     }},
    {{.name = "trim",
      .type = OptionType::text,
      .command_name = "--trim",
      .value_name = "A:B",
      .is_fine = is_trim,
      .without = "all of it",
      .allowed = "two times with a colon between, of which one may be missing: 2:14.5 or 2: for seconds, "
                 "60f:435f for frames of the file, 10%:90% for percent",
      .help = "Take only the part from A to B: seconds (2:14.5), frames of the file (60f:435f) or percent "
              "(10%:90%). Without A from the start, without B to the end"},
     [](ReadOptions& options, const Json& value) {
         options.trim = trim_from(text_from_json(value, "").value_or("")).value_or(Trim());
     }},
}};
constexpr auto table = options_of(rows);

}  // namespace

Error over_memory(std::uint32_t memory_mib) {
    return {ErrorCode::bad_value, "it needs more than the " + std::to_string(memory_mib) +
                                      " MiB that are allowed (command: --memory-mib; library: memory_mib)"};
}

void set_scene_reader(ReadOptions& options, const Json& words) {
    options.scene_reader = texts_from_json(words);
}

std::span<const Option> reading_options() { return table; }

Result<ReadOptions> read_options_from(const Json& options) {
    ReadOptions read;
    return read_options(options, rows, read).map([&] { return read; });
}

namespace {

/// The number before the unit; nullopt: it is not a number of 0 or more.
std::optional<double> number_in(std::string_view text) {
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    const bool is_fine = read.ec == std::errc() && read.ptr == end && std::isfinite(number) && number >= 0.0;
    return is_fine ? std::optional(number) : std::nullopt;
}

std::optional<TrimPoint> point_in(std::string_view text) {
    TrimPoint point;
    const char last = text.empty() ? '\0' : text.back();
    if (last == 'f' || last == '%' || last == 's') {
        point.unit = last == 'f'   ? TrimPoint::Unit::frames
                     : last == '%' ? TrimPoint::Unit::percent
                                   : TrimPoint::Unit::seconds;
        text.remove_suffix(1);
    }
    const auto number = number_in(text);
    if (!number || (point.unit == TrimPoint::Unit::percent && *number > 100.0)) {
        return std::nullopt;
    }
    point.number = *number;
    return point;
}

tl::unexpected<Error> bad_trim(std::string reason) {
    return fail(in_request({ErrorCode::bad_value, std::move(reason), {}, "trim"}));
}

double seconds_of(const TrimPoint& point, double duration_seconds, double frames_per_second) {
    switch (point.unit) {
        case TrimPoint::Unit::frames:
            return point.number / frames_per_second;
        case TrimPoint::Unit::percent:
            return 0.01 * point.number * duration_seconds;
        case TrimPoint::Unit::seconds:
            break;
    }
    return point.number;
}

}  // namespace

Result<TrimSpan> Trim::in(double duration_seconds, double frames_per_second) const {
    // For a frame at the end, whose time was rounded.
    constexpr double rounding = 1e-6;
    TrimSpan span{0.0, duration_seconds};
    for (const auto* side : {&start, &end}) {
        if (!*side) {
            continue;
        }
        if ((*side)->unit == TrimPoint::Unit::frames && !(frames_per_second > 0.0)) {
            return bad_trim("names frames, but the file has no frame rate; give seconds or percent");
        }
        double& seconds = side == &start ? span.start_seconds : span.end_seconds;
        seconds = seconds_of(**side, duration_seconds, frames_per_second);
        if (seconds > duration_seconds * (1.0 + rounding)) {
            return bad_trim("asks for " + shown_number(seconds) + " s, but the animation ends at " +
                            shown_number(duration_seconds) + " s");
        }
        seconds = std::min(seconds, duration_seconds);
    }
    const bool is_moment = start && end && span.start_seconds == span.end_seconds && duration_seconds > 0.0;
    if (!(span.start_seconds < span.end_seconds) && !is_moment) {
        return bad_trim("begins at " + shown_number(span.start_seconds) + " s and ends at " +
                        shown_number(span.end_seconds) + " s; the end must come after the start");
    }
    return span;
}

std::string Trim::text() const {
    std::string text;
    for (const auto* side : {&start, &end}) {
        text += side == &end ? ":" : "";
        if (*side) {
            text += Json((*side)->number).dump();
            text += (*side)->unit == TrimPoint::Unit::frames    ? "f"
                    : (*side)->unit == TrimPoint::Unit::percent ? "%"
                                                                : "";
        }
    }
    return text;
}

std::optional<Trim> trim_from(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view first = text.substr(0, colon);
    const std::string_view second = text.substr(colon + 1);
    const Trim trim{point_in(first), point_in(second)};
    const bool is_fine = (trim.start || first.empty()) && (trim.end || second.empty()) && !trim.empty();
    return is_fine ? std::optional(trim) : std::nullopt;
}

std::string left_aligned(const std::string& text, std::size_t width) {
    return text + std::string(std::max(width, text.size()) - text.size(), ' ');
}

std::string right_aligned(const std::string& text, std::size_t width) {
    return std::string(std::max(width, text.size()) - text.size(), ' ') + text;
}

std::string fixed_text(double value, int decimals) {
    std::array<char, 400> text{};  // the largest double has 309 digits before the point
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
    return {text.data(), end.ptr};
}

std::string shown_number(double value) {
    std::string text = fixed_text(value, 3);
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
    }
    if (text.ends_with('.')) {
        text.pop_back();
    }
    return text;
}

std::string measured_text(double value) {
    if (value < 0.0005) {
        return "0";
    }
    return fixed_text(value, value < 1.0 ? 3 : value < 100.0 ? 2 : 0);
}

std::string six_digits(const Json& number) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number.get<double>(),
                                   std::chars_format::general, 6);
    return {text.data(), end.ptr};
}

std::string plain_text(const Json& value) {
    if (value.is_string()) {
        return value.get<std::string>();
    }
    return value.is_object() && value.contains("hex") ? "hex:" + value["hex"].get<std::string>()
                                                      : value.dump();
}

std::string listed_text(const Json& items) {
    std::string text;
    for (const Json& item : items) {
        text += text.empty() ? "" : ", ";
        text += item.is_string()   ? item.get<std::string>()
                : item.is_object() ? item.dump()
                                   : six_digits(item);
    }
    return text.empty() ? "none" : text;
}

}  // namespace animbridge
