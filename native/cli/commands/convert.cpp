// SPDX-License-Identifier: MIT
#include "cli/commands/commands.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/files/files.h"
#include "cli/help/help.h"
#include "convert/convert.h"
#include "formats/registry.h"
#include "model/format/format.h"
#include "rig/retarget/retarget.h"

namespace animbridge::cli::commands {

namespace {

std::string text_of_way(const Conversion& done, const Json& report, const Json& give_back) {
    if (done.bridge != nullptr && done.bridge->describe != nullptr) {
        return done.bridge->describe(report, give_back);
    }
    const std::string text = done.is_by_clip ? describe_by_clip(report) : "";
    const Format* format = find_format(report["output_format"].get<std::string_view>());
    return format == nullptr || format->text.naming == nullptr
               ? text
               : text + format->text.naming(report, !done.is_by_clip);
}

std::string text_of_edits(const Json& report) {
    const auto edits = report.find("edits");
    // If the output is JSON, the document stays one of the input's format.
    const Format* target = find_format(report["output_format"].get<std::string_view>());
    const Format* format =
        target == nullptr ? find_format(report["input_format"].get<std::string_view>()) : target;
    return edits == report.end() || format == nullptr
               ? ""
               : arguments::edit_text(*format, *edits, report["refused"]);
}

std::string text_of_parts(const Json& report) {
    std::string text;
    for (const Json& part : report.value("parts", Json::array())) {
        text += plain_text(part["output"]) + ": from " + shown_number(part["start_seconds"].get<double>()) +
                " to " + shown_number(part["end_seconds"].get<double>()) + " s, " +
                std::to_string(part["bytes"].get<std::uint64_t>()) + " bytes\n";
    }
    return text;
}

std::string text_of_conversion(const Conversion& done, const Json& report, const Json& give_back) {
    return arguments::finding_lines(report["tolerated"], "read leniently: ") +
           text_of_way(done, report, give_back) + text_of_edits(report) + text_of_parts(report) +
           (report.contains("fixes") ? arguments::fixes_text(report["fixes"]) : "") +
           arguments::refusal_lines(report, find_format(report["output_format"].get<std::string_view>()));
}

/// A file for each time of --at, which begin as they were typed: all of them, or none.
int convert_moments(const arguments::Arguments& arguments, const NamedInput& input, ConvertOptions options) {
    const auto bytes = read_input(input.path, options.input_format);
    if (!bytes) {
        return arguments::fail_with(bytes.error(), arguments);
    }
    std::vector<ConvertedFile> files;
    for (std::size_t i = 0; i < arguments.moments.size(); ++i) {
        options.bridge["at"] = arguments.moments[i];
        auto done = converted_file(*bytes, input.path, split_name(arguments.output, i + 1), options);
        if (!done) {
            return arguments::fail_with(done.error(), arguments);
        }
        files.push_back(*std::move(done));
    }
    int exit_code = arguments::fine;
    Json reports = Json::array();
    std::string text;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const auto written = write_file(split_name(arguments.output, i + 1), files[i].view());
        if (!written) {
            return arguments::fail_with(written.error(), arguments);
        }
        exit_code = files[i].is_refused ? arguments::complain_of_refusal(arguments) : exit_code;
        text += plain_text(files[i].report["output"]) + "\n" +
                text_of_conversion(files[i], files[i].report, Json());
        reports.push_back(std::move(files[i].report));
    }
    Json report = {{"files", std::move(reports)}};
    arguments::show(arguments, std::move(report), [&](const Json& /*shown*/) { return text; });
    return exit_code;
}

int run_convert(const arguments::Arguments& arguments) {
    const NamedInput input = input_of(arguments.file);
    auto options = arguments::conversion_of(arguments, arguments.output);
    if (!options) {
        return arguments::fail_with(options.error());
    }
    if (input.animation) {
        options->bridge["animation"] = json_text(*input.animation);
    }
    if (const auto own = arguments::require_own_files(arguments, input.path); !own) {
        return arguments::fail_with(own.error());
    }
    if (arguments.moments.size() > 1) {
        return convert_moments(arguments, input, *options);
    }
    if (!arguments.moments.empty()) {
        options->bridge["at"] = arguments.moments.front();
    }
    auto done = convert_file(input.path, arguments.output, *options);
    if (!done) {
        return arguments::fail_with(done.error(), arguments);
    }
    if (const auto written = arguments::write_certificate(arguments, done->report); !written) {
        return arguments::fail_with(written.error());
    }
    if (!arguments.report_file.empty()) {
        const std::string text = print_json(done->report);
        if (const auto written = write_file(arguments.report_file, view_of(text)); !written) {
            return arguments::fail_with(written.error());
        }
    }
    // The user types it again, so it stays unchanged: JSON has its own escapes.
    const Json give_back = done->report.value("give_back", Json());
    arguments::show(arguments, std::move(done->report),
                    [&](const Json& shown) { return text_of_conversion(*done, shown, give_back); });
    return done->is_refused ? arguments::complain_of_refusal(arguments) : arguments::fine;
}

}  // namespace

void define_convert(CLI::App& program, const arguments::SharedArguments& arguments, int& exit_code) {
    CLI::App* convert =
        arguments::add(program, "convert", "Write a file in the format of the output's extension", arguments,
                       exit_code, run_convert);
    arguments::takes_file(
        convert->add_option("input", arguments->file,
                            "The file to read; FILE#NAME takes one animation of a scene or level"))
        ->required();
    arguments::takes_file(
        convert->add_option("output", arguments->output,
                            "The file to write; an existing file is replaced when the new one is complete"))
        ->required();
    arguments::add_conversion_options(convert, arguments);
    arguments::add_split(convert, arguments);
    arguments->flags.try_emplace("at", "--at");
    arguments::takes_number(
        convert->add_option(
            "--at", arguments->moments,
            "The second that becomes a pose. Repeat it for several files: OUTPUT-1, OUTPUT-2 "
            "and so on. Without it: the start; of a BVH with the avatar's joints, the frame after "
            "the reference frame 0"),
        "SECONDS", {0.0, arguments::largest_number, "a number from 0 to 1e30"})
        ->expected(1)
        ->take_all()
        ->group("To a Second Life pose");
    arguments::takes_file(convert->add_option("--report", arguments->report_file,
                                              "Write the report into this file too, as JSON"));
    arguments::add_certificate_option(convert, arguments);
    help::show_first(convert, {"--retarget", "--onto", "--rig", "--animation", "--fps", "--scale", "--joint",
                               "--edit", "--trim", "--json"});
}

namespace {

std::string text_of(const Json& report) {
    const Format* format = find_format(report["format"].get<std::string_view>());
    const auto planted = report.find("planted");
    return arguments::finding_lines(report["tolerated"], "read leniently: ") +
           (planted == report.end() ? "" : rig::retarget::describe_planted(*planted)) +
           text_of_parts(report) + (format->text.naming == nullptr ? "" : format->text.naming(report, true)) +
           arguments::edit_text(*format, report["edits"], report["refused"]) +
           arguments::refusal_lines(report, format);
}

int run_edit(const arguments::Arguments& arguments) {
    auto edits = arguments::given_options(arguments.conversion);
    if (!edits) {
        return arguments::fail_with(edits.error());
    }
    edits->update(arguments.tools.given);
    auto retarget = arguments::given_options(arguments.retarget);
    if (!retarget) {
        return arguments::fail_with(retarget.error());
    }
    if (retarget->contains("source_rig") && !retarget->contains("plant_feet")) {
        return arguments::fail_with({ErrorCode::invalid_argument,
                                     "--rig says which joints --plant-feet turns: add --plant-feet, or leave "
                                     "--rig out"});
    }
    if (edits->empty() && arguments.split.empty() && !arguments.reading.given.contains("trim") &&
        !retarget->contains("plant_feet")) {
        return arguments::fail_with(
            {ErrorCode::invalid_argument,
             "no change was asked for: give an option, such as those that animbridge edit "
             "--help lists"});
    }
    auto done = edit_file(arguments.file, arguments.output,
                          {arguments.format, arguments::reading_of(arguments), std::move(*edits),
                           std::move(*retarget), split_from(arguments.split)});
    if (!done) {
        return arguments::fail_with(done.error(), arguments);
    }
    arguments::show(arguments, std::move(done->report), text_of);
    return done->is_refused ? arguments::complain_of_refusal(arguments) : arguments::fine;
}

/// The old form of --trim, when only recordings had it: one flag for each side of "A:B".
void add_old_trim(CLI::App* edit, const arguments::SharedArguments& arguments, const char* flag,
                  bool is_start) {
    arguments::takes_text(
        edit->add_option_function<std::string>(flag,
                                               [arguments, is_start](const std::string& seconds) {
                                                   Json& trim = arguments->reading.given["trim"];
                                                   const std::string both =
                                                       trim.is_string() ? trim.get<std::string>() : ":";
                                                   const std::size_t colon = both.find(':');
                                                   trim = is_start ? seconds + both.substr(colon)
                                                                   : both.substr(0, colon + 1) + seconds;
                                               }),
        "SECONDS",
        [](const std::string& seconds) {
            return arguments::is_number(seconds, 0.0, arguments::largest_number) ? std::string()
                                                                                 : "seconds from 0";
        })
        ->group("");  // hidden
}

}  // namespace

void define_edit(CLI::App& program, const arguments::SharedArguments& arguments, int& exit_code) {
    CLI::App* edit =
        arguments::add(program, "edit", "Change values of a file or its motion, and keep the rest", arguments,
                       exit_code, run_edit);
    arguments::takes_file(edit->add_option("input", arguments->file, "The file to read"))->required();
    arguments::takes_file(
        edit->add_option("output", arguments->output,
                         "The file to write, of the same format; an existing file is replaced when the new "
                         "one is complete"))
        ->required();
    arguments::add_format(edit, arguments);
    arguments::add_reading_options(edit, arguments);
    arguments::add_call_options(edit, arguments, "edited");
    arguments::add_planting_options(edit, arguments);
    arguments::add_clip_tools(edit, arguments);
    arguments::add_split(edit, arguments);
    add_old_trim(edit, arguments, "--trim-start", true);
    add_old_trim(edit, arguments, "--trim-end", false);
    help::show_first(edit, {"--trim", "--mirror", "--speed", "--leave-out", "--no-travel", "--close-loop",
                            "--plant-feet", "--base-priority", "--loop", "--json"});
}

namespace {

/// "wave.xml@1.5"; nullopt for another text.
std::optional<TimedFile> timed_file(const std::string& text) {
    const std::size_t mark = text.rfind('@');
    if (mark == std::string::npos || mark == 0) {
        return std::nullopt;
    }
    const auto seconds = decimal_number(std::string_view(text).substr(mark + 1));
    return seconds && *seconds >= 0.0 && *seconds <= arguments::largest_number
               ? std::optional(TimedFile{text.substr(0, mark), *seconds})
               : std::nullopt;
}

std::string warning_lines(const Json& report) {
    std::string text;
    for (const Json& warning : report["warnings"]) {
        text += "Warning: " + plain_text(warning) + "\n";
    }
    return text;
}

int run_sequence(const arguments::Arguments& arguments) {
    std::vector<TimedFile> files;
    for (const std::string& text : arguments.files) {
        files.push_back(*timed_file(text));
    }
    auto given = arguments::given_options(arguments.conversion);
    if (!given) {
        return arguments::fail_with(given.error());
    }
    ConvertOptions options;
    options.input_format = arguments.format;
    options.reading = arguments::reading_of(arguments);
    options.bridge = std::move(*given);
    auto done = sequence_file(files, arguments.output, options, arguments.ease == "smooth");
    if (!done) {
        return arguments::fail_with(done.error(), arguments);
    }
    arguments::show(arguments, std::move(done->report), [](const Json& report) {
        const auto left_out = report.find("left_out");
        const bool is_whole = left_out == report.end() || left_out->empty();
        return plain_text(report["output"]) + ": " + plain_text(report["bytes_out"]) + " bytes\n" +
               (is_whole ? "" : "Left out: " + listed_text(*left_out) + "\n") + warning_lines(report) +
               arguments::refusal_lines(report, find_format(report["output_format"].get<std::string_view>()));
    });
    return done->is_refused ? arguments::complain_of_refusal(arguments) : arguments::fine;
}

}  // namespace

void define_sequence(CLI::App& program, const arguments::SharedArguments& arguments, int& exit_code) {
    CLI::App* sequence = arguments::add(program, "sequence", "Make an animation of poses at times", arguments,
                                        exit_code, run_sequence);
    arguments::takes_file(sequence->add_option("output", arguments->output,
                                               "The file to write, such as .anim, .bvh, .glb or .fbx"))
        ->required();
    arguments::takes_text(
        sequence->add_option("poses", arguments->files,
                             "The poses and when they are reached: stand.xml@0 wave.xml@1.5"),
        "FILE@SECONDS",
        [](const std::string& text) {
            return timed_file(text) ? std::string() : std::string("a file and a time from 0, FILE@SECONDS");
        })
        ->required();
    arguments::takes_choice(sequence->add_option("--ease", arguments->ease, "How joints move between poses"),
                            {"linear", "smooth"})
        ->capture_default_str();
    arguments::add_format(sequence, arguments);
    arguments::add_reading_options(sequence, arguments);
    arguments::add_bridge_options(sequence, arguments);
    help::show_first(sequence, {"--ease", "--loop", "--priority", "--hand-pose", "--load", "--json"});
}

namespace {

/// ", 2 keys inserted at the seams"; empty if there are none.
std::string part(const Json& report, std::string_view member, const std::string& one,
                 const std::string& many) {
    const Json& count = report[member];
    return count == 0 ? "" : ", " + plain_text(count) + " " + (count == 1 ? one : many);
}

std::string join_text(const Json& report) {
    return plain_text(report["recordings"]) + " recordings, " + six_digits(report["duration_seconds"]) +
           " s, version " + plain_text(report["version"]) +
           part(report, "seam_keys", "key inserted at the seams", "keys inserted at the seams") +
           part(report, "held_curves", "curve that no longer repeats", "curves that no longer repeat") +
           part(report, "left_out_gaze_keys", "key of the gaze left out", "keys of the gaze left out") +
           part(report, "left_out_trailing_bytes", "trailing byte left out", "trailing bytes left out") +
           "\n";
}

int run_join(const arguments::Arguments& arguments) {
    constexpr std::size_t fewest = 3;
    if (arguments.files.size() < fewest) {
        return arguments::fail_with({ErrorCode::invalid_argument,
                                     "found " + std::to_string(arguments.files.size()) +
                                         " files; allowed are two or more to join, then the one to write"});
    }
    auto options = arguments::given_options(arguments.conversion);
    if (!options) {
        return arguments::fail_with(options.error());
    }
    const std::span<const std::string> files(arguments.files);
    auto report = join_files(files.first(files.size() - 1), files.back(), arguments.format,
                             arguments::reading_of(arguments), *options);
    if (!report) {
        return arguments::fail_with(report.error());
    }
    return arguments::show(arguments, std::move(*report), join_text);
}

}  // namespace

void define_join(CLI::App& program, const arguments::SharedArguments& arguments, int& exit_code) {
    CLI::App* join =
        arguments::add(program, "join", "Put recordings one after the other", arguments, exit_code, run_join);
    arguments::takes_file(
        join->add_option("files", arguments->files, "The recordings in their order, then the file to write"))
        ->required();
    arguments::add_format(join, arguments);
    arguments::add_reading_options(join, arguments);
    arguments::add_call_options(join, arguments, "joined");
}

}  // namespace animbridge::cli::commands
