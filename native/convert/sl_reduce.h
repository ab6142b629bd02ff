// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/job.h"
#include "base/json.h"
#include "formats/sl_anim/document.h"
#include "reduce/reducer.h"

namespace animbridge {

struct ReduceOptions {
    std::optional<reduce::Bound> bound{};  ///< none: the default, or whatever the size asks for
    std::uint64_t fit_bytes = 0;           ///< 0: no size is asked for
};

/// {"max_position_mm", "max_rotation_degrees", "fit_bytes"}, each optional; nullptr: the defaults.
[[nodiscard]] Result<ReduceOptions> reduce_options_from(const char* json);

struct SlReduced {
    sl_anim::Document document;
    Json report;  ///< as ab_sl_reduce describes it
};

/// Drops keys of a file; what stays keeps its bits. Measured against what the file played before.
[[nodiscard]] Result<SlReduced> reduce_sl_anim(const sl_anim::Document& document,
                                               const ReduceOptions& options, const Job& job);

/// File to file, as `animbridge reduce`: the report, with "input" and "output". On failure the output is
/// untouched.
[[nodiscard]] Result<Json> reduce_file(const std::string& input, const std::string& output,
                                       const ReduceOptions& options, const Job& job);

}  // namespace animbridge
