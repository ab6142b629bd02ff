// SPDX-License-Identifier: MIT
#include "formats/sl_anim/clip/slerp_fit.h"

#include <array>

namespace animbridge::sl_anim::clip {

namespace {

/// b or -b, whichever is in a's hemisphere.
glm::dquat beside(const glm::dquat& b, const glm::dquat& a) { return glm::dot(a, b) < 0.0 ? -b : b; }

/// How far a normalised lerp over the first of `pieces` deviates from the viewer's path, in degrees.
double stray(const codes::Quaternion& a, const codes::Quaternion& b, int pieces) {
    // The two differ most at 0.21 of a piece, one root of the cubic term; half-way they meet.
    constexpr double place = 0.2113;
    const float piece = 1.0F / static_cast<float>(pieces);
    const glm::dquat start = to_double(codes::interpolate(0.0F, a, b));
    const glm::dquat end = beside(to_double(codes::interpolate(piece, a, b)), start);
    return angle_between_degrees(start * (1.0 - place) + end * place,
                                 to_double(codes::interpolate(piece * static_cast<float>(place), a, b)));
}

void add(Track& track, double time, const glm::dquat& q, bool inserted) {
    track.add_key(time, std::array<double, 4>{q.w, q.x, q.y, q.z});
    track.inserted.push_back(inserted);
}

/// Whether the viewer's own interpolation shows the inserted keys between two real ones.
bool viewer_shows(const Track& track, std::size_t from, std::size_t to) {
    constexpr double tolerance_degrees = 0.02;
    const codes::Quaternion a = to_single(track.rotation(from));
    const codes::Quaternion b = to_single(track.rotation(to));
    for (std::size_t i = from + 1; i < to; ++i) {
        const double u = (track.times[i] - track.times[from]) / (track.times[to] - track.times[from]);
        if (!(angle_between_degrees(to_double(codes::interpolate(static_cast<float>(u), a, b)),
                                    track.rotation(i)) < tolerance_degrees)) {
            return false;
        }
    }
    return true;
}

/// If the viewer would slerp the segment, adds keys on the clip's straight path.
void cut_segment(const Track& track, std::size_t from, Track& fitted) {
    const codes::Quaternion a = to_single(track.rotation(from));
    const codes::Quaternion b = to_single(track.rotation(from + 1));
    const int pieces = codes::dot(a, b) < 0.0F ? straight_pieces(a, b) : 1;
    const glm::dquat start = track.rotation(from);
    const glm::dquat end = beside(track.rotation(from + 1), start);
    for (int piece = 1; piece < pieces; ++piece) {
        const double u = static_cast<double>(piece) / pieces;
        const glm::dquat q = glm::normalize(start * (1.0 - u) + end * u);
        add(fitted, track.times[from] + (track.times[from + 1] - track.times[from]) * u, q, false);
    }
}

}  // namespace

codes::Quaternion to_single(const glm::dquat& q) {
    const double sign = q.w < 0.0 ? -1.0 : 1.0;
    return {static_cast<float>(q.x * sign), static_cast<float>(q.y * sign), static_cast<float>(q.z * sign),
            static_cast<float>(q.w * sign)};
}

int straight_pieces(const codes::Quaternion& a, const codes::Quaternion& b) {
    constexpr int most = 64;
    int pieces = 1;
    while (pieces < most && stray(a, b, pieces) > slerp_tolerance_degrees) {
        ++pieces;
    }
    return pieces;
}

Track fit_to_viewer(const Track& track) {
    if (track.channel != Channel::rotation) {
        return track;
    }
    Track fitted{track.node, track.channel};
    const auto is_inserted = [&](std::size_t i) { return !track.inserted.empty() && track.inserted[i]; };
    for (std::size_t i = 0; i < track.key_count();) {
        add(fitted, track.times[i], track.rotation(i), false);
        std::size_t next = i + 1;
        while (next < track.key_count() && is_inserted(next)) {
            ++next;
        }
        if (next < track.key_count() && next > i + 1 && viewer_shows(track, i, next)) {
            i = next;
            continue;
        }
        if (i + 1 < track.key_count()) {
            cut_segment(track, i, fitted);
        }
        ++i;
    }
    return fitted;
}

}  // namespace animbridge::sl_anim::clip
