// SPDX-License-Identifier: MIT
#include "formats/bvh/compare.h"

#include <utility>
#include <vector>

#include "formats/bvh/clip.h"
#include "model/clip_comparison.h"

namespace animbridge::bvh {

namespace {

void collect_times(const Document& document, double frame_seconds, std::vector<double>& times) {
    for (std::size_t frame = 0; frame < document.frame_count; ++frame) {
        times.push_back(static_cast<double>(frame) * frame_seconds);
    }
}

}  // namespace

Result<Comparison> compare(const Document& a, const Document& b, const Job& job) {
    const bool timed = a.frame_time_seconds > 0.0 && b.frame_time_seconds > 0.0;
    const double seconds_a = timed ? a.frame_time_seconds : 1.0;
    const double seconds_b = timed ? b.frame_time_seconds : 1.0;
    const auto clip_a = to_clip(a, {}, seconds_a);
    const auto clip_b = to_clip(b, {}, seconds_b);
    if (!clip_a || !clip_b) {
        return tl::unexpected<Error>(!clip_a ? clip_a.error() : clip_b.error());
    }
    std::vector<double> frames{0.0};
    collect_times(a, seconds_a, frames);
    collect_times(b, seconds_b, frames);
    const std::vector<double> times = with_midpoints(sorted_unique(std::move(frames)));
    return compare_clips(*clip_a, *clip_b, times, job);
}

}  // namespace animbridge::bvh
