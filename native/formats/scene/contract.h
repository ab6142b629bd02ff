// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

/// How the library and the program animbridge-scene talk.
///
///     animbridge-scene read --version V --loader ID --memory-mib N --cpu-seconds N [--name FILE]
///                      [--folder DIR]
///         standard input: the file; standard output: its wire form
///     animbridge-scene write --version V --container ID --memory-mib N --cpu-seconds N
///         standard input: a wire form; standard output: the file
///     animbridge-scene formats
///         standard output: JSON, {"assimp": version or null, "ufbx": version or null, "reads": [loader
///         ids],
///         "writes": [container ids]}
///
/// Exit status 0: all went well. 1: it did not, and standard error has one line that says why, without the
/// file's name. Anything else, and every signal, is a crash or a limit; standard error then may have
/// anything. The program closes every descriptor above 2 and sets its own limits before it reads a byte.
/// `--version` is the library's; a program of another one refuses. `--name` is for loaders that need an
/// extension; without `--folder`, no other file can be opened.
namespace animbridge::scene::contract {

inline constexpr std::string_view program = "animbridge-scene";

inline constexpr int exit_fine = 0;
inline constexpr int exit_error = 1;

}  // namespace animbridge::scene::contract
