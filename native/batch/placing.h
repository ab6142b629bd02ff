// SPDX-License-Identifier: MIT
#pragma once

#include "batch/blender.h"
#include "batch/worker.h"

namespace animbridge::batch {

/// Puts what Blender made of an input into its place, once it is the input's turn to reserve outputs. Each
/// file is written as any other output is, below `out`.
[[nodiscard]] Finished placed(const Input& input, const Staged& staged, const Request& request,
                              const Folder& out, const Worker::InTurn& in_turn);

}  // namespace animbridge::batch
