// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "batch/ledger_row.h"

namespace animbridge::batch {

/// The ledger's result for an input that need not be converted again: the input, the options and the version
/// are the same, and every output exists with the same content. nullopt: it must be converted.
[[nodiscard]] std::optional<Finished> kept(const Input& input, const LedgerRow& row, const Fingerprint& state,
                                           const std::string& options, const Request& request);

/// Reserves the outputs of an input that is not converted again. The row fails if an output now belongs to
/// another input.
void reserve_kept(Finished& finished, const Worker::Claim& claim);

}  // namespace animbridge::batch
