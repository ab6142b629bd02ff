// SPDX-License-Identifier: MIT
#include "formats/scene_file/scene/scene.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/files/files.h"
#include "base/system/system.h"
#include "formats/scene_file/gltf/gltf.h"

namespace animbridge::scene_file::scene {

namespace {

std::string known_loaders() {
    std::string text;
    for (const file::Loader& loader : file::loaders()) {
        text += (text.empty() ? "" : ", ") + std::string(loader.title);
    }
    return text;
}

std::string folder_of(std::string_view path) {
    const std::size_t name = name_begin(path);
    return name == 0 ? "." : std::string(path.substr(0, name));
}

/// The folder of side files; empty: none may be opened.
std::string side_folder_of(const file::Loader& loader, const FileInput& file) {
    const bool may_be = !file.path.empty() && loader.has_side_files && file.options.uses_side_files;
    return may_be ? folder_of(file.path) : "";
}

std::string doing_with(const file::Loader& loader) { return "reading " + std::string(loader.title); }

/// Reads glTF 2 here: only AnimBridge's own code touches it.
Result<file::Document> read_here(const gltf::GltfFile& gltf, const file::Loader& loader,
                                 const FileInput& file) {
    TRY(auto document, gltf::read_gltf(gltf, side_folder_of(loader, file), file.options.memory_mib));
    if (const auto valid = file::validate(document); !valid) {
        return fail(ErrorCode::internal,
                    "AnimBridge made what is not a scene of it: " + valid.error().message());
    }
    return document;
}

/// The loader for the program to use.
std::string reader_of(const file::Loader& loader, const ReadOptions& options) {
    if (loader.id == "gltf") {
        return "gltf1";
    }
    if (options.is_for_verifying) {
        return loader.id == "collada" ? "collada_written" : std::string(loader.id);
    }
    const bool by_assimp = loader.id == "fbx" && options.uses_assimp_for_fbx;
    return by_assimp ? "fbx_assimp" : std::string(loader.id);
}

Result<file::Document> read_by_program(const file::Loader& loader, const FileInput& file) {
    ChildCall call{{"read", "--loader", reader_of(loader, file.options)}, file.bytes, doing_with(loader)};
    if (!file.path.empty()) {
        call.arguments.insert(call.arguments.end(), {"--name", std::string(name_in_path(file.path))});
    }
    if (const std::string folder = side_folder_of(loader, file); !folder.empty()) {
        call.arguments.insert(call.arguments.end(), {"--folder", folder});
    }
    TRY(const auto wire, run_child(call, file.options));
    auto document = file::from_wire(wire);
    if (!document) {
        return fail(ErrorCode::internal, "the program animbridge-scene gave what is not a scene: " +
                                             document.error().message() + ". Nothing was read");
    }
    return document;
}

}  // namespace

bool sniff(ByteView bytes) { return file::loader_of(bytes) != nullptr; }

Result<file::Document> read_motion(const FileInput& file) {
    const file::Loader* loader = file::loader_of(file.bytes);
    if (loader == nullptr) {
        return fail(ErrorCode::bad_value,
                    "the file does not begin like a scene; allowed are " + known_loaders());
    }
    if (loader->id != "gltf") {
        return read_by_program(*loader, file);
    }
    const auto named = [&](Error error) {
        error.reason = doing_with(*loader) + " failed: " + error.reason;
        return error;
    };
    TRY(const gltf::GltfFile gltf, gltf::parse_gltf(file.bytes).map_error(named));
    return gltf::is_first_version(gltf) ? read_by_program(*loader, file)
                                        : read_here(gltf, *loader, file).map_error(named);
}

Result<file::Document> read(const FileInput& file) {
    auto document = read_motion(file);
    if (document) {
        document->file.reserve(file.bytes.size());
        prefer_huge_pages(document->file.data(), document->file.capacity());
        document->file.assign(file.bytes.begin(), file.bytes.end());
    }
    return document;
}

namespace {

/// Possible folders of the program, relative to that of the library or the command.
constexpr std::array<std::string_view, 4> places = {"/", "/../bin/", "/../libexec/animbridge/",
                                                    "/../lib/animbridge/"};

/// The command that starts the program: its path and its first arguments.
Result<std::vector<std::string>> find_program(const ReadOptions& options) {
    // None of our code changes the environment.
    const char* const named = std::getenv("ANIMBRIDGE_SCENE");  // NOLINT(concurrency-mt-unsafe)
    if (named != nullptr) {
        return std::vector<std::string>{named};
    }
    if (!options.scene_reader.empty()) {
        return options.scene_reader;
    }
    const std::string folder = own_folder();
    for (const std::string_view place : places) {
        std::string path =
            folder + std::string(place) + std::string(file::contract::program) + std::string(program_suffix);
        if (is_program(path)) {
            return std::vector<std::string>{std::move(path)};
        }
    }
    return fail(ErrorCode::io, "scene files are read and written by the program " +
                                   std::string(file::contract::program) + ", which is not in " +
                                   (folder.empty() ? "its place" : folder) +
                                   " or beside it. Install AnimBridge again, with Assimp (scripts/setup), or "
                                   "set ANIMBRIDGE_SCENE to the program's path");
}

/// The first line, without the line end, which Windows writes as two characters; long ones are shortened.
std::string first_line(const std::string& text) {
    constexpr std::size_t most = 400;
    const std::string line = text.substr(0, text.find_first_of("\r\n"));
    return line.size() > most ? line.substr(0, most) + "..." : line;
}

/// The fault is not the file's, but the message names it: it is what cannot be read.
Error not_started(const std::string& doing, const Error& error) {
    return {ErrorCode::io, doing + " failed: the program " + error.message() +
                               ". Install AnimBridge again, or set ANIMBRIDGE_SCENE to the path of " +
                               std::string(file::contract::program)};
}

Error crashed(const ChildCall& call, const ReadOptions& options, const ProcessEnd& end) {
    const std::string memory = std::to_string(options.memory_mib) + " MiB";
    const bool is_asked = end.killed == Killed::request;
    std::string what;
    if (end.killed == Killed::time) {
        what = "it took longer than the " + std::to_string(2 * options.processor_seconds) +
               " seconds that are allowed (command: --processor-seconds; library: processor_seconds)";
    } else if (end.killed == Killed::output) {
        what = "its result is larger than the " + memory +
               " that are allowed (command: --memory-mib; library: memory_mib)";
    } else if (end.killed == Killed::system) {
        what = "it used more than the " + std::to_string(options.processor_seconds) +
               " seconds of processor time that are allowed, or the system ended it (command: "
               "--processor-seconds; library: processor_seconds)";
    } else if (end.killed == Killed::crash || is_asked) {
        what = "it crashed: " + end.crash + ". The file is damaged, or needs more than the " + memory +
               " that are allowed (command: --memory-mib; library: memory_mib)";
    } else {
        what = "it ended with the status " + std::to_string(end.exit_status) +
               (end.error_text.empty() ? "" : " and said: " + first_line(end.error_text));
    }
    return {is_asked ? ErrorCode::cancelled : ErrorCode::rejected,
            call.doing + " failed in the program " + std::string(file::contract::program) + ": " + what +
                ". Nothing was read or written"};
}

/// The result is at most as large as the memory that the program may use.
std::size_t most_output(const ReadOptions& options) { return std::size_t{options.memory_mib} << 20U; }

/// The call of the program in `options`, without limits.
Result<ProcessCall> process_call(const std::vector<std::string>& arguments, const ReadOptions& options) {
    TRY(const auto words, find_program(options));
    ProcessCall process{words.front(), {words.begin() + 1, words.end()}, {}};
    process.arguments.insert(process.arguments.end(), arguments.begin(), arguments.end());
    return process;
}

/// Its answer, in the form of scene_file::file::contract.
Result<Json> ask_for_formats(const ReadOptions& options) {
    TRY(auto process, process_call({"formats"}, options));
    process.most_output_bytes = 1U << 20U;
    process.wall_seconds = 10.0;
    const std::string doing = "asking for the formats";
    TRY(auto end,
        run_process(process).map_error([&](const Error& error) { return not_started(doing, error); }));
    if (end.killed != Killed::no || end.exit_status != file::contract::exit_fine) {
        return fail(crashed({{}, {}, doing}, options, end));
    }
    return parse_json(text_of(end.output));
}

}  // namespace

Result<Bytes> run_child(const ChildCall& call, const ReadOptions& options) {
    TRY(auto process, process_call(call.arguments, options));
    process.input = call.input;
    process.most_output_bytes = most_output(options);
    process.wall_seconds = 2.0 * options.processor_seconds;
    process.arguments.insert(process.arguments.end(), {"--version", ANIMBRIDGE_VERSION});
    for (const auto& [name, value] : {std::pair("--memory-mib", options.memory_mib),
                                      std::pair("--cpu-seconds", options.processor_seconds)}) {
        process.arguments.emplace_back(name);
        process.arguments.push_back(std::to_string(value));
    }
    TRY(auto end,
        run_process(process).map_error([&](const Error& error) { return not_started(call.doing, error); }));
    const bool has_ended = end.killed == Killed::no;
    if (has_ended && end.exit_status == file::contract::exit_fine) {
        return std::move(end.output);
    }
    if (has_ended && end.exit_status == file::contract::exit_error && !end.error_text.empty()) {
        return fail(ErrorCode::bad_value, call.doing + " failed: " + first_line(end.error_text));
    }
    return fail(crashed(call, options, end));
}

Json program_json(const ReadOptions& options) {
    const auto answer = ask_for_formats(options);
    if (!answer || !answer->is_object() || !answer->contains("assimp") || !answer->contains("writes")) {
        const std::string why =
            answer ? "animbridge-scene gives another answer than it should; install AnimBridge again"
                   : answer.error().reason;
        return {{"error", json_text(why)},
                {"text", json_text("Of scenes, only glTF can be read, and none can be written: " + why)}};
    }
    Json program = *answer;
    program["reads"].push_back("gltf");
    const Json ufbx = program.value("ufbx", Json());
    const std::string own =
        "Scenes: glTF is read by AnimBridge" + (ufbx.is_null() ? "" : ", FBX by ufbx " + plain_text(ufbx));
    program["text"] = program["assimp"].is_null()
                          ? own + "; without Assimp, no other scenes are read, and none are written"
                          : own + ", and others by Assimp " + plain_text(program["assimp"]) +
                                "; written are " + listed_text(program["writes"]);
    return program;
}

}  // namespace animbridge::scene_file::scene
