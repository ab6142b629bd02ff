// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

/// The protocol between the library and the program animbridge-scene.
///
///     animbridge-scene read --version V --loader ID --memory-mib N --cpu-seconds N [--name FILE]
///                      [--folder DIR]
///         standard input: the file; standard output: its wire form
///     animbridge-scene write --version V --container ID --memory-mib N --cpu-seconds N
///         standard input: a wire form; standard output: the file
///     animbridge-scene formats
///         standard output: JSON, {"assimp": version or null, "ufbx": version or null, "reads": [loader
///         ids], "writes": [container ids]}
///
/// Exit status 0: success. 1: failure; standard error has one line with the reason, without the file's name.
/// Any other status, and every signal, is a crash or a limit; standard error may then contain anything. The
/// program closes every descriptor above 2 and sets its own limits before it reads a byte. `--version` is the
/// library's; a program of another version refuses. `--name` is for loaders that need an extension; without
/// `--folder`, no other file can be opened.
namespace animbridge::scene::contract {

inline constexpr std::string_view program = "animbridge-scene";

inline constexpr int exit_fine = 0;
inline constexpr int exit_error = 1;

}  // namespace animbridge::scene::contract
