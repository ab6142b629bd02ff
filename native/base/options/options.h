// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"

/// Options as tables. One row makes the reader of the JSON member, its error message, the command's flag and
/// help, docs/options.md, and the limits of the add-on's property. Also: what every reader of files takes as
/// options, and the text of numbers in reports.
namespace animbridge {

// ---- one option ----

enum class OptionType : std::uint8_t {
    flag,              ///< true or false; the command's switch sets `switch_value`, `clear_name` the opposite
    integer,           ///< low..high
    number,            ///< low..high, finite; `above_low` excludes `low` itself; or one of `choices`
    choice,            ///< one of `choices`
    text,              ///< any bytes, in the form of json_text
    text_without_nul,  ///< text that a NUL ends in the file
    seconds,           ///< a finite float, by value or by its bits (float_from_json)
    any_seconds,       ///< any float that a file can hold, by value or by its bits
    seconds_or_share,  ///< seconds 0..high, or a share of the duration as text, "0%" to "100%"
    texts,             ///< an array of texts
    texts_by_name,     ///< an object of texts
    integers_by_name,  ///< an object of integers low..high; NAME=NUMBER, repeated, for the command
    vectors_by_name,   ///< an object of [x, y, z], each number low..high; NAME=X,Y,Z, repeated, for the
                       ///< command
    bits,              ///< an integer low..high, or an array of `choices`; A,B for the command
    numbers,           ///< an array of numbers, each at most largest_scene_number
    points,            ///< an array of [x, y, z], each number at most largest_scene_number
    matrix,            ///< 16 numbers, column by column, the last row 0, 0, 0, 1
    object,            ///< an object with `members`
    file_text,         ///< the text of a file; the command takes its path
};

/// The largest magnitude of a scale, a length or a coordinate.
inline constexpr double largest_scene_number = 1e30;
inline constexpr double no_limit = std::numeric_limits<double>::infinity();

struct Option {
    std::string_view name;  ///< the member's name
    OptionType type;
    std::string_view command_name{};  ///< "--loop-in"; empty: the command does not have the option
    std::string_view clear_name{};  ///< "--no-loop": for a flag that has a third state, in which it is absent
    std::string_view value_name{};  ///< "SECONDS", in the command's help
    std::string_view after_comma{};  ///< the option that a second number sets: "MM[,DEGREES]" for the command
    double low = 0;
    double high = 0;
    bool above_low = false;
    std::array<std::string_view, 8> choices{};  ///< ends at the first empty one
    const Option* members = nullptr;            ///< for an object
    std::size_t member_count = 0;
    bool switch_value = true;
    bool may_be_null = false;  ///< null is the same as no member
    bool must_be_given = false;
    /// Checks what the type cannot express; then `allowed` describes it. Null: the type says all.
    bool (*is_fine)(const Json& value) = nullptr;
    std::string_view standard{};     ///< the value if the member is missing, as text
    std::string_view without{};      ///< what happens if the member is missing, when no value says it
    std::string_view unit{};         ///< "mm"
    std::string_view zero{};         ///< what 0 means, if it is not just a small number
    std::string_view allowed{};      ///< for messages, if the type does not say it
    std::string_view help;           ///< a phrase as in Blender's tooltips: capital letter, no final period
    std::string_view switch_help{};  ///< for a switch that sets false, in the command's help
    std::string_view clear_help{};   ///< for the switch `clear_name`
};

enum class OptionLimits : std::uint8_t { none, whole, real };

/// What a type of option takes and means. In the command, a flag is a switch, and a file's text a path.
struct OptionTypeRow {
    std::string_view name;  ///< of the enumerator
    bool (*takes)(const Json& value, const Option& option);
    std::string_view words{};                                   ///< what is allowed, in messages
    std::string (*more_words)(const Option& option) = nullptr;  ///< after `words`
    OptionLimits limits = OptionLimits::none;                   ///< what `low` and `high` are
    bool has_choices = false;
    std::optional<OptionType> each{};                   ///< of an object: what its values are
    Json (*standard)(std::string_view text) = nullptr;  ///< the value of Option::standard; null: text
    bool is_typed_by_name = false;                      ///< the command takes NAME=VALUE, repeatedly
    Json (*typed)(std::string_view text) = nullptr;     ///< the value of what the command was given
    std::string (*typed_words)(const Option& option) = nullptr;  ///< null: as in other messages
};
[[nodiscard]] const OptionTypeRow& row_of(OptionType type);

// ---- checking and listing ----

/// ErrorCode::bad_value about `place` ("header.loop"), with what was found and what is allowed.
[[nodiscard]] Result<void> check_option(const Option& option, const Json& value, const std::string& place);

/// Checks all members of an object. An unknown member is an error, and so is a missing one that must be
/// given.
[[nodiscard]] Result<void> check_options(const Json& json, std::span<const Option> options,
                                         const std::string& place);

/// The object in the "options_json" of a call; an empty one for nullptr.
[[nodiscard]] Result<Json> options_from(const char* json_or_null);

/// The allowed values of this option, in the words of error messages.
[[nodiscard]] std::string allowed_values(const Option& option);

/// The choices up to the first empty one.
[[nodiscard]] std::span<const std::string_view> choices_of(const Option& option);

[[nodiscard]] bool has_option(std::span<const Option> options, std::string_view name);

/// `standard` as a JSON value; null where there is none.
[[nodiscard]] Json default_of(const Option& option);

/// The tables in the form that `animbridge formats --json` prints.
[[nodiscard]] Json options_json(std::span<const Option> options);

// ---- tables that fill a struct ----

/// An option, and the function that stores its value.
template <typename Target>
struct OptionRow {
    Option option;
    void (*set)(Target& target, const Json& value);
};

/// The options of the rows, for callers that do not set them.
template <typename Target, std::size_t count>
[[nodiscard]] constexpr std::array<Option, count> options_of(
    const std::array<OptionRow<Target>, count>& rows) {
    std::array<Option, count> options{};
    for (std::size_t i = 0; i < count; ++i) {
        options[i] = rows[i].option;
    }
    return options;
}

/// Two tables as one.
template <typename Target, std::size_t first, std::size_t second>
[[nodiscard]] constexpr std::array<OptionRow<Target>, first + second> joined_rows(
    const std::array<OptionRow<Target>, first>& a, const std::array<OptionRow<Target>, second>& b) {
    std::array<OptionRow<Target>, first + second> rows{};
    for (std::size_t i = 0; i < first + second; ++i) {
        rows[i] = i < first ? a[i] : b[i - first];
    }
    return rows;
}

/// Sets the members of a checked object, and the defaults of those that it lacks.
template <typename Target, std::size_t count>
void set_options(const Json& json, const std::array<OptionRow<Target>, count>& rows, Target& target) {
    for (const OptionRow<Target>& row : rows) {
        const auto given = json.find(row.option.name);
        if (given != json.end()) {
            if (!given->is_null()) {
                row.set(target, *given);
            }
        } else if (!row.option.standard.empty()) {
            row.set(target, default_of(row.option));
        }
    }
}

/// Checks an object and sets its members by their rows. ErrorCode::bad_value names the member and what is
/// valid.
template <typename Target, std::size_t count>
[[nodiscard]] Result<void> read_options(const Json& json, const std::array<OptionRow<Target>, count>& rows,
                                        Target& target) {
    const auto options = options_of(rows);
    return check_options(json, options, "").map([&] { set_options(json, rows, target); });
}

/// A valid value of OptionType::seconds_or_share.
struct SecondsOrShare {
    float value = 0;
    bool is_percent = false;
};
[[nodiscard]] SecondsOrShare seconds_or_share(const Json& value);

// ---- parts of an animation ----
// "2:14.5" (seconds), "60f:435f" (frames of the file, from 0) or "10%:90%" (of the duration). Either side may
// be omitted. Both sides at one time: one pose.

/// The part, in seconds from the animation's start. 0 <= start <= end <= duration.
struct TrimSpan {
    double start_seconds = 0;
    double end_seconds = 0;
};

/// One side of the part.
struct TrimPoint {
    enum class Unit : std::uint8_t { seconds, frames, percent };
    double number = 0;
    Unit unit = Unit::seconds;
};

/// Both sides as the caller gave them; an empty side is the animation's own start or end.
struct Trim {
    std::optional<TrimPoint> start{};
    std::optional<TrimPoint> end{};

    [[nodiscard]] bool empty() const { return !start && !end; }
    /// As trim_from reads it.
    [[nodiscard]] std::string text() const;

    /// The part of an animation of this length. ErrorCode::bad_value in the request, field "trim": a side is
    /// outside the animation, the part is empty, or a side is in frames and the file has no rate
    /// (`frames_per_second` is 0).
    [[nodiscard]] Result<TrimSpan> in(double duration_seconds, double frames_per_second) const;
};

/// nullopt if the text is not a trim.
[[nodiscard]] std::optional<Trim> trim_from(std::string_view text);

// ---- how a file is read ----

/// How much a reader tolerates. Readers are lenient unless asked to be strict. Among the binary formats, this
/// affects only MRTK recordings.
enum class Reading : std::uint8_t {
    strict,   ///< contradictions are errors
    lenient,  ///< contradictions are findings, and everything that makes sense is read
};

/// How a file is read. Only scenes, most of which another program reads and writes, need more than the first
/// member and the last.
struct ReadOptions {
    Reading reading = Reading::lenient;
    /// Limits of that program and of its result; of memory, also for JSON and motion that is being converted.
    std::uint32_t memory_mib = 2048;
    std::uint32_t processor_seconds = 120;  ///< limit of that program; twice that in real time
    bool uses_side_files = true;            ///< files in the same folder may be read, if the file names them
    bool uses_assimp_for_fbx = false;
    /// AnimBridge has just written the file, and reads it with another library. Not an option.
    bool is_for_verifying = false;
    /// The command that starts the program that reads and writes scenes: a path and its first arguments.
    /// Empty: the program beside the library.
    std::vector<std::string> scene_reader{};
    std::string animation{};  ///< in a file with several: the name, or the number from 1; empty: the main one
    Trim trim{};              ///< the part of the animation to read

    // A Reading is enough if all others have their defaults.
    ReadOptions() = default;
    ReadOptions(Reading how) : reading(how) {}  // NOLINT(google-explicit-constructor)
};

/// ErrorCode::bad_value: the result of reading needs more memory than ReadOptions::memory_mib.
[[nodiscard]] Error over_memory(std::uint32_t memory_mib);

/// The member "scene_reader" of every call that may start that program.
inline constexpr Option scene_reader_option{
    .name = "scene_reader",
    .type = OptionType::texts,
    .is_fine = [](const Json& words) { return !words.empty(); },
    .without = "the program animbridge-scene beside the library",
    .allowed = "an array of at least one text",
    .help = "The program that reads and writes scenes other than glTF: its path, then its first arguments"};
void set_scene_reader(ReadOptions& options, const Json& words);

/// The table of these options, for every call that reads a file.
[[nodiscard]] std::span<const Option> reading_options();

/// Reads reading_options(). ErrorCode::bad_value names the member at fault.
[[nodiscard]] Result<ReadOptions> read_options_from(const Json& options);

// ---- text of reports that people read ----

[[nodiscard]] std::string left_aligned(const std::string& text, std::size_t width);
[[nodiscard]] std::string right_aligned(const std::string& text, std::size_t width);

/// With this many decimals.
[[nodiscard]] std::string fixed_text(double value, int decimals);
/// With six significant digits, enough for people; the JSON report has them all.
[[nodiscard]] std::string six_digits(const Json& number);

/// With at most three digits after the point: "237", "12.5".
[[nodiscard]] std::string shown_number(double value);

/// A measured difference in millimetres or degrees, as precisely as it can be seen: "0" below a thousandth,
/// else at most three digits after the point, and none from 100 on.
[[nodiscard]] std::string measured_text(double value);

/// A string unchanged, bytes that are not UTF-8 as "hex:...", anything else as JSON.
[[nodiscard]] std::string plain_text(const Json& value);

/// "a, b", with six digits per number; "none" if the list is empty.
[[nodiscard]] std::string listed_text(const Json& items);

}  // namespace animbridge
