// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "convert/convert.h"
#include "model/finding.h"

namespace animbridge::batch {

/// What `--to` takes: the extension of the outputs, without the dot.
inline constexpr std::array<std::string_view, 10> targets = {"anim", "bvh",  "oni", "xml", "bin",
                                                             "glb",  "gltf", "fbx", "dae", "json"};
/// What Blender writes, where there is one.
inline constexpr std::string_view blend_target = "blend";

/// A share of the inputs: the `number`th of `count`, from 1.
struct Shard {
    std::uint32_t number = 1;
    std::uint32_t count = 1;
};

/// One run.
struct Request {
    std::vector<std::string> inputs{};  ///< files, folders, patterns
    std::vector<std::string> lists{};   ///< files with a path on each line; "-": standard input
    std::string target{};               ///< one of `targets`
    std::string out{};                  ///< the folder of the outputs
    std::string report{};               ///< the file of the JSON report; "": none
    std::vector<std::string> words{};   ///< as typed: options that decide what inputs become, for Blender
    std::string level{};                ///< by which the outputs are checked; "": the format's default
    /// An output with a finding of this class or a worse one makes the run fail; nullopt: none does.
    std::optional<FindingClass> fail_on = FindingClass::rejected;
    std::uint32_t jobs = 1;  ///< threads
    /// The command line that starts Blender with the add-on, for what needs it; empty: there is none.
    std::vector<std::string> blender{};
    std::vector<std::string> blender_words{};  ///< as typed: the options for Blender alone
    Shard shard{};
    bool quiet = false;
    bool json_lines = false;
    bool newer = false;         ///< leaves out inputs that are older than their output
    bool resume = false;        ///< does what the ledger lacks or what has changed
    bool retry_failed = false;  ///< the same, and what failed
    bool digest = false;        ///< recognises inputs by their content, and not by their time
    ConvertOptions conversion{};
    std::string version{};  ///< of this program
    /// Names the options in an error as the user typed them. May be empty.
    std::function<Error(Error)> as_typed{};
};

}  // namespace animbridge::batch
