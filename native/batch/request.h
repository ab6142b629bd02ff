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
#include "model/findings/findings.h"

namespace animbridge::batch {

/// The values of `--to`: the extension of the outputs, without the dot.
inline constexpr std::array<std::string_view, 10> targets = {"anim", "bvh",  "oni", "xml", "bin",
                                                             "glb",  "gltf", "fbx", "dae", "json"};
/// The additional target if there is a Blender.
inline constexpr std::string_view blend_target = "blend";

/// A share of the inputs: the `number`th of `count`, from 1.
struct Shard {
    std::uint32_t number = 1;
    std::uint32_t count = 1;
};

/// One run.
struct Request {
    std::vector<std::string> inputs{};  ///< files, folders, patterns
    std::vector<std::string> lists{};   ///< files with one path per line; "-": standard input
    std::string target{};               ///< one of `targets`
    std::string out{};                  ///< the output folder
    std::string report{};               ///< the file of the JSON report; "": none
    std::vector<std::string> words{};   ///< as typed: options that affect the results, for Blender
    std::string level{};                ///< for checking the outputs; "": the format's default
    /// An output with a finding of this class or a worse one makes the run fail; nullopt: none does.
    std::optional<FindingClass> fail_on = FindingClass::rejected;
    std::uint32_t jobs = 1;  ///< threads
    /// The command line that starts Blender with the add-on, for inputs that need it; empty: there is none.
    std::vector<std::string> blender{};
    std::vector<std::string> blender_words{};  ///< as typed: the options only for Blender
    Shard shard{};
    bool quiet = false;
    bool json_lines = false;
    bool newer = false;         ///< skip inputs that are older than their output
    bool resume = false;        ///< convert only what the ledger lacks or what has changed
    bool retry_failed = false;  ///< like `resume`, and also what failed
    bool digest = false;        ///< recognise inputs by their content instead of their time
    ConvertOptions conversion{};
    std::string version{};  ///< this program's version
    /// Gives the options in an error the names that the user typed. May be empty.
    std::function<Error(Error)> as_typed{};
};

}  // namespace animbridge::batch
