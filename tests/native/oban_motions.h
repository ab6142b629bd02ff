// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <random>

#include "formats/oban/edit/edit.h"

/// OBAN keys and motions for several tests and the benchmark.
namespace animbridge::test {

/// A key from a standard quaternion and a position in units.
[[nodiscard]] inline oban::file::Key oban_key(std::int32_t time, const glm::dquat& q,
                                              const glm::dvec3& place) {
    const auto raw = [](double value) { return RawFloat(static_cast<float>(value)); };
    return {{raw(q.x), raw(q.y), raw(q.z), raw(-q.w)}, {raw(place.x), raw(place.y), raw(place.z)}, time};
}

inline void add_frame(oban::edit::Motion& motion, const glm::dquat& q, const glm::dvec3& place) {
    motion.frames.push_back(oban_key(static_cast<std::int32_t>(motion.frames.size()), q, place));
    motion.shown.push_back({q, place, place + q * motion.base_translation});
}

/// Curves of several lengths, with a position that swings by metres.
[[nodiscard]] inline oban::edit::Motion smooth_motion(std::size_t frames,
                                                      glm::dvec3 base_translation = glm::dvec3(0)) {
    oban::edit::Motion motion;
    motion.base_translation = base_translation;
    for (std::size_t i = 0; i < frames; ++i) {
        const double t = static_cast<double>(i) / 60.0;
        const glm::dquat q = glm::normalize(
            glm::dquat(1.5 + std::sin(0.7 * t), std::sin(t), 0.5 * std::cos(1.3 * t), std::sin(0.4 * t)));
        add_frame(motion, q, {30 * std::sin(t), 12 * std::cos(0.6 * t), 5 * std::sin(2.2 * t)});
    }
    return motion;
}

/// A motion in which no key can be left out.
[[nodiscard]] inline oban::edit::Motion noise_motion(std::size_t frames, std::uint32_t seed = 1) {
    std::mt19937 engine(seed);
    const auto number = [&] { return static_cast<double>(engine()) / 2147483648.0 - 1.0; };
    oban::edit::Motion motion;
    for (std::size_t i = 0; i < frames; ++i) {
        const glm::dquat q = glm::normalize(glm::dquat(number() + 1.5, number(), number(), number()));
        add_frame(motion, q, {10 * number(), 10 * number(), 10 * number()});
    }
    return motion;
}

}  // namespace animbridge::test
