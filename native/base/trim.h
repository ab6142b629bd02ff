// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"

/// Which part of an animation is wanted: "2:14.5" (seconds), "60f:435f" (frames of the file, from 0) or
/// "10%:90%" (of the duration). Either side may be omitted.
namespace animbridge {

/// The part, in seconds from the animation's start. 0 <= start < end <= duration.
struct TrimSpan {
    double start_seconds = 0;
    double end_seconds = 0;
};

/// One side of the part.
struct TrimPoint {
    enum class Unit : std::uint8_t { seconds, frames, percent };
    double number = 0;
    Unit unit = Unit::seconds;
};

/// Both sides as the caller gave them; an empty side is the animation's own start or end.
struct Trim {
    std::optional<TrimPoint> start{};
    std::optional<TrimPoint> end{};

    [[nodiscard]] bool empty() const { return !start && !end; }

    /// The part of an animation of this length. ErrorCode::bad_value in the request, field "trim": a side is
    /// outside the animation, the part is empty, or a side is in frames and the file has no rate
    /// (`frames_per_second` is 0).
    [[nodiscard]] Result<TrimSpan> in(double duration_seconds, double frames_per_second) const;
};

/// nullopt if the text is not a trim.
[[nodiscard]] std::optional<Trim> trim_from(std::string_view text);

}  // namespace animbridge
