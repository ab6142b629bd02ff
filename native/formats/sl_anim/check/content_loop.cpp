// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/options/options.h"
#include "formats/sl_anim/check/content.h"
#include "formats/sl_anim/check/rules.h"

/// Rules about loops, stops and eases.
namespace animbridge::sl_anim::check {

namespace {

std::string degrees_text(double degrees) { return fixed_text(degrees, degrees < 10.0 ? 1 : 0) + " degrees"; }
std::string mm_text(double metres) { return fixed_text(1000.0 * metres, 0) + " mm"; }
std::string seconds_text_of(double seconds) { return fixed_text(seconds, 3) + " s"; }

Places loop_jumps(const Judged& judged) {
    Places places;
    for (const Seam& seam : seams(judged.motion)) {
        const auto add = [&](const std::string& found, const std::string& step, double size) {
            std::string text = found;
            text.append(", with steps of ").append(step);
            places.push_back({std::move(text), seam.joint->name, double{judged.motion.loop_out}, size});
        };
        if (seam.jumps_by_rotation()) {
            add(degrees_text(seam.degrees), degrees_text(seam.step_degrees), seam.degrees);
        } else if (seam.jumps_by_position()) {
            add(mm_text(seam.metres), mm_text(seam.step_metres), 100.0 * seam.metres);
        }
    }
    return places;
}

Places loop_skips_a_frame(const Judged& judged) {
    Places places;
    for (const Seam& seam : seams(judged.motion)) {
        if (seam.jumps_by_rotation() || seam.jumps_by_position()) {
            return {};
        }
        if (seam.degrees > 1.0) {
            places.push_back(
                {degrees_text(seam.degrees) + ", with steps of " + degrees_text(seam.step_degrees),
                 seam.joint->name, double{judged.motion.loop_out}, seam.degrees});
        }
    }
    return places;
}

Places loop_waits(const Judged& judged) {
    constexpr double shortest_loop = 0.1;
    constexpr double longest_pause = 0.045;
    const Motion& motion = judged.motion;
    if (!motion.repeats || double{motion.loop_out} - double{motion.loop_in} < shortest_loop ||
        loop_motion(motion).size <= 1.0) {
        return {};
    }
    const LoopPauses pauses = loop_pauses(motion);
    Places places;
    if (pauses.start_seconds >= longest_pause) {
        places.push_back({seconds_text_of(pauses.start_seconds) + " at the loop's start",
                          {},
                          double{motion.loop_in},
                          pauses.start_seconds,
                          double{motion.loop_in},
                          double{motion.loop_in} + pauses.start_seconds});
    }
    if (pauses.end_seconds >= longest_pause) {
        places.push_back({seconds_text_of(pauses.end_seconds) + " before the loop's end",
                          {},
                          double{motion.loop_out} - pauses.end_seconds,
                          pauses.end_seconds,
                          double{motion.loop_out} - pauses.end_seconds,
                          double{motion.loop_out}});
    }
    return places;
}

Places loop_travels(const Judged& judged) {
    const Travel travel = loop_travel(judged.motion);
    if (!travel.leaves()) {
        return {};
    }
    return {{mm_text(travel.metres) + " each round, of a path of " + mm_text(travel.path_metres), "mPelvis",
             double{judged.motion.loop_out}, travel.metres}};
}

Places loop_trembles(const Judged& judged) {
    const Motion& motion = judged.motion;
    const double length = double{motion.loop_out} - double{motion.loop_in};
    if (!motion.repeats || length >= 0.1) {
        return {};
    }
    const Amount moved = loop_motion(motion);
    if (moved.size <= 1.0) {
        return {};
    }
    return {{degrees_text(moved.size) + " in a loop of " + seconds_text_of(length), moved.joint,
             moved.seconds, moved.size}};
}

Places stop_is_late(const Judged& judged) {
    const double delay = stop_delay_seconds(judged.motion);
    if (delay <= 1.0 || has_outro(judged.motion)) {
        return {};
    }
    return {{"up to " + fixed_text(delay, 1) + " s", {}, double{judged.motion.loop_out}, delay}};
}

Places pose_flashes(const Judged& judged) {
    const Motion& motion = judged.motion;
    const bool flashes =
        !motion.is_loop && motion.is_still && motion.duration >= 0.0F && motion.duration <= 0.1F;
    return flashes ? Places{{seconds_text_of(double{motion.duration})}} : Places();
}

std::string eases_text(const Motion& motion) {
    return "ease-in " + seconds_text_of(double{motion.ease_in}) + ", ease-out " +
           seconds_text_of(double{motion.ease_out}) + ", duration " +
           seconds_text_of(double{motion.duration});
}

Places never_at_full_strength(const Judged& judged) {
    const Motion& motion = judged.motion;
    if (motion.is_loop || !(motion.duration > 0.0F) || !(motion.ease_in > motion.duration)) {
        return {};
    }
    const double x = double{motion.duration} / double{motion.ease_in};
    return {{"at most " + fixed_text(100.0 * x * x * (3.0 - 2.0 * x), 0) + " %: " + eases_text(motion)}};
}

Places ease_longer_than_duration(const Judged& judged) {
    const Motion& motion = judged.motion;
    const float eases = motion.ease_in + motion.ease_out;
    const bool is_late = !motion.is_loop && motion.duration >= 0.0F && motion.ease_in <= motion.duration &&
                         eases > motion.duration;
    return is_late ? Places{{seconds_text_of(double{motion.ease_out}) + " later: " + eases_text(motion)}}
                   : Places();
}

Places ease_zero(const Judged& judged) {
    const bool in = judged.motion.ease_in <= 0.0F;
    const bool out = judged.motion.ease_out <= 0.0F;
    if (!in && !out) {
        return {};
    }
    return {{in && out ? "neither ease-in nor ease-out" : in ? "no ease-in" : "no ease-out"}};
}

Places ends_away(const Judged& judged) {
    const EndPlace end = end_place(judged.motion);
    if (end.metres <= 0.5 && end.heading_degrees <= 60.0) {
        return {};
    }
    return {{fixed_text(end.metres, 2) + " m and " + degrees_text(end.heading_degrees), "mPelvis",
             double{judged.motion.duration}, end.metres}};
}

}  // namespace

std::vector<ContentRule> loop_rules() {
    return {{rule("loop_jumps"), loop_jumps},
            {rule("loop_skips_a_frame"), loop_skips_a_frame},
            {rule("loop_waits"), loop_waits},
            {rule("loop_travels"), loop_travels},
            {rule("loop_trembles"), loop_trembles},
            {rule("stop_is_late"), stop_is_late},
            {rule("pose_flashes"), pose_flashes},
            {rule("never_at_full_strength"), never_at_full_strength},
            {rule("ease_longer_than_duration"), ease_longer_than_duration},
            {rule("ease_zero"), ease_zero},
            {rule("ends_away"), ends_away}};
}

}  // namespace animbridge::sl_anim::check
