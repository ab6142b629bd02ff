// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/option.h"
#include "base/trim.h"

namespace animbridge {

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

}  // namespace animbridge
