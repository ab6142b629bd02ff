// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/json.h"
#include "base/reading.h"
#include "base/result.h"

/// The program animbridge-scene, which has Assimp and ufbx inside. A fault of theirs ends that program and
/// not this one. ReadOptions::scene_reader says how it is started.
namespace animbridge::scene {

/// What the program is asked for.
struct ChildCall {
    std::vector<std::string> arguments;  ///< as in contract.h, without the limits
    ByteView input;
    std::string doing;  ///< for messages: "reading FBX"
};

/// Its standard output. ErrorCode::io: the program is missing or cannot be started; bad_value: it refuses the
/// input, and the reason is what it says; rejected: it crashed, or reached a limit of `options`.
[[nodiscard]] Result<Bytes> run_child(const ChildCall& call, const ReadOptions& options);

/// What the program can do, as contract.h describes it, with "text" for people; {"error", "text"} where it
/// cannot be asked.
[[nodiscard]] Json program_json(const ReadOptions& options);

}  // namespace animbridge::scene
