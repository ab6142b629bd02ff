// SPDX-License-Identifier: MIT
#pragma once

#include "batch/blender.h"
#include "batch/worker.h"

namespace animbridge::batch {

/// Moves Blender's results for an input to their places, once it is the input's turn to reserve outputs. Each
/// file is written like any other output, below `out`.
[[nodiscard]] Finished placed(const Input& input, const Staged& staged, const Request& request,
                              const Folder& out, const Worker::InTurn& in_turn);

}  // namespace animbridge::batch
