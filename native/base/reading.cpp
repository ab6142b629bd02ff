// SPDX-License-Identifier: MIT
#include "base/reading.h"

#include <array>

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
    for (const Json& word : words) {
        options.scene_reader.push_back(text_from_json(word, "").value_or(""));
    }
}

std::span<const Option> reading_options() { return table; }

Result<ReadOptions> read_options_from(const Json& options) {
    ReadOptions read;
    return read_options(options, rows, read).map([&] { return read; });
}

}  // namespace animbridge
