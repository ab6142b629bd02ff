// SPDX-License-Identifier: MIT
// Speed of retargeting, its report included, in processor time of one core: 60 joints with a key in each
// frame, for a clip and for one of twice its length.
#include <array>
#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>
#include <string>

#include "rig/humanoid/humanoid.h"
#include "rig/retarget/retarget.h"
#include "timing.h"

namespace {

using namespace animbridge;
using bench::keep;
using bench::seconds_of;

constexpr double wanted_seconds = 0.050;
constexpr std::size_t wanted_frames = 3000;
constexpr std::size_t joint_count = 60;

struct Body {
    Skeleton skeleton;
    rig::humanoid::FoundRig rig;
};

/// The first slots of a humanoid, each joint a step from the one that carries it. `size` scales the steps.
Body body(double size, double roll) {
    Body result;
    for (const rig::humanoid::Slot& slot : rig::humanoid::humanoid_slots()) {
        if (slot.name == "root" || result.skeleton.nodes.size() == joint_count) {
            continue;
        }
        Node node{std::string(slot.name)};
        for (auto parent = slot.parent; !parent.empty() && !node.parent;) {
            node.parent = result.skeleton.find(parent);
            const auto above = rig::humanoid::find_slot(parent);
            parent = above ? rig::humanoid::humanoid_slots()[*above].parent : std::string_view();
        }
        const double across = slot.side == rig::humanoid::Side::left    ? 0.1
                              : slot.side == rig::humanoid::Side::right ? -0.1
                                                                        : 0.0;
        const bool is_leg = slot.name.find("Leg") != std::string_view::npos ||
                            slot.name.find("Foot") != std::string_view::npos;
        node.rest_local.translation = glm::dvec3(0.02, across, is_leg ? -0.3 : 0.15) * size;
        node.rest_local.rotation = glm::angleAxis(roll, glm::normalize(glm::dvec3(0.1, 0.2, 1.0)));
        if (!node.parent) {
            node.rest_local = {glm::dquat(1, 0, 0, 0), glm::dvec3(0, 0, size)};
        }
        result.rig.slots.push_back({std::string(slot.name), result.skeleton.nodes.size()});
        result.skeleton.nodes.push_back(node);
    }
    return result;
}

Clip motion_of(const Skeleton& skeleton, std::size_t frames) {
    Clip clip{skeleton, {}, {}, static_cast<double>(frames) / 30.0};
    for (std::size_t node = 0; node < skeleton.nodes.size(); ++node) {
        Track turn{node, Channel::rotation};
        for (std::size_t frame = 0; frame < frames; ++frame) {
            const double time = static_cast<double>(frame) / 30.0;
            const glm::dquat q =
                glm::normalize(glm::dquat(1, 0.2 * std::sin(time + static_cast<double>(node)), 0.1, 0));
            turn.add_key(time, std::array{q.w, q.x, q.y, q.z});
        }
        clip.tracks.push_back(turn);
    }
    Track path{0, Channel::translation};
    for (std::size_t frame = 0; frame < frames; ++frame) {
        const double time = static_cast<double>(frame) / 30.0;
        path.add_key(time, std::array{time, 0.0, 1.0});
    }
    clip.tracks.push_back(path);
    return clip;
}

double measure(std::size_t frames) {
    const Body source = body(1.0, 0.0);
    const Body target = body(1.2, 0.3);
    const Clip clip = motion_of(source.skeleton, frames);
    const auto once = rig::retarget::retarget(clip, source.rig, target.skeleton, target.rig, {});
    if (!once) {
        std::fprintf(stderr, "bench_retarget: %s\n", once.error().message().c_str());
        return -1.0;
    }
    const double seconds =
        seconds_of([&] { keep(rig::retarget::retarget(clip, source.rig, target.skeleton, target.rig, {})); });
    std::printf("%zu joints x %zu frames: %6.1f ms, worst direction %.2g degrees\n",
                source.skeleton.nodes.size(), frames, seconds * 1e3, once->report.worst_degrees());
    return seconds;
}

}  // namespace

int main() {
    const double seconds = measure(wanted_frames);
    const double twice = measure(2 * wanted_frames);
    const bool is_fast = seconds > 0.0 && twice > 0.0 && seconds <= wanted_seconds;
    std::printf("%s the %.0f ms that it may take; twice the frames take %.2f times as long\n",
                is_fast ? "keeps within" : "MISSES", wanted_seconds * 1e3, twice / seconds);
    return is_fast ? 0 : 1;
}
