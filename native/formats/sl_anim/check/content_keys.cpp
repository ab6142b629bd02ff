// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/options/options.h"
#include "formats/sl_anim/check/content.h"
#include "formats/sl_anim/check/rules.h"

/// Rules about keys: what a limb does between two or three of them, and keys for nothing.
namespace animbridge::sl_anim::check {

namespace {

std::string turn_text(double degrees) { return fixed_text(degrees, 0) + " degrees"; }

Places key_spike(const Judged& judged) {
    Places places;
    for (const Spike& spike : spikes(judged.motion)) {
        const double degrees = spike.degrees();
        const bool is_fault =
            (degrees >= 30.0 && spike.rate_ratio >= 3.0) || (degrees >= 90.0 && spike.rate_ratio >= 1.5);
        if (is_fault) {
            places.push_back(
                {turn_text(spike.there_degrees) + " there and " + turn_text(spike.back_degrees) + " back",
                 spike.joint, spike.seconds, degrees, spike.before_seconds, spike.after_seconds});
        }
    }
    return places;
}

Places first_frame_jumps(const Judged& judged) {
    const FirstFrame first = first_frame(judged.motion);
    const bool is_outlier = first.largest.size > std::max(45.0, 4.0 * first.next_degrees);
    if (first.gap_seconds > 0.15 || first.jumping < 2 || !(first.is_rest_pose || is_outlier)) {
        return {};
    }
    return {{turn_text(first.largest.size) + " in " + fixed_text(first.gap_seconds, 3) + " s",
             first.largest.joint, first.largest.seconds, first.largest.size, first.start_seconds,
             first.start_seconds + first.gap_seconds}};
}

Places turn_near_half(const Judged& judged) {
    Places places;
    for (const Turn& turn : turns(judged.motion, 170.0)) {
        places.push_back({fixed_text(turn.degrees, 1) + " degrees between two keys", turn.joint, turn.seconds,
                          turn.degrees, turn.seconds, turn.seconds + turn.gap_seconds});
    }
    return places;
}

Places turn_big(const Judged& judged) {
    Places places;
    for (const Turn& turn : turns(judged.motion, 120.0)) {
        if (turn.degrees < 170.0 && turn.gap_seconds > 0.1) {
            places.push_back({turn_text(turn.degrees) + " between two keys", turn.joint, turn.seconds,
                              turn.degrees, turn.seconds, turn.seconds + turn.gap_seconds});
        }
    }
    return places;
}

Places keys_redundant(const Judged& judged) {
    constexpr std::size_t least_bytes = 500;
    const std::size_t bytes = redundant_bytes(judged.motion);
    const std::size_t all = file::file_bytes(judged.document);
    if (bytes <= least_bytes || 4 * bytes <= all) {
        return {};
    }
    return {{std::to_string(bytes) + " of " + std::to_string(all) + " bytes"}};
}

}  // namespace

std::vector<ContentRule> key_rules() {
    return {{rule("key_spike"), key_spike},
            {rule("first_frame_jumps"), first_frame_jumps},
            {rule("turn_near_half"), turn_near_half},
            {rule("turn_big"), turn_big},
            {rule("keys_redundant"), keys_redundant}};
}

}  // namespace animbridge::sl_anim::check
