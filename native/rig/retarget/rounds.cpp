// SPDX-License-Identifier: MIT
#include <algorithm>
#include <glm/geometric.hpp>

#include "base/options/options.h"
#include "rig/exchange/exchange.h"
#include "rig/retarget/feet.h"
#include "rig/retarget/parts.h"

namespace animbridge::rig::retarget {

namespace {

constexpr double rounding_seconds = 1e-4;
constexpr double closed_metres = 5e-3;
/// Before and after a loop, over this long.
constexpr double join_seconds = 0.15;

template <typename Item>
std::vector<Item> picked(const std::vector<Item>& items, const std::vector<std::size_t>& frames) {
    std::vector<Item> made;
    for (std::size_t i = 0; i < frames.size() && !items.empty(); ++i) {
        made.push_back(items[frames[i]]);
    }
    return made;
}

/// Contacts in other frames. `frames`: the old one of each.
std::vector<Contact> picked_contacts(const std::vector<Contact>& contacts,
                                     const std::vector<std::size_t>& frames) {
    std::vector<Contact> made;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const bool is_on = std::ranges::any_of(contacts, [&](const Contact& contact) {
            return contact.first <= frames[i] && frames[i] <= contact.last;
        });
        if (is_on && !made.empty() && made.back().last + 1 == i) {
            made.back().last = i;
        } else if (is_on) {
            made.push_back({i, i});
        }
    }
    return made;
}

StandingFeet picked_feet(const StandingFeet& standing, const std::vector<std::size_t>& frames) {
    StandingFeet made;
    made.level = standing.level;
    made.uneven_metres = standing.uneven_metres;
    made.is_low = standing.is_low;
    for (std::size_t leg = 0; leg < standing.contacts.size(); ++leg) {
        made.contacts.push_back({picked_contacts(standing.contacts[leg].heel, frames),
                                 picked_contacts(standing.contacts[leg].ball, frames)});
        made.supports.push_back(picked_contacts(standing.supports[leg], frames));
        made.flat.push_back(picked(standing.flat[leg], frames));
    }
    return made;
}

bool ends_as_it_begins(const std::vector<LegPath>& legs, const Contact& loop) {
    const auto is_closed = [&](const std::vector<glm::dvec3>& places) {
        return places.empty() || glm::length(places[loop.last] - places[loop.first]) < closed_metres;
    };
    return std::ranges::all_of(legs, [&](const LegPath& leg) {
        return is_closed(leg.hips) && is_closed(leg.knees) && is_closed(leg.ankles) && is_closed(leg.balls) &&
               is_closed(leg.tips);
    });
}

/// `now`, and the share `weight` of the way from one turn to another.
glm::dquat joined_turn(const glm::dquat& now, const glm::dquat& from, const glm::dquat& to, double weight) {
    const glm::dquat all = to * glm::conjugate(from);
    return glm::normalize(glm::slerp(glm::dquat(1, 0, 0, 0), all, weight) * now);
}

LegTurns joined(const LegTurns& now, const LegTurns& from, const LegTurns& to, double weight) {
    return weight > 0.0 ? LegTurns{joined_turn(now.upper, from.upper, to.upper, weight),
                                   joined_turn(now.lower, from.lower, to.lower, weight),
                                   joined_turn(now.foot, from.foot, to.foot, weight),
                                   joined_turn(now.toes, from.toes, to.toes, weight)}
                        : now;
}

}  // namespace

LoopFrames loop_frames(const Clip& clip, const std::vector<LegPath>& legs, const std::vector<double>& times) {
    Contact loop{0, times.size() - 1};
    if (const auto marked = loop_of(clip)) {
        const auto in = std::ranges::lower_bound(times, marked->in_seconds - rounding_seconds);
        const auto end = std::ranges::upper_bound(times, marked->out_seconds + rounding_seconds);
        if (in >= end) {
            return std::nullopt;
        }
        loop = {static_cast<std::size_t>(in - times.begin()),
                static_cast<std::size_t>(end - times.begin()) - 1};
    }
    return loop.first < loop.last && ends_as_it_begins(legs, loop) ? LoopFrames(loop) : std::nullopt;
}

Rounds::Rounds(const std::vector<double>& times, const LoopFrames& loop)
    : loop_(loop.value_or(Contact{0, 0})), once_(times) {
    const double seconds = times[loop_.last] - times[loop_.first];
    frames_.reserve(3 * times.size());
    times_.reserve(3 * times.size());
    const auto add = [&](std::size_t first, std::size_t end, double shift) {
        for (std::size_t frame = first; frame < end; ++frame) {
            frames_.push_back(frame);
            times_.push_back(times[frame] + shift);
        }
    };
    add(0, loop_.last, -seconds);
    add(loop_.first, loop_.last, 0.0);
    add(loop_.first, times.size(), seconds);
}

std::size_t Rounds::index_of(std::size_t frame) const {
    const std::size_t round = loop_.last - loop_.first;
    return frame < loop_.first ? frame : frame <= loop_.last ? frame + round : frame + 2 * round;
}

Rounds::Joint Rounds::joint_at(std::size_t frame) const {
    if (frame >= loop_.first && frame <= loop_.last) {
        return {};
    }
    const std::size_t edge = frame < loop_.first ? loop_.first : loop_.last;
    const std::size_t round = loop_.last - loop_.first;
    const std::size_t to = index_of(edge);
    return {frame < loop_.first ? to - round : to + round, to,
            smooth_step(1.0 - std::abs(once_[frame] - once_[edge]) / join_seconds)};
}

std::vector<LegPath> Rounds::played(const std::vector<LegPath>& legs) const {
    std::vector<LegPath> made;
    made.reserve(legs.size());
    for (const LegPath& leg : legs) {
        made.push_back({leg.side, picked(leg.hips, frames_), picked(leg.thighs, frames_),
                        picked(leg.knees, frames_), picked(leg.ankles, frames_), picked(leg.feet, frames_),
                        picked(leg.balls, frames_), picked(leg.tips, frames_)});
    }
    return made;
}

StandingFeet Rounds::played(const StandingFeet& standing) const { return picked_feet(standing, frames_); }

StandingFeet Rounds::once(const StandingFeet& standing) const {
    std::vector<std::size_t> indices(once_.size());
    for (std::size_t frame = 0; frame < once_.size(); ++frame) {
        indices[frame] = index_of(frame);
    }
    StandingFeet made = picked_feet(standing, indices);
    for (std::size_t leg = 0; leg < made.contacts.size(); ++leg) {
        FootContacts& contacts = made.contacts[leg];
        if (made.supports[leg].empty()) {
            contacts = {};  // the foot only stood where the rounds are cut off
        }
        for (std::vector<Contact>* all : {&contacts.heel, &contacts.ball}) {
            // The frame at the end of the loop is the one at its beginning.
            if (!all->empty() && all->back().first > 0 && all->back().first == loop_.last) {
                all->pop_back();
            }
        }
    }
    return made;
}

Planting Rounds::once(const Planting& planting) const {
    Planting made{{planting.turns.size(), std::vector<LegTurns>()}, {}, planting.unreached};
    for (std::size_t frame = 0; frame < once_.size(); ++frame) {
        const Joint joint = joint_at(frame);
        if (!planting.lifts.empty()) {
            made.lifts.push_back(planting.lifts[index_of(frame)] +
                                 joint.weight * (planting.lifts[joint.to] - planting.lifts[joint.from]));
        }
        for (std::size_t leg = 0; leg < planting.turns.size(); ++leg) {
            const std::vector<LegTurns>& turns = planting.turns[leg];
            if (!turns.empty()) {
                made.turns[leg].push_back(
                    joined(turns[index_of(frame)], turns[joint.from], turns[joint.to], joint.weight));
            }
        }
    }
    return made;
}

}  // namespace animbridge::rig::retarget
