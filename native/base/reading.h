// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/option.h"
#include "base/trim.h"

namespace animbridge {

/// How much a reader tolerates. Readers are lenient unless they are asked to be strict. Of the binary
/// formats, only MRTK recordings know a difference.
enum class Reading : std::uint8_t {
    strict,   ///< what contradicts itself is an error
    lenient,  ///< whatever can be made sense of is read, and reported as a finding
};

/// How a file is read. Only scenes, most of which another program reads and writes, need more than the first
/// member and the last one.
struct ReadOptions {
    Reading reading = Reading::lenient;
    /// What that program, or what is read, may take; also motion on its way to another format, and JSON.
    std::uint32_t memory_mib = 2048;
    std::uint32_t processor_seconds = 120;  ///< of that program; twice that by the clock
    bool uses_side_files = true;            ///< files in the same folder may be read, if the file names them
    bool uses_assimp_for_fbx = false;
    /// AnimBridge wrote the file just now: it is read by another library than it was written by. No option.
    bool is_for_verifying = false;
    /// How the caller starts the program that reads and writes scenes: a path and its first arguments. Empty:
    /// the program beside the library.
    std::vector<std::string> scene_reader{};
    std::string animation{};  ///< of a file with several: the name, or the number from 1; empty: the main one
    Trim trim{};              ///< the part of the animation that is wanted

    // A mere Reading will do, wherever the others have their defaults.
    ReadOptions() = default;
    ReadOptions(Reading how) : reading(how) {}  // NOLINT(google-explicit-constructor)
};

/// ErrorCode::bad_value: what is made of a file needs more memory than ReadOptions::memory_mib.
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

/// The table of them, for every call that reads a file.
[[nodiscard]] std::span<const Option> reading_options();

/// ErrorCode::bad_value names the member at fault.
[[nodiscard]] Result<ReadOptions> read_options_from(const Json& options);

}  // namespace animbridge
