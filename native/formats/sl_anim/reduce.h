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
    std::optional<reduce::Bound> bound{};  ///< none: the default, or whatever the size asks for
    std::uint64_t fit_bytes = 0;           ///< 0: no size is asked for
};

[[nodiscard]] std::span<const Option> reduce_options();

/// By reduce_options(). Where neither end of the bound is given, there is none.
[[nodiscard]] Result<ReduceOptions> reduce_options_from(const Json& json);

struct Reduced {
    Document document;
    Json report;  ///< as ab_document_reduce describes it
};

/// Drops keys of a file; what stays keeps its bits. Measured against what the file played before.
[[nodiscard]] Result<Reduced> reduce_keys(const Document& document, const ReduceOptions& options,
                                          const Job& job);

}  // namespace animbridge::sl_anim
