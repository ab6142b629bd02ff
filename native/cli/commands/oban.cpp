// SPDX-License-Identifier: MIT
#include "cli/commands/commands.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "base/base.h"
#include "base/files/files.h"
#include "formats/oban/file/file.h"
#include "formats/oban/level/level.h"

namespace animbridge::cli::commands {

namespace {

namespace fs = std::filesystem;

/// A level, and the document that owns it.
struct LoadedLevel {
    DocumentPtr document;
    const oban::level::Level* level = nullptr;
};

Result<LoadedLevel> load_level(const std::string& path) {
    TRY(auto document, arguments::load(path, "", Reading::strict));
    const oban::level::Level* level = as_oban_level(*document);
    if (level == nullptr) {
        return fail(ErrorCode::invalid_argument, path + ": found " + std::string(document->format().title) +
                                                     "; allowed is a level (.dat)");
    }
    return LoadedLevel{std::move(document), level};
}

Result<oban::file::Record> load_record(const std::string& path) {
    TRY(const auto bytes, read_file(path));
    // A raw record has no signature: treat anything but JSON as an OBAN.
    const bool is_json = !bytes.empty() && bytes.front() == '{' && !oban::file::sniff(bytes);
    TRY(const auto document, read_document(bytes, is_json ? "" : "oban", path));
    const oban::file::Document* oban = as_oban(*document);
    if (oban == nullptr) {
        return fail(ErrorCode::invalid_argument,
                    path + ": found " + std::string(document->format().title) +
                        "; allowed is an OBAN (.oni, .xml, a raw record, or their JSON)");
    }
    return oban->record;
}

int run_oban_list(const arguments::Arguments& arguments) {
    const auto loaded = load_level(arguments.file);
    if (!loaded) {
        return arguments::fail_with(loaded.error());
    }
    return arguments::show(arguments, loaded->document->info(),
                           [&](const Json& report) { return arguments::info_text(arguments.file, report); });
}

/// Determines every output path before any file is written. An output must be a regular file or not exist,
/// and must be inside the folder.
Result<std::vector<std::string>> output_paths(const fs::path& folder,
                                              const std::vector<oban::level::ExtractedFile>& files) {
    std::error_code problem;
    fs::create_directories(folder, problem);
    const fs::path inside = problem ? fs::path() : fs::canonical(folder, problem);
    if (problem) {
        return fail(ErrorCode::io, text_of_path(folder) + ": " + problem.message());
    }
    std::vector<std::string> paths;
    std::set<std::string> taken;
    for (const oban::level::ExtractedFile& file : files) {
        const fs::path path = folder / path_of(file.file_name);
        // A link to a missing target cannot be checked, so it is refused.
        const bool is_dangling = fs::is_symlink(path, problem) && !fs::exists(path, problem);
        const fs::path real = fs::weakly_canonical(path, problem);
        if (is_dangling || real.parent_path() != inside) {
            return fail(ErrorCode::io,
                        text_of_path(path) + ": found a link that leads out of the folder; remove it");
        }
        if (fs::exists(real, problem) && !fs::is_regular_file(real, problem)) {
            return fail(ErrorCode::io, text_of_path(path) + ": found what is not a file; remove it");
        }
        if (!taken.insert(text_of_path(real)).second) {
            return fail(ErrorCode::io, text_of_path(path) + ": found a link to another output; remove it");
        }
        paths.push_back(text_of_path(path));
    }
    return paths;
}

std::string extract_text(const Json& report) {
    std::string text;
    for (const Json& file : report["files"]) {
        text += plain_text(file["output"]) + ": " + file["keys"].dump() + " keys\n";
        std::string lost;
        for (const Json& field : file["left_behind"]) {
            // Ids depend on the position in the level, so they always differ.
            if (field != "res_id" && field != "lev_id") {
                lost += lost.empty() ? "" : ", ";
                lost += plain_text(field);
            }
        }
        text += lost.empty() ? "" : "  not stored in this format: " + lost + "\n";
    }
    return text;
}

int run_oban_extract(const arguments::Arguments& arguments) {
    const auto loaded = load_level(arguments.file);
    const auto kind = oban::level::file_kind_named(arguments.as);
    if (!loaded || !kind) {
        return arguments::fail_with(loaded ? Error{ErrorCode::invalid_argument, "unknown --as"}
                                           : loaded.error());
    }
    const auto files = oban::level::extract_files(*loaded->level, arguments.files, *kind);
    if (!files) {
        return arguments::fail_with(in_file(files.error(), arguments.file));
    }
    const auto paths = output_paths(arguments.output, *files);
    if (!paths) {
        return arguments::fail_with(paths.error());
    }
    Json rows = Json::array();
    for (std::size_t i = 0; i < files->size(); ++i) {
        const oban::level::ExtractedFile& file = (*files)[i];
        const std::string& path = (*paths)[i];
        if (const auto written = write_file(path, file.bytes); !written) {
            return arguments::fail_with(written.error());
        }
        rows.push_back({{"name", json_text(file.name)},
                        {"output", json_text(path)},
                        {"keys", file.keys},
                        {"bytes", file.bytes.size()},
                        {"left_behind", file.left_behind}});
    }
    return arguments::show(arguments, {{"level", json_text(arguments.file)}, {"files", std::move(rows)}},
                           extract_text);
}

int run_oban_replace(const arguments::Arguments& arguments) {
    const auto loaded = load_level(arguments.file);
    if (!loaded) {
        return arguments::fail_with(loaded.error());
    }
    auto record = load_record(arguments.input);
    if (!record) {
        return arguments::fail_with(record.error());
    }
    const std::size_t keys = record->keys.size();
    const auto index = oban::level::find_oban(*loaded->level, arguments.name);
    const auto file =
        index ? oban::level::replaced(*loaded->level, *index, std::move(*record)) : fail(index.error());
    if (!file) {
        return arguments::fail_with(in_file(file.error(), arguments.file));
    }
    if (const auto written = write_file(arguments.output, *file); !written) {
        return arguments::fail_with(written.error());
    }
    const oban::level::LevelOban& slot = loaded->level->obans[*index];
    const Json report = {{"level", json_text(arguments.file)},
                         {"name", json_text(oban::file::without_tag(slot.name))},
                         {"instance", slot.instance},
                         {"input", json_text(arguments.input)},
                         {"output", json_text(arguments.output)},
                         {"keys_before", slot.keys},
                         {"keys", keys},
                         {"bytes", file->size()}};
    return arguments::show(arguments, report, [&](const Json&) {
        return without_controls(arguments.output) + ": " + without_controls(arguments.name) + " has " +
               std::to_string(keys) + " keys, had " + std::to_string(slot.keys) + "\n";
    });
}

/// Parts next to a .dat can belong to a package with sounds and textures: do not overwrite them.
Result<void> check_part(const std::string& path, const Bytes& part) {
    std::error_code none;
    if (!fs::exists(path_of(path), none)) {
        return {};
    }
    const auto found = read_file(path);
    if (found && *found == part) {
        return {};
    }
    return fail(ErrorCode::invalid_argument,
                path + ": found a file with " + (found ? std::to_string(found->size()) : "unknown") +
                    " bytes that are not a new package's; allowed are none, or its " +
                    std::to_string(part.size()) + " zeros: choose another name");
}

Result<void> write_package(const fs::path& dat, const oban::level::Package& package) {
    std::vector<std::pair<std::string, const Bytes*>> parts = {
        {text_of_path(fs::path(dat).replace_extension(".raw")), &package.raw}};
    if (package.sep) {
        parts.emplace_back(text_of_path(fs::path(dat).replace_extension(".sep")), &*package.sep);
    }
    for (const auto& [path, bytes] : parts) {
        TRY_VOID(check_part(path, *bytes));
    }
    parts.emplace_back(text_of_path(dat), &package.dat);
    for (const auto& [path, bytes] : parts) {
        TRY_VOID(write_file(path, *bytes));
    }
    return {};
}

int run_oban_pack(const arguments::Arguments& arguments) {
    const fs::path dat = path_of(arguments.output);
    if (dat.extension() != ".dat") {
        return arguments::fail_with(
            {ErrorCode::invalid_argument, arguments.output + ": allowed is a name that ends in .dat"});
    }
    std::vector<std::pair<std::string, oban::file::Record>> obans;
    for (const std::string& input : arguments.files) {
        auto record = load_record(input);
        if (!record) {
            return arguments::fail_with(record.error());
        }
        obans.emplace_back(oban::file::name_of_file(input), std::move(*record));
    }
    const std::size_t count = obans.size();
    const auto platform = arguments.mac ? oban::level::Platform::mac : oban::level::Platform::pc;
    const auto package = oban::level::new_package(std::move(obans), text_of_path(dat.stem()), platform);
    const auto written = package ? write_package(dat, *package) : fail(package.error());
    if (!written) {
        return arguments::fail_with(written.error());
    }
    const Json report = {{"output", json_text(arguments.output)},
                         {"obans", count},
                         {"lev_id", oban::level::level_id(text_of_path(dat.stem()))},
                         {"bytes", package->dat.size()}};
    return arguments::show(arguments, report, [&](const Json&) {
        return without_controls(arguments.output) + ": " + std::to_string(count) +
               " OBANs, with an empty .raw" + (arguments.mac ? " and .sep" : "") + " beside it\n";
    });
}

void define_extract(CLI::App* extract, const arguments::SharedArguments& arguments) {
    extract
        ->add_option("names", arguments->files,
                     "Names of animations, with or without OBAN in front, or #NUMBER for an instance. "
                     "Without a name: all")
        ->type_name("NAME");
    arguments::takes_folder(
        extract->add_option("--out", arguments->output,
                            "The output folder, made if it is missing. Existing files are replaced "
                            "when the new ones are complete"))
        ->required();
    arguments::takes_choice(
        extract->add_option("--as", arguments->as, "What the files are; raw: raw records (.oban)"),
        {"oni", "xml", "raw", "json"})
        ->capture_default_str();
}

void define_replace(CLI::App* replace, const arguments::SharedArguments& arguments) {
    replace
        ->add_option("name", arguments->name,
                     "The animation to replace, with or without OBAN in front, or #NUMBER for an instance")
        ->required()
        ->type_name("NAME");
    arguments::takes_file(
        replace->add_option("input", arguments->input, "The animation to put there (.oni, .xml, .oban)"))
        ->required();
    arguments::takes_file(
        replace->add_option("--out", arguments->output,
                            "The level to write; an existing file is replaced when the new one is complete"))
        ->required();
}

void define_pack(CLI::App* pack, const arguments::SharedArguments& arguments) {
    arguments::takes_file(
        pack->add_option("output", arguments->output,
                         "The .dat to write, named levelNUMBER_NAME.dat; a .raw (and .sep) is written "
                         "beside it"))
        ->required();
    arguments::takes_file(pack->add_option("inputs", arguments->files, "The animations (.oni, .xml, .oban)"))
        ->required();
    arguments::is_switch(pack->add_flag("--mac", arguments->mac, "For the Mac game and the PC demo"));
}

}  // namespace

void define_oban(CLI::App& program, const arguments::SharedArguments& arguments, int& exit_code) {
    CLI::App* group =
        program.add_subcommand("oban", "List, extract, replace and pack the animations of Oni's levels");
    group->require_subcommand(1);

    const auto takes_level = [&](CLI::App* command) {
        arguments::takes_file(command->add_option("level", arguments->file, "The level (.dat)"))->required();
    };
    takes_level(arguments::add(*group, "list", "List the animations of a level", arguments, exit_code,
                               run_oban_list));
    CLI::App* extract = arguments::add(*group, "extract", "Write animations of a level as files of their own",
                                       arguments, exit_code, run_oban_extract);
    takes_level(extract);
    define_extract(extract, arguments);
    CLI::App* replace = arguments::add(*group, "replace", "Replace one animation of a level", arguments,
                                       exit_code, run_oban_replace);
    takes_level(replace);
    define_replace(replace, arguments);
    define_pack(
        arguments::add(*group, "pack", "Make a new level package of animations, named after the files",
                       arguments, exit_code, run_oban_pack),
        arguments);
}

}  // namespace animbridge::cli::commands
