// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "base/options/options.h"

/// The program animbridge-scene, which contains Assimp and ufbx. If they crash, that program ends and not
/// this one. ReadOptions::scene_reader is the command that starts it.
namespace animbridge::scene {

/// A request to the program.
struct ChildCall {
    std::vector<std::string> arguments;  ///< as in contract.h, without the limits
    ByteView input;
    std::string doing;  ///< for messages: "reading FBX"
};

/// Returns the program's standard output. ErrorCode::io: it is missing or cannot be started; bad_value: it
/// refuses the input, with its message as the reason; rejected: it crashed, or reached a limit of `options`.
[[nodiscard]] Result<Bytes> run_child(const ChildCall& call, const ReadOptions& options);

/// The program's abilities, as in contract.h, with "text" for people; {"error", "text"} if it does not
/// answer.
[[nodiscard]] Json program_json(const ReadOptions& options);

}  // namespace animbridge::scene
