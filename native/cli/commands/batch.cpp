// SPDX-License-Identifier: MIT
#include "cli/commands/commands.h"

#include <algorithm>
#include <array>
#include <memory>
#include <thread>

#include "batch/run/run.h"
#include "cli/help/help.h"
#include "model/findings/findings.h"

namespace animbridge::cli::commands {

namespace {

constexpr std::uint32_t most_jobs = 1024;
constexpr std::uint32_t most_shards = 1'000'000;

/// The arguments after "batch".
struct Typed {
    arguments::SharedArguments conversion = std::make_shared<arguments::Arguments>();
    batch::plan::Request request;
    std::string shard;
    std::string fail_on{name_of(FindingClass::rejected)};
    double frame_start = 1;
    std::string facing;
    std::string encoder;
};

/// "2/8": the number of the share, and how many there are.
std::optional<batch::plan::Shard> shard_in(const std::string& text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos || !arguments::is_integer(text.substr(slash + 1), 1, most_shards)) {
        return std::nullopt;
    }
    const auto count = std::stoul(text.substr(slash + 1));
    if (!arguments::is_integer(text.substr(0, slash), 1, static_cast<std::int64_t>(count))) {
        return std::nullopt;
    }
    return batch::plan::Shard{static_cast<std::uint32_t>(std::stoul(text.substr(0, slash))),
                              static_cast<std::uint32_t>(count)};
}

/// The words that were typed for these options.
template <typename IsWanted>
std::vector<std::string> typed_words(const CLI::App& command, IsWanted&& is_wanted) {
    std::vector<std::string> words;
    for (const CLI::Option* const option : command.get_options()) {
        const std::string name = option->get_name();
        if (option->count() == 0 || !is_wanted(*option)) {
            continue;
        }
        if (option->get_expected_min() == 0) {
            words.push_back(name);
            continue;
        }
        for (const std::string& value : option->results()) {
            words.push_back(name);
            words.push_back(value);
        }
    }
    return words;
}

/// The words that were typed for options that affect what Blender makes. Edits, fixes and clip tools are for
/// files: this program applies them to what Blender exports.
std::vector<std::string> deciding_words(const CLI::App& command) {
    constexpr std::array<std::string_view, 14> others = {
        "inputs",   "--from",  "--shard",      "--jobs",    "--resume", "--retry-failed", "--help",
        "--report", "--quiet", "--json-lines", "--blender", "--trim",   "--edit",         "--fix"};
    return typed_words(command, [&](const CLI::Option& option) {
        return std::ranges::find(others, option.get_name()) == others.end() &&
               option.get_group() != "Clip tools";
    });
}

std::vector<std::string> words_for_blender_alone(const CLI::App& command) {
    return typed_words(command, [](const CLI::Option& option) {
        const std::string name = option.get_name();
        return name == "--frame-start" || name == "--facing" || name == "--encoder";
    });
}

int run_batch(Typed& typed) {
    batch::plan::Request& request = typed.request;
    const arguments::Arguments& arguments = *typed.conversion;
    if (request.inputs.empty() && request.lists.empty()) {
        arguments::complain("batch: found no inputs; give files, folders or patterns, or a list with --from");
        arguments::complain("see animbridge batch --help");
        return arguments::usage;
    }
    if (request.target == batch::plan::blend_target && request.blender.empty()) {
        arguments::complain(
            "only Blender writes .blend files. Use scripts/convert, or blender --command animbridge");
        return arguments::usage;
    }
    const std::string word = request.target;
    const auto named = formats_to_name();
    if (std::ranges::find(named, word) != named.end()) {
        request.target = extension_to_name(word);
    }
    auto conversion = arguments::conversion_of(arguments, "the files of --to " + word + "." + request.target);
    if (!conversion) {
        return arguments::fail_with(conversion.error());
    }
    request.conversion = std::move(*conversion);
    request.conversion.to = word == request.target ? "" : word;
    const ConvertOptions& asked = request.conversion;
    if (request.target == batch::plan::blend_target &&
        (asked.edits != Json::object() || !asked.fixes.is_null() || asked.split ||
         !asked.reading.trim.empty())) {
        arguments::complain(
            "--to blend imports files as they are, so --trim, --edit, --fix and the clip tools don't go with "
            "it; use them on the files first, with animbridge edit or fix");
        return arguments::usage;
    }
    request.shard =
        typed.shard.empty() ? batch::plan::Shard{} : shard_in(typed.shard).value_or(batch::plan::Shard{});
    request.version = ANIMBRIDGE_VERSION;
    request.fail_on = finding_class_named(typed.fail_on);
    request.as_typed = [&](Error error) { return arguments::with_typed_names(std::move(error), arguments); };
    const auto exit_code = batch::run::run(request);
    return exit_code ? *exit_code : arguments::fail_with(exit_code.error());
}

void add_input_options(CLI::App* command, Typed& typed) {
    batch::plan::Request& request = typed.request;
    arguments::takes_file(command->add_option("inputs", request.inputs,
                                              "Files, folders with all below them, or patterns such as "
                                              "'walks/**/*.anim'"));
    std::vector<std::string> targets(batch::plan::targets.begin(), batch::plan::targets.end());
    targets.emplace_back(batch::plan::blend_target);
    const auto named = formats_to_name();
    targets.insert(targets.end(), named.begin(), named.end());
    arguments::takes_choice(command->add_option("--to", request.target, "The format of the outputs"), targets)
        ->required();
    arguments::takes_folder(
        command->add_option("--out", request.out, "The folder of the outputs; made if need be"))
        ->required();
    arguments::takes_file(
        command->add_option("--from", request.lists,
                            "A list of more inputs, one path a line, or with a NUL after each; -: "
                            "standard input. May be repeated"))
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    arguments::takes_text(
        command->add_option("--shard", typed.shard,
                            "Only the Ith of N shares of the inputs. The same on every machine"),
        "I/N", [](const std::string& text) -> std::string {
            return shard_in(text) ? "" : "a share and how many there are, such as 2/8";
        });
}

void add_run_options(CLI::App* command, Typed& typed) {
    batch::plan::Request& request = typed.request;
    request.jobs = std::clamp(std::thread::hardware_concurrency(), 1U, most_jobs);
    arguments::takes_integer(
        command->add_option("--jobs", request.jobs,
                            "How many files are converted at once. Without it: one for each core"),
        "N", 1, most_jobs);
    arguments::is_switch(command->add_flag("--newer", request.newer,
                                           "Leave out inputs whose output is there and newer than they are"));
    arguments::is_switch(
        command->add_flag("--resume", request.resume,
                          "Do what an earlier run into this folder has not done, and what has changed "
                          "since: inputs, options, outputs, the version"));
    arguments::is_switch(
        command->add_flag("--retry-failed", request.retry_failed, "The same, and try again what failed"));
    arguments::is_switch(command->add_flag(
        "--digest", request.digest, "Recognise unchanged inputs by their SHA-256 instead of their time"));
}

void add_blender_options(CLI::App* command, Typed& typed) {
    batch::plan::Request& request = typed.request;
    arguments::takes_text(
        command
            ->add_option("--blender", request.blender,
                         "For scripts: the program that converts .blend files, and then each word "
                         "of its command line with an option of its own")
            ->allow_extra_args(false)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll),
        "WORD", [](const std::string&) { return std::string(); });
    arguments::takes_number(command->add_option("--frame-start", typed.frame_start,
                                                "Of new .blend files: the frame of second 0. Without it: 1"),
                            "FRAME", {-1'048'574, 1'048'574, "a number from -1048574 to 1048574"});
    arguments::takes_choice(
        command->add_option("--facing", typed.facing,
                            "Of .blend files: where a character looks in its armature, for Actions "
                            "that were not imported. Without it: auto"),
        {"auto", "x", "negative-y", "negative-x", "y"});
    arguments::takes_choice(
        command->add_option("--encoder", typed.encoder,
                            "Of .blend files: how Actions become codes of a .anim. Without it: "
                            "upload"),
        {"upload", "nearest", "viewer"});
}

void add_report_options(CLI::App* command, Typed& typed) {
    batch::plan::Request& request = typed.request;
    arguments::takes_file(
        command->add_option("--report", request.report, "Write a JSON report with a row per output"));
    arguments::is_switch(command->add_flag(
        "--quiet", request.quiet, "Print only what failed, was skipped or is refused, and the summary"));
    arguments::is_switch(
        command->add_flag("--json-lines", request.json_lines,
                          "Print each row as a line of JSON when it is done, instead of the table"));
    arguments::takes_choice(
        command->add_option("--level", request.level,
                            "Which rules the outputs are checked by. Without it: upload for .anim, "
                            "playback for other formats"),
        {check_level_names.begin(), check_level_names.end()});
    arguments::takes_fail_on(command->add_option(
        "--fail-on", typed.fail_on, "Exit with 1 if an output has a finding of this class or a worse one"));
}

void define_run(CLI::App& program, const ReadOptions& limits, int& exit_code) {
    CLI::App* command = program.add_subcommand("batch", "Convert many files at once, and report on each");
    const auto typed = std::make_shared<Typed>();
    typed->conversion->scene_reader = limits.scene_reader;
    add_input_options(command, *typed);
    add_run_options(command, *typed);
    add_blender_options(command, *typed);
    add_report_options(command, *typed);
    arguments::add_conversion_options(command, typed->conversion);
    arguments::add_split(command, typed->conversion);
    help::show_first(command, {"--to", "--out", "--jobs", "--resume", "--retarget", "--fps", "--level",
                               "--fail-on", "--report", "--quiet"});
    command->callback([typed, command, &exit_code] {
        typed->request.words = deciding_words(*command);
        typed->request.blender_words = words_for_blender_alone(*command);
        exit_code = run_batch(*typed);
    });
}

int run_merge(const arguments::Arguments& arguments) {
    const auto merged = batch::run::merge_ledgers(arguments.files, arguments.output);
    if (!merged) {
        return arguments::fail_with(merged.error());
    }
    for (const std::string& conflict : merged->conflicts) {
        arguments::complain("two inputs have the same output, so one of them is lost: " + conflict);
    }
    const Json report = {{"rows", merged->rows},
                         {"superseded", merged->superseded},
                         {"unreadable", merged->unreadable},
                         {"conflicts", merged->conflicts.size()}};
    const auto lines = [&](std::uint64_t count, const char* one, const char* several) {
        return std::to_string(count) + (count == 1 ? one : several);
    };
    arguments::show(arguments, report, [&](const Json&) {
        return lines(merged->rows, " row, ", " rows, ") +
               lines(merged->superseded, " older row left out, ", " older rows left out, ") +
               lines(merged->unreadable, " line that is no row\n", " lines that are no rows\n");
    });
    return merged->conflicts.empty() ? arguments::fine : arguments::failed;
}

void define_merge(CLI::App& program, int& exit_code) {
    const auto arguments = std::make_shared<arguments::Arguments>();
    CLI::App* command =
        arguments::add(program, "batch-merge", "Make one ledger of those that a batch's shards wrote",
                       arguments, exit_code, run_merge);
    arguments::takes_file(command->add_option("ledgers", arguments->files, "The ledgers, the oldest first"))
        ->required();
    arguments::takes_file(
        command->add_option("--out", arguments->output, "The ledger to write; it may be one of these"))
        ->required();
}

}  // namespace

void define_batch(CLI::App& program, const ReadOptions& limits, int& exit_code) {
    define_run(program, limits, exit_code);
    define_merge(program, exit_code);
}

}  // namespace animbridge::cli::commands
