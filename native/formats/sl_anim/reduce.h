// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include "base/job.h"
#include "base/option.h"
#include "formats/sl_anim/document.h"
#include "reduce/bound.h"

namespace animbridge::sl_anim {

struct ReduceOptions {
    std::optional<reduce::Bound> bound{};  ///< null: the default bound, or any bound that the size needs
    std::uint64_t fit_bytes = 0;           ///< 0: no limit
};

[[nodiscard]] std::span<const Option> reduce_options();

/// Reads reduce_options(). The bound is null if neither of its members is given.
[[nodiscard]] Result<ReduceOptions> reduce_options_from(const Json& json);

struct Reduced {
    Document document;
    Json report;  ///< described in animbridge.h at ab_document_reduce
};

/// Drops keys from a file; the keys that stay keep their bits. Errors are measured against what the file
/// played before.
[[nodiscard]] Result<Reduced> reduce_keys(const Document& document, const ReduceOptions& options,
                                          const Job& job);

}  // namespace animbridge::sl_anim
