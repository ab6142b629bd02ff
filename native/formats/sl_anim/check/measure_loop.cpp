// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>

#include "formats/sl_anim/check/measures.h"
#include "model/clip/clip.h"

namespace animbridge::sl_anim::check {

namespace {

/// The middle one; of an even number, the mean of the middle two.
double median_of(std::vector<double> sizes) {
    if (sizes.empty()) {
        return 0.0;
    }
    std::ranges::sort(sizes);
    const std::size_t half = sizes.size() / 2;
    return sizes.size() % 2 == 1 ? sizes[half] : (sizes[half - 1] + sizes[half]) / 2.0;
}

double distance_of(const MovedJoint& joint, const glm::dvec3& counted, float from, float to) {
    return glm::length(counted * (joint.position_at(to) - joint.position_at(from)));
}

/// The joint's steps over three frames before the loop's end and after its start, without pauses.
void add_steps(const Motion& motion, const glm::dvec3& counted, Seam& seam) {
    constexpr int frames = 3;
    const MovedJoint& joint = *seam.joint;
    std::vector<double> degrees;
    std::vector<double> metres;
    const auto add = [&](double from, double to) {
        if (from < double{motion.loop_in} || to > double{motion.loop_out}) {
            return;
        }
        const auto a = static_cast<float>(from);
        const auto b = static_cast<float>(to);
        const double turned = angle_between_degrees(joint.rotation_at(a), joint.rotation_at(b));
        const double moved = distance_of(joint, counted, a, b);
        if (turned > still_degrees) {
            degrees.push_back(turned);
        }
        if (moved > still_metres) {
            metres.push_back(moved);
        }
    };
    for (int i = 0; i < frames; ++i) {
        add(double{motion.loop_out} - (i + 1) * motion.frame_seconds,
            double{motion.loop_out} - i * motion.frame_seconds);
        add(double{motion.loop_in} + i * motion.frame_seconds,
            double{motion.loop_in} + (i + 1) * motion.frame_seconds);
    }
    seam.step_degrees = median_of(std::move(degrees));
    seam.step_metres = median_of(std::move(metres));
}

/// Whether the joint is visibly elsewhere than in a pose.
struct AwayFrom {
    const MovedJoint& joint;
    glm::dquat rotation;
    glm::dvec3 position;

    AwayFrom(const MovedJoint& moved, float reference)
        : joint(moved), rotation(moved.rotation_at(reference)), position(moved.position_at(reference)) {}
    bool operator()(float seconds) const {
        return angle_between_degrees(rotation, joint.rotation_at(seconds)) > still_degrees ||
               glm::distance(position, joint.position_at(seconds)) > still_metres;
    }
};

/// The joint's own key times within the loop, both ends included.
std::vector<float> own_times(const Motion& motion, const MovedJoint& joint) {
    std::vector<float> times = {motion.loop_in, motion.loop_out};
    for (const std::vector<float>* own : {&joint.rotation.times, &joint.position.times}) {
        std::ranges::copy_if(*own, std::back_inserter(times),
                             [&](float time) { return time > motion.loop_in && time < motion.loop_out; });
    }
    std::ranges::sort(times);
    return times;
}

/// How many of the sorted times pass before the joint leaves the pose of the first one. Between keys of its
/// own, a joint only goes on.
template <typename Times, typename Own>
std::size_t held_times(const Times& times, const Own& own, const AwayFrom& away, auto before) {
    const auto left = std::ranges::find_if(own, away);
    if (left == own.end()) {
        return times.size();
    }
    const auto limit = std::ranges::upper_bound(times, *left, before);
    return static_cast<std::size_t>(
        std::partition_point(times.begin(), limit, [&](float time) { return !away(time); }) - times.begin());
}

}  // namespace

Travel loop_travel(const Motion& motion) {
    const MovedJoint* pelvis = motion.find("mPelvis");
    if (!motion.repeats || pelvis == nullptr || pelvis->position.empty()) {
        return {};
    }
    const auto place = [&](float seconds) {
        const glm::dvec3 p = pelvis->position_at(seconds);
        return glm::dvec3(p.x, p.y, 0.0);
    };
    Travel travel;
    travel.metres = glm::distance(place(motion.loop_in), place(motion.loop_out));
    glm::dvec3 last = place(motion.loop_in);
    for (const float time : pelvis->position.times) {
        if (time > motion.loop_in && time < motion.loop_out) {
            travel.path_metres += glm::distance(last, place(time));
            last = place(time);
        }
    }
    travel.path_metres += glm::distance(last, place(motion.loop_out));
    return travel;
}

std::vector<Seam> seams(const Motion& motion) {
    std::vector<Seam> all;
    if (!motion.repeats) {
        return all;
    }
    const bool leaves = loop_travel(motion).leaves();
    for (const MovedJoint& joint : motion.joints) {
        const glm::dvec3 counted =
            leaves && joint.name == "mPelvis" ? glm::dvec3(0, 0, 1) : glm::dvec3(1, 1, 1);
        Seam seam{.joint = &joint};
        seam.degrees =
            angle_between_degrees(joint.rotation_at(motion.loop_out), joint.rotation_at(motion.loop_in));
        seam.metres = distance_of(joint, counted, motion.loop_out, motion.loop_in);
        if (seam.degrees > still_degrees || seam.metres > still_metres) {
            add_steps(motion, counted, seam);
            all.push_back(seam);
        }
    }
    return all;
}

LoopPauses loop_pauses(const Motion& motion) {
    if (!motion.repeats) {
        return {};
    }
    std::vector<float> times = {motion.loop_in};
    std::ranges::copy_if(motion.times, std::back_inserter(times),
                         [&](float time) { return time > motion.loop_in && time < motion.loop_out; });
    times.push_back(motion.loop_out);
    std::vector<float> backwards(times.rbegin(), times.rend());
    std::size_t first = times.size();
    std::size_t last = times.size();
    for (const MovedJoint& joint : motion.joints) {
        std::vector<float> own = own_times(motion, joint);
        first = std::min(first, held_times(times, own, AwayFrom(joint, motion.loop_in), std::less<>()));
        std::ranges::reverse(own);
        last = std::min(last, held_times(backwards, own, AwayFrom(joint, motion.loop_out), std::greater<>()));
    }
    return {double{times[std::max(first, std::size_t{1}) - 1]} - double{motion.loop_in},
            double{motion.loop_out} - double{backwards[std::max(last, std::size_t{1}) - 1]}};
}

Amount loop_motion(const Motion& motion) {
    Amount largest;
    if (motion.repeats) {
        for (const MovedJoint& joint : motion.joints) {
            const Range range = range_of(joint, motion.loop_in, motion.loop_in, motion.loop_out);
            if (range.degrees > largest.size) {
                largest = {joint.name, range.degrees, range.degrees_at};
            }
        }
    }
    return largest;
}

double stop_delay_seconds(const Motion& motion) {
    const bool plays_on =
        motion.is_loop && motion.loop_in <= motion.loop_out && motion.loop_out < motion.duration;
    return plays_on ? double{motion.duration} - double{motion.loop_in} - double{motion.ease_out} : 0.0;
}

bool has_outro(const Motion& motion) {
    constexpr double degrees = 1.0;
    constexpr double metres = 0.005;
    return std::ranges::any_of(motion.joints, [&](const MovedJoint& joint) {
        const Range range = range_of(joint, motion.loop_out, motion.loop_out, motion.duration);
        return range.degrees > degrees || range.metres > metres;
    });
}

EndPlace end_place(const Motion& motion) {
    const MovedJoint* pelvis = motion.find("mPelvis");
    if (motion.is_loop || pelvis == nullptr) {
        return {};
    }
    // The heading is the part of the rotation about the vertical axis.
    const glm::dquat q = pelvis->rotation_at(motion.duration);
    const double half = std::atan2(std::abs(q.z), std::abs(q.w));
    return {glm::length(pelvis->position_at(motion.duration)), half * 360.0 / std::numbers::pi};
}

}  // namespace animbridge::sl_anim::check
