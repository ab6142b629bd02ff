// SPDX-License-Identifier: MIT
#include "base/trim.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

#include "base/text_table.h"

namespace animbridge {

namespace {

/// The number before the unit; nullopt: it is not a number of 0 or more.
std::optional<double> number_in(std::string_view text) {
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    const bool is_fine = read.ec == std::errc() && read.ptr == end && std::isfinite(number) && number >= 0.0;
    return is_fine ? std::optional(number) : std::nullopt;
}

std::optional<TrimPoint> point_in(std::string_view text) {
    TrimPoint point;
    const char last = text.empty() ? '\0' : text.back();
    if (last == 'f' || last == '%' || last == 's') {
        point.unit = last == 'f'   ? TrimPoint::Unit::frames
                     : last == '%' ? TrimPoint::Unit::percent
                                   : TrimPoint::Unit::seconds;
        text.remove_suffix(1);
    }
    const auto number = number_in(text);
    if (!number || (point.unit == TrimPoint::Unit::percent && *number > 100.0)) {
        return std::nullopt;
    }
    point.number = *number;
    return point;
}

tl::unexpected<Error> bad_trim(std::string reason) {
    Error error{ErrorCode::bad_value, std::move(reason)};
    error.field = "trim";
    return fail(in_request(std::move(error)));
}

double seconds_of(const TrimPoint& point, double duration_seconds, double frames_per_second) {
    switch (point.unit) {
        case TrimPoint::Unit::frames:
            return point.number / frames_per_second;
        case TrimPoint::Unit::percent:
            return 0.01 * point.number * duration_seconds;
        case TrimPoint::Unit::seconds:
            break;
    }
    return point.number;
}

}  // namespace

Result<TrimSpan> Trim::in(double duration_seconds, double frames_per_second) const {
    // For a frame at the end, whose time was rounded.
    constexpr double rounding = 1e-6;
    TrimSpan span{0.0, duration_seconds};
    for (const auto* side : {&start, &end}) {
        if (!*side) {
            continue;
        }
        if ((*side)->unit == TrimPoint::Unit::frames && !(frames_per_second > 0.0)) {
            return bad_trim("names frames, but the file has no frame rate; give seconds or percent");
        }
        double& seconds = side == &start ? span.start_seconds : span.end_seconds;
        seconds = seconds_of(**side, duration_seconds, frames_per_second);
        if (seconds > duration_seconds * (1.0 + rounding)) {
            return bad_trim("asks for " + shown_number(seconds) + " s, but the animation ends at " +
                            shown_number(duration_seconds) + " s");
        }
        seconds = std::min(seconds, duration_seconds);
    }
    if (!(span.start_seconds < span.end_seconds)) {
        return bad_trim("begins at " + shown_number(span.start_seconds) + " s and ends at " +
                        shown_number(span.end_seconds) + " s; the end must come after the start");
    }
    return span;
}

std::optional<Trim> trim_from(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view first = text.substr(0, colon);
    const std::string_view second = text.substr(colon + 1);
    const Trim trim{point_in(first), point_in(second)};
    const bool is_fine = (trim.start || first.empty()) && (trim.end || second.empty()) && !trim.empty();
    return is_fine ? std::optional(trim) : std::nullopt;
}

}  // namespace animbridge
