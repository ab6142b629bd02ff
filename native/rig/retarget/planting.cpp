// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>
#include <glm/geometric.hpp>
#include <numbers>
#include <utility>

#include "base/options/options.h"
#include "rig/retarget/feet.h"
#include "rig/retarget/parts.h"

namespace animbridge::rig::retarget {

namespace {

constexpr double fade_seconds = 0.15;
/// A heel that has left the ground is free after this long: the leg is straight soon.
constexpr double heel_fade_seconds = 0.1;
/// The body goes up and down over this long.
constexpr double ease_seconds = 0.1;
/// Where the body goes up or down, feet that do not stand go with it, and then want less.
constexpr int lift_passes = 3;
/// A leg is never stretched beyond this share of its length: when nearly straight, the knee would snap.
constexpr double longest_reach = 0.9995;
/// Toes, and soles that would sink, turn by at most this.
constexpr double largest_pitch = 30.0 * std::numbers::pi / 180.0;
/// A foot turns about its ball by at most this.
constexpr double largest_roll = 15.0 * std::numbers::pi / 180.0;
/// A foot in the air is lifted out of the ground by at most this share of the leg's length, and turned by at
/// most this. What is deeper is not on that ground.
constexpr double highest_share = 0.06;
constexpr double largest_air_pitch = 5.0 * std::numbers::pi / 180.0;
/// A lifted foot goes away from the hip by at most so many times its lift, and this share of the leg's
/// length.
constexpr double most_away_per_lift = 3.0;
constexpr double most_away_share = 0.022;
/// It does so by less where the sine of the leg's angle from the vertical is below this.
constexpr double slanting = 0.2;
/// The body is lowered by at most this share of the leg's length.
constexpr double lowest_share = 0.15;
constexpr double tiny_metres = 1e-9;
constexpr double hardly_seen_metres = 1e-6;
/// Feet that move less than this stand still.
constexpr double still_metres = 5e-4;

/// From 1 at a contact to 0 away from it.
double faded(double seconds_away, double fade) { return smooth_step(1.0 - seconds_away / fade); }

/// Corrections that are known during contacts. Before and after these they fade, and between two they also
/// pass from one to the other.
void fade_between(const std::vector<Contact>& contacts, const std::vector<double>& times,
                  std::vector<glm::dvec3>& corrections, double fade = fade_seconds) {
    std::size_t next = 0;
    for (std::size_t frame = 0; frame < times.size(); ++frame) {
        while (next < contacts.size() && contacts[next].last < frame) {
            ++next;
        }
        if (next < contacts.size() && contacts[next].first <= frame) {
            continue;
        }
        const auto weight_of = [&](std::size_t edge) {
            return faded(std::abs(times[frame] - times[edge]), fade);
        };
        const double before = next > 0 ? weight_of(contacts[next - 1].last) : 0.0;
        const double after = next < contacts.size() ? weight_of(contacts[next].first) : 0.0;
        const double share_before = before * (1.0 - after);
        const double share_after = after * (1.0 - before);
        const double shares = share_before + share_after;
        corrections[frame] = glm::dvec3(0);
        if (shares > 0.0) {
            const glm::dvec3 from = next > 0 ? corrections[contacts[next - 1].last] : glm::dvec3(0);
            const glm::dvec3 to = next < contacts.size() ? corrections[contacts[next].first] : glm::dvec3(0);
            corrections[frame] =
                (from * share_before + to * share_after) * ((1.0 - (1.0 - before) * (1.0 - after)) / shares);
        }
    }
}

/// The turn about a horizontal axis that takes the end of `from` to a height relative to its start; none if
/// it cannot reach that height, or is vertical.
std::optional<glm::dquat> pitch_to(const glm::dvec3& from, double height) {
    const double length = glm::length(from);
    const auto heading = direction_of({from.x, from.y, 0.0}, 1e-6 * length);
    if (!heading || !(std::abs(height) < length)) {
        return std::nullopt;
    }
    const glm::dvec3 to = *heading * std::sqrt(length * length - height * height) + glm::dvec3(0, 0, height);
    return swing_between(from / length, to / length);
}

/// The turn, or as much of it as this many radians.
glm::dquat at_most(const glm::dquat& turn, double radians) {
    const glm::dvec3 vector = vector_of(turn);
    const double angle = glm::length(vector);
    return angle > radians ? turn_by(vector * (radians / angle)) : turn;
}

/// How far the hip must go up to be at this distance over the ankle; below 0: down.
double needed_lift(const glm::dvec3& hip, const glm::dvec3& ankle, double distance) {
    const double across = std::hypot(hip.x - ankle.x, hip.y - ankle.y);
    const double reach = std::sqrt(std::max(distance * distance - across * across, 0.0));
    return std::clamp(ankle.z + reach - hip.z, -lowest_share * distance, lowest_share * distance);
}

/// Where one foot goes.
struct FootPath {
    std::vector<glm::dvec3> ankles;
    std::vector<glm::dquat> feet;  ///< turns in clip space, after the foot's own rotation
    std::vector<glm::dquat> toes;  ///< the same; the foot's included
};

class FootPlanter {
public:
    FootPlanter(const LegPath& leg, const FootContacts& contacts, const Sole& sole,
                const std::vector<double>& times)
        : leg_(leg), contacts_(contacts), sole_(sole), times_(times) {
        heel_at_ = contact_at(contacts.heel);
        ball_at_ = contact_at(contacts.ball);
    }

    void plant() {
        find_flats();
        turn_flat();
        find_places();
        move_ankles();
        find_free_heels();
        go_with(std::vector<double>(times_.size(), 0.0));
    }

    /// Where it does not stand, the foot goes up and down with the body, but not into the ground.
    void go_with(const std::vector<double>& lifts) {
        path_ = held_path_;
        for (std::size_t frame = 0; frame < times_.size(); ++frame) {
            path_.ankles[frame].z += (1.0 - held_[frame].x) * lifts[frame];
        }
        roll_on_ball(lifts);
        for (std::size_t frame = 0; frame < times_.size(); ++frame) {
            lay_on_ground(frame);
        }
        bend_toes();
    }

    /// A foot in the air goes out of the ground: it turns about the ankle, then goes up. The body does not
    /// follow. How far the body is lowered does not count.
    void stay_above(const std::vector<double>& lifts) {
        const double leg = leg_length();
        for (std::size_t frame = 0; frame < times_.size(); ++frame) {
            const double free = 1.0 - held_[frame].x;
            const Deepest low = deepest(frame);
            if (low.metres > tiny_metres && !low.is_heel) {
                if (const auto whole = pitch_to(low.place, low.place.z + low.metres)) {
                    const glm::dquat pitch = at_most(*whole, free * largest_air_pitch);
                    path_.feet[frame] = glm::normalize(pitch * path_.feet[frame]);
                    path_.toes[frame] = glm::normalize(pitch * path_.toes[frame]);
                }
            }
            const double most = highest_share * leg + std::max(-lifts[frame], 0.0);
            raise(frame, leg_.hips[frame] + glm::dvec3(0, 0, lifts[frame]),
                  std::clamp(deepest(frame).metres, 0.0, free * most));
        }
    }

    [[nodiscard]] const FootPath& path() const { return path_; }

private:
    /// Frames in which heel and ball both stand.
    struct Flat {
        Contact frames;
        std::size_t heel = 0;  ///< indices of the contacts
        std::size_t ball = 0;
        glm::dquat foot{1, 0, 0, 0};  ///< its rotation
        glm::dvec3 sole{0, 0, 0};     ///< from heel to ball
    };

    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    /// Per frame, the index of its contact.
    [[nodiscard]] std::vector<std::size_t> contact_at(const std::vector<Contact>& contacts) const {
        std::vector<std::size_t> at(times_.size(), none);
        for (std::size_t i = 0; i < contacts.size(); ++i) {
            std::fill(at.begin() + static_cast<std::ptrdiff_t>(contacts[i].first),
                      at.begin() + static_cast<std::ptrdiff_t>(contacts[i].last) + 1, i);
        }
        return at;
    }

    void find_flats() {
        for (std::size_t frame = 0; frame < times_.size(); ++frame) {
            if (heel_at_[frame] == none || ball_at_[frame] == none) {
                continue;
            }
            const bool goes_on = !flats_.empty() && flats_.back().frames.last + 1 == frame &&
                                 flats_.back().heel == heel_at_[frame] &&
                                 flats_.back().ball == ball_at_[frame];
            if (goes_on) {
                flats_.back().frames.last = frame;
            } else {
                flats_.push_back({{frame, frame}, heel_at_[frame], ball_at_[frame]});
            }
        }
        for (Flat& flat : flats_) {
            lay_down(flat);
        }
    }

    /// The foot's mean rotation, pitched until the sole is on the floor.
    void lay_down(Flat& flat) const {
        glm::dquat sum(0, 0, 0, 0);
        glm::dvec3 ball(0);
        for (std::size_t frame = flat.frames.first; frame <= flat.frames.last; ++frame) {
            sum = sum + with_sign_of(leg_.feet[frame], leg_.feet[flat.frames.first]);
            ball += glm::conjugate(leg_.feet[frame]) * (leg_.balls[frame] - leg_.ankles[frame]);
        }
        const auto count = static_cast<double>(flat.frames.last - flat.frames.first + 1);
        flat.foot = glm::normalize(sum);
        flat.sole = flat.foot * (ball / count - sole_.heel);
        if (const auto pitch = pitch_to(flat.sole, 0.0)) {
            flat.foot = glm::normalize(*pitch * flat.foot);
            flat.sole = *pitch * flat.sole;
        }
    }

    void turn_flat() {
        std::vector<glm::dvec3> vectors(times_.size(), glm::dvec3(0));
        std::vector<Contact> spans;
        for (const Flat& flat : flats_) {
            spans.push_back(flat.frames);
            for (std::size_t frame = flat.frames.first; frame <= flat.frames.last; ++frame) {
                vectors[frame] = vector_of(flat.foot * glm::conjugate(leg_.feet[frame]));
            }
        }
        fade_between(spans, times_, vectors);
        for (const glm::dvec3& vector : vectors) {
            held_path_.feet.push_back(turn_by(vector));
        }
    }

    /// A heel's or ball's place on the floor, and the contacts that it shares a stand with.
    struct Place {
        glm::dvec3 place{0, 0, 0};  ///< first relative to its stand
        std::size_t stand = none;
    };

    /// Heels and balls that stand at the same time are one sole apart; each stand as a whole is where it is
    /// on average.
    void find_places() {
        heels_.resize(contacts_.heel.size());
        balls_.resize(contacts_.ball.size());
        std::size_t stands = 0;
        for (const Flat& flat : flats_) {
            Place& heel = heels_[flat.heel];
            Place& ball = balls_[flat.ball];
            if (heel.stand == none && ball.stand == none) {
                heel.stand = stands++;
            }
            if (ball.stand == none) {
                ball = {heel.place + flat.sole, heel.stand};
            } else if (heel.stand == none) {
                heel = {ball.place - flat.sole, ball.stand};
            }
        }
        for (std::vector<Place>* places : {&heels_, &balls_}) {
            for (Place& place : *places) {
                place.stand = place.stand == none ? stands++ : place.stand;
            }
        }
        std::vector<glm::dvec3> sums(stands, glm::dvec3(0));
        std::vector<double> counts(stands, 0.0);
        for (std::size_t frame = 0; frame < times_.size(); ++frame) {
            const auto add = [&](const Place& place, const glm::dvec3& seen) {
                sums[place.stand] += seen - place.place;
                counts[place.stand] += 1.0;
            };
            if (heel_at_[frame] != none) {
                add(heels_[heel_at_[frame]],
                    leg_.ankles[frame] + held_path_.feet[frame] * (leg_.feet[frame] * sole_.heel));
            }
            if (ball_at_[frame] != none) {
                add(balls_[ball_at_[frame]],
                    leg_.ankles[frame] + held_path_.feet[frame] * (leg_.balls[frame] - leg_.ankles[frame]));
            }
        }
        for (std::vector<Place>* places : {&heels_, &balls_}) {
            for (Place& place : *places) {
                place.place += sums[place.stand] / counts[place.stand];
                place.place.z = sole_.ground_metres;
            }
        }
    }

    void move_ankles() {
        std::vector<glm::dvec3> moves(times_.size(), glm::dvec3(0));
        for (std::size_t frame = 0; frame < times_.size(); ++frame) {
            const glm::dvec3& ankle = leg_.ankles[frame];
            if (ball_at_[frame] != none) {
                moves[frame] = balls_[ball_at_[frame]].place -
                               (ankle + held_path_.feet[frame] * (leg_.balls[frame] - ankle));
            } else if (heel_at_[frame] != none) {
                moves[frame] = heels_[heel_at_[frame]].place -
                               (ankle + held_path_.feet[frame] * (leg_.feet[frame] * sole_.heel));
            }
        }
        fade_between(contacts_.standing(), times_, moves);
        held_.assign(times_.size(), glm::dvec3(1, 0, 0));
        fade_between(contacts_.standing(), times_, held_);
        held_path_.toes.resize(times_.size());
        for (std::size_t frame = 0; frame < times_.size(); ++frame) {
            held_path_.ankles.push_back(leg_.ankles[frame] + moves[frame]);
        }
    }

    void find_free_heels() {
        std::vector<glm::dvec3> stands(times_.size(), glm::dvec3(1, 0, 0));
        fade_between(contacts_.heel, times_, stands, heel_fade_seconds);
        for (const glm::dvec3& stand : stands) {
            heel_free_.push_back(1.0 - stand.x);
        }
    }

    [[nodiscard]] glm::dvec3 heel_at(std::size_t frame, const glm::dquat& turn) const {
        return turn * (leg_.feet[frame] * sole_.heel);
    }
    [[nodiscard]] glm::dvec3 ball_at(std::size_t frame, const glm::dquat& turn) const {
        return leg_.balls.empty() ? heel_at(frame, turn) : turn * (leg_.balls[frame] - leg_.ankles[frame]);
    }
    [[nodiscard]] bool has_tip() const { return sole_.tip_metres && !leg_.tips.empty(); }

    /// The point of a foot that is lowest, compared with where it stands.
    struct Deepest {
        glm::dvec3 place{0, 0, 0};  ///< from the ankle
        double metres = 0;          ///< below the ground
        bool is_heel = true;
    };

    [[nodiscard]] Deepest deepest(std::size_t frame) const {
        const glm::dquat& turn = path_.feet[frame];
        const double ground = sole_.ground_metres - path_.ankles[frame].z;
        const glm::dvec3 heel = heel_at(frame, turn);
        const glm::dvec3 ball = ball_at(frame, turn);
        Deepest low{heel, ground - heel.z};
        const auto add = [&](const glm::dvec3& place, double metres) {
            low = metres > low.metres ? Deepest{place, metres, false} : low;
        };
        add(ball, ground - ball.z);
        if (has_tip()) {
            const glm::dvec3 tip = ball + path_.toes[frame] * (leg_.tips[frame] - leg_.balls[frame]);
            add(tip, *sole_.tip_metres - path_.ankles[frame].z - tip.z);
        }
        return low;
    }

    /// While the foot stands, the deeper end of a sole in the ground turns about the other one.
    void lay_on_ground(std::size_t frame) {
        glm::dvec3& ankle = path_.ankles[frame];
        glm::dquat& turn = path_.feet[frame];
        const glm::dvec3 heel = heel_at(frame, turn);
        const glm::dvec3 ball = ball_at(frame, turn);
        const glm::dvec3& high = heel.z < ball.z ? ball : heel;
        const glm::dvec3& low = heel.z < ball.z ? heel : ball;
        ankle.z += held_[frame].x * std::max(sole_.ground_metres - high.z - ankle.z, 0.0);
        if (ankle.z + low.z < sole_.ground_metres - tiny_metres) {
            if (const auto whole = pitch_to(low - high, sole_.ground_metres - (ankle.z + high.z))) {
                const glm::dquat pitch = at_most(*whole, held_[frame].x * largest_pitch);
                ankle += high - pitch * high;
                turn = glm::normalize(pitch * turn);
            }
        }
    }

    /// A foot whose heel is up turns about its ball so that the leg keeps its length: a straight knee would
    /// bend far for a few millimetres.
    void roll_on_ball(const std::vector<double>& lifts) {
        std::vector<glm::dvec3> rolls(times_.size(), glm::dvec3(0));
        for (std::size_t frame = 0; frame < times_.size(); ++frame) {
            if (ball_at_[frame] != none && heel_at_[frame] == none) {
                rolls[frame] = roll_at(frame, leg_.hips[frame] + glm::dvec3(0, 0, lifts[frame]));
            }
        }
        fade_between(contacts_.ball, times_, rolls);
        for (std::size_t frame = 0; frame < times_.size(); ++frame) {
            const glm::dquat roll = turn_by(heel_free_[frame] * rolls[frame]);
            const glm::dvec3 ball = ball_at(frame, path_.feet[frame]);
            path_.ankles[frame] += ball - roll * ball;
            path_.feet[frame] = glm::normalize(roll * path_.feet[frame]);
        }
    }

    /// The turn about the ball, in the foot's vertical plane, after which hip and ankle are as far apart as
    /// they were.
    [[nodiscard]] glm::dvec3 roll_at(std::size_t frame, const glm::dvec3& hip) const {
        const glm::dvec3 foot = -ball_at(frame, path_.feet[frame]);
        const auto across = direction_of(glm::cross(glm::dvec3(0, 0, 1), foot), tiny_metres);
        if (!across) {
            return glm::dvec3(0);
        }
        const glm::dvec3 to_hip = hip - (path_.ankles[frame] - foot);
        const glm::dvec3 in_plane = to_hip - *across * glm::dot(to_hip, *across);
        if (!(glm::length(in_plane) > tiny_metres)) {
            return glm::dvec3(0);
        }
        const double length = glm::length(leg_.hips[frame] - leg_.ankles[frame]);
        const double cosine = (glm::dot(to_hip, to_hip) + glm::dot(foot, foot) - length * length) /
                              (2.0 * glm::length(in_plane) * glm::length(foot));
        const double now =
            std::atan2(glm::dot(*across, glm::cross(foot, in_plane)), glm::dot(foot, in_plane));
        const double kept = std::clamp(cosine, -1.0, 1.0);
        const double wanted = std::copysign(std::atan2(std::sqrt(1.0 - kept * kept), kept), now);
        return *across * std::clamp(now - wanted, -largest_roll, largest_roll);
    }

    /// Toes that would sink into the ground bend up, and begin before they would. A ball far below the ground
    /// is not on it, so that its toes keep their direction.
    void bend_toes() {
        path_.toes = path_.feet;
        if (!has_tip()) {
            return;
        }
        std::vector<double> radians(times_.size(), 0.0);
        const double farthest = highest_share * leg_length();
        for (std::size_t frame = 0; frame < times_.size(); ++frame) {
            const double ball = path_.ankles[frame].z + ball_at(frame, path_.feet[frame]).z;
            const glm::dvec3 toes = toes_at(frame);
            if (ball + toes.z < *sole_.tip_metres - tiny_metres) {
                const auto pitch = pitch_to(toes, *sole_.tip_metres - ball);
                radians[frame] = smooth_step(1.0 - (sole_.ground_metres - ball) / farthest) *
                                 std::min(pitch ? glm::length(vector_of(*pitch)) : 0.0, largest_pitch);
            }
        }
        for (std::size_t frame = 0; frame < times_.size(); ++frame) {
            const glm::dvec3 toes = toes_at(frame);
            const glm::dvec3 across = glm::cross(toes, glm::dvec3(0, 0, 1));
            const double length = glm::length(across);
            const double up = eased(radians, frame);
            if (up > 0.0 && length > tiny_metres) {
                path_.toes[frame] = glm::normalize(turn_by(across * (up / length)) * path_.feet[frame]);
            }
        }
    }

    /// The ankle goes up by so much, and away from the hip, so that the leg keeps its length as far as that
    /// is near: a straight knee would bend far for a few millimetres. A vertical leg has no such direction.
    void raise(std::size_t frame, const glm::dvec3& hip, double metres) {
        glm::dvec3& ankle = path_.ankles[frame];
        const glm::dvec3 leg = ankle - hip;
        const glm::dvec3 across(leg.x, leg.y, 0);
        const double width = glm::length(across);
        const double height = leg.z + metres;
        const double kept = std::sqrt(std::max(glm::dot(leg, leg) - height * height, 0.0));
        ankle.z += metres;
        if (kept > width && width > tiny_metres) {
            const double away =
                std::min({kept - width, most_away_per_lift * metres, most_away_share * leg_length()});
            ankle += across * (smooth_step(width / glm::length(leg) / slanting) * away / width);
        }
    }

    [[nodiscard]] glm::dvec3 toes_at(std::size_t frame) const {
        return path_.feet[frame] * (leg_.tips[frame] - leg_.balls[frame]);
    }

    [[nodiscard]] double leg_length() const {
        return glm::length(leg_.hips.front() - leg_.knees.front()) +
               glm::length(leg_.knees.front() - leg_.ankles.front());
    }

    /// The largest of the values near the frame, which fade with their distance in time.
    [[nodiscard]] double eased(const std::vector<double>& values, std::size_t frame) const {
        double largest = values[frame];
        const auto take = [&](std::size_t other) {
            const double seconds = std::abs(times_[other] - times_[frame]);
            largest = std::max(largest, values[other] * faded(seconds, fade_seconds));
            return seconds < fade_seconds;
        };
        for (std::size_t other = frame; other-- > 0 && take(other);) {
        }
        for (std::size_t other = frame + 1; other < values.size() && take(other); ++other) {
        }
        return largest;
    }

    const LegPath& leg_;
    const FootContacts& contacts_;
    const Sole& sole_;
    const std::vector<double>& times_;
    std::vector<std::size_t> heel_at_;
    std::vector<std::size_t> ball_at_;
    std::vector<Flat> flats_;
    std::vector<Place> heels_;  ///< per contact
    std::vector<Place> balls_;
    std::vector<glm::dvec3> held_;   ///< x: 1 while the foot stands, and fading
    std::vector<double> heel_free_;  ///< 0 while the heel stands, and fading
    FootPath held_path_;             ///< of a body that is not lifted; it may go through the ground
    FootPath path_;
};

// ---- the body ----

/// The longest distance from hip to ankle. A leg that is already straighter may stay so.
double longest_of(const LegPath& leg, std::size_t frame) {
    const double length =
        glm::length(leg.hips[frame] - leg.knees[frame]) + glm::length(leg.knees[frame] - leg.ankles[frame]);
    return std::max(longest_reach * length, glm::length(leg.hips[frame] - leg.ankles[frame]));
}

/// The numbers near each time, combined by `add(sum, number, weight)`; the weights fall from 1 to 0.
template <typename Add>
std::vector<double> of_nearby(const std::vector<double>& numbers, const std::vector<double>& times, Add add) {
    std::vector<double> made;
    constexpr std::size_t most = 256;  // keys may be dense
    std::size_t first = 0;
    std::size_t end = 0;
    for (std::size_t frame = 0; frame < times.size(); ++frame) {
        while (times[frame] - times[first] > ease_seconds) {
            ++first;
        }
        while (end < times.size() && times[end] - times[frame] <= ease_seconds) {
            ++end;
        }
        const std::size_t stride = 1 + (end - first) / most;
        double sum = 0;
        for (std::size_t other = first + (frame - first) % stride; other < end; other += stride) {
            add(sum, numbers[other], faded(std::abs(times[other] - times[frame]), ease_seconds));
        }
        made.push_back(sum);
    }
    return made;
}

std::vector<double> averaged(const std::vector<double>& numbers, const std::vector<double>& times) {
    std::vector<double> made =
        of_nearby(numbers, times, [](double& sum, double number, double weight) { sum += weight * number; });
    const std::vector<double> weights =
        of_nearby(numbers, times, [](double& sum, double /*number*/, double weight) { sum += weight; });
    for (std::size_t i = 0; i < made.size(); ++i) {
        made[i] /= weights[i];
    }
    return made;
}

/// Numbers that are at most the given ones, and change smoothly.
std::vector<double> eased(const std::vector<double>& numbers, const std::vector<double>& times) {
    return averaged(
        of_nearby(numbers, times,
                  [](double& sum, double number, double /*weight*/) { sum = std::min(sum, number); }),
        times);
}

/// How much a knee moves where the body is lifted; in arbitrary units.
double knee_per_lift(const LegPath& leg, std::size_t frame) {
    constexpr double straightest = 0.1;  // the sine of 6 degrees
    const auto thigh = direction_of(leg.knees[frame] - leg.hips[frame]);
    const auto shin = direction_of(leg.ankles[frame] - leg.knees[frame]);
    const auto line = direction_of(leg.ankles[frame] - leg.hips[frame]);
    return thigh && shin && line
               ? std::abs(line->z) / std::max(glm::length(glm::cross(*thigh, *shin)), straightest)
               : 0.0;
}

/// From the line between hip and ankle to the knee.
glm::dvec3 bow_of(const LegPath& leg, std::size_t frame) {
    const glm::dvec3 knee = leg.knees[frame] - leg.hips[frame];
    const auto line = direction_of(leg.ankles[frame] - leg.hips[frame]);
    return line ? knee - *line * glm::dot(knee, *line) : glm::dvec3(0);
}

/// The side to which the knee bends, in the thigh's frame, as the whole motion shows it. A knee that never
/// bends would bend forward.
glm::dvec3 bend_side(const LegPath& leg) {
    constexpr double straight_share = 1e-3;  // of the thigh
    glm::dvec3 bows(0);
    glm::dvec3 forward(0);
    for (std::size_t frame = 0; frame < leg.hips.size(); ++frame) {
        bows += glm::conjugate(leg.thighs[frame]) * bow_of(leg, frame);
        if (!leg.balls.empty()) {
            forward += glm::conjugate(leg.thighs[frame]) * (leg.balls[frame] - leg.ankles[frame]);
        }
    }
    const double thigh = glm::length(leg.knees.front() - leg.hips.front());
    const auto side = direction_of(bows, straight_share * thigh * static_cast<double>(leg.hips.size()));
    return side ? *side : direction_of(forward).value_or(glm::dvec3(0));
}

/// Turns the two bones so that the ankle is at `wanted`, as far as the leg reaches. False if it does not.
/// `bends_to`: bend_side.
bool turn_bones(const LegPath& leg, std::size_t frame, const glm::dvec3& wanted, const glm::dvec3& bends_to,
                LegTurns& turns) {
    const glm::dvec3& hip = leg.hips[frame];
    const auto bent = bend_limb({leg.knees[frame] - hip, leg.ankles[frame] - hip, longest_of(leg, frame),
                                 leg.thighs[frame] * bends_to},
                                wanted - hip);
    if (bent) {
        turns.upper = bent->upper;
        turns.lower = bent->lower;
    }
    return bent && bent->reaches;
}

}  // namespace

double Planting::largest_lift() const {
    double largest = 0;
    for (const double lift : lifts) {
        largest = std::max(largest, std::abs(lift));
    }
    return largest;
}

void Planting::turn_back(const glm::dquat& turn) {
    const glm::dquat none(1, 0, 0, 0);
    if (turn == none) {
        return;
    }
    const glm::dquat back = glm::conjugate(turn);
    up = back * up;
    for (std::vector<LegTurns>& leg : turns) {
        for (LegTurns& at : leg) {
            for (glm::dquat* bone : {&at.upper, &at.lower, &at.foot, &at.toes}) {
                *bone = *bone == none ? none : back * *bone * turn;
            }
        }
    }
}

namespace {

std::vector<bool> frames_in(const std::vector<Contact>& contacts, std::size_t frames) {
    std::vector<bool> in(frames, false);
    for (const Contact& contact : contacts) {
        std::fill(in.begin() + static_cast<std::ptrdiff_t>(contact.first),
                  in.begin() + static_cast<std::ptrdiff_t>(contact.last) + 1, true);
    }
    return in;
}

/// Plants the feet of a body on a flat floor.
class BodyPlanter {
public:
    BodyPlanter(const std::vector<LegPath>& legs, const StandingFeet& standing,
                const std::vector<Sole>& soles, const std::vector<double>& times)
        : legs_(legs), times_(times) {
        for (std::size_t leg = 0; leg < legs.size(); ++leg) {
            stands_.push_back(frames_in(standing.contacts[leg].standing(), times.size()));
            feet_.emplace_back(legs[leg], standing.contacts[leg], soles[leg], times);
            if (legs[leg].is_whole()) {
                feet_.back().plant();
            }
        }
    }

    Planting plant(bool can_lift) {
        made_.lifts.resize(times_.size(), 0.0);
        if (can_lift) {
            for (int pass = 0; pass < lift_passes; ++pass) {
                follow_feet();
            }
            reach_feet();
        }
        for (std::size_t leg = 0; leg < legs_.size(); ++leg) {
            if (legs_[leg].is_whole()) {
                feet_[leg].stay_above(made_.lifts);
            }
        }
        if (!(made_.largest_lift() > hardly_seen_metres)) {
            std::ranges::fill(made_.lifts, 0.0);
        }
        for (std::size_t leg = 0; leg < legs_.size(); ++leg) {
            made_.turns.push_back(turns_of(leg));
        }
        return std::move(made_);
    }

private:
    /// The body goes up and down with its feet, so that knees change as little as they can: those of straight
    /// legs change most.
    void follow_feet() {
        std::vector<double> lifts(times_.size());
        for (std::size_t frame = 0; frame < times_.size(); ++frame) {
            double sum = 0;
            double weights = 0;
            for (std::size_t leg = 0; leg < legs_.size(); ++leg) {
                if (legs_[leg].is_whole()) {
                    const double lift = lift_for(leg, frame);
                    // A foot that goes with the body wants nothing.
                    const double weight = std::pow(knee_per_lift(legs_[leg], frame), 2.0) * std::abs(lift);
                    sum += weight * lift;
                    weights += weight;
                }
            }
            lifts[frame] = weights > 0.0 ? sum / weights : 0.0;
        }
        lift(averaged(lifts, times_));
    }

    /// How far the body must go up, beyond its lift, so that the leg stays as long as it was. For a leg that
    /// is not steep, no farther than its foot goes.
    [[nodiscard]] double lift_for(std::size_t leg, std::size_t frame) const {
        const glm::dvec3& old = legs_[leg].ankles[frame];
        const glm::dvec3& ankle = feet_[leg].path().ankles[frame];
        const glm::dvec3 lift(0, 0, made_.lifts[frame]);
        const glm::dvec3& hip = legs_[leg].hips[frame];
        const double up = ankle.z - old.z - lift.z;
        const double beside = std::hypot(ankle.x - old.x, ankle.y - old.y);
        return std::clamp(needed_lift(hip + lift, ankle, glm::length(old - hip)), up - beside, up + beside);
    }

    void lift(const std::vector<double>& lifts) {
        std::ranges::transform(made_.lifts, lifts, made_.lifts.begin(), std::plus());
        for (std::size_t leg = 0; leg < legs_.size(); ++leg) {
            if (legs_[leg].is_whole()) {
                feet_[leg].go_with(made_.lifts);
            }
        }
    }

    /// Lowers the body where a leg is too short.
    void reach_feet() {
        std::vector<double> drops(times_.size(), 0.0);
        for (std::size_t leg = 0; leg < legs_.size(); ++leg) {
            const std::vector<glm::dvec3>& ankles = feet_[leg].path().ankles;
            for (std::size_t frame = 0; frame < ankles.size(); ++frame) {
                const glm::dvec3 hip = legs_[leg].hips[frame] + glm::dvec3(0, 0, made_.lifts[frame]);
                drops[frame] =
                    std::min(drops[frame], needed_lift(hip, ankles[frame], longest_of(legs_[leg], frame)));
            }
        }
        lift(eased(drops, times_));
    }

    std::vector<LegTurns> turns_of(std::size_t leg) {
        const LegPath& path = legs_[leg];
        const FootPath& foot = feet_[leg].path();
        const glm::dvec3 bends_to = path.is_whole() ? bend_side(path) : glm::dvec3(0);
        std::vector<LegTurns> turns;
        bool reaches = true;
        for (std::size_t frame = 0; frame < foot.ankles.size(); ++frame) {
            turns.push_back({.foot = foot.feet[frame], .toes = foot.toes[frame]});
            // Instead of raising the hip, lower what it must reach.
            const glm::dvec3 wanted = foot.ankles[frame] - glm::dvec3(0, 0, made_.lifts[frame]);
            if (glm::length(wanted - path.ankles[frame]) > tiny_metres) {
                const bool is_there = turn_bones(path, frame, wanted, bends_to, turns.back());
                reaches = reaches && (is_there || !stands_[leg][frame]);
            }
        }
        if (!reaches) {
            made_.unreached.push_back(path.side);
        }
        return turns;
    }

    const std::vector<LegPath>& legs_;
    const std::vector<double>& times_;
    std::vector<std::vector<bool>> stands_;  ///< per leg and frame
    std::vector<FootPlanter> feet_;          ///< per leg; of a leg that is not whole empty
    Planting made_;
};

}  // namespace

Planting plant(const std::vector<LegPath>& legs, const StandingFeet& standing, const std::vector<Sole>& soles,
               const std::vector<double>& times, bool can_lift, const LoopFrames& loop) {
    if (standing.uneven_metres > 0.0 || !standing.ever() || never_move(legs, still_metres)) {
        return {.turns = std::vector<std::vector<LegTurns>>(legs.size())};
    }
    const Rounds rounds(times, loop);
    const std::vector<LegPath> played = rounds.played(legs);
    return rounds.once(BodyPlanter(played, rounds.played(standing), soles, rounds.times()).plant(can_lift));
}

std::vector<std::string> warnings_of_planting(const StandingFeet& standing, const Planting& planting) {
    std::vector<std::string> warnings;
    if (standing.uneven_metres > 0.0) {
        warnings.push_back("The input's feet stand at heights that differ by " +
                           fixed_text(1000.0 * standing.uneven_metres, 0) +
                           " mm, as on a slope or steps. No foot is planted.");
    } else if (standing.is_low) {
        warnings.emplace_back(
            "The input's feet are still only while the body sits, kneels or lies. No foot is planted, "
            "because "
            "none carries the body. If the body stands, check which joints its legs are: animbridge rig.");
    } else if (!standing.ever()) {
        warnings.emplace_back(
            "The input's feet move all the time, as in the air or on ice. No foot is planted. If they should "
            "stand, check the input's size and frame rate: speeds are compared with the length of the legs.");
    }
    for (const std::string& side : planting.unreached) {
        warnings.push_back("The " + side +
                           " leg is too short or too long to keep its foot in place at all times.");
    }
    return warnings;
}

}  // namespace animbridge::rig::retarget
